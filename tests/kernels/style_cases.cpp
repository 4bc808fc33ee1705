#include <cmath>

#include "collection.hpp"
#include "lattice_kernels.h"
#include "style_kernels.h"

namespace {

using namespace collection;

// Populations of a slow flow on the D2Q9 lattice.
Values<double, 9> populations(Mesh &mesh, op_set set) {
  return mesh.made<double, 9>(
      set, [](int n, int c) { return lattice::weight[c] * (1 + 0.1 * ((n * 13 + c * 7) % 23) / 23.0); });
}

} // namespace

COLLECT(collide_bgk) {
  const auto f = populations(mesh, mesh.cells);
  const auto post = mesh.zeros<double, 9>(mesh.cells);
  double omega = 1.2, force[2] = {1e-3, -2e-3};
  COLLECT_LOOP(lattice::collide_bgk, mesh.cells, direct<OP_READ>(f), global<OP_READ>(&omega), global<OP_READ>(force, 2),
               direct<OP_WRITE>(post));
  mesh.result(post);
}

COLLECT(stream_along_edge) {
  const auto direction = mesh.made<int, 1>(mesh.edges, [](int n, int) { return 1 + n * 5 % 8; });
  const auto f = populations(mesh, mesh.nodes);
  const auto next = mesh.zeros<double, 9>(mesh.nodes);
  COLLECT_LOOP(stream_along_edge, mesh.edges, direct<OP_READ>(direction), via<OP_READ>(mesh.edge_nodes, 0, f),
               via<OP_READ>(mesh.edge_nodes, 1, f), via<OP_INC>(mesh.edge_nodes, 0, next),
               via<OP_INC>(mesh.edge_nodes, 1, next));
  mesh.result(next);
}

COLLECT(deposit_particle) {
  const auto local = mesh.values<double, 2>(mesh.cells, 0, 1);
  const auto charge = mesh.values<double, 1>(mesh.cells, 0.5, 1.5);
  const auto velocity = mesh.values<double, 2>(mesh.cells, -1, 1);
  const auto density = mesh.zeros<double, 3>(mesh.nodes);
  COLLECT_LOOP(deposit_particle, mesh.cells, direct<OP_READ>(local), direct<OP_READ>(charge), direct<OP_READ>(velocity),
               all<OP_INC>(mesh.cell_nodes, density));
  mesh.result(density);
}

COLLECT(min_label_of_edge) {
  const auto label = mesh.made<int, 1>(mesh.nodes, [](int n, int) { return n / 3 * 7 % 101; });
  const auto smaller = mesh.zeros<int, 1>(mesh.edges);
  int unsettled = 0;
  COLLECT_LOOP(min_label_of_edge, mesh.edges, via<OP_READ>(mesh.edge_nodes, 0, label),
               via<OP_READ>(mesh.edge_nodes, 1, label), direct<OP_WRITE>(smaller), global<OP_INC>(&unsettled));
  mesh.result(smaller);
  mesh.result(&unsettled, 1);
}

COLLECT(count_labels) {
  const auto label = mesh.made<int, 1>(mesh.cells, [](int n, int) { return n * 7 % 11 - 1; });
  int bins[9] = {};
  COLLECT_LOOP(count_labels, mesh.cells, direct<OP_READ>(label), global<OP_INC>(bins, 9));
  mesh.result(bins, 9);
}

COLLECT(draw_normal_deviates) {
  const auto state = mesh.made<unsigned, 1>(mesh.cells, [](int n, int) { return 2654435769u * (n + 1u) | 1u; });
  const auto deviates = mesh.zeros<double, 2>(mesh.cells);
  COLLECT_LOOP(draw_normal_deviates, mesh.cells, direct<OP_RW>(state), direct<OP_WRITE>(deviates));
  mesh.result(state);
  mesh.result(deviates);
}

COLLECT(morton_code) {
  const auto ijk = mesh.made<int, 3>(mesh.cells, [](int n, int c) { return (n * 31 + c * 577) % 1024; });
  const auto code = mesh.zeros<unsigned, 1>(mesh.cells);
  const auto octant = mesh.zeros<int, 1>(mesh.cells);
  COLLECT_LOOP(morton_code, mesh.cells, direct<OP_READ>(ijk), direct<OP_WRITE>(code), direct<OP_WRITE>(octant));
  mesh.result(code);
  mesh.result(octant);
}

