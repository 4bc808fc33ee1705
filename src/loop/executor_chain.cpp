#include "loop/executor_chain.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace op2::core {

ExecutorChain::ExecutorChain(std::vector<ChainPart> parts)
    : parts_(std::move(parts)), executor_(&parts_.front().loop->prepared().executor()) {
  args_.resize(parts_.size());
  calls_.resize(parts_.size());
  plan_.size = sizeof plan_;
  plan_.nloops = static_cast<int>(parts_.size());
}

ExecutorChain::~ExecutorChain() { free_chain(); }

void ExecutorChain::free_chain() {
  if (chain_) executor_->chain_free(chain_);
  chain_ = nullptr;
}

// Loops get new kernels when their code changes.
void ExecutorChain::find_kernels() {
  const auto kernel_of = [](const ChainPart &part) { return part.loop->prepared().part(part.part).kernel.get(); };
  if (chain_ && std::ranges::equal(kernels_, parts_, {}, {}, kernel_of)) return;
  free_chain();
  kernels_.clear();
  for (const ChainPart &part : parts_) kernels_.push_back(kernel_of(part));
  plan_.kernels = kernels_.data();
  chain_ = executor_->chain_create(plan_);
}

void ExecutorChain::run(std::span<const RunningCall> calls, Trace *trace, std::vector<int> &lanes, std::size_t &at) {
  at = parts_.front().call;
  running_ = calls;
  find_kernels();
  bool timed = trace != nullptr || wants_times();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const ChainPart &part = parts_[p];
    const RunningCall &running = calls[part.call];
    LoopRun &steps = part.loop->loop_run();
    at = part.call;
    calls_[p] = steps.call_of_pieces(running.opening, *running.call, part.part, args_[p]);
    calls_[p].plan = &plan_of(p);
    if (const std::vector<int> *const blocks = some_blocks(p); blocks && calls_[p].reduce_result)
      calls_[p].reduce_result = steps.collect_blocks(running.opening, part.part, *blocks);
    timed = timed || steps.timed();
  }
  times_.assign(timed ? 2 * timed_steps() : 0, 0);
  std::int32_t failed = 0;
  try {
    executor_->chain_run(chain_, calls_.data(), timed ? times_.data() : nullptr, failed);
  } catch (Error &) {
    if (broken_) std::rethrow_exception(std::exchange(broken_, nullptr));
    at = parts_[static_cast<std::size_t>(failed)].call;
    throw;
  }
  if (timed) note_times(calls, times_, trace, lanes);
}

const op_exec_plan &ExecutorChain::plan_of(std::size_t part) const {
  return parts_[part].loop->prepared().part(parts_[part].part).plan;
}

void ExecutorChain::note_times(std::span<const RunningCall> calls, std::span<const double> times, Trace *trace,
                               std::vector<int> &) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Loop &loop = *parts_[p].loop;
    const double begin = times[2 * p], end = times[2 * p + 1];
    if (loop.loop_run().timed()) loop.loop_run().add_seconds(end - begin);
    if (trace) trace->record(*loop.traced, begin, end, loop.stats().calls + 1 + calls[parts_[p].call].opening);
  }
}

std::vector<std::int32_t> ExecutorChain::threads_of_lists() const {
  std::vector<std::int32_t> out(static_cast<std::size_t>(plan_.nlists));
  if (!executor_->chain_threads(chain_, out))
    for (std::size_t list = 0; list < out.size(); ++list) out[list] = plan_.lists[list].thread;
  return out;
}

std::string ExecutorChain::form() const { return chain_ ? executor_->chain_form(chain_) : ""; }

} // namespace op2::core

// SPDX-License-Identifier: MIT
