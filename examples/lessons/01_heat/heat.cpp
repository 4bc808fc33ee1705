// heat.cpp: a pipe of steel warms up. Heat conduction on a mesh of Gmsh, by linear finite elements.
//
//   heat [pipe.msh [heat.vtkhdf]]     reads the mesh, writes the temperatures
#include <cmath>
#include <op2/op2.hpp>

static const double conductivity = 15; // of steel, in W/(m K)
static const double capacity = 4e6;    // heat that a cubic metre takes for each kelvin, in J/(m3 K)
static const double seconds = 2;       // of a time step
enum { inside = 0, hole = 1, outside = 2 };

// Half the cotangent of the angle at p, between q and r: how well heat flows between q and r through this triangle.
static double half_cotangent(const double *p, const double *q, const double *r) {
  const double ux = q[0] - p[0], uy = q[1] - p[1], vx = r[0] - p[0], vy = r[1] - p[1];
  return 0.5 * (ux * vx + uy * vy) / (ux * vy - uy * vx);
}

// For each triangle, once: what its three sides conduct; each corner gets a third of its area.
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

// For each side of the boundary, once: its two nodes have a temperature that stays.
static void hold(const int *where, const double *temperature, int *held_a, int *held_b, double *t_a, double *t_b) {
  *held_a = *held_b = *where;
  *t_a = *t_b = *temperature;
}

// For each triangle in each step: heat flows along the three sides, from the warmer node to the colder one.
static void conduct(const double *side, const double *t_a, const double *t_b, const double *t_c, double *heat_a,
                    double *heat_b, double *heat_c) {
  const double c_to_b = conductivity * side[0] * (*t_c - *t_b);
  const double a_to_c = conductivity * side[1] * (*t_a - *t_c);
  const double b_to_a = conductivity * side[2] * (*t_b - *t_a);
  *heat_a += b_to_a - a_to_c;
  *heat_b += c_to_b - b_to_a;
  *heat_c += a_to_c - c_to_b;
}

// For each node in each step: the heat that came warms the node, or goes through the boundary.
static void settle(const int *held, const double *area, double *heat, double *t, double *in, double *out) {
  if (*held == hole)
    *in -= *heat;
  else if (*held == outside)
    *out += *heat;
  else
    *t += seconds * *heat / (capacity * *area);
  *heat = 0;
}

// Heat that flows in the end from a hole of radius r, e beside the middle, through a pipe of radius R: W for a metre.
static double known_flow(double R, double r, double e, double difference) {
  return conductivity * difference * 2 * std::acos(-1.0) / std::acosh((R * R + r * r - e * e) / (2 * R * r));
}

int main(int argc, char **argv) {
  const op2::context library(argc, argv);

  op2::mesh_file mesh(argc > 1 ? argv[1] : "pipe.msh");
  mesh.declare();
  const op2::set nodes = mesh.set("nodes"), triangles = mesh.set("cells");
  const op2::map corners = mesh.map("cell_nodes");
  const op2::dat<double, 2> x = mesh.dat<double, 2>("x");
  op_printf("%d nodes, %d triangles\n", static_cast<int>(nodes.global_size()),
            static_cast<int>(triangles.global_size()));

  const op2::dat<double, 3> side(triangles, nullptr, "side"); // nullptr: zeros
  const op2::dat<double, 1> area(nodes, nullptr, "area"), heat(nodes, nullptr, "heat"),
      t(nodes, nullptr, "temperature");
  const op2::dat<int, 1> held(nodes, nullptr, "held");

  op_par_loop(measure, "measure", triangles, op2::read(x, 0, corners), op2::read(x, 1, corners),
              op2::read(x, 2, corners), op2::write(side), op2::inc(area, 0, corners), op2::inc(area, 1, corners),
              op2::inc(area, 2, corners));

  const struct {
    const char *patch;
    int where;
    double temperature;
  } walls[] = {{"hole", hole, 80}, {"outside", outside, 0}};
  for (const auto &wall : walls) {
    const op2::mesh_patch patch = mesh.patch(wall.patch);
    op_par_loop(hold, "hold", patch.set(), op2::gbl_read(&wall.where), op2::gbl_read(&wall.temperature),
                op2::write(held, 0, patch.nodes()), op2::write(held, 1, patch.nodes()), op2::write(t, 0, patch.nodes()),
                op2::write(t, 1, patch.nodes()));
  }

  double in = 0, out = 0;
  for (int step = 1; step <= 900; ++step) {
    op_par_loop(conduct, "conduct", triangles, op2::read(side), op2::read(t, 0, corners), op2::read(t, 1, corners),
                op2::read(t, 2, corners), op2::inc(heat, 0, corners), op2::inc(heat, 1, corners),
                op2::inc(heat, 2, corners));
    in = out = 0;
    op_par_loop(settle, "settle", nodes, op2::read(held), op2::read(area), op2::rw(heat), op2::rw(t), op2::gbl_inc(&in),
                op2::gbl_inc(&out));
    if (step % 150 == 0) op_printf("after %4.0f s: %6.0f W in, %6.0f W out\n", step * seconds, in, out);
  }

  if (argc > 2) op2::view(x, "pipe").cells(corners, OP_CELL_TRIANGLE).field(t).write(argv[2]);

  const double known = known_flow(0.10, 0.04, 0.03, 80);
  op_printf("known:        %6.0f W\n", known);
  const bool good = std::abs(in / known - 1) < 0.01 && std::abs(out / known - 1) < 0.01;
  op_printf("%s\n", good ? "PASSED" : "FAILED");
  return good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
