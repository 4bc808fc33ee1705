#include "collection.hpp"
#include "proxy_kernels.h"
#include "proxy_more_kernels.h"

namespace {

using namespace collection;

// Some number from 0 to 1, by row and component.
double part(int n, int c) { return ((n * 61 + c * 17 + n / 11 * 7) % 103) / 102.0; }

// Density, momentum and energy of a flow in space.
template <class T>
Values<T, 5> flow_states(Mesh &mesh, op_set set) {
  const double middle[5] = {1.0, 0.3, 0.1, -0.2, 2.5};
  return mesh.made<T, 5>(set, [&](int n, int c) { return middle[c] * (1 + 0.3 * part(n, c)); });
}

} // namespace

COLLECT(hex_pressure_force) {
  const auto x = mesh.values<double, 3>(mesh.nodes, 0, 1);
  const auto pressure = mesh.values<double, 1>(mesh.cells, 0.5, 2);
  const auto viscosity = mesh.values<double, 1>(mesh.cells, 0, 0.2);
  const auto volume = mesh.zeros<double, 1>(mesh.cells);
  const auto force = mesh.zeros<double, 3>(mesh.nodes);
  COLLECT_LOOP(hex_pressure_force, mesh.cells, all<OP_READ>(mesh.hex_nodes, x), direct<OP_READ>(pressure),
               direct<OP_READ>(viscosity), direct<OP_WRITE>(volume), all<OP_INC>(mesh.hex_nodes, force));
  mesh.result(volume);
  mesh.result(force);
}

COLLECT(hex_strain_rates) {
  const auto x = mesh.values<double, 3>(mesh.nodes, 0, 1);
  const auto velocity = mesh.values<double, 3>(mesh.nodes, -1, 1);
  const auto strain = mesh.zeros<double, 3>(mesh.cells);
  const auto dilation = mesh.zeros<double, 2>(mesh.cells);
  const double dt = 0.01;
  COLLECT_LOOP(hex_strain_rates, mesh.cells, all<OP_READ>(mesh.hex_nodes, x), all<OP_READ>(mesh.hex_nodes, velocity),
               global<OP_READ>(&dt), direct<OP_WRITE>(strain), direct<OP_WRITE>(dilation));
  mesh.result(strain);
  mesh.result(dilation);
}

COLLECT(hex_relative_volume) {
  const auto x = mesh.values<double, 3>(mesh.nodes, 0, 1);
  const auto reference = mesh.values<double, 1>(mesh.cells, 0.5, 1.5);
  const auto relative = mesh.zeros<double, 1>(mesh.cells);
  const auto length = mesh.zeros<double, 1>(mesh.cells);
  const auto bad = mesh.zeros<int, 1>(mesh.cells);
  COLLECT_LOOP(hex_relative_volume, mesh.cells, all<OP_READ>(mesh.hex_nodes, x), direct<OP_READ>(reference),
               direct<OP_WRITE>(relative), direct<OP_WRITE>(length), direct<OP_WRITE>(bad));
  mesh.result(relative);
  mesh.result(length);
  mesh.result(bad);
}

COLLECT(hourglass_resistance) {
  const auto x = mesh.values<double, 3>(mesh.nodes, 0, 1);
  const auto velocity = mesh.values<double, 3>(mesh.nodes, -1, 1);
  const auto mass = mesh.values<double, 1>(mesh.cells, 0.5, 1.5);
  const auto sound = mesh.values<double, 1>(mesh.cells, 0.8, 1.2);
  const auto force = mesh.zeros<double, 3>(mesh.nodes);
  COLLECT_LOOP(hourglass_resistance, mesh.cells, all<OP_READ>(mesh.hex_nodes, x),
               all<OP_READ>(mesh.hex_nodes, velocity), direct<OP_READ>(mass), direct<OP_READ>(sound),
               via<OP_INC>(mesh.hex_nodes, 0, force), via<OP_INC>(mesh.hex_nodes, 1, force),
               via<OP_INC>(mesh.hex_nodes, 2, force), via<OP_INC>(mesh.hex_nodes, 3, force),
               via<OP_INC>(mesh.hex_nodes, 4, force), via<OP_INC>(mesh.hex_nodes, 5, force),
               via<OP_INC>(mesh.hex_nodes, 6, force), via<OP_INC>(mesh.hex_nodes, 7, force));
  mesh.result(force);
}

