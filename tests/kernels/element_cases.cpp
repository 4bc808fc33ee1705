// Finite elements, solid mechanics and multigrid: the cases of element_kernels.h and solid_kernels.h.
#include "collection.hpp"
#include "element_kernels.h"
#include "solid_kernels.h"

#include <algorithm>
#include <cmath>

namespace {

using namespace collection;

// How far from degenerate four points are as a tetrahedron, or as a bilinear quadrilateral at its Gauss points.
double quality_of(const double (*p)[3]) {
  const fem::Vec3 a = fem::point(p[0]);
  return std::abs(fem::dot(fem::point(p[1]) - a, fem::cross(fem::point(p[2]) - a, fem::point(p[3]) - a)));
}
double quality_of(const double (*p)[2]) {
  double least = 1;
  for (const double xi : {-0.577, 0.0, 0.577})
    for (const double eta : {-0.577, 0.0, 0.577}) {
      double j[4] = {};
      for (int a = 0; a < 4; ++a)
        for (int d = 0; d < 2; ++d) {
          j[d] += fem::BilinearQuad::dxi(a, eta) * p[a][d];
          j[2 + d] += fem::BilinearQuad::deta(a, xi) * p[a][d];
        }
      least = std::min(least, std::abs(j[0] * j[3] - j[1] * j[2]));
    }
  return least;
}

// Coordinates of nodes such that no cell is flat, whatever the mesh is: node after node, the best of some places with
// respect to the cells whose other nodes are placed already.
template <int D>
Values<double, D> coordinates(Mesh &mesh) {
  const std::vector<int> &corners = *mesh.cell_nodes.entries;
  const auto nodes = static_cast<std::size_t>(op_get_size(mesh.nodes));
  std::vector<std::vector<std::size_t>> completed(nodes); // the cells that have the node as the last of theirs
  for (std::size_t c = 0; c < corners.size(); c += 4) {
    const int last = *std::max_element(&corners[c], &corners[c] + 4);
    completed[static_cast<std::size_t>(last)].push_back(c);
  }
  std::vector<double> x(nodes * D);
  unsigned state = 12345;
  for (std::size_t n = 0; n < nodes; ++n) {
    double best = -1, chosen[D] = {};
    for (int attempt = 0; attempt < (completed[n].empty() ? 1 : 100); ++attempt) {
      for (int d = 0; d < D; ++d) {
        state = state * 1664525u + 1013904223u;
        x[n * D + static_cast<std::size_t>(d)] = (state >> 8) / 16777216.0;
      }
      double least = 2;
      for (const std::size_t c : completed[n]) {
        double p[4][D];
        for (std::size_t a = 0; a < 4; ++a) std::copy_n(&x[static_cast<std::size_t>(corners[c + a]) * D], D, p[a]);
        least = std::min(least, quality_of(p));
        if (least <= best) break;
      }
      if (least <= best) continue;
      best = least;
      std::copy_n(&x[n * D], D, chosen);
    }
    std::copy_n(chosen, D, &x[n * D]);
  }
  return mesh.made<double, D>(mesh.nodes, [&](int n, int d) { return x[static_cast<std::size_t>(n * D + d)]; });
}

// Gradients of the shape functions of a tetrahedron near the reference one; their sum is zero.
Values<double, 12> gradients(Mesh &mesh) {
  const auto inner = [](int cell, int a, int d) {
    return (a == d ? 1.0 : 0.0) + 0.2 * std::sin(cell + 3.0 * a + 7.0 * d);
  };
  return mesh.made<double, 12>(mesh.cells, [&](int cell, int entry) {
    const int a = entry / 3, d = entry % 3;
    if (a > 0) return inner(cell, a - 1, d);
    return -(inner(cell, 0, d) + inner(cell, 1, d) + inner(cell, 2, d));
  });
}

} // namespace

COLLECT(tetrahedron_gradients) {
  const auto x = coordinates<3>(mesh);
  const auto grad = mesh.zeros<double, 12>(mesh.cells);
  const auto volume = mesh.zeros<double, 1>(mesh.cells);
  COLLECT_LOOP(tetrahedron_gradients, mesh.cells, all<OP_READ>(mesh.cell_nodes, x), direct<OP_WRITE>(grad),
               direct<OP_WRITE>(volume));
  mesh.result(grad);
  mesh.result(volume);
}

