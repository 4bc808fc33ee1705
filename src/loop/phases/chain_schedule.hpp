// In which tiles a chain runs, phase by phase (phases.hpp), on the threads of the executor or step by step.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/borders.hpp"
#include "loop/chain/segments.hpp"
#include "loop/chain/threaded.hpp"
#include "loop/phases/phases.hpp"

namespace op2::core {

struct ChainSchedule {
  struct Phase {
    std::size_t first, last; // loops of the chain
    ChainTiles tiles;        // of these loops, numbered from 0
    std::unique_ptr<ThreadedChain> threads;
  };
  std::vector<Phase> phases;
  double longest = 1; // work of the threads that have most, relative to equal shares

  int tiles() const; // of the phase that has most
  std::size_t pieces() const;
  double bytes() const;             // that it takes
  std::string text() const;         // "20 tiles, 800 pieces"
  std::string threads_text() const; // "2 threads of which the longest has 1.010 of its share, "; "" without threads
};

// What a schedule is made from. described: of the loops; tables: kept for other tiles of the same chain.
struct ChainToSchedule {
  std::span<Loop *const> loops;
  std::span<const ChainLoop> described;
  std::span<const int> rows;
  ReachTables &tables;
};

// Step by step.
ChainSchedule schedule_chain(const ChainToSchedule &chain, int tiles);
// On threads. tiles: of each phase. What `chain` points to outlives the result.
ChainSchedule schedule_chain(const ChainToSchedule &chain, std::span<const ChainPhase> phases,
                             std::span<const int> tiles);

} // namespace op2::core
