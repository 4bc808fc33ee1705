// partitioners.cpp: METIS and Scotch, where the program is built with them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "gpu/locality/division.hpp"

#ifdef OP2_BENCH_METIS
#include <metis.h>
#endif
#ifdef OP2_BENCH_SCOTCH
#include <scotch.h>
#endif

namespace bench::locality {

namespace {

template <class Number, class From>
std::vector<Number> copied(const std::vector<From> &from) {
  return {from.begin(), from.end()};
}

} // namespace

// Its tolerance is in thousandths. Default seed: the same parts in every run.
std::optional<std::vector<int>> parts_by_metis([[maybe_unused]] const ElementGraph &graph,
                                               [[maybe_unused]] const PartSizes &sizes) {
#ifdef OP2_BENCH_METIS
  std::vector<idx_t> offset = copied<idx_t>(graph.offset), neighbour = copied<idx_t>(graph.neighbour),
                     weight = copied<idx_t>(graph.weight);
  idx_t vertices = static_cast<idx_t>(offset.size()) - 1, constraints = 1, parts = sizes.parts, cut = 0;
  std::vector<idx_t> part(static_cast<std::size_t>(vertices), 0);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_UFACTOR] = static_cast<idx_t>((sizes.tolerance - 1) * 1000);
  if (parts > 1 && METIS_PartGraphKway(&vertices, &constraints, offset.data(), neighbour.data(), nullptr, nullptr,
                                       weight.data(), &parts, nullptr, nullptr, options, &cut, part.data()) != METIS_OK)
    return std::nullopt;
  return copied<int>(part);
#else
  return std::nullopt;
#endif
}

std::optional<std::vector<int>> parts_by_scotch([[maybe_unused]] const ElementGraph &graph,
                                                [[maybe_unused]] const PartSizes &sizes) {
#ifdef OP2_BENCH_SCOTCH
  const std::vector<SCOTCH_Num> offset = copied<SCOTCH_Num>(graph.offset),
                                neighbour = copied<SCOTCH_Num>(graph.neighbour),
                                weight = copied<SCOTCH_Num>(graph.weight);
  std::vector<SCOTCH_Num> part(offset.size() - 1, 0);
  SCOTCH_Graph built;
  SCOTCH_Strat by;
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 1); // with several threads each run has other parts
  SCOTCH_randomReset();
  if (SCOTCH_graphInit(&built) != 0 || SCOTCH_stratInit(&by) != 0) return std::nullopt;
  const bool done = SCOTCH_graphBuild(&built, 0, static_cast<SCOTCH_Num>(part.size()), offset.data(), nullptr, nullptr,
                                      nullptr, offset.back(), neighbour.data(), weight.data()) == 0 &&
                    SCOTCH_stratGraphMapBuild(&by, SCOTCH_STRATQUALITY, sizes.parts, sizes.tolerance - 1) == 0 &&
                    SCOTCH_graphPart(&built, sizes.parts, &by, part.data()) == 0;
  SCOTCH_stratExit(&by);
  SCOTCH_graphExit(&built);
  if (done) return copied<int>(part);
#endif
  return std::nullopt;
}

} // namespace bench::locality

// SPDX-License-Identifier: MIT