COLLECT(spring_damper) {
  const auto x = mesh.values<float, 3>(mesh.nodes, 0, 1);
  const auto v = mesh.values<float, 3>(mesh.nodes, -0.5, 0.5);
  const auto rest = mesh.values<float, 1>(mesh.edges, 0.3, 0.8);
  const auto force = mesh.zeros<float, 3>(mesh.nodes);
  COLLECT_LOOP(spring_damper, mesh.edges, via<OP_READ>(mesh.edge_nodes, 0, x), via<OP_READ>(mesh.edge_nodes, 1, x),
               via<OP_READ>(mesh.edge_nodes, 0, v), via<OP_READ>(mesh.edge_nodes, 1, v), direct<OP_READ>(rest),
               via<OP_INC>(mesh.edge_nodes, 0, force), via<OP_INC>(mesh.edge_nodes, 1, force));
  mesh.result(force);
}

COLLECT(heat_balance) {
  const auto flags = mesh.made<int, 1>(mesh.nodes, [](int n, int) { return n * 3 % 8; });
  const auto heating = mesh.values<float, 1>(mesh.nodes, 0, 800);
  const auto temperature = mesh.values<float, 1>(mesh.nodes, 280, 360);
  double dt = 0.5, lost = 0;
  COLLECT_LOOP(heat_balance, mesh.nodes, direct<OP_READ>(flags), direct<OP_READ>(heating), global<OP_READ>(&dt),
               direct<OP_RW>(temperature), global<OP_INC>(&lost));
  mesh.result(temperature);
  mesh.result(&lost, 1);
}

COLLECT(shallow_water_source) {
  const auto state = mesh.made<double, 3>(mesh.cells, [](int n, int c) { // each seventh cell is dry
    return c == 0 ? (n % 7 == 0 ? 0.0 : 0.2 + n % 13 * 0.3) : 0.1 * ((n + c) % 5 - 2);
  });
  const auto slope = mesh.values<double, 2>(mesh.cells, -0.02, 0.02);
  const auto manning = mesh.values<double, 1>(mesh.cells, 0.01, 0.06);
  const auto source = mesh.zeros<double, 3>(mesh.cells);
  const double dt = 0.1;
  COLLECT_LOOP(shallow_water_source, mesh.cells, direct<OP_READ>(state), direct<OP_READ>(slope),
               direct<OP_READ>(manning), global<OP_READ>(&dt), direct<OP_WRITE>(source));
  mesh.result(source);
}

COLLECT(sweep_column) {
  const auto opacity = mesh.values<double, 3>(mesh.cells, 0.05, 2.0);
  const auto emission = mesh.values<double, 3>(mesh.cells, 0.5, 1.5);
  const auto incoming = mesh.values<double, 4>(mesh.cells, 0, 1);
  const auto leaving = mesh.zeros<double, 4>(mesh.cells);
  const auto mean = mesh.zeros<double, 3>(mesh.cells);
  COLLECT_LOOP(sweep_column, mesh.cells, direct<OP_READ>(opacity), direct<OP_READ>(emission), direct<OP_READ>(incoming),
               direct<OP_WRITE>(leaving), direct<OP_WRITE>(mean));
  mesh.result(leaving);
  mesh.result(mean);
}

COLLECT(robust_cell_average) {
  const auto value = mesh.values<double, 1>(mesh.nodes, -2, 5);
  const auto flow = mesh.values<double, 1>(mesh.cells, -1, 1);
  const auto average = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(robust_cell_average, mesh.cells, all<OP_READ>(mesh.cell_nodes, value), direct<OP_READ>(flow),
               direct<OP_WRITE>(average));
  mesh.result(average);
}

