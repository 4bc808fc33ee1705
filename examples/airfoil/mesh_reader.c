/* mesh_reader.c: one pass over the text in memory; the first thing that is not as it should be ends it. */
#include "mesh_reader.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const char *at; /* next character; the text ends with a zero */
  const char *end;
  long line; /* of `at`, from 1 */
  const char *file;
  char *message;
  size_t capacity;
} reader;

__attribute__((format(printf, 2, 3))) static int fail(reader *in, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(in->message, in->capacity, format, list);
  va_end(list);
  return -1;
}

/* The whole file as a zero-terminated text, also from a pipe. NULL with errno set on failure. */
static char *read_text(FILE *file, size_t *size) {
  size_t room = (size_t)1 << 20, used = 0;
  char *text = malloc(room);
  while (text) {
    used += fread(text + used, 1, room - 1 - used, file);
    if (used < room - 1) break;
    char *larger = realloc(text, room *= 2);
    if (!larger) free(text);
    text = larger;
  }
  if (text && ferror(file)) {
    free(text);
    return NULL;
  }
  if (text) {
    text[used] = 0;
    *size = used;
  }
  return text;
}

/* Go to the next number: 0, or -1 when the text ends before it. */
static int find_number(reader *in, const char *what, int row, int rows) {
  for (;; ++in->at) {
    if (*in->at == '\n')
      ++in->line;
    else if (*in->at != ' ' && *in->at != '\t' && *in->at != '\r')
      break;
  }
  if (in->at < in->end) return 0;
  if (rows == 0) return fail(in, "%s: line %ld: the file ends before %s", in->file, in->line, what);
  return fail(in, "%s: line %ld: the file ends at row %d of %d %s rows", in->file, in->line, row, rows, what);
}

static int separated(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0; }

static int fail_at(reader *in, const char *expected) {
  const int length = (int)strcspn(in->at, " \t\r\n");
  return fail(in, "%s: line %ld: %s, found '%.*s'", in->file, in->line, expected, length < 24 ? length : 24, in->at);
}

static int read_coordinate(reader *in, int row, int rows, double *value) {
  if (find_number(in, "node", row, rows)) return -1;
  char *after;
  *value = strtod(in->at, &after);
  if (after == in->at || !separated(*after) || !isfinite(*value)) return fail_at(in, "expected a coordinate");
  in->at = after;
  return 0;
}

static int read_int(reader *in, const char *what, int row, int rows, int *value) {
  if (find_number(in, what, row, rows)) return -1;
  const char *at = in->at;
  const int negative = *at == '-';
  if (negative) ++at;
  const char *first = at;
  long long number = 0;
  while (*at >= '0' && *at <= '9' && number <= INT_MAX) number = 10 * number + (*at++ - '0');
  if (at == first || !separated(*at) || number > INT_MAX) return fail_at(in, "expected a whole number");
  *value = (int)(negative ? -number : number);
  in->at = at;
  return 0;
}

static int read_index(reader *in, const char *what, int row, int rows, int limit, const char *set, int *value) {
  if (read_int(in, what, row, rows, value)) return -1;
  if (*value < 0 || *value >= limit)
    return fail(in, "%s: line %ld: %s %d, but the mesh has only %d, counted from 0", in->file, in->line, set, *value,
                limit);
  return 0;
}

static int read_header(reader *in, airfoil_mesh *mesh) {
  int *const counts[4] = {&mesh->nnode, &mesh->ncell, &mesh->nedge, &mesh->nbedge};
  for (int k = 0; k < 4; ++k) {
    if (read_int(in, "the four counts of the header", 0, 0, counts[k])) return -1;
    if (*counts[k] < 0) return fail(in, "%s: line %ld: the count %d is negative", in->file, in->line, *counts[k]);
  }
  /* A nonsensical header must not make the program ask for gigabytes: a row takes at least 4 or 8 characters. */
  const long long least = 4LL * mesh->nnode + 8LL * mesh->ncell + 8LL * mesh->nedge + 8LL * mesh->nbedge - 1;
  if (in->end - in->at < least)
    return fail(in, "%s: the file is too short for %d nodes, %d cells, %d edges and %d boundary edges", in->file,
                mesh->nnode, mesh->ncell, mesh->nedge, mesh->nbedge);
  return 0;
}

static int allocate(reader *in, airfoil_mesh *mesh) {
  const size_t cells = (size_t)mesh->ncell, edges = (size_t)mesh->nedge, bedges = (size_t)mesh->nbedge;
  mesh->x = malloc((2 * (size_t)mesh->nnode + 1) * sizeof(double));
  mesh->cell_nodes = malloc((4 * cells + 1) * sizeof(int));
  mesh->edge_nodes = malloc((2 * edges + 1) * sizeof(int));
  mesh->edge_cells = malloc((2 * edges + 1) * sizeof(int));
  mesh->bedge_nodes = malloc((2 * bedges + 1) * sizeof(int));
  mesh->bedge_cell = malloc((bedges + 1) * sizeof(int));
  mesh->bound = malloc((bedges + 1) * sizeof(int));
  if (mesh->x && mesh->cell_nodes && mesh->edge_nodes && mesh->edge_cells && mesh->bedge_nodes && mesh->bedge_cell &&
      mesh->bound)
    return 0;
  return fail(in, "%s: not enough memory for the mesh", in->file);
}

