/* op2_info: what can run here; and of a program, which units have the text of their kernels. */
#include <op2/info.h>
#include <op2/op2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show_library(void) {
  const int length = op_info(NULL, 0);
  char *text = malloc((size_t)length + 1);
  if (!text) return EXIT_FAILURE;
  op_info(text, (size_t)length + 1);
  fputs(text, stdout);
  free(text);
  return length > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A whole file; NULL with a message. */
static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *out = NULL;
  long end = -1;
  if (file && fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0)
    out = malloc((size_t)end + 1);
  *size = out ? fread(out, 1, (size_t)end, file) : 0;
  if (file) fclose(file);
  if (!out || *size != (size_t)end) {
    fprintf(stderr, "op2_info: %s cannot be read\n", path);
    free(out);
    return NULL;
  }
  out[end] = '\0';
  return out;
}

/* A text begins with lines about its unit, which end with an empty one: src/tools/text writes them. */
static void show_unit(const char *lines) {
  char word[32] = "", value[400] = "", compiler[400] = "?", language[32] = "?", file[400] = "";
  size_t unpacked = 0, packed = 0;
  while (*lines && *lines != '\n' && sscanf(lines, "%31s %399[^\n]", word, value) == 2) {
    if (strcmp(word, "compiler") == 0) snprintf(compiler, sizeof compiler, "%s", value);
    if (strcmp(word, "language") == 0) snprintf(language, sizeof language, "%.31s", value);
    if (strcmp(word, "file") == 0 && !*file && strchr(value, ' '))
      snprintf(file, sizeof file, " %s", strchr(value, ' ') + 1);
    if (strcmp(word, "bytes") == 0) sscanf(value, "%zu %zu", &unpacked, &packed);
    lines = strchr(lines, '\n');
    if (!lines) break;
    ++lines;
  }
  printf("  a unit in %s%s, %zu bytes of text (%zu here), by %s\n", language, file, unpacked, packed, compiler);
}

static int show_program(const char *path) {
  static const char begin[] = "op2 unit text 1\n";
  const size_t length = sizeof begin - 1;
  size_t size = 0;
  int units = 0;
  char *bytes = read_file(path, &size);
  if (!bytes) return EXIT_FAILURE;
  for (char *at = bytes; (size_t)(at - bytes) + length < size; ++at) {
    at = memchr(at, begin[0], size - (size_t)(at - bytes));
    if (!at || (size_t)(at - bytes) + length >= size) break;
    /* The library itself has the words without what follows them. */
    if (memcmp(at, begin, length) != 0 || strncmp(at + length, "compiler ", 9) != 0) continue;
    if (units++ == 0) printf("texts of kernels in %s:\n", path);
    show_unit(at + length);
  }
  if (units == 0)
    printf(
        "no texts of kernels in %s: its loops run as compiled, unless it gives texts itself (op_kernel_source). Texts "
        "are kept by\n"
        "op2cxx and op2cc, by g++ and gcc with the options of op2-config --cxxflags, gfortran with those of --fflags, "
        "and in CMake by\n"
        "op2::op2 or op2_embed_kernels()\n",
        path);
  free(bytes);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  if (argc == 1) return show_library();
  if (argc == 3 && strcmp(argv[1], "--program") == 0) return show_program(argv[2]);
  const int asked = argc == 2 && strcmp(argv[1], "--help") == 0;
  fprintf(asked ? stdout : stderr,
          "usage: op2_info                  what the library has and can do here\n"
          "       op2_info --program FILE   which units of a program or library have the text of their kernels\n");
  return asked ? EXIT_SUCCESS : 2;
}

/* SPDX-License-Identifier: MIT */
