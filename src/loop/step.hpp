// A step, and a schedule: the list of steps by which a loop, or a chain of loops, runs. These files write schedules:
// schedule.hpp (one loop), chain/chain_schedule.hpp and chain/executor_groups.hpp (chains on one process),
// paged/paged_chain.hpp (the same with data on disk), layers/layer_tiles.hpp and layers/executor_layers.hpp (chains on
// several processes, the former also loops with data on disk). The interpreter performs schedules (interpreter.hpp),
// and the checker of chains reads them (verify/fault.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace op2::core {

enum class Do : std::uint8_t {
  find_stale,    // find which copies of other processes' rows are stale
  agree,         // all processes learn of failures of any; only if errors return to the program
  exchange,      // exchange copies that cannot travel while elements run
  bind,          // prepare rows, variables and records for the first element
  open,          // the same for a loop that runs in pieces
  post,          // begin to send messages
  send,          // send what the executor had to pack
  advance,       // let messages progress that need calls
  run,           // elements of a part of a loop
  run_group,     // parts of loops that the executor runs as one (executor_chain.hpp)
  wait_messages, // until copies have arrived
  wait_executor, // until the executor has run all elements
  combine_parts, // combine the partial results of the parts of a loop on this process
  reduce,        // combine the results of all processes, and store them in the program's variables
  drop,          // chunks of dats and maps, of which nobody needs the values, leave memory (paged/paged_chain.hpp)
  store,         // begin to write chunks into the file, so that they leave memory
  load,          // begin to bring chunks into memory
  need,          // until the chunks of the next elements are in memory
  mark_written,  // note which rows the loop has changed
  close          // end a loop that ran in pieces: its reductions and its time
};

struct Step {
  Do what;
  int loop = 0;            // of the calls that the schedule is for
  int part = 0;            // run: of the loop. run_group: the number of the group. drop, ..., need: of the unit
  int begin = 0, end = -1; // run: elements of the part; end < 0: all of them, as the part's plan says
  bool whole() const { return end < 0; }
  friend bool operator==(const Step &, const Step &) = default;
};

// A step that runs elements [begin, end) of a part.
constexpr Step run_elements(int loop, int begin, int end, int part = 0) { return {Do::run, loop, part, begin, end}; }

struct Schedule {
  std::vector<Step> steps;
  std::size_t first_closing_step = 0; // the first step after all elements of all loops have run on this process

  void add(Do what, int loop = 0, int part = 0) { steps.push_back({what, loop, part}); }
  void add_for_each(Do what, std::size_t loops) {
    for (std::size_t l = 0; l < loops; ++l) add(what, static_cast<int>(l));
  }
  std::span<const Step> before_closing() const { return std::span(steps).first(first_closing_step); }
  std::span<const Step> closing_steps() const { return std::span(steps).subspan(first_closing_step); }
  std::string text() const; // "find_stale, agree, bind, post, run 0, wait_messages, run 1, mark_written"
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
