// jac1.cpp: Jacobi iteration for a 5-point Laplacian, written as a matrix on the edges of a graph.
//
// Nodes are the interior points of a square grid; an edge is an entry A of the matrix: 1/4 for a neighbour, -1 for the
// node itself. Neighbours outside hold the boundary value 1 and go to the right-hand side. The result is checked
// against the same iteration with a dense matrix and against known values.
#include <array>
#include <cmath>
#include <cstddef>
#include <op2/op2.hpp>
#include <vector>

namespace {

constexpr int NN = 6;    // intervals of the grid in each direction
constexpr int NITER = 2; // iterations
constexpr int width = NN - 1;
constexpr std::size_t nnode = width * width;

void res(const double *A, const double *u, double *du, const double *beta) { *du += *beta * *A * *u; }

void update(const double *r, double *du, double *u, const double *alpha, double *u_sum, double *u_max) {
  *u += *du + *alpha * *r;
  *du = 0.0;
  *u_sum += *u * *u;
  if (*u_max < *u) *u_max = *u;
}

// Row, column and entry of the matrix, and the right-hand side.
struct Problem {
  std::vector<int> edge_nodes; // [edges][2]
  std::vector<double> A;       // [edges]
  std::vector<double> r = std::vector<double>(nnode, 0.0);

  Problem() {
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < width; ++i) {
        const int n = i + j * width;
        entry(n, n, -1.0);
        constexpr int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
        for (const auto &[di, dj] : step) {
          const int i2 = i + di, j2 = j + dj;
          if (i2 < 0 || i2 == width || j2 < 0 || j2 == width)
            r[static_cast<std::size_t>(n)] += 0.25;
          else
            entry(n, i2 + j2 * width, 0.25);
        }
      }
  }

 private:
  void entry(int row, int column, double value) {
    edge_nodes.insert(edge_nodes.end(), {row, column});
    A.push_back(value);
  }
};

std::vector<double> solve_dense(const Problem &problem) {
  std::vector<std::array<double, nnode>> matrix(nnode);
  for (auto &row : matrix) row.fill(0.0);
  for (std::size_t e = 0; e < problem.A.size(); ++e)
    matrix[static_cast<std::size_t>(problem.edge_nodes[2 * e])]
          [static_cast<std::size_t>(problem.edge_nodes[2 * e + 1])] += problem.A[e];
  std::vector<double> u(nnode, 0.0), next(nnode);
  for (int iteration = 0; iteration < NITER; ++iteration) {
    for (std::size_t n = 0; n < nnode; ++n) {
      next[n] = u[n] + problem.r[n];
      for (std::size_t k = 0; k < nnode; ++k) next[n] += matrix[n][k] * u[k];
    }
    u = next;
  }
  return u;
}

// What two iterations give: every point by its distance from the boundary.
double known(int i, int j) {
  constexpr double quarter[3][3] = {{0.625, 0.4375, 0.375}, {0.4375, 0.125, 0.0625}, {0.375, 0.0625, 0.0}};
  return quarter[i < 3 ? i : width - 1 - i][j < 3 ? j : width - 1 - j];
}

bool agree(const std::vector<double> &u, const Problem &problem, double u_sum, double u_max) {
  constexpr double tolerance = 1e-12;
  const std::vector<double> dense = solve_dense(problem);
  double sum = 0.0, max = 0.0;
  bool good = u.size() == nnode;
  for (std::size_t n = 0; good && n < nnode; ++n) {
    const double expected = known(static_cast<int>(n) % width, static_cast<int>(n) / width);
    good = std::fabs(u[n] - expected) < tolerance && std::fabs(u[n] - dense[n]) < tolerance;
    if (!good) op_printf("node %d: %.17g instead of %.17g\n", static_cast<int>(n), u[n], expected);
    sum += dense[n] * dense[n];
    max = std::fmax(max, dense[n]);
  }
  return good && std::fabs(u_sum - sum) < tolerance && std::fabs(u_max - max) < tolerance;
}

} // namespace

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  const Problem problem;
  const bool here = op_is_root() != 0; // with several processes the first one declares everything
  op2::set nodes(here ? static_cast<int>(nnode) : 0, "nodes");
  op2::set edges(here ? static_cast<int>(problem.A.size()) : 0, "edges");
  op2::map edge_nodes(edges, nodes, 2, problem.edge_nodes.data(), "edge_nodes");
  op2::dat<double, 1> A(edges, problem.A.data(), "A");
  op2::dat<double, 1> r(nodes, problem.r.data(), "r");
  op2::dat<double, 1> u(nodes, nullptr, "u");
  op2::dat<double, 1> du(nodes, nullptr, "du");

  const double alpha = 1.0, beta = 1.0;
  double u_sum = 0.0, u_max = 0.0;
  for (int iteration = 1; iteration <= NITER; ++iteration) {
    op_par_loop(res, "res", edges, op2::read(A), op2::read(u, 1, edge_nodes), op2::inc(du, 0, edge_nodes),
                op2::gbl_read(&beta));
    u_sum = u_max = 0.0;
    op_par_loop(update, "update", nodes, op2::read(r), op2::rw(du), op2::rw(u), op2::gbl_read(&alpha),
                op2::gbl_inc(&u_sum), op2::gbl_max(&u_max));
    op_printf("iteration %d: rms of u %.6f, largest %.6f\n", iteration, std::sqrt(u_sum / nnode), u_max);
  }

  const std::vector<double> result = u.fetch_own();
  const bool good = !here || agree(result, problem, u_sum, u_max);
  op_printf("Results check %s!\n", good ? "PASSED" : "FAILED");
  return good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
