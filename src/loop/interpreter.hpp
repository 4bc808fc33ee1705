// The interpreter: performs the steps of schedules, of one loop or of all calls of a chain, and counts, times and
// traces what runs.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/trace.hpp"
#include "loop/executor_chain.hpp"
#include "loop/loop.hpp"
#include "loop/unit_pages.hpp"

namespace op2::core {

// A flag that is true while a scope lasts.
class ScopedFlag {
 public:
  explicit ScopedFlag(bool &flag) : flag_(flag) { flag_ = true; }
  ~ScopedFlag() { flag_ = false; }
  ScopedFlag(const ScopedFlag &) = delete;
  ScopedFlag &operator=(const ScopedFlag &) = delete;

 private:
  bool &flag_;
};

struct InterpreterOptions {
  bool timing = true;
  bool announces = false;                         // a line on stdout for every loop, as OP2 writes it
  Trace *trace = nullptr;                         // NULL = no trace
  std::function<void(const Loop &)> form_changed; // called when a loop has got other code
};

class Interpreter {
 public:
  explicit Interpreter(InterpreterOptions options) : options_(std::move(options)) {}

  bool running() const { return running_; } // the caller is a kernel
  // A loop by itself, by its own schedule.
  void run(Loop &loop, const LoopCall &call);
  // What the steps of a schedule name by number: groups of Do::run_group, and chunks of the steps that move them.
  struct Groups {
    Groups() = default;
    Groups(std::span<const std::unique_ptr<ExecutorChain>> all) : chains(all) {} // NOLINT: meant to be implicit
    Groups(const std::vector<std::unique_ptr<ExecutorChain>> &all, const UnitPages *moved = nullptr) // NOLINT: likewise
        : chains(all), pages(moved) {}
    std::span<const std::unique_ptr<ExecutorChain>> chains;
    const UnitPages *pages = nullptr;
  };
  // Steps of a schedule of these calls. `at` is the call that a step is about; after a failure, the one that failed.
  void run(std::span<const Step> steps, std::span<RunningCall> calls, Groups groups, std::size_t &at);
  // After a failure, also of other processes: no loop is open any more.
  static void abandon(std::span<const RunningCall> calls) {
    for (const RunningCall &call : calls) call.loop->abandon();
  }

 private:
  void perform(const Step &step, std::span<RunningCall> calls, Groups groups, std::size_t &at);
  void move_pages(const Step &step, const UnitPages &pages) const;
  void announce(const Loop &loop) const;
  void count(Loop &loop);

  const InterpreterOptions options_;
  std::vector<int> thread_lanes_; // of the trace: threads that run chains
  bool running_ = false;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