COLLECT(laplace_stiffness) {
  const auto x = coordinates<3>(mesh);
  const auto conductivity = mesh.values<double, 1>(mesh.cells, 0.5, 1.5);
  const auto matrix = mesh.zeros<double, 16>(mesh.cells);
  COLLECT_LOOP(laplace_stiffness, mesh.cells, all<OP_READ>(mesh.cell_nodes, x), direct<OP_READ>(conductivity),
               direct<OP_WRITE>(matrix));
  mesh.result(matrix);
}

COLLECT(stiffness_product) {
  const auto matrix = mesh.values<double, 16>(mesh.cells, -1, 1);
  const auto u = mesh.values<double, 1>(mesh.nodes, -1, 1);
  const auto v = mesh.zeros<double, 1>(mesh.nodes);
  COLLECT_LOOP(stiffness_product, mesh.cells, direct<OP_READ>(matrix), all<OP_READ>(mesh.cell_nodes, u),
               all<OP_INC>(mesh.cell_nodes, v));
  mesh.result(v);
}

COLLECT(consistent_mass) {
  const auto volume = mesh.values<float, 1>(mesh.cells, 0.1, 0.3);
  const auto u = mesh.values<float, 1>(mesh.nodes, 0.5, 2);
  const auto r = mesh.zeros<float, 1>(mesh.nodes);
  COLLECT_LOOP(consistent_mass, mesh.cells, direct<OP_READ>(volume), via<OP_READ>(mesh.cell_nodes, 0, u),
               via<OP_READ>(mesh.cell_nodes, 1, u), via<OP_READ>(mesh.cell_nodes, 2, u),
               via<OP_READ>(mesh.cell_nodes, 3, u), via<OP_INC>(mesh.cell_nodes, 0, r),
               via<OP_INC>(mesh.cell_nodes, 1, r), via<OP_INC>(mesh.cell_nodes, 2, r),
               via<OP_INC>(mesh.cell_nodes, 3, r));
  mesh.result(r);
}

COLLECT(quadrilateral_diffusion) {
  const auto x = coordinates<2>(mesh);
  const auto u = mesh.values<double, 1>(mesh.nodes, -1, 1);
  const auto kappa = mesh.values<double, 1>(mesh.cells, 0.5, 1.5);
  const auto residual = mesh.zeros<double, 1>(mesh.nodes);
  COLLECT_LOOP(quadrilateral_diffusion, mesh.cells, all<OP_READ>(mesh.cell_nodes, x), all<OP_READ>(mesh.cell_nodes, u),
               direct<OP_READ>(kappa), all<OP_INC>(mesh.cell_nodes, residual));
  mesh.result(residual);
}

COLLECT(dg_face_term) {
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const auto row = mesh.made<int, 5>(mesh.faces, [](int n, int c) {
    return c == 0 ? n % 4 : c == 1 ? (n / 3 + 1) % 4 : orders[n % 6][c - 2];
  });
  const auto face = mesh.made<double, 2>(mesh.faces, [](int n, int c) {
    return c == 0 ? std::cos(1.7 * n) : 0.5 + 0.1 * (n % 7); // speed, area
  });
  const auto u = mesh.values<double, 4>(mesh.cells, -1, 1);
  const auto residual = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(dg_face_term, mesh.faces, direct<OP_READ>(row), direct<OP_READ>(face),
               via<OP_READ>(mesh.face_cells, 0, u), via<OP_READ>(mesh.face_cells, 1, u),
               via<OP_INC>(mesh.face_cells, 0, residual), via<OP_INC>(mesh.face_cells, 1, residual));
  mesh.result(residual);
}

COLLECT(heat_conduction) {
  const auto grad = gradients(mesh);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.1, 0.3);
  const auto temperature = mesh.values<double, 1>(mesh.nodes, 280, 900);
  const auto heat = mesh.zeros<double, 1>(mesh.nodes);
  COLLECT_LOOP(heat_conduction, mesh.cells, direct<OP_READ>(grad), direct<OP_READ>(volume),
               all<OP_READ>(mesh.cell_nodes, temperature), all<OP_INC>(mesh.cell_nodes, heat));
  mesh.result(heat);
}

COLLECT(lumped_mass) {
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.1, 0.3);
  const auto density = mesh.values<double, 1>(mesh.cells, 1, 8);
  const auto mass = mesh.zeros<double, 1>(mesh.nodes);
  COLLECT_LOOP(lumped_mass, mesh.cells, direct<OP_READ>(volume), direct<OP_READ>(density),
               all<OP_INC>(mesh.cell_nodes, mass));
  mesh.result(mass);
}

