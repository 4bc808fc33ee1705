#include "collection.hpp"
#include "gradient_kernels.h"
#include "source_kernels.h"

namespace {

using namespace collection;

Values<double, 3> coordinates(Mesh &mesh, op_set set) { return mesh.values<double, 3>(set, 0, 1); }

} // namespace

// ---- source_kernels.h

COLLECT(spalart_allmaras_source) {
  const auto nu_tilde = mesh.values<double, 1>(mesh.cells, 1e-4, 1e-2);
  const auto viscosity = mesh.values<double, 1>(mesh.cells, 4e-4, 1e-3);
  const auto velocity_gradient = mesh.values<double, 9>(mesh.cells, -2, 2);
  const auto nu_gradient = mesh.values<double, 3>(mesh.cells, -0.05, 0.05);
  const auto wall_distance = mesh.values<double, 1>(mesh.cells, 0.05, 1);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.5, 2);
  const auto residual = mesh.zeros<double, 1>(mesh.cells);
  const auto jacobian = mesh.zeros<double, 1>(mesh.cells);
  COLLECT_LOOP(spalart_allmaras_source, mesh.cells, direct<OP_READ>(nu_tilde), direct<OP_READ>(viscosity),
               direct<OP_READ>(velocity_gradient), direct<OP_READ>(nu_gradient), direct<OP_READ>(wall_distance),
               direct<OP_READ>(volume), direct<OP_INC>(residual), direct<OP_WRITE>(jacobian));
  mesh.result(residual);
  mesh.result(jacobian);
}

COLLECT(sst_source) {
  const auto flow = mesh.made<double, 2>(mesh.cells, [](int n, int c) {
    return c == 0 ? 1 + 0.01 * (n % 20) : 2e-5 * (1 + 0.1 * (n % 7)); // density, viscosity
  });
  const auto turbulence = mesh.made<double, 2>(mesh.cells, [](int n, int c) {
    return c == 0 ? 1e-3 * (1 + n * 31 % 97) : 1 + 0.1 * (n * 17 % 89); // k, omega
  });
  const auto velocity_gradient = mesh.values<double, 9>(mesh.cells, -2, 2);
  const auto k_gradient = mesh.values<double, 3>(mesh.cells, -0.1, 0.1);
  const auto omega_gradient = mesh.values<double, 3>(mesh.cells, -1, 1);
  const auto wall_distance = mesh.values<double, 1>(mesh.cells, 0.1, 1);
  const auto source = mesh.zeros<double, 2>(mesh.cells);
  const auto eddy_viscosity = mesh.zeros<double, 1>(mesh.cells);
  const auto blending = mesh.zeros<double, 2>(mesh.cells);
  COLLECT_LOOP(sst_source, mesh.cells, direct<OP_READ>(flow), direct<OP_READ>(turbulence),
               direct<OP_READ>(velocity_gradient), direct<OP_READ>(k_gradient), direct<OP_READ>(omega_gradient),
               direct<OP_READ>(wall_distance), direct<OP_WRITE>(source), direct<OP_WRITE>(eddy_viscosity),
               direct<OP_WRITE>(blending));
  mesh.result(source);
  mesh.result(eddy_viscosity);
  mesh.result(blending);
}

COLLECT(smagorinsky_viscosity) {
  const auto gradient = mesh.values<double, 9>(mesh.cells, -2, 2);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.001, 0.01);
  const auto nu_t = mesh.zeros<double, 1>(mesh.cells);
  const auto nodal = mesh.zeros<double, 1>(mesh.nodes);
  double constant = 0.17;
  COLLECT_LOOP(smagorinsky_viscosity<double>, mesh.cells, direct<OP_READ>(gradient), direct<OP_READ>(volume),
               global<OP_READ>(&constant), direct<OP_WRITE>(nu_t), all<OP_INC>(mesh.cell_nodes, nodal));
  mesh.result(nu_t);
  mesh.result(nodal);
}