COLLECT(inverse_distance_value) {
  const auto x = mesh.values<double, 3>(mesh.nodes, 0, 1);
  const auto value = mesh.values<double, 1>(mesh.nodes, 1, 3);
  const auto point = mesh.values<double, 3>(mesh.cells, 0, 1);
  const auto result = mesh.zeros<double, 1>(mesh.cells);
  COLLECT_LOOP(inverse_distance_value<double>, mesh.cells, all<OP_READ>(mesh.cell_nodes, x),
               all<OP_READ>(mesh.cell_nodes, value), direct<OP_READ>(point), direct<OP_WRITE>(result));
  mesh.result(result);
}

COLLECT(limited_face_flux) {
  const auto q = mesh.values<double, 2>(mesh.cells, 0.5, 2);
  const auto slope = mesh.values<double, 2>(mesh.faces, -1, 1);
  const auto speed = mesh.values<double, 1>(mesh.faces, -1, 1);
  const auto residual = mesh.zeros<double, 2>(mesh.cells);
  COLLECT_LOOP(limited_face_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(slope), direct<OP_READ>(speed), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(collatz_sequence) {
  const auto start = mesh.made<int, 1>(mesh.nodes, [](int n, int) { return 1 + n % 9973; });
  const auto steps = mesh.zeros<int, 1>(mesh.nodes);
  const auto peak = mesh.zeros<int, 1>(mesh.nodes);
  COLLECT_LOOP(collatz_sequence, mesh.nodes, direct<OP_READ>(start), direct<OP_WRITE>(steps), direct<OP_WRITE>(peak));
  mesh.result(steps);
  mesh.result(peak);
}

COLLECT(colebrook_friction) {
  const auto reynolds = mesh.made<double, 1>(mesh.edges, [](int n, int) { return 1.0e3 * (1 + n % 97); });
  const auto roughness = mesh.values<double, 1>(mesh.edges, 1e-5, 0.02);
  const auto factor = mesh.zeros<double, 1>(mesh.edges);
  const auto drop = mesh.zeros<double, 1>(mesh.edges);
  COLLECT_LOOP(colebrook_friction, mesh.edges, direct<OP_READ>(reynolds), direct<OP_READ>(roughness),
               direct<OP_WRITE>(factor), direct<OP_WRITE>(drop));
  mesh.result(factor);
  mesh.result(drop);
}

COLLECT(set_boundary_state) {
  const auto kind = mesh.made<int, 1>(mesh.border, [](int n, int) { return n % 7 - 1; });
  const auto normal = mesh.values<double, 2>(mesh.border, 0.5, 1);
  const auto q = mesh.values<double, 4>(mesh.nodes, 0.5, 2);
  const double given[4] = {1.0, 0.4, 0.0, 2.5};
  COLLECT_LOOP(set_boundary_state, mesh.border, direct<OP_READ>(kind), direct<OP_READ>(normal),
               global<OP_READ>(given, 4), via<OP_RW>(mesh.border_nodes, 0, q));
  mesh.result(q);
}

COLLECT(principal_stress) {
  const auto stress = mesh.values<double, 3>(mesh.cells, -1, 1);
  const auto stiffness =
      mesh.made<double, 3>(mesh.cells, [](int n, int c) { return (c == 2 ? 0.5 : 3.0) + (n * 5 + c * 3) % 17 * 0.06; });
  const auto principal = mesh.zeros<double, 3>(mesh.cells);
  const auto speeds = mesh.zeros<double, 2>(mesh.cells);
  COLLECT_LOOP(principal_stress, mesh.cells, direct<OP_READ>(stress), direct<OP_READ>(stiffness),
               direct<OP_WRITE>(principal), direct<OP_WRITE>(speeds));
  mesh.result(principal);
  mesh.result(speeds);
}

COLLECT(enthalpy_by_quadrature) {
  const auto temperature = mesh.values<double, 1>(mesh.cells, 350, 1500);
  const auto fraction = mesh.values<double, 1>(mesh.cells, 0, 1);
  const auto enthalpy = mesh.zeros<double, 2>(mesh.cells);
  COLLECT_LOOP(enthalpy_by_quadrature, mesh.cells, direct<OP_READ>(temperature), direct<OP_READ>(fraction),
               direct<OP_WRITE>(enthalpy));
  mesh.result(enthalpy);
}

COLLECT(classify_phase) {
  const auto temperature = mesh.values<double, 1>(mesh.cells, 230, 700);
  const auto pressure = mesh.values<double, 1>(mesh.cells, 1e4, 3e7);
  const auto phase = mesh.zeros<int, 1>(mesh.cells);
  const auto latent = mesh.zeros<double, 1>(mesh.cells);
  int count[4] = {0, 0, 0, 0};
  COLLECT_LOOP(classify_phase, mesh.cells, direct<OP_READ>(temperature), direct<OP_READ>(pressure),
               direct<OP_WRITE>(phase), direct<OP_WRITE>(latent), global<OP_INC>(count, 4));
  mesh.result(phase);
  mesh.result(latent);
  mesh.result(count, 4);
}

COLLECT(monotonised_slopes) {
  const auto back = mesh.values<double, 3>(mesh.cells, -0.5, 1);
  const auto central = mesh.values<double, 3>(mesh.cells, -0.5, 1);
  const auto front = mesh.values<double, 3>(mesh.cells, -0.5, 1);
  const auto slope = mesh.zeros<double, 3>(mesh.cells);
  const auto marks = mesh.zeros<int, 1>(mesh.cells);
  COLLECT_LOOP(monotonised_slopes, mesh.cells, direct<OP_READ>(back), direct<OP_READ>(central), direct<OP_READ>(front),
               direct<OP_WRITE>(slope), direct<OP_WRITE>(marks));
  mesh.result(slope);
  mesh.result(marks);
}

COLLECT(extremes_of_cells) {
  const auto q = mesh.values<double, 3>(mesh.cells, 0.5, 2);
  const auto temperature = mesh.values<float, 1>(mesh.cells, 250, 400);
  const auto level = mesh.made<int, 2>(mesh.cells, [](int n, int c) { return (n * 17 + c * 5) % 29; });
  double largest[2] = {0, 0}, smallest[2] = {1e30, 1e30};
  float hottest = 0;
  int deepest = -1;
  COLLECT_LOOP(extremes_of_cells, mesh.cells, direct<OP_READ>(q), direct<OP_READ>(temperature), direct<OP_READ>(level),
               global<OP_MAX>(largest, 2), global<OP_MIN>(smallest, 2), global<OP_MAX>(&hottest),
               global<OP_MAX>(&deepest));
  mesh.result(largest, 2);
  mesh.result(smallest, 2);
  mesh.result(&hottest, 1);
  mesh.result(&deepest, 1);
}

COLLECT(swirl_invariants) {
  const auto position = mesh.made<double, 3>(
      mesh.nodes, [](int n, int c) { return c == 2 && n % 5 == 0 ? 0.0 : 0.3 + (n * 7 + c * 3) % 11 * 0.1; });
  const auto velocity = mesh.values<double, 3>(mesh.nodes, -1, 1);
  const auto deviator = mesh.values<double, 3>(mesh.nodes, -2, 2);
  const auto out = mesh.zeros<double, 5>(mesh.nodes);
  COLLECT_LOOP(swirl_invariants, mesh.nodes, direct<OP_READ>(position), direct<OP_READ>(velocity),
               direct<OP_READ>(deviator), direct<OP_WRITE>(out));
  mesh.result(out);
}

COLLECT(declared_wave_speeds) {
  gas_gamma = 1.4;
  damping[0] = 0.25, damping[1] = 0.5, damping[2] = 1.0;
  op_decl_const_named("gas_gamma", 1, "double", &gas_gamma);
  op_decl_const_named("damping", 3, "double", damping);
  const auto q = mesh.made<double, 4>(
      mesh.cells, [](int n, int c) { return c == 3 ? 2.5 + 0.01 * (n % 7) : 0.2 + (n * 5 + c) % 9 * 0.05; });
  const auto speed = mesh.zeros<double, 1>(mesh.cells);
  double total = 0;
  COLLECT_LOOP(declared_wave_speeds, mesh.cells, direct<OP_READ>(q), direct<OP_WRITE>(speed), global<OP_INC>(&total));
  mesh.result(speed);
  mesh.result(&total, 1);
}

// SPDX-License-Identifier: MIT
