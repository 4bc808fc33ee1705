// A chain on an executor that takes loops whole, such as a GPU: groups of loops that the executor gets at once, and
// between them the loops that it cannot have.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/executor_chain.hpp"

namespace op2::core {

class ExecutorGroups {
 public:
  explicit ExecutorGroups(std::span<Loop *const> loops);

  // Consecutive calls of the chain.
  struct Group {
    std::size_t first, last;                            // calls first ... last - 1
    Schedule schedule;                                  // of more than one call
    std::vector<std::unique_ptr<ExecutorChain>> chains; // of the schedule: one; none: the call runs by itself
    bool together() const { return !chains.empty(); }
  };

  // Whether the executor of these loops takes chains so.
  static bool possible(std::span<Loop *const> loops);
  // Of the next run: loops may have got other code.
  std::span<const Group> groups();
  bool together() const;    // some loops of it
  std::string text() const; // "on executor cuda: one graph of 13 launches", once it has run

 private:
  struct Seen { // of a loop
    op_exec_kernel *kernel;
    bool fits;
    friend bool operator==(const Seen &, const Seen &) = default;
  };
  static Seen see(const Loop &loop);
  void find_groups();

  std::vector<Loop *> loops_;
  std::vector<Seen> seen_;
  std::vector<Group> groups_;
  std::string why_; // of the first loop that runs by itself
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
