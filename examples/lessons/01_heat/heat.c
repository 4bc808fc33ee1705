/* heat.c: lesson 1 in C. A pipe of steel warms up: heat conduction on a mesh of Gmsh, by linear finite elements.
 *
 *   heat [pipe.msh [heat.vtkhdf]]     reads the mesh, writes the temperatures */
#include <math.h>
#include <op2/meshfile.h>
#include <op2/op2.h>
#include <op2/view.h>

static const double conductivity = 15; /* of steel, in W/(m K) */
static const double capacity = 4e6;    /* heat that a cubic metre takes for each kelvin, in J/(m3 K) */
static const double seconds = 2;       /* of a time step */
enum { inside = 0, hole = 1, outside = 2 };

/* Half the cotangent of the angle at p, between q and r: how well heat flows between q and r through this triangle. */
static double half_cotangent(const double *p, const double *q, const double *r) {
  const double ux = q[0] - p[0], uy = q[1] - p[1], vx = r[0] - p[0], vy = r[1] - p[1];
  return 0.5 * (ux * vx + uy * vy) / (ux * vy - uy * vx);
}

/* For each triangle, once: what its three sides conduct; each corner gets a third of its area. */
static void measure(const double *a, const double *b, const double *c, double *side, double *area_a, double *area_b,
                    double *area_c) {
  side[0] = half_cotangent(a, b, c);
  side[1] = half_cotangent(b, c, a);
  side[2] = half_cotangent(c, a, b);
  const double third = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 6;
  *area_a += third;
  *area_b += third;
  *area_c += third;
}

/* For each side of the boundary, once: its two nodes have a temperature that stays. */
static void hold(const int *where, const double *temperature, int *held_a, int *held_b, double *t_a, double *t_b) {
  *held_a = *held_b = *where;
  *t_a = *t_b = *temperature;
}

/* For each triangle in each step: heat flows along the three sides, from the warmer node to the colder one. */
static void conduct(const double *side, const double *t_a, const double *t_b, const double *t_c, double *heat_a,
                    double *heat_b, double *heat_c) {
  const double c_to_b = conductivity * side[0] * (*t_c - *t_b);
  const double a_to_c = conductivity * side[1] * (*t_a - *t_c);
  const double b_to_a = conductivity * side[2] * (*t_b - *t_a);
  *heat_a += b_to_a - a_to_c;
  *heat_b += c_to_b - b_to_a;
  *heat_c += a_to_c - c_to_b;
}

/* For each node in each step: the heat that came warms the node, or goes through the boundary. */
static void settle(const int *held, const double *area, double *heat, double *t, double *in, double *out) {
  if (*held == hole)
    *in -= *heat;
  else if (*held == outside)
    *out += *heat;
  else
    *t += seconds * *heat / (capacity * *area);
  *heat = 0;
}

/* Heat that flows in the end from a hole of radius r, e beside the middle, through a pipe of radius R: W for a metre. */
static double known_flow(double R, double r, double e, double difference) {
  return conductivity * difference * 2 * acos(-1.0) / acosh((R * R + r * r - e * e) / (2 * R * r));
}

/* The sides of a patch get their temperature. */
static void hold_patch(op_mesh mesh, const char *patch, int where, double temperature, op_dat held, op_dat t) {
  op_map ends = op_mesh_patch_map(mesh, patch, "nodes");
  op_par_loop(hold, "hold", op_mesh_patch_set(mesh, patch),
              op_arg_gbl(&where, 1, "int", OP_READ),
              op_arg_gbl(&temperature, 1, "double", OP_READ),
              op_arg_dat(held, 0, ends, 1, "int", OP_WRITE),
              op_arg_dat(held, 1, ends, 1, "int", OP_WRITE),
              op_arg_dat(t, 0, ends, 1, "double", OP_WRITE),
              op_arg_dat(t, 1, ends, 1, "double", OP_WRITE));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);

  op_mesh mesh;
  op_mesh_read(argc > 1 ? argv[1] : "pipe.msh", NULL, &mesh);
  op_mesh_declare(mesh);
  op_set nodes = op_mesh_set(mesh, "nodes"), triangles = op_mesh_set(mesh, "cells");
  op_map corners = op_mesh_map(mesh, "cell_nodes");
  op_dat x = op_mesh_dat(mesh, "x");
  op_printf("%d nodes, %d triangles\n", (int)op_get_size(nodes), (int)op_get_size(triangles));

  op_dat side = op_decl_dat(triangles, 3, "double", NULL, "side"); /* NULL: zeros */
  op_dat area = op_decl_dat(nodes, 1, "double", NULL, "area");
  op_dat heat = op_decl_dat(nodes, 1, "double", NULL, "heat");
  op_dat t = op_decl_dat(nodes, 1, "double", NULL, "temperature");
  op_dat held = op_decl_dat(nodes, 1, "int", NULL, "held");

  op_par_loop(measure, "measure", triangles,
              op_arg_dat(x, 0, corners, 2, "double", OP_READ),
              op_arg_dat(x, 1, corners, 2, "double", OP_READ),
              op_arg_dat(x, 2, corners, 2, "double", OP_READ),
              op_arg_dat(side, -1, OP_ID, 3, "double", OP_WRITE),
              op_arg_dat(area, 0, corners, 1, "double", OP_INC),
              op_arg_dat(area, 1, corners, 1, "double", OP_INC),
              op_arg_dat(area, 2, corners, 1, "double", OP_INC));
  hold_patch(mesh, "hole", hole, 80, held, t);
  hold_patch(mesh, "outside", outside, 0, held, t);
  op_mesh_free(mesh); /* what was declared stays */

  double in = 0, out = 0;
  for (int step = 1; step <= 900; ++step) {
    op_par_loop(conduct, "conduct", triangles,
                op_arg_dat(side, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(t, 0, corners, 1, "double", OP_READ),
                op_arg_dat(t, 1, corners, 1, "double", OP_READ),
                op_arg_dat(t, 2, corners, 1, "double", OP_READ),
                op_arg_dat(heat, 0, corners, 1, "double", OP_INC),
                op_arg_dat(heat, 1, corners, 1, "double", OP_INC),
                op_arg_dat(heat, 2, corners, 1, "double", OP_INC));
    in = out = 0;
    op_par_loop(settle, "settle", nodes,
                op_arg_dat(held, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(area, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(heat, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(t, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&in, 1, "double", OP_INC),
                op_arg_gbl(&out, 1, "double", OP_INC));
    if (step % 150 == 0) op_printf("after %4.0f s: %6.0f W in, %6.0f W out\n", step * seconds, in, out);
  }

  if (argc > 2) {
    op_view view = op_decl_view(x, "pipe");
    op_view_cells(view, corners, OP_CELL_TRIANGLE);
    op_view_field(view, t, NULL); /* NULL: under the name of the dat */
    op_write_view(view, argv[2]);
  }

  const double known = known_flow(0.10, 0.04, 0.03, 80);
  op_printf("known:        %6.0f W\n", known);
  const int good = fabs(in / known - 1) < 0.01 && fabs(out / known - 1) < 0.01;
  op_printf("%s\n", good ? "PASSED" : "FAILED");
  op_exit();
  return good ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
