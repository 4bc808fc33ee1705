/* A program with the mesh of lesson 2, for fragments in C. */
#include <op2/meshfile.h>
#include <op2/op2.h>

#include "../examples/lessons/02_shock/shock_kernels.h"

extern op_mesh mesh;
extern op_dat q, gain;
extern op_dat inlet_normal;

void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
