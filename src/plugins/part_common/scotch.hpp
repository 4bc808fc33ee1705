// Shared by the partitioners on Scotch and on PT-Scotch. To be included after the library's own header.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "op2/plugin/part.h"

namespace scotch {

// An object of the library, freed at the end of the scope. more: arguments of `make` behind its address.
template <class T, auto make, auto end>
struct Owned {
  T it;
  template <class... More>
  explicit Owned(More... more) {
    make(&it, more...);
  }
  ~Owned() { end(&it); }
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
};
using Context = Owned<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit>;
using Strategy = Owned<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;
using Target = Owned<SCOTCH_Arch, SCOTCH_archInit, SCOTCH_archExit>;

// The largest number of this build of Scotch.
inline constexpr int64_t most = std::numeric_limits<SCOTCH_Num>::max();

// The imbalance allowed for the largest part, as a fraction of its share.
inline double slack(const op_part_graph &given) {
  constexpr double usual_imbalance = 1.03, least = 0.001;
  return std::max((given.imbalance > 0 ? given.imbalance : usual_imbalance) - 1, least);
}

// Makes results reproducible: no random choices, and one thread, since more have been seen to hang. False on failure.
inline bool make_deterministic(Context &context, int32_t seed) {
  if (SCOTCH_contextOptionSetNum(&context.it, SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
      SCOTCH_contextThreadSpawn(&context.it, 1, nullptr) != 0)
    return false;
  SCOTCH_contextRandomSeed(&context.it, seed + 1);
  return true;
}

// The shares of the parts as integers.
inline std::vector<SCOTCH_Num> whole_shares(const op_part_graph &given) {
  constexpr double finest = 1 << 20;
  double sum = 0;
  for (int32_t p = 0; p < given.nparts; ++p) sum += given.part_weight ? given.part_weight[p] : 1;
  std::vector<SCOTCH_Num> out;
  for (int32_t p = 0; p < given.nparts; ++p) {
    const double share = given.part_weight ? given.part_weight[p] / sum * finest : 1;
    out.push_back(std::max<SCOTCH_Num>(1, static_cast<SCOTCH_Num>(std::lround(share))));
  }
  return out;
}

} // namespace scotch

// SPDX-License-Identifier: MIT
