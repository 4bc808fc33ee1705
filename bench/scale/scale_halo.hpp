// scale_halo.hpp: the halos of all processes at once: what each would own, execute for others and hold copies of.
#ifndef OP2_BENCH_SCALE_HALO_HPP
#define OP2_BENCH_SCALE_HALO_HPP

#include <cstdint>
#include <vector>

#include "scale/scale_problem.hpp"

namespace scale {

struct Link { // rows of `owner` of which `holder` has copies
  int owner, holder;
  std::int64_t rows;
};

// Of one set. Counts are per part. Links are sorted by owner, then holder.
struct SetHalo {
  std::vector<int> owned, core;   // core: of the owned ones those that nobody else executes
  std::vector<int> exec, nonexec; // copies
  std::vector<Link> exec_links, nonexec_links;

  int executed(int part) const { return owned[static_cast<std::size_t>(part)] + exec[static_cast<std::size_t>(part)]; }
  int rows(int part) const { return executed(part) + nonexec[static_cast<std::size_t>(part)]; }
};

// owner[set][element]. Copies as in mesh/halo.hpp, one layer: a part executes an element of another one when a map
// leads from it to something the part owns; it reads what its own and those elements lead to. A pure function; time
// grows with the mesh and the copies, not with the parts.
std::vector<SetHalo> build_halos(const Problem &problem, const std::vector<std::vector<int>> &owner, int parts);

} // namespace scale

#endif

// SPDX-License-Identifier: MIT
