/* A program with a mesh and a view of it, for looking_at_results.md. */
#include <op2/op2.h>
#include <op2/view.h>

extern op_map cell_nodes;
extern op_dat x, pressure;
extern op_view view;
extern int steps;
extern double time;

void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
