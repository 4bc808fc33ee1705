// scale_chain.hpp: the same study with chains of loops: halos of several layers, one exchange for several iterations,
// and work that is done again. What the loops of a chain run is the library's own plan (loop/layers/layers.hpp).
#ifndef OP2_BENCH_SCALE_CHAIN_HPP
#define OP2_BENCH_SCALE_CHAIN_HPP

#include <vector>

#include "loop/layers/layers.hpp"
#include "scale/scale_cost.hpp"

namespace scale {

// Copies of one set: for each level (1 = executed by layer 1, 2 = read by layer 1, ...) the copies of each part and
// whose they are.
struct DeepHalo {
  std::vector<int> owned;
  std::vector<std::vector<int>> copies; // [level - 1][part]
  std::vector<std::vector<Link>> links; // [level - 1]
  int rows(int part, int level) const;
};
std::vector<DeepHalo> build_deep_halos(const Problem &problem, const std::vector<std::vector<int>> &owner, int parts,
                                       int depth);

// So many iterations as one chain; their loops reduce nothing.
struct ChainStudy {
  int iterations;
  op2::core::LayerPlan plan;
  std::vector<int> loops;                     // in their order
  std::vector<std::pair<int, int>> exchanged; // (dat, level) before each chain but the first ones
};
ChainStudy chain_of(const Problem &problem, int iterations);

Traffic traffic(const Problem &problem, const std::vector<DeepHalo> &halos, const ChainStudy &chain, int parts);
// Of one iteration of the chain, messages not hidden, and one reduction in a chain.
Prediction predict(const Problem &problem, const std::vector<DeepHalo> &halos, const ChainStudy &chain,
                   const std::vector<LoopTime> &times, const Wire &wire, int parts);

} // namespace scale

#endif

// SPDX-License-Identifier: MIT
