// The kernel of a loop that stands for several loops of a chain over the same set: it calls theirs one after the other.
// Arguments that reach the same row are one, so that generated code keeps it in registers.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/call.hpp"

namespace op2::core {

class MergedKernel {
 public:
  // Of these calls, of at least one loop. The loops must outlive the object, which must stay where it is. awaited:
  // the program waits for its code, else that is compiled beside it (but with OP2_JIT=on).
  MergedKernel(std::span<const ChainCall> calls, bool awaited);
  MergedKernel(const MergedKernel &) = delete;
  MergedKernel &operator=(const MergedKernel &) = delete;

  // NULL: the site belongs to the program.
  static const MergedKernel *of(const op_loop_site &site);
  const std::string &name() const { return name_; } // "update + adt_calc"
  bool awaited() const { return awaited_; }
  // A call of the loop that stands for these calls. args: receives its arguments, which must outlive it.
  LoopCall call(std::span<const ChainCall> calls, std::vector<op_arg> &args) const;
  bool is(std::span<const ChainCall> calls) const {
    return std::ranges::equal(loops_, calls, {}, {}, &ChainCall::loop);
  }

  std::size_t parts() const { return loops_.size(); }
  const Loop &loop(std::size_t part) const { return *loops_[part]; }
  const op_loop_site &site_of(std::size_t part) const { return loops_[part]->what().site; }
  // Of its arguments among those of the merged loop.
  std::span<const int> positions(std::size_t part) const { return positions_[part]; }

 private:
  struct Argument {
    std::size_t part, at; // whose it is
    op_access access;
  };
  static void run(const op_range_ctx *ctx, int begin, int end);
  int add(std::size_t part, std::size_t at);

  std::vector<Loop *> loops_;
  std::vector<std::vector<int>> positions_;
  std::vector<Argument> arguments_;
  std::string name_;
  bool awaited_;
  op_loop_site site_{};
};

// Arguments that all kernels of these loops have together.
std::size_t merged_arguments(std::span<const ChainCall> calls);

} // namespace op2::core
