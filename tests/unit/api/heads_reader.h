/* heads_reader.h: see heads_reader.c. */
#ifndef HEADS_READER_H
#define HEADS_READER_H

#include "op2/types.h"

#ifdef __cplusplus
extern "C" {
#endif

int heads_count(op_set set);
int heads_whole_core(op_set set);
int heads_named(op_set set, op_map map, op_dat dat, const char *set_name, const char *map_name, const char *dat_name);
int heads_linked(op_set from, op_map map, op_set to, op_dat dat);
int heads_in_order(op_set first, op_set second);
int heads_target(op_map map, int element, int column);
double heads_value(op_dat dat, int element, int component);
void heads_change(op_dat dat, int element, int component, double value);
int heads_row_bytes(op_dat dat);
const char *heads_type(op_dat dat);
int heads_host_and_device(op_dat dat);
int heads_older_names(op_dat dat, double *value); /* all functions of compat.h with older names succeed */

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
