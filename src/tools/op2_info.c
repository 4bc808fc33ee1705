/* op2_info: prints version, settings, which plugins were found or refused and why, and what loops are compiled with. */
#include <stdio.h>
#include <stdlib.h>

#include "op2/op2.h"

int main(void) {
  const int length = op_info(NULL, 0);
  char *text = malloc((size_t)length + 1);
  if (!text) return EXIT_FAILURE;
  op_info(text, (size_t)length + 1);
  fputs(text, stdout);
  free(text);
  return length > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
