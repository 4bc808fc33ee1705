/* heads_reader.c: how an OP2 program in C reads sets, maps and dats: through their fields. */
#include "heads_reader.h"

#include <string.h>

#include "op2/compat.h"
#include "op2/data.h"
#include "op2/decl.h"
#include "op2/user_types.h"

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

int heads_older_names(op_dat dat, double *value) {
  const op_index local = op_get_size_declared(dat->set);
  const op_gindex global = op_get_size(dat->set);
  const op_arg payload = op_arg_info(value, 1, "double", 0);
  const op_arg bytes = op_arg_info_char((char *)(void *)value, 1, "own", (int)sizeof *value, 0);
  return local == global && payload.argtype == OP_ARG_INFO && bytes.argtype == OP_ARG_INFO &&
         bytes.size == payload.size && OP_RANGE_OFF == OP_RANGE_ABSENT && op_get_dat(dat) == OP_OK &&
         op_put_dat(dat) == OP_OK && op_mpi_wait_all(0, NULL) == OP_OK &&
         op_decl_const2("value", 1, "double", value) == OP_OK;
}

/* SPDX-License-Identifier: MIT */
