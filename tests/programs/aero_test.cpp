// aero_test.cpp: the aero example on every back end beside the same method written plainly: one global sparse matrix,
// shape functions from their definition, no library. And the mesh of the finite elements beside the airfoil mesh.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "naca_mesh.hpp"
#include "run_program.hpp"

namespace {

using Vector = std::vector<double>;

std::size_t place(int i) { return static_cast<std::size_t>(i); }

double dot(const Vector &a, const Vector &b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
  return sum;
}

class Plain {
 public:
  explicit Plain(naca::FemMesh mesh) : mesh_(std::move(mesh)), fixed_(place(mesh_.nnode)), phi(place(mesh_.nnode)) {
    for (int n : mesh_.boundary) fixed_[place(n)] = true;
    for (std::size_t n = 0; n < phi.size(); ++n) phi[n] = 0.1 * mesh_.x[2 * n];
  }

  // One outer iteration; the root mean square of the changes.
  double step() {
    assemble();
    const Vector u = solve();
    for (std::size_t n = 0; n < phi.size(); ++n) phi[n] -= u[n];
    return std::sqrt(dot(u, u) / static_cast<double>(u.size()));
  }

 private:
  // Rows and columns of nodes with known values stay empty.
  void assemble() {
    matrix_.assign(phi.size(), {});
    residual_.assign(phi.size(), 0.0);
    for (int cell = 0; cell < mesh_.ncell; ++cell)
      for (double xi : {-1.0, 1.0})
        for (double eta : {-1.0, 1.0}) gauss_point(&mesh_.cell_nodes[4 * place(cell)], xi, eta);
  }

  void gauss_point(const int *corner, double sx, double sy) {
    const double xi = 0.5 + sx / (2 * std::sqrt(3.0)), eta = 0.5 + sy / (2 * std::sqrt(3.0));
    std::array<std::array<double, 2>, 4> d, g; // gradients of the shape functions in the unit square and in the plane
    double jacobian[2][2] = {{0, 0}, {0, 0}};
    for (std::size_t k = 0; k < 4; ++k) {
      const double a = static_cast<double>(k % 2), b = static_cast<double>(k / 2);
      d[k] = {(2 * a - 1) * (b * eta + (1 - b) * (1 - eta)), (2 * b - 1) * (a * xi + (1 - a) * (1 - xi))};
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) jacobian[i][j] += mesh_.x[2 * place(corner[k]) + i] * d[k][j];
    }
    const double det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
    std::array<double, 2> flow = {0, 0};
    for (std::size_t k = 0; k < 4; ++k) { // the transposed Jacobian times g is d
      g[k] = {(d[k][0] * jacobian[1][1] - d[k][1] * jacobian[1][0]) / det,
              (d[k][1] * jacobian[0][0] - d[k][0] * jacobian[0][1]) / det};
      for (std::size_t i = 0; i < 2; ++i) flow[i] += phi[place(corner[k])] * g[k][i];
    }
    const double D = 1 + 0.2 * (0.01 - flow[0] * flow[0] - flow[1] * flow[1]), density = D * D * std::sqrt(D);
    const auto along = [&](std::size_t k) { return flow[0] * g[k][0] + flow[1] * g[k][1]; };
    for (std::size_t j = 0; j < 4; ++j) {
      if (fixed_[place(corner[j])]) continue;
      residual_[place(corner[j])] += det / 4 * density * along(j);
      for (std::size_t k = 0; k < 4; ++k)
        if (!fixed_[place(corner[k])])
          matrix_[place(corner[j])][place(corner[k])] +=
              det / 4 * density * (g[j][0] * g[k][0] + g[j][1] * g[k][1] - along(j) * along(k) / D);
    }
  }

  Vector times_matrix(const Vector &p) const {
    Vector out(p.size());
    for (std::size_t n = 0; n < p.size(); ++n)
      for (const auto &[column, value] : matrix_[n]) out[n] += value * p[column];
    return out;
  }

  Vector solve() const {
    Vector u(phi.size()), r = residual_, p = r;
    const double first = dot(r, r);
    double rr = first;
    for (int iteration = 0; iteration < 200 && rr > 0.01 * first; ++iteration) {
      const Vector v = times_matrix(p);
      const double alpha = rr / dot(p, v), before = rr;
      for (std::size_t n = 0; n < u.size(); ++n) {
        u[n] += alpha * p[n];
        r[n] -= alpha * v[n];
      }
      rr = dot(r, r);
      for (std::size_t n = 0; n < u.size(); ++n) p[n] = r[n] + rr / before * p[n];
    }
    return u;
  }

