/* A program with a mesh of tetrahedra and particles in it, for particles.md. */
#include <op2/op2.h>
#include <op2/particles.h>
#include <op2/trace.h>

extern op_set cells, ions;
extern op_map cell_nodes, ion_cell, ion_nodes;
extern op_dat beside, x, v, weight, charge, coordinates;
extern op_tracer tracer;
extern op_gindex where_they_are[1000];
extern double positions[3000], velocities[3000];

void walk(const double *position, const double *const *corners, const long long *neighbours, long long *next);
void lay(const double *value, double *const *nodes);
void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
