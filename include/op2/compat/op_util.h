// op_util.h: small helpers that some OP2 programs use.
#ifndef OP2_COMPAT_OP_UTIL_H
#define OP2_COMPAT_OP_UTIL_H

#include <stdio.h>
#include <stdlib.h>

extern "C" {

// The number of elements of one of `processes` processes out of `size`; if they do not divide evenly, the first
// processes have one element more.
inline int compute_local_size(int size, int processes, int process) {
  return size / processes + (process < size % processes ? 1 : 0);
}

// As malloc(), calloc() and realloc(), but the program ends if there is no memory.
inline void *xmalloc(size_t size) {
  void *const out = malloc(size == 0 ? 1 : size);
  if (out == NULL) {
    fprintf(stderr, "xmalloc: no memory for %zu bytes\n", size);
    exit(EXIT_FAILURE);
  }
  return out;
}
inline void *xcalloc(size_t count, size_t size) {
  void *const out = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
  if (out == NULL) {
    fprintf(stderr, "xcalloc: no memory for %zu times %zu bytes\n", count, size);
    exit(EXIT_FAILURE);
  }
  return out;
}
inline void *xrealloc(void *pointer, size_t size) {
  void *const out = realloc(pointer, size == 0 ? 1 : size);
  if (out == NULL) {
    fprintf(stderr, "xrealloc: no memory for %zu bytes\n", size);
    exit(EXIT_FAILURE);
  }
  return out;
}

// 1 if the file can be read.
inline int file_exist(char const *name) {
  FILE *const file = fopen(name, "r");
  if (file != NULL) fclose(file);
  return file != NULL;
}

// The index of the smallest of `count` >= 1 numbers; the first one among equal numbers.
inline int min(int array[], int count) {
  int at = 0;
  for (int i = 1; i < count; ++i)
    if (array[i] < array[at]) at = i;
  return at;
}
}

#endif

/* SPDX-License-Identifier: MIT */
