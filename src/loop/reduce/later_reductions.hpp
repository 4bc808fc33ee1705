// Several processes: what the loops of a chain reduce into globals of the library, whose values nobody sees before the
// chain's end. The results of all loops go to all processes in one message, and into the globals loop by loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loop/reduce/reduce.hpp"

namespace op2::core {

class LaterReductions {
 public:
  // While it is open, the loops of a chain add their results, of call number `at`. Otherwise they reduce at once.
  void open() { open_ = true; }
  void close();
  bool is_open() const { return open_; }
  void set_call(std::size_t call) { call_ = call; }

  // The result of the present call on this process. The reduction and the arguments must outlive it.
  void add(const Reduction &reduction, const char *result, std::span<const op_arg> args);
  bool empty() const { return results_.empty(); }
  std::int64_t results() const { return all_results_; } // so far, and how often processes combined them
  std::int64_t times() const { return times_; }
  // All of them over all processes, to the same bits on each as one by one; collective. After a failure of the
  // program's own function, which other processes do not wait for, `call` is that of the result.
  void reduce_all(Communicator &communicator, std::size_t &call);
  // Afterwards: those of this call into its globals.
  void finish(std::size_t call);
  void clear();

 private:
  struct Result {
    const Reduction *reduction;
    std::size_t place; // among the records
    std::span<const op_arg> args;
    std::size_t call;
  };
  static void combine(void *context, void *into, const void *later);

  bool open_ = false;
  std::size_t call_ = 0; // the call that adds a result, or whose result is being combined
  std::int64_t all_results_ = 0, times_ = 0;
  std::vector<Result> results_;
  std::vector<char> records_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