COLLECT(local_time_step) {
  const auto conserved = mesh.made<double, 5>(mesh.cells, [](int n, int c) {
    const double middle[5] = {1, 0.3, 0.1, -0.2, 2.5};
    return middle[c] * (1 + 0.2 * ((n * 37 + c * 11) % 19) / 19.0);
  });
  const auto projected_area = mesh.values<double, 3>(mesh.cells, 0.1, 1);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.1, 1);
  const auto viscosity = mesh.values<double, 1>(mesh.cells, 1e-3, 1e-2);
  const auto step = mesh.zeros<double, 1>(mesh.cells);
  double cfl = 0.8, smallest = 1e30;
  COLLECT_LOOP(local_time_step, mesh.cells, direct<OP_READ>(conserved), direct<OP_READ>(projected_area),
               direct<OP_READ>(volume), direct<OP_READ>(viscosity), global<OP_READ>(&cfl), direct<OP_WRITE>(step),
               global<OP_MIN>(&smallest));
  mesh.result(step);
  mesh.result(&smallest, 1);
}

COLLECT(residual_norms) {
  const auto residual = mesh.values<double, 4>(mesh.cells, -1, 1);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.5, 2);
  double sum[4] = {0, 0, 0, 0}, biggest = 0;
  COLLECT_LOOP(residual_norms, mesh.cells, direct<OP_READ>(residual), direct<OP_READ>(volume), global<OP_INC>(sum, 4),
               global<OP_MAX>(&biggest));
  mesh.result(sum, 4);
  mesh.result(&biggest, 1);
}

COLLECT(runge_kutta_stage) {
  const auto q_old = mesh.values<double, 5>(mesh.nodes, 0.5, 2);
  const auto residual = mesh.values<double, 5>(mesh.nodes, -1, 1);
  const auto dt = mesh.values<double, 1>(mesh.nodes, 0.1, 1);
  const auto volume = mesh.values<double, 1>(mesh.nodes, 0.2, 1);
  const auto q = mesh.zeros<double, 5>(mesh.nodes);
  double alpha[5] = {0.0695, 0.1602, 0.2898, 0.506, 1.0};
  int stage = 3;
  COLLECT_LOOP(runge_kutta_stage, mesh.nodes, direct<OP_READ>(q_old), direct<OP_READ>(residual), direct<OP_READ>(dt),
               direct<OP_READ>(volume), global<OP_READ>(alpha, 5), global<OP_READ>(&stage), direct<OP_WRITE>(q));
  mesh.result(q);
}

COLLECT(low_storage_update) {
  const auto rhs = mesh.values<float, 3>(mesh.nodes, -1, 1);
  const auto u = mesh.values<float, 3>(mesh.nodes, 0.5, 2);
  const auto du = mesh.values<float, 3>(mesh.nodes, -0.1, 0.1);
  float dt = 0.01f, coefficients[2] = {-0.4178904745f, 0.3792103129f};
  double energy = 0, change = 0;
  COLLECT_LOOP(low_storage_update, mesh.nodes, direct<OP_READ>(rhs), global<OP_READ>(&dt),
               global<OP_READ>(coefficients, 2), direct<OP_RW>(u), direct<OP_RW>(du), global<OP_INC>(&energy),
               global<OP_MAX>(&change));
  mesh.result(u);
  mesh.result(du);
  mesh.result(&energy, 1);
  mesh.result(&change, 1);
}

COLLECT(stiff_chemistry) {
  const auto step = mesh.values<double, 1>(mesh.cells, 0.05, 0.5);
  const auto y = mesh.made<double, 3>(mesh.cells, [](int n, int c) {
    const double part = 0.3 * (n * 29 % 83) / 83.0;
    return c == 0 ? 1 - part : c == 1 ? 1e-5 * (1 + n % 5) : part;
  });
  double rate_constants[3] = {0.04, 3e7, 1e4};
  COLLECT_LOOP(stiff_chemistry, mesh.cells, direct<OP_READ>(step), global<OP_READ>(rate_constants, 3),
               direct<OP_RW>(y));
  mesh.result(y);
}

