// euler.cpp: see euler.hpp.
#include "chain_rows/euler.hpp"

// Where the library finds the kernels' text, too.
#include "../../examples/euler3d/euler_solver.hpp"

struct EulerSteps::State {
  State(int n, int order, const char *executor, int threads)
      : context(executor, threads), mesh(poly::make_mesh(poly::Kind::tetrahedra, n)), solver(mesh) {
    euler::Case what;
    what.density = what.pressure = 0.2;
    what.kinds.assign(6, WALL);
    what.order = order;
    solver.begin(what);
  }
  op2::context context;
  euler::Mesh mesh;
  euler::Solver solver;
};

EulerSteps::EulerSteps(int n, int order, const char *executor, int threads)
    : state_(std::make_unique<State>(n, order, executor, threads)) {}
EulerSteps::~EulerSteps() = default;

void EulerSteps::run(int steps, bool together) {
  for (int k = 0; k < steps; ++k)
    if (together)
      state_->solver.step(false);
    else
      state_->solver.loops_of_step(false);
}

// SPDX-License-Identifier: MIT
