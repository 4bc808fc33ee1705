// Calls of loops that run later: copies of what the program may change or give back meanwhile.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/call.hpp"

namespace op2::core {

class Recorder {
 public:
  // Whether the loop uses a global in a way that needs its value, while one that is recorded reduces into it.
  static bool waits(const Loop &loop);
  // Keeps the call: its site, its arguments, and the values of the globals that it reads. Those that it reduces stay
  // the program's or the library's.
  void add(Loop &loop, const LoopCall &call);
  // The global gets these values, before the calls that are added from now on.
  void put(op_global_core &global, const void *values);
  std::span<const ChainCall> calls() const { return calls_; }
  // Gives globals the values that were put between call `at` - 1 and call `at`.
  void put_before(std::size_t at);
  // The loop of a call has been prepared anew.
  void replace(std::size_t number, Loop &loop) { calls_[number].loop = &loop; }
  bool empty() const { return calls_.empty(); }
  // The calls that run when there are too many: all, or in a program that repeats its loops whole rounds of them, so
  // that the next chain is the same.
  std::size_t whole_rounds() const;
  void drop(std::size_t count); // the first ones
  // After a failure: all of them, whose loops may be gone. What was put counts.
  void give_up();

 private:
  void await();
  struct Put {
    std::size_t before; // this call
    op_global_core *global;
    std::vector<char> values;
  };
  struct Kept {
    op_loop_site site;
    std::vector<op_arg> args;
    std::vector<std::max_align_t> values;
    std::string name;
    std::vector<std::string> types; // of the arguments, whose texts may be the program's for the call only
    std::vector<op_global_core *> reduced;
  };
  std::vector<ChainCall> calls_;
  std::vector<std::unique_ptr<Kept>> kept_; // of each call; their memory serves again
  std::vector<Put> puts_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
