#include "collection.hpp"
#include "flux_kernels.h"
#include "flux_more_kernels.h"

namespace {

using namespace collection;

// Conserved variables of a slow flow: density, momentum, energy.
Values<double, 4> states(Mesh &mesh, op_set set) {
  const double middle[4] = {1.0, 0.3, 0.1, 2.5};
  return mesh.made<double, 4>(set,
                              [&](int n, int c) { return middle[c] * (1 + 0.1 * ((n * 37 + c * 11) % 19) / 19.0); });
}

// Some number from 0 to 1, by row and component.
double some(int n, int c) { return ((n * 53 + c * 29 + n / 7 * 13) % 101) / 100.0; }

// Density, velocity and pressure, with Mach numbers up to about 2 in all directions.
double fast_primitive(int n, int c) {
  const double low[4] = {0.5, -1.5, -1.5, 0.5}, range[4] = {1.0, 3.0, 3.0, 1.0};
  return low[c] + range[c] * some(n, c);
}

Values<double, 4> fast_states(Mesh &mesh, op_set set) {
  return mesh.made<double, 4>(set, [](int n, int c) {
    const double rho = fast_primitive(n, 0), u = fast_primitive(n, 1), v = fast_primitive(n, 2);
    const double q[4] = {rho, rho * u, rho * v, fast_primitive(n, 3) / 0.4 + 0.5 * rho * (u * u + v * v)};
    return q[c];
  });
}

// Normals of all directions, lengths from 0.5 to 1.5.
Values<double, 2> normals(Mesh &mesh, op_set set) {
  return mesh.made<double, 2>(set, [](int n, int c) {
    const double angle = 0.7 * n + 0.1;
    return (0.5 + some(n, 3)) * (c == 0 ? std::cos(angle) : std::sin(angle));
  });
}

} // namespace