  naca::FemMesh mesh_;
  std::vector<bool> fixed_;
  std::vector<std::map<std::size_t, double>> matrix_;
  Vector residual_;

 public:
  Vector phi;
};

// Third column of the lines `x y phi`.
Vector read_potential(const std::string &file) {
  std::ifstream in(file);
  Vector out;
  for (double x, y, phi; in >> x >> y >> phi;) out.push_back(phi);
  return out;
}

double largest(const Vector &v) {
  return std::fabs(
      *std::max_element(v.begin(), v.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); }));
}

// Conjugate gradients and the difference of large terms in the residual magnify rounding, but not beyond this.
constexpr double bound = 1e-9;

TEST(Aero, AgreesWithAPlainComputationOnEveryBackEnd) {
  constexpr int I = 24, J = 36, iterations = 5;
  Plain plain(naca::make_fem_mesh(I, J));
  Vector expected;
  for (int n = 0; n < iterations; ++n) expected.push_back(plain.step());

  const std::string file = testing::TempDir() + "op2_aero_potential_" + std::to_string(getpid()) + ".txt";
  for (const std::string &settings : back_ends()) {
    SCOPED_TRACE(settings);
    const Output out = run_program(settings, OP2_AERO " 24 36 --iterations 5 --result '" + file + "'");
    ASSERT_EQ(out.exit_code, 0) << out.text;
    const Vector rms = numbers_after(out.text, "  rms "), phi = read_potential(file);
    ASSERT_EQ(rms.size(), expected.size()) << out.text;
    for (std::size_t n = 0; n < rms.size(); ++n) EXPECT_NEAR(rms[n], expected[n], bound * expected[n]) << n;
    ASSERT_EQ(phi.size(), plain.phi.size());
    for (std::size_t n = 0; n < phi.size(); ++n) ASSERT_NEAR(phi[n], plain.phi[n], bound * largest(plain.phi)) << n;
  }
}

TEST(Aero, RefusesWrongArguments) {
  for (const char *arguments :
       {"40", "1 60", "40 x", "40 60 5", "--iterations", "--iterations 0", "--output times.txt", "--unknown 1"})
    EXPECT_EQ(run_program("", OP2_AERO " " + std::string(arguments) + " 2>&1").exit_code, 2) << arguments;
  EXPECT_EQ(run_program("", OP2_AERO " --help").exit_code, 0);
}

TEST(FemMesh, IsTheAirfoilMeshWithTheWakeMerged) {
  const naca::Mesh airfoil = naca::make_mesh(7, 5);
  const naca::FemMesh fem = naca::make_fem_mesh(7, 5);
  ASSERT_EQ(fem.ncell, airfoil.ncell);
  ASSERT_EQ(fem.cell_nodes.size(), 4 * place(fem.ncell));
  ASSERT_EQ(fem.x.size(), 2 * place(fem.nnode));
  const auto point = [](const Vector &x, int n) { return std::pair(x[2 * place(n)], x[2 * place(n) + 1]); };

  constexpr std::array order = {0, 1, 3, 2}; // the airfoil mesh goes around the cell
  for (std::size_t n = 0; n < fem.cell_nodes.size(); ++n)
    ASSERT_EQ(point(fem.x, fem.cell_nodes[n]), point(airfoil.x, airfoil.cell_nodes[n / 4 * 4 + place(order[n % 4])]))
        << n;

  std::set<std::pair<double, double>> places, far_field;
  for (int n = 0; n < fem.nnode; ++n) EXPECT_TRUE(places.insert(point(fem.x, n)).second) << n << " exists twice";
  for (std::size_t n = 0; n < airfoil.bedge_nodes.size(); ++n)
    if (airfoil.bound[n / 2] == 2) far_field.insert(point(airfoil.x, airfoil.bedge_nodes[n]));
  EXPECT_TRUE(std::is_sorted(fem.boundary.begin(), fem.boundary.end()));
  ASSERT_EQ(fem.boundary.size(), place(fem.nbnode));
  EXPECT_EQ(fem.boundary.size(), far_field.size());
  for (int n : fem.boundary) EXPECT_TRUE(far_field.count(point(fem.x, n))) << n;
}

} // namespace

// SPDX-License-Identifier: MIT