static int read_rows(reader *in, airfoil_mesh *mesh) {
  for (int n = 0; n < mesh->nnode; ++n)
    for (int k = 0; k < 2; ++k)
      if (read_coordinate(in, n, mesh->nnode, &mesh->x[2 * (size_t)n + (size_t)k])) return -1;
  for (int n = 0; n < mesh->ncell; ++n)
    for (int k = 0; k < 4; ++k)
      if (read_index(in, "cell", n, mesh->ncell, mesh->nnode, "node", &mesh->cell_nodes[4 * (size_t)n + (size_t)k]))
        return -1;
  for (int n = 0; n < mesh->nedge; ++n) {
    const size_t row = 2 * (size_t)n;
    for (size_t k = 0; k < 2; ++k)
      if (read_index(in, "edge", n, mesh->nedge, mesh->nnode, "node", &mesh->edge_nodes[row + k])) return -1;
    for (size_t k = 0; k < 2; ++k)
      if (read_index(in, "edge", n, mesh->nedge, mesh->ncell, "cell", &mesh->edge_cells[row + k])) return -1;
  }
  for (int n = 0; n < mesh->nbedge; ++n) {
    const size_t row = 2 * (size_t)n;
    for (size_t k = 0; k < 2; ++k)
      if (read_index(in, "boundary edge", n, mesh->nbedge, mesh->nnode, "node", &mesh->bedge_nodes[row + k])) return -1;
    if (read_index(in, "boundary edge", n, mesh->nbedge, mesh->ncell, "cell", &mesh->bedge_cell[n])) return -1;
    if (read_int(in, "boundary edge", n, mesh->nbedge, &mesh->bound[n])) return -1;
  }
  return 0;
}

static int read_end(reader *in) {
  while (in->at < in->end && separated(*in->at) && *in->at != 0) in->line += *in->at++ == '\n';
  if (in->at == in->end) return 0;
  return fail(in, "%s: line %ld: the mesh is complete, but the file goes on", in->file, in->line);
}

int airfoil_mesh_read(const char *file, airfoil_mesh *mesh, char *message, size_t capacity) {
  memset(mesh, 0, sizeof *mesh);
  reader in = {NULL, NULL, 1, file, message, capacity};
  FILE *stream = fopen(file, "rb");
  if (!stream) return fail(&in, "%s: %s", file, strerror(errno));
  size_t size = 0;
  char *text = read_text(stream, &size);
  const int error = errno;
  fclose(stream);
  if (!text) return fail(&in, "%s: %s", file, strerror(error));
  in.at = text;
  in.end = text + size;
  int status = read_header(&in, mesh);
  if (!status) status = allocate(&in, mesh);
  if (!status) status = read_rows(&in, mesh);
  if (!status) status = read_end(&in);
  free(text);
  if (status) airfoil_mesh_free(mesh);
  return status;
}

void airfoil_mesh_free(airfoil_mesh *mesh) {
  free(mesh->x);
  free(mesh->cell_nodes);
  free(mesh->edge_nodes);
  free(mesh->edge_cells);
  free(mesh->bedge_nodes);
  free(mesh->bedge_cell);
  free(mesh->bound);
  memset(mesh, 0, sizeof *mesh);
}

/* First row of process `rank`. */
static size_t block_begin(int count, int rank, int size) { return (size_t)((long long)count * rank / size); }

airfoil_mesh airfoil_mesh_block(const airfoil_mesh *whole, int rank, int size) {
  const size_t nodes = block_begin(whole->nnode, rank, size), cells = block_begin(whole->ncell, rank, size);
  const size_t edges = block_begin(whole->nedge, rank, size), bedges = block_begin(whole->nbedge, rank, size);
  airfoil_mesh block;
  block.nnode = (int)(block_begin(whole->nnode, rank + 1, size) - nodes);
  block.ncell = (int)(block_begin(whole->ncell, rank + 1, size) - cells);
  block.nedge = (int)(block_begin(whole->nedge, rank + 1, size) - edges);
  block.nbedge = (int)(block_begin(whole->nbedge, rank + 1, size) - bedges);
  block.x = whole->x + 2 * nodes;
  block.cell_nodes = whole->cell_nodes + 4 * cells;
  block.edge_nodes = whole->edge_nodes + 2 * edges;
  block.edge_cells = whole->edge_cells + 2 * edges;
  block.bedge_nodes = whole->bedge_nodes + 2 * bedges;
  block.bedge_cell = whole->bedge_cell + bedges;
  block.bound = whole->bound + bedges;
  return block;
}

/* SPDX-License-Identifier: MIT */