COLLECT(dg_runge_kutta_row) {
  const auto rhs = mesh.values<double, 60>(mesh.cells, -1, 1);
  const auto work = mesh.values<double, 60>(mesh.cells, -0.1, 0.1);
  const auto q = mesh.values<double, 60>(mesh.cells, 0.5, 2);
  const int stage = 1;
  const double dt = 0.01;
  COLLECT_LOOP(dg_runge_kutta_row, mesh.cells, global<OP_READ>(&stage), global<OP_READ>(&dt), direct<OP_READ>(rhs),
               direct<OP_RW>(work), direct<OP_RW>(q));
  mesh.result(work);
  mesh.result(q);
}

COLLECT(dg_volume_integral) {
  const auto u = mesh.values<double, 20>(mesh.cells, -1, 1);
  const auto speed = mesh.values<double, 1>(mesh.cells, -1, 1);
  const auto jacobian = mesh.values<double, 1>(mesh.cells, 0.5, 1.5);
  const auto rate = mesh.zeros<double, 20>(mesh.cells);
  COLLECT_LOOP(dg_volume_integral<10>, mesh.cells, direct<OP_READ>(u), direct<OP_READ>(speed),
               direct<OP_READ>(jacobian), direct<OP_WRITE>(rate));
  mesh.result(rate);
}

