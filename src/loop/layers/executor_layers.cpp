#include "loop/layers/executor_layers.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "loop/layers/layer_steps.hpp"

namespace op2::core {

namespace {

// The parts of a group of loops: those that need no copies, and the others.
struct DividedParts {
  std::vector<ChainPart> early, late;
};

// Elements of the core touch rows of this process only. So they need not wait for copies, nor for loops before them
// that touch nothing but rows of their own elements, whose own elements have run: loops without maps. What loops reduce
// is waited for, and comes with the rest.
DividedParts divide(std::span<Loop *const> loops) {
  DividedParts out;
  bool early = true;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    Loop &loop = *loops[l];
    const Set &set = loop.signature().set;
    early = early && !loop.reduces();
    for (std::size_t p = 0; p < loop.parts().size(); ++p) {
      const LoopPart &part = loop.parts()[p];
      if (part.begin == part.end) continue;
      const bool needs_none = early && part.end <= (loop.signature().indirect ? set.core_size : set.size);
      (needs_none ? out.early : out.late).push_back({&loop, l, static_cast<int>(p)});
    }
    early = early && !loop.signature().indirect;
  }
  return out;
}

} // namespace

ExecutorLayers::ExecutorLayers(std::span<Loop *const> loops) : loops_(loops.begin(), loops.end()) {}

ExecutorLayers::Seen ExecutorLayers::see(const Loop &loop) {
  Seen out{{}, loop.why_not_whole().empty()};
  for (std::size_t p = 0; p < loop.parts().size(); ++p)
    out.kernels.push_back(loop.prepared().part(static_cast<int>(p)).kernel.get());
  return out;
}

const std::string &ExecutorLayers::update() {
  if (std::ranges::equal(seen_, loops_, {}, {}, [](const Loop *loop) { return see(*loop); })) return why_;
  seen_.clear(); // after a failure, too
  why_.clear();
  std::vector<Seen> seen;
  for (const Loop *loop : loops_) {
    seen.push_back(see(*loop));
    if (why_.empty()) why_ = loop->why_not_whole();
  }
  write();
  seen_ = std::move(seen);
  return why_;
}

int ExecutorLayers::add_chain(const std::vector<ChainPart> &parts) {
  if (parts.empty()) return -1;
  chains_.push_back(std::make_unique<ExecutorChain>(parts));
  return static_cast<int>(chains_.size()) - 1;
}

void ExecutorLayers::write() {
  chains_.clear();
  opening_ = with_exchange_ = without_exchange_ = {};
  const DividedParts parts = divide(loops_);
  std::vector<ChainPart> all = parts.early;
  all.insert(all.end(), parts.late.begin(), parts.late.end());
  early_ = add_chain(parts.early);
  const int late = add_chain(parts.late), joined = add_chain(all);
  const auto run = [](Schedule &schedule, int chain) {
    if (chain >= 0) schedule.add(Do::run_group, 0, chain);
  };
  open_layers(opening_, loops_.size());
  with_exchange_.add(Do::post);
  run(with_exchange_, early_);
  with_exchange_.add(Do::send);
  with_exchange_.add(Do::wait_messages);
  run(with_exchange_, late);
  close_layers(with_exchange_, loops_.size());
  run(without_exchange_, joined);
  close_layers(without_exchange_, loops_.size());
}

std::string ExecutorLayers::text() const {
  if (!why_.empty()) return core::text("one after the other: ", why_);
  std::string out;
  for (std::size_t c = 0; c < chains_.size(); ++c)
    if (const std::string form = chains_[c]->form(); !form.empty())
      out += core::text(out.empty() ? "" : ", ", form, static_cast<int>(c) == early_ ? " while messages travel" : "");
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