COLLECT(inverse_lumped_mass) {
  const auto mass = mesh.made<double, 1>(mesh.nodes, [](int n, int) { return n % 11 == 3 ? 0.0 : 0.2 + n % 5; });
  const auto residual = mesh.values<double, 3>(mesh.nodes, -1, 1);
  const auto inverse = mesh.zeros<double, 1>(mesh.nodes);
  const auto acceleration = mesh.zeros<double, 3>(mesh.nodes);
  COLLECT_LOOP(inverse_lumped_mass, mesh.nodes, direct<OP_READ>(mass), direct<OP_READ>(residual),
               direct<OP_WRITE>(inverse), direct<OP_WRITE>(acceleration));
  mesh.result(inverse);
  mesh.result(acceleration);
}

COLLECT(multigrid_restriction) {
  const auto fine = mesh.values<double, 3>(mesh.edges, -1, 1);
  const auto weight = mesh.values<double, 1>(mesh.edges, 0.3, 0.7);
  const auto coarse = mesh.zeros<double, 3>(mesh.nodes);
  COLLECT_LOOP(multigrid_restriction, mesh.edges, direct<OP_READ>(fine), direct<OP_READ>(weight),
               via<OP_INC>(mesh.edge_nodes, 0, coarse), via<OP_INC>(mesh.edge_nodes, 1, coarse));
  mesh.result(coarse);
}

COLLECT(multigrid_prolongation) {
  const auto coarse = mesh.values<double, 4>(mesh.cells, -1, 1);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.5, 1.5);
  const auto fine = mesh.values<double, 4>(mesh.faces, -1, 1);
  COLLECT_LOOP(multigrid_prolongation, mesh.faces, via<OP_READ>(mesh.face_cells, 0, coarse),
               via<OP_READ>(mesh.face_cells, 1, coarse), via<OP_READ>(mesh.face_cells, 0, volume),
               via<OP_READ>(mesh.face_cells, 1, volume), direct<OP_RW>(fine));
  mesh.result(fine);
}

COLLECT(cholesky_solve) {
  const auto matrix = mesh.made<double, 16>(mesh.cells, [](int cell, int entry) {
    const int i = entry / 4, j = entry % 4;
    return i == j ? 4.0 + 0.5 * ((cell + i) % 5) : std::cos(0.3 * cell + i + j + 2.0 * i * j);
  });
  const auto rhs = mesh.values<double, 4>(mesh.cells, -1, 1);
  const auto solution = mesh.zeros<double, 4>(mesh.cells);
  COLLECT_LOOP(cholesky_solve<4>, mesh.cells, direct<OP_READ>(matrix), direct<OP_READ>(rhs),
               direct<OP_WRITE>(solution));
  mesh.result(solution);
}

COLLECT(residual_norm) {
  const auto r = mesh.values<double, 3>(mesh.nodes, -1, 1);
  double sum = 0, largest = 0;
  COLLECT_LOOP(residual_norm, mesh.nodes, direct<OP_READ>(r), global<OP_INC>(&sum), global<OP_MAX>(&largest));
  mesh.result(&sum, 1);
  mesh.result(&largest, 1);
}

COLLECT(prescribed_motion) {
  const auto x = mesh.values<double, 3>(mesh.nodes, -1, 1);
  const auto displacement = mesh.zeros<double, 3>(mesh.nodes);
  double time = 1.3;
  COLLECT_LOOP(prescribed_motion, mesh.border, via<OP_READ>(mesh.border_nodes, 0, x), global<OP_READ>(&time),
               via<OP_WRITE>(mesh.border_nodes, 0, displacement));
  mesh.result(displacement);
}

COLLECT(dirichlet_penalty) {
  const auto flag = mesh.made<int, 1>(mesh.border, [](int n, int) { return n % 3 != 0; });
  const auto value = mesh.values<double, 1>(mesh.border, -1, 1);
  const auto diagonal = mesh.values<double, 1>(mesh.nodes, 0.5, 2);
  const auto rhs = mesh.values<double, 1>(mesh.nodes, -1, 1);
  double penalty = 1e4;
  COLLECT_LOOP(dirichlet_penalty, mesh.border, direct<OP_READ>(flag), direct<OP_READ>(value), global<OP_READ>(&penalty),
               via<OP_RW>(mesh.border_nodes, 0, diagonal), via<OP_RW>(mesh.border_nodes, 0, rhs));
  mesh.result(diagonal);
  mesh.result(rhs);
}

