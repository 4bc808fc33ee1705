/* heads_reader.c: how an OP2 program in C reads sets, maps and dats: through their fields. */
#include "heads_reader.h"

#include <string.h>

#include "op2/heads.h"

int heads_count(op_set set) { return set->size; }

int heads_whole_core(op_set set) {
  return set->core_size == set->size && set->exec_size == 0 && set->nonexec_size == 0;
}

int heads_named(op_set set, op_map map, op_dat dat, const char *set_name, const char *map_name, const char *dat_name) {
  return strcmp(set->name, set_name) == 0 && strcmp(map->name, map_name) == 0 && strcmp(dat->name, dat_name) == 0;
}

int heads_linked(op_set from, op_map map, op_set to, op_dat dat) {
  return map->from == from && map->to == to && dat->set == to;
}

int heads_in_order(op_set first, op_set second) { return first->index + 1 == second->index; }

int heads_target(op_map map, int element, int column) { return map->map[element * map->dim + column]; }

double heads_value(op_dat dat, int element, int component) {
  return ((const double *)(const void *)dat->data)[element * dat->dim + component];
}

void heads_change(op_dat dat, int element, int component, double value) {
  ((double *)(void *)dat->data)[element * dat->dim + component] = value;
}

int heads_row_bytes(op_dat dat) { return dat->size; }

const char *heads_type(op_dat dat) { return dat->type; }

int heads_host_and_device(op_dat dat) { return dat->dirty_hd; }
