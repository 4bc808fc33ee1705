/* A program with a view of a mesh and a velocity on it, for streamlines.md. */
#include <op2/inspect.h>
#include <op2/op2.h>
#include <op2/trace.h>
#include <op2/view.h>
#include <stdio.h>

extern op_view view;
extern op_dat velocity, later, exponent;
extern op_tracer tracer;
extern op_map tetrahedra_nodes;
extern op_lines lines;
extern double seeds[300];

void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
