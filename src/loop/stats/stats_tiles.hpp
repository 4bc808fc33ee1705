// What the timing tables show of chains of one process, which run in tiles or loop after loop.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace op2::core {

// A chain: a sequence of loops that has come twice.
struct TiledChainStats {
  std::string name; // of op_chain_begin(), or without one its first and its last loop
  std::int64_t loops = 0;
  std::int64_t runs = 0, in_tiles = 0; // all, and those of them in tiles
  double seconds = 0;                  // of all runs
  double found_seconds = 0;            // finding tiles, of all sizes
  double bytes = 0;                    // of all rows and maps that it touches
  int threads = 1;
  std::int64_t tiles = 0, pieces = 0; // as it runs now; 0 = loop after loop
  double schedule_bytes = 0;          // what the schedule takes
  struct Way {
    int tiles; // 0: loop after loop
    double seconds;
  };
  std::vector<Way> ways = {}; // that were measured, with the shortest runs
  std::string why = {};       // why it does not run in tiles; "" = it may
};

// "164.494 ms loop after loop, 111.758 ms in 11 tiles"
std::string ways_text(const std::vector<TiledChainStats::Way> &ways);
std::string tiles_text(const std::deque<TiledChainStats> &chains); // "" if no chain came twice
std::string tiles_json(const std::deque<TiledChainStats> &chains); // an array

} // namespace op2::core

// SPDX-License-Identifier: MIT
