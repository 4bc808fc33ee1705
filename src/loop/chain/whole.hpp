// A chain on an executor that takes loops whole, such as a GPU: groups of loops that it gets at once, and between them
// the loops that it cannot have.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/trace.hpp"
#include "loop/chain/call.hpp"

namespace op2::core {

struct WholePart {
  std::size_t call; // of the chain
  Loop *loop;
  int part = 0;
};

// Parts of the calls `first` ... `last` - 1 of a chain, in this order, as a chain of the executor.
class WholeGroup {
 public:
  WholeGroup(std::vector<WholePart> parts, std::size_t first, std::size_t last);
  ~WholeGroup();
  WholeGroup(const WholeGroup &) = delete;
  WholeGroup &operator=(const WholeGroup &) = delete;

  std::size_t first() const { return first_; }
  std::size_t last() const { return last_; }
  bool together() const { return parts_.size() > 1; }
  // The loops of the group have been opened by begin_pieces(), with these numbers. calls: of the whole chain. After a
  // failure, `at` is the number of the call.
  void run(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace, std::size_t &at);
  std::string form() const; // how the executor runs it, once it has

 private:
  void open();

  const std::vector<WholePart> parts_;
  std::size_t first_, last_;
  Executor *executor_ = nullptr;
  std::vector<op_exec_kernel *> kernels_;
  op_exec_chain_plan plan_{};
  op_exec_chain *chain_ = nullptr;
  // Of a run.
  std::vector<std::vector<op_range_arg>> args_;
  std::vector<op_exec_call> calls_;
  std::vector<double> times_; // of each loop: begin, end
};

class WholeChain {
 public:
  explicit WholeChain(std::span<Loop *const> loops);

  // Whether the executor of these loops takes chains so.
  static bool possible(std::span<Loop *const> loops);
  // Of the next run: loops may have got other code.
  std::span<const std::unique_ptr<WholeGroup>> groups();
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
  std::vector<std::unique_ptr<WholeGroup>> groups_;
  std::string why_; // of the first loop that runs by itself
};

} // namespace op2::core