COLLECT(elasticity_residual) {
  const auto x = coordinates<3>(mesh);
  const auto u = mesh.values<double, 3>(mesh.nodes, -0.01, 0.01);
  const auto material = mesh.made<int, 1>(mesh.cells, [](int n, int) { return n / 5 % 3; });
  double lame[6] = {1.2, 0.8, 0.6, 0.4, 3.0, 1.1};
  const auto r = mesh.zeros<double, 3>(mesh.nodes);
  COLLECT_LOOP(elasticity_residual, mesh.cells, all<OP_READ>(mesh.cell_nodes, x), all<OP_READ>(mesh.cell_nodes, u),
               direct<OP_READ>(material), global<OP_READ>(lame, 6), all<OP_INC>(mesh.cell_nodes, r));
  mesh.result(r);
}

COLLECT(elasticity_stiffness) {
  const auto grad = gradients(mesh);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.1, 0.3);
  double young_poisson[2] = {2.1, 0.3};
  const auto stiffness = mesh.zeros<double, 144>(mesh.cells);
  COLLECT_LOOP(elasticity_stiffness, mesh.cells, direct<OP_READ>(grad), direct<OP_READ>(volume),
               global<OP_READ>(young_poisson, 2), direct<OP_WRITE>(stiffness));
  mesh.result(stiffness);
}

COLLECT(neo_hookean_stress) {
  const auto grad = gradients(mesh);
  const auto volume = mesh.values<double, 1>(mesh.cells, 0.1, 0.3);
  const auto u = mesh.values<double, 3>(mesh.nodes, -0.04, 0.04);
  double lame[2] = {1.2, 0.8};
  const auto cauchy = mesh.zeros<double, 9>(mesh.cells);
  const auto force = mesh.zeros<double, 3>(mesh.nodes);
  COLLECT_LOOP(neo_hookean_stress, mesh.cells, direct<OP_READ>(grad), direct<OP_READ>(volume),
               all<OP_READ>(mesh.cell_nodes, u), global<OP_READ>(lame, 2), direct<OP_WRITE>(cauchy),
               all<OP_INC>(mesh.cell_nodes, force));
  mesh.result(cauchy);
  mesh.result(force);
}

COLLECT(j2_return_mapping) {
  const auto strain = mesh.values<double, 6>(mesh.cells, -0.0015, 0.0015);
  double constants[4] = {160, 80, 0.3, 2}; // bulk modulus, shear modulus, yield stress, hardening
  const auto plastic_strain = mesh.zeros<double, 6>(mesh.cells);
  const auto alpha = mesh.values<double, 1>(mesh.cells, 0, 0.01);
  const auto stress = mesh.zeros<double, 6>(mesh.cells);
  int yielded = 0;
  COLLECT_LOOP(j2_return_mapping, mesh.cells, direct<OP_READ>(strain), global<OP_READ>(constants, 4),
               direct<OP_RW>(plastic_strain), direct<OP_RW>(alpha), direct<OP_WRITE>(stress), global<OP_INC>(&yielded));
  mesh.result(plastic_strain);
  mesh.result(alpha);
  mesh.result(stress);
  mesh.result(&yielded, 1);
}

COLLECT(creep_newton) {
  const auto trial = mesh.values<double, 1>(mesh.cells, 0.2, 3);
  const auto shear = mesh.values<double, 1>(mesh.cells, 0.8, 1.2);
  double step = 0.05, largest = 0;
  const auto creep = mesh.zeros<double, 1>(mesh.cells);
  const auto stress = mesh.zeros<double, 1>(mesh.cells);
  COLLECT_LOOP(creep_newton, mesh.cells, direct<OP_READ>(trial), direct<OP_READ>(shear), global<OP_READ>(&step),
               direct<OP_RW>(creep), direct<OP_WRITE>(stress), global<OP_MAX>(&largest));
  mesh.result(creep);
  mesh.result(stress);
  mesh.result(&largest, 1);
}

COLLECT(hourglass_control) {
  const auto x = coordinates<2>(mesh);
  const auto v = mesh.values<double, 2>(mesh.nodes, -1, 1);
  double coefficient = 0.15;
  const auto f = mesh.zeros<double, 2>(mesh.nodes);
  COLLECT_LOOP(hourglass_control, mesh.cells, all<OP_READ>(mesh.cell_nodes, x), all<OP_READ>(mesh.cell_nodes, v),
               global<OP_READ>(&coefficient), all<OP_INC>(mesh.cell_nodes, f));
  mesh.result(f);
}

// SPDX-License-Identifier: MIT
