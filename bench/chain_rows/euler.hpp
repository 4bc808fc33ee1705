// euler.hpp: steps of the flow solver of examples/euler3d on tetrahedra, for bench_chains.
#ifndef OP2_BENCH_CHAINS_EULER_HPP
#define OP2_BENCH_CHAINS_EULER_HPP

#include <memory>

class EulerSteps {
 public:
  EulerSteps(int n, int order, const char *executor, int threads); // 6 n^3 cells; order 2: with slopes
  ~EulerSteps();
  void run(int steps, bool together);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#endif

// SPDX-License-Identifier: MIT