COLLECT(vector_face_flux) {
  const auto q = flow_states<double>(mesh, mesh.cells);
  const auto area = mesh.values<double, 3>(mesh.faces, -1, 1);
  const auto x = mesh.values<double, 3>(mesh.cells, 0, 1);
  const auto residual = mesh.zeros<double, 5>(mesh.cells);
  COLLECT_LOOP(vector_face_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(area), via<OP_READ>(mesh.face_cells, 0, x), via<OP_READ>(mesh.face_cells, 1, x),
               via<OP_INC>(mesh.face_cells, 0, residual), via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(viscous_rusanov_flux) {
  const auto q = flow_states<double>(mesh, mesh.cells);
  const auto gradients = mesh.values<double, 12>(mesh.cells, -1, 1);
  const auto normal = mesh.values<double, 3>(mesh.faces, -1, 1);
  const auto residual = mesh.zeros<double, 5>(mesh.cells);
  const double viscosity = 0.02;
  COLLECT_LOOP(viscous_rusanov_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q),
               via<OP_READ>(mesh.face_cells, 1, q), via<OP_READ>(mesh.face_cells, 0, gradients),
               via<OP_READ>(mesh.face_cells, 1, gradients), direct<OP_READ>(normal), global<OP_READ>(&viscosity),
               via<OP_INC>(mesh.face_cells, 0, residual), via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(hll_primitive_flux) {
  const auto q = mesh.made<float, 4>(mesh.cells, [](int n, int c) {
    const double middle[4] = {1.0, 0.3, 0.1, 2.5};
    return middle[c] * (1 + 0.3 * part(n, c));
  });
  const auto normal = mesh.values<float, 2>(mesh.faces, -1, 1);
  const auto residual = mesh.zeros<float, 4>(mesh.cells);
  const float gas = 1.4f;
  COLLECT_LOOP(hll_primitive_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), global<OP_READ>(&gas), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(cotangent_laplacian) {
  const auto x = mesh.values<double, 3>(mesh.nodes, 0, 1);
  const auto u = mesh.values<double, 1>(mesh.nodes, -1, 1);
  const auto r = mesh.zeros<double, 1>(mesh.nodes);
  const auto &map = mesh.cell_nodes;
  COLLECT_LOOP(cotangent_laplacian, mesh.cells, via<OP_READ>(map, 0, x), via<OP_READ>(map, 1, x),
               via<OP_READ>(map, 2, x), via<OP_READ>(map, 0, u), via<OP_READ>(map, 1, u), via<OP_READ>(map, 2, u),
               via<OP_INC>(map, 0, r), via<OP_INC>(map, 1, r), via<OP_INC>(map, 2, r));
  mesh.result(r);
}

COLLECT(energy_and_sound) {
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.5, 2.5);
  const auto change = mesh.values<double, 1>(mesh.cells, -0.2, 0.2);
  const auto viscosity = mesh.values<double, 1>(mesh.cells, 0, 0.1);
  const auto energy = mesh.values<double, 1>(mesh.cells, 0, 1);
  const auto pressure = mesh.values<double, 1>(mesh.cells, 0, 1);
  const auto sound = mesh.zeros<double, 1>(mesh.cells);
  COLLECT_LOOP(energy_and_sound, mesh.cells, direct<OP_READ>(volume), direct<OP_READ>(change),
               direct<OP_READ>(viscosity), direct<OP_RW>(energy), direct<OP_RW>(pressure), direct<OP_WRITE>(sound));
  mesh.result(energy);
  mesh.result(pressure);
  mesh.result(sound);
}

COLLECT(boundary_by_flag) {
  const auto flag = mesh.made<int, 1>(mesh.border, [](int n, int) { return n * 5 % 7 - 1; });
  const auto normal = mesh.values<double, 2>(mesh.border, 0.3, 1);
  const auto q = mesh.made<double, 4>(mesh.nodes, [](int n, int c) {
    const double middle[4] = {1.0, -0.3, 0.2, 2.5};
    return middle[c] * (1 + 0.3 * part(n, c));
  });
  const auto residual = mesh.zeros<double, 4>(mesh.nodes);
  const double outside[4] = {1.1, 0.4, 0.0, 2.6};
  COLLECT_LOOP(boundary_by_flag, mesh.border, direct<OP_READ>(flag), direct<OP_READ>(normal),
               global<OP_READ>(outside, 4), via<OP_READ>(mesh.border_nodes, 0, q),
               via<OP_INC>(mesh.border_nodes, 0, residual));
  mesh.result(residual);
}

COLLECT(point_implicit_step) {
  const auto q = flow_states<double>(mesh, mesh.cells);
  const auto area = mesh.values<double, 3>(mesh.cells, -1, 1);
  const auto rhs = mesh.values<double, 5>(mesh.cells, -1, 1);
  const auto dq = mesh.zeros<double, 5>(mesh.cells);
  const double dt = 0.2;
  COLLECT_LOOP(point_implicit_step, mesh.cells, direct<OP_READ>(q), direct<OP_READ>(area), direct<OP_READ>(rhs),
               global<OP_READ>(&dt), direct<OP_WRITE>(dq));
  mesh.result(dq);
}

COLLECT(tabulated_conductivity) {
  const auto temperature = mesh.values<float, 1>(mesh.cells, 150, 1700);
  const auto gradient = mesh.values<float, 3>(mesh.cells, -1, 1);
  const auto conductivity = mesh.zeros<float, 1>(mesh.cells);
  const auto flux = mesh.zeros<float, 3>(mesh.cells);
  COLLECT_LOOP(tabulated_conductivity<float>, mesh.cells, direct<OP_READ>(temperature), direct<OP_READ>(gradient),
               direct<OP_WRITE>(conductivity), direct<OP_WRITE>(flux));
  mesh.result(conductivity);
  mesh.result(flux);
}

COLLECT(monotonic_viscosity) {
  const auto mask = mesh.made<int, 1>(mesh.faces, [](int n, int) {
    return n % 5 == 0 ? n * 7 % 512 : n % 3 == 0 ? 0x100 : 0;
  });
  const auto here = mesh.values<double, 2>(mesh.faces, -1, 1);
  const auto gradient = mesh.values<double, 2>(mesh.cells, -1, 1);
  const auto limited = mesh.zeros<double, 2>(mesh.faces);
  const auto viscosity = mesh.zeros<double, 1>(mesh.faces);
  COLLECT_LOOP(monotonic_viscosity, mesh.faces, direct<OP_READ>(mask), direct<OP_READ>(here),
               via<OP_READ>(mesh.face_cells, 0, gradient), via<OP_READ>(mesh.face_cells, 1, gradient),
               direct<OP_WRITE>(limited), direct<OP_WRITE>(viscosity));
  mesh.result(limited);
  mesh.result(viscosity);
}

// SPDX-License-Identifier: MIT
