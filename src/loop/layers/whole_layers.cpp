#include "loop/layers/whole_layers.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace op2::core {

WholeLayers::WholeLayers(std::span<Loop *const> loops, std::size_t first)
    : loops_(loops.begin(), loops.end()), first_(first) {}

WholeLayers::Seen WholeLayers::see(const Loop &loop) {
  Seen out{{}, loop.why_not_whole().empty()};
  for (std::size_t p = 0; p < loop.parts().size(); ++p)
    out.kernels.push_back(loop.how().part(static_cast<int>(p)).kernel.get());
  return out;
}

const std::string &WholeLayers::look() {
  if (std::ranges::equal(seen_, loops_, {}, {}, [](const Loop *loop) { return see(*loop); })) return why_;
  seen_.clear(); // after a failure, too
  why_.clear();
  std::vector<Seen> seen;
  for (const Loop *loop : loops_) {
    seen.push_back(see(*loop));
    if (why_.empty()) why_ = loop->why_not_whole();
  }
  deal_out();
  seen_ = std::move(seen);
  return why_;
}

// Elements of the core touch rows of this process only. So they need not wait for copies, nor for loops before them
// that touch nothing but rows of their own elements, whose own elements have run: loops without maps. What loops reduce
// is waited for, and comes with the rest.
void WholeLayers::deal_out() {
  early_.reset(), late_.reset(), all_.reset();
  early_parts_.clear(), late_parts_.clear();
  bool early = true;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    Loop &loop = *loops_[l];
    const Set &set = loop.what().set;
    early = early && !loop.reduces();
    for (std::size_t p = 0; p < loop.parts().size(); ++p) {
      const LoopPart &part = loop.parts()[p];
      if (part.begin == part.end) continue;
      const bool needs_none = early && part.end <= (loop.what().indirect ? set.core_size : set.size);
      (needs_none ? early_parts_ : late_parts_).push_back({first_ + l, &loop, static_cast<int>(p)});
    }
    early = early && !loop.what().indirect;
  }
  all_parts_ = early_parts_;
  all_parts_.insert(all_parts_.end(), late_parts_.begin(), late_parts_.end());
}

void WholeLayers::run(Group &group, const std::vector<WholePart> &parts, std::span<const ChainCall> calls,
                      std::span<const int> openings, Trace *trace, std::size_t &at) {
  if (parts.empty()) return;
  if (!group) group = std::make_unique<WholeGroup>(parts, first_, first_ + loops_.size());
  group->run(calls, openings, trace, at);
}

void WholeLayers::run_early(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace,
                            std::size_t &at) {
  run(early_, early_parts_, calls, openings, trace, at);
}

void WholeLayers::run_late(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace,
                           std::size_t &at) {
  run(late_, late_parts_, calls, openings, trace, at);
}

void WholeLayers::run_all(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace,
                          std::size_t &at) {
  run(all_, all_parts_, calls, openings, trace, at);
}

std::string WholeLayers::text() const {
  if (!why_.empty()) return core::text("one after the other: ", why_);
  std::string out;
  if (early_) out = core::text(early_->form(), " while messages travel");
  for (const Group *group : {&late_, &all_})
    if (*group) out += core::text(out.empty() ? "" : ", ", (*group)->form());
  return out;
}

} // namespace op2::core