COLLECT(rusanov_flux) {
  const auto q = states(mesh, mesh.cells);
  const auto normal = mesh.values<double, 2>(mesh.faces, -1, 1);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(rusanov_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(hllc_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(hllc_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(roe_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(roe_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(ausm_plus_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(ausm_plus_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(van_leer_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(van_leer_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(hlle_state_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(hlle_state_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(entropy_conserving_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(entropy_conserving_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q),
               via<OP_READ>(mesh.face_cells, 1, q), direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(steger_warming_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(steger_warming_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q),
               via<OP_READ>(mesh.face_cells, 1, q), direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(shallow_water_hll_flux) {
  // Every third cell is dry, the next one almost.
  const auto water = mesh.made<double, 3>(mesh.cells, [](int n, int c) {
    const double depth = n % 3 == 0 ? 0.0 : n % 3 == 1 ? 1e-5 * (0.005 + some(n, 0)) : 0.2 + some(n, 0);
    return c == 0 ? depth : depth * (some(n, c) - 0.5);
  });
  const auto bed = mesh.values<double, 1>(mesh.cells, 0.0, 0.3);
  const auto normal =
      mesh.made<double, 2>(mesh.faces, [](int n, int c) { return c == 0 ? std::cos(0.3 * n) : std::sin(0.3 * n); });
  const auto residual = mesh.zeros<double, 3>(mesh.cells);
  double gravity = 9.81, max_speed = 0;
  COLLECT_LOOP(shallow_water_hll_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, water),
               via<OP_READ>(mesh.face_cells, 1, water), via<OP_READ>(mesh.face_cells, 0, bed),
               via<OP_READ>(mesh.face_cells, 1, bed), direct<OP_READ>(normal), global<OP_READ>(&gravity),
               via<OP_INC>(mesh.face_cells, 0, residual), via<OP_INC>(mesh.face_cells, 1, residual),
               global<OP_MAX>(&max_speed));
  mesh.result(residual);
  mesh.result(&max_speed, 1);
}

COLLECT(exact_riemann_flux) {
  const auto primitive = mesh.made<double, 4>(mesh.cells, fast_primitive);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(exact_riemann_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, primitive),
               via<OP_READ>(mesh.face_cells, 1, primitive), direct<OP_READ>(normal),
               via<OP_INC>(mesh.face_cells, 0, residual), via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(muscl_van_albada) {
  // Low pressures, so that some faces fall back to first order.
  const auto q = mesh.made<double, 4>(mesh.cells, [](int n, int c) {
    const double rho = fast_primitive(n, 0), u = fast_primitive(n, 1), v = fast_primitive(n, 2);
    const double row[4] = {rho, rho * u, rho * v, 0.05 + 0.1 * some(n, 3) + 0.5 * rho * (u * u + v * v)};
    return row[c];
  });
  const auto gradient = mesh.values<double, 8>(mesh.cells, -4, 4);
  const auto centre = mesh.values<double, 2>(mesh.cells, 0, 1);
  const auto face_states = mesh.zeros<double, 8>(mesh.faces);
  COLLECT_LOOP(muscl_van_albada, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               via<OP_READ>(mesh.face_cells, 0, gradient), via<OP_READ>(mesh.face_cells, 1, gradient),
               via<OP_READ>(mesh.face_cells, 0, centre), via<OP_READ>(mesh.face_cells, 1, centre),
               direct<OP_WRITE>(face_states));
  mesh.result(face_states);
}

COLLECT(jst_dissipation) {
  const auto q = states(mesh, mesh.nodes);
  const auto laplacian = mesh.values<double, 4>(mesh.nodes, -0.1, 0.1);
  const auto sensor = mesh.values<double, 1>(mesh.nodes, 0, 0.1);
  const auto radius = mesh.values<double, 1>(mesh.nodes, 2, 6);
  const auto weight = normals(mesh, mesh.edges);
  const auto dissipation = mesh.zeros<double, 4>(mesh.nodes);
  double coefficients[2] = {0.5, 1.0 / 32};
  COLLECT_LOOP(jst_dissipation, mesh.edges, via<OP_READ>(mesh.edge_nodes, 0, q), via<OP_READ>(mesh.edge_nodes, 1, q),
               via<OP_READ>(mesh.edge_nodes, 0, laplacian), via<OP_READ>(mesh.edge_nodes, 1, laplacian),
               via<OP_READ>(mesh.edge_nodes, 0, sensor), via<OP_READ>(mesh.edge_nodes, 1, sensor),
               via<OP_READ>(mesh.edge_nodes, 0, radius), via<OP_READ>(mesh.edge_nodes, 1, radius),
               direct<OP_READ>(weight), global<OP_READ>(coefficients, 2), via<OP_INC>(mesh.edge_nodes, 0, dissipation),
               via<OP_INC>(mesh.edge_nodes, 1, dissipation));
  mesh.result(dissipation);
}

COLLECT(boundary_flux) {
  const auto q = states(mesh, mesh.nodes);
  const auto normal = normals(mesh, mesh.edges);
  const auto kind = mesh.made<int, 1>(mesh.edges, [](int n, int) { return n * 7 / 3 % 4; });
  const auto residual = mesh.zeros<double, 4>(mesh.nodes);
  double freestream[4] = {1.0, 0.35, 0.05, 0.95}, back_pressure = 0.9;
  COLLECT_LOOP(boundary_flux, mesh.edges, all<OP_READ>(mesh.edge_nodes, q), direct<OP_READ>(normal),
               direct<OP_READ>(kind), global<OP_READ>(freestream, 4), global<OP_READ>(&back_pressure),
               all<OP_INC>(mesh.edge_nodes, residual));
  mesh.result(residual);
}

COLLECT(real_gas_flux) {
  const auto q = fast_states(mesh, mesh.cells);
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  double table[real_gas::entries], range[2] = {1.0, 5.0}; // some energies lie outside
  for (int i = 0; i < real_gas::entries; ++i) table[i] = 1.2 + 0.2 / (1 + 0.05 * i);
  COLLECT_LOOP(real_gas_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), global<OP_READ>(table, real_gas::entries), global<OP_READ>(range, 2),
               via<OP_INC>(mesh.face_cells, 0, residual), via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(scalar_upwind_flux) {
  const auto phi = mesh.values<float, 1>(mesh.cells, 0, 1);
  const auto velocity = mesh.values<float, 2>(mesh.faces, -1, 1);
  const auto normal = mesh.values<float, 2>(mesh.faces, -1, 1);
  const auto distance = mesh.values<float, 1>(mesh.faces, 0.5, 1.5);
  const auto sum = mesh.zeros<float, 1>(mesh.cells);
  float viscosity = 0.01f;
  COLLECT_LOOP(scalar_upwind_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, phi),
               via<OP_READ>(mesh.face_cells, 1, phi), direct<OP_READ>(velocity), direct<OP_READ>(normal),
               direct<OP_READ>(distance), global<OP_READ>(&viscosity), via<OP_INC>(mesh.face_cells, 0, sum),
               via<OP_INC>(mesh.face_cells, 1, sum));
  mesh.result(sum);
}

COLLECT(passive_scalar_flux) {
  const auto mass_flux = mesh.values<double, 1>(mesh.faces, -1, 1);
  const auto scalars = mesh.values<double, 3>(mesh.cells, 0, 1);
  const auto residual = mesh.zeros<double, 3>(mesh.cells);
  double diffusivity[3] = {0.01, 0.02, 0.05};
  COLLECT_LOOP(passive_scalar_flux<3>, mesh.faces, direct<OP_READ>(mass_flux),
               via<OP_READ>(mesh.face_cells, 0, scalars), via<OP_READ>(mesh.face_cells, 1, scalars),
               global<OP_READ>(diffusivity, 3), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(mhd_rusanov_flux) {
  const auto q = mesh.made<double, 8>(mesh.cells, [](int n, int c) {
    if (c == 0) return 0.5 + some(n, c);
    return c == 7 ? 5.0 + some(n, c) : some(n, c) - 0.5;
  });
  const auto normal = mesh.made<double, 3>(mesh.faces, [](int n, int c) { return std::cos(0.7 * n + 2 * c); });
  const auto residual = mesh.zeros<double, 8>(mesh.cells);
  COLLECT_LOOP(mhd_rusanov_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
               direct<OP_READ>(normal), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(low_mach_flux) {
  // Pressure, velocity and temperature of a slow flow.
  const auto w = mesh.made<double, 4>(mesh.cells, [](int n, int c) {
    const double low[4] = {1.0, -0.02, -0.02, 0.95}, range[4] = {0.001, 0.1, 0.04, 0.1};
    return low[c] + range[c] * some(n, c);
  });
  const auto normal = normals(mesh, mesh.faces);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  double gas[3] = {1.0, 3.5, 0.01}; // gas constant, specific heat, lowest Mach number
  COLLECT_LOOP(low_mach_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, w), via<OP_READ>(mesh.face_cells, 1, w),
               direct<OP_READ>(normal), global<OP_READ>(gas, 3), via<OP_INC>(mesh.face_cells, 0, residual),
               via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

// SPDX-License-Identifier: MIT
