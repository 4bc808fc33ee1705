// Calls of loops that run later: copies of what the program may change or give back meanwhile.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "loop/chain/chain.hpp"

namespace op2::core {

class Recorder {
 public:
  // Keeps the call: its site, its arguments, and the values of the globals that it reads. Those that it reduces stay
  // the program's.
  void add(Loop &loop, const LoopCall &call);
  std::span<const ChainCall> calls() const { return calls_; }
  bool empty() const { return calls_.empty(); }
  void clear() { calls_.clear(); }

 private:
  struct Kept {
    op_loop_site site;
    std::vector<op_arg> args;
    std::vector<std::max_align_t> values;
  };
  std::vector<ChainCall> calls_;
  std::vector<std::unique_ptr<Kept>> kept_; // of each call; their memory serves again
};

} // namespace op2::core