COLLECT(arrhenius_rates) {
  const auto concentration = mesh.values<double, 4>(mesh.nodes, 0.01, 1);
  const auto temperature = mesh.values<double, 1>(mesh.nodes, 250, 2200);
  const auto production = mesh.zeros<double, 4>(mesh.nodes);
  const auto heat_release = mesh.zeros<double, 1>(mesh.nodes);
  COLLECT_LOOP(arrhenius_rates, mesh.nodes, direct<OP_READ>(concentration), direct<OP_READ>(temperature),
               direct<OP_WRITE>(production), direct<OP_WRITE>(heat_release));
  mesh.result(production);
  mesh.result(heat_release);
}

// ---- gradient_kernels.h

COLLECT(green_gauss_gradient) {
  const auto q = mesh.values<double, 5>(mesh.nodes, 0.5, 2);
  const auto normal = mesh.values<double, 3>(mesh.edges, -1, 1);
  const auto volume = mesh.values<double, 1>(mesh.nodes, 0.5, 2);
  const auto gradient = mesh.zeros<double, 15>(mesh.nodes);
  COLLECT_LOOP(green_gauss_gradient, mesh.edges, via<OP_READ>(mesh.edge_nodes, 0, q),
               via<OP_READ>(mesh.edge_nodes, 1, q), direct<OP_READ>(normal), via<OP_READ>(mesh.edge_nodes, 0, volume),
               via<OP_READ>(mesh.edge_nodes, 1, volume), via<OP_INC>(mesh.edge_nodes, 0, gradient),
               via<OP_INC>(mesh.edge_nodes, 1, gradient));
  mesh.result(gradient);
}

COLLECT(least_squares_gradient) {
  const auto x = coordinates(mesh, mesh.nodes);
  const auto u = mesh.values<double, 1>(mesh.nodes, 0.5, 2);
  const auto center = mesh.values<double, 3>(mesh.cells, 0.4, 0.6);
  const auto mean = mesh.values<double, 1>(mesh.cells, 1, 1.5);
  const auto moments = mesh.made<double, 6>(mesh.cells, [](int n, int c) {
    const bool diagonal = c == 0 || c == 3 || c == 5;
    return (diagonal ? 1.0 : 0.1) * (1 + 0.1 * ((n * 13 + c * 5) % 11));
  });
  const auto rhs = mesh.values<double, 3>(mesh.cells, -1, 1);
  const auto gradient = mesh.zeros<double, 3>(mesh.cells);
  COLLECT_LOOP(least_squares_gradient, mesh.cells, all<OP_READ>(mesh.cell_nodes, x), all<OP_READ>(mesh.cell_nodes, u),
               direct<OP_READ>(center), direct<OP_READ>(mean), direct<OP_READ>(moments), direct<OP_READ>(rhs),
               direct<OP_WRITE>(gradient));
  mesh.result(gradient);
}

COLLECT(barth_jespersen_limiter) {
  const auto x = coordinates(mesh, mesh.nodes);
  const auto value = mesh.values<double, 2>(mesh.nodes, 1, 2);
  const auto gradient = mesh.values<double, 6>(mesh.nodes, -3, 3);
  const auto around = mesh.made<double, 4>(mesh.nodes, [](int n, int c) {
    return c % 2 == 0 ? 0.9 + 0.02 * (n % 7) : 2.1 - 0.02 * (n % 5); // smallest and largest, for each of two
  });
  const auto limiter = mesh.zeros<double, 2>(mesh.edges);
  COLLECT_LOOP(barth_jespersen_limiter, mesh.edges, via<OP_READ>(mesh.edge_nodes, 0, x),
               via<OP_READ>(mesh.edge_nodes, 1, x), via<OP_READ>(mesh.edge_nodes, 0, value),
               via<OP_READ>(mesh.edge_nodes, 1, value), via<OP_READ>(mesh.edge_nodes, 0, gradient),
               via<OP_READ>(mesh.edge_nodes, 1, gradient), via<OP_READ>(mesh.edge_nodes, 0, around),
               via<OP_READ>(mesh.edge_nodes, 1, around), direct<OP_WRITE>(limiter));
  mesh.result(limiter);
}

