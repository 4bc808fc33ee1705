// tets.hpp: steps of the transport solver of examples/tets, for bench_chains. Not its loop over the surface,
// which threads do not run in tiles.
#ifndef OP2_BENCH_CHAINS_TETS_HPP
#define OP2_BENCH_CHAINS_TETS_HPP

#include <memory>

class TetSteps {
 public:
  TetSteps(int n, const char *executor, int threads); // 6 n^3 cells
  ~TetSteps();
  void run(int steps, bool together);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#endif

// SPDX-License-Identifier: MIT