COLLECT(venkatakrishnan_limiter) {
  const auto x = coordinates(mesh, mesh.nodes);
  const auto nodal = mesh.values<double, 4>(mesh.nodes, 1, 2);
  const auto center = mesh.values<double, 3>(mesh.cells, 0.4, 0.6);
  const auto mean = mesh.values<double, 4>(mesh.cells, 1.3, 1.7);
  const auto gradient = mesh.values<double, 12>(mesh.cells, -2, 2);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.01, 0.5);
  const auto phi = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(venkatakrishnan_limiter, mesh.cells, all<OP_READ>(mesh.cell_nodes, x),
               all<OP_READ>(mesh.cell_nodes, nodal), direct<OP_READ>(center), direct<OP_READ>(mean),
               direct<OP_READ>(gradient), direct<OP_READ>(volume), direct<OP_WRITE>(phi));
  mesh.result(phi);
}

COLLECT(viscous_flux) {
  const auto x = coordinates(mesh, mesh.nodes);
  const auto q = mesh.made<double, 5>(mesh.nodes, [](int n, int c) {
    const double middle[5] = {1.2, 60, 10, -20, 290};
    return middle[c] * (1 + 0.1 * ((n * 41 + c * 7) % 23) / 23.0);
  });
  const auto gradient = mesh.values<double, 12>(mesh.nodes, -10, 10);
  const auto normal = mesh.values<double, 3>(mesh.edges, -1, 1);
  const auto residual = mesh.zeros<double, 4>(mesh.nodes);
  COLLECT_LOOP(viscous_flux, mesh.edges, via<OP_READ>(mesh.edge_nodes, 0, x), via<OP_READ>(mesh.edge_nodes, 1, x),
               via<OP_READ>(mesh.edge_nodes, 0, q), via<OP_READ>(mesh.edge_nodes, 1, q),
               via<OP_READ>(mesh.edge_nodes, 0, gradient), via<OP_READ>(mesh.edge_nodes, 1, gradient),
               direct<OP_READ>(normal), via<OP_INC>(mesh.edge_nodes, 0, residual),
               via<OP_INC>(mesh.edge_nodes, 1, residual));
  mesh.result(residual);
}

COLLECT(weno_weights) {
  const auto u = mesh.values<double, 1>(mesh.nodes, 1, 1.2);
  const auto mean = mesh.values<double, 1>(mesh.cells, 1, 1.2);
  const auto weights = mesh.zeros<double, 3>(mesh.cells);
  const auto value = mesh.zeros<double, 1>(mesh.cells);
  COLLECT_LOOP(weno_weights, mesh.cells, all<OP_READ>(mesh.cell_nodes, u), direct<OP_READ>(mean),
               direct<OP_WRITE>(weights), direct<OP_WRITE>(value));
  mesh.result(weights);
  mesh.result(value);
}

COLLECT(q_criterion) {
  const auto gradient = mesh.values<double, 9>(mesh.cells, -2, 2);
  const auto q = mesh.zeros<double, 1>(mesh.cells);
  const auto vorticity = mesh.zeros<double, 1>(mesh.cells);
  const auto inside = mesh.zeros<int, 1>(mesh.cells);
  COLLECT_LOOP(q_criterion, mesh.cells, direct<OP_READ>(gradient), direct<OP_WRITE>(q), direct<OP_WRITE>(vorticity),
               direct<OP_WRITE>(inside));
  mesh.result(q);
  mesh.result(vorticity);
  mesh.result(inside);
}

COLLECT(vector_gradient) {
  const auto x = coordinates(mesh, mesh.nodes);
  const auto phi = mesh.values<double, 1>(mesh.nodes, 0.5, 2);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.5, 2);
  const auto gradient = mesh.zeros<double, 3>(mesh.cells);
  const auto steepness = mesh.zeros<double, 1>(mesh.cells);
  COLLECT_LOOP(vector_gradient, mesh.cells, all<OP_READ>(mesh.cell_nodes, x), all<OP_READ>(mesh.cell_nodes, phi),
               direct<OP_READ>(volume), direct<OP_WRITE>(gradient), direct<OP_WRITE>(steepness));
  mesh.result(gradient);
  mesh.result(steepness);
}

// SPDX-License-Identifier: MIT
