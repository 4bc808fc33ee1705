#include "loop/chain/whole.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace op2::core {

WholeGroup::WholeGroup(std::vector<WholePart> parts, std::size_t first, std::size_t last)
    : parts_(std::move(parts)), first_(first), last_(last) {}

void WholeGroup::open() {
  kernels_.clear();
  for (const WholePart &part : parts_) kernels_.push_back(part.loop->how().part(part.part).kernel.get());
  executor_ = &parts_.front().loop->how().executor();
  args_.resize(kernels_.size());
  calls_.resize(kernels_.size());
  plan_.size = sizeof plan_;
  plan_.nloops = static_cast<int>(kernels_.size());
  plan_.kernels = kernels_.data();
  chain_ = executor_->chain_create(plan_);
}

WholeGroup::~WholeGroup() {
  if (chain_) executor_->chain_free(chain_);
}

void WholeGroup::run(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace, std::size_t &at) {
  if (!chain_) open();
  bool timed = trace != nullptr;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const WholePart &part = parts_[p];
    LoopRun &run = part.loop->pieces();
    at = part.call;
    calls_[p] = run.call_of_pieces(openings[at - first_], calls[at].call, part.part, args_[p]);
    calls_[p].plan = &part.loop->how().part(part.part).plan;
    timed = timed || run.timed();
  }
  times_.assign(timed ? 2 * parts_.size() : 0, 0);
  std::int32_t failed = 0;
  try {
    executor_->chain_run(chain_, calls_.data(), timed ? times_.data() : nullptr, failed);
  } catch (Error &error) {
    const WholePart &part = parts_[static_cast<std::size_t>(failed)];
    at = part.call;
    part.loop->pieces().fail(error);
    throw;
  }
  for (std::size_t p = 0; timed && p < parts_.size(); ++p) {
    Loop &loop = *parts_[p].loop;
    const double begin = times_[2 * p], end = times_[2 * p + 1];
    if (loop.pieces().timed()) loop.pieces().took(end - begin);
    if (trace) trace->record(*loop.traced, begin, end, loop.stats().calls + 1 + openings[parts_[p].call - first_]);
  }
}

std::string WholeGroup::form() const { return chain_ ? executor_->chain_form(chain_) : ""; }

WholeChain::WholeChain(std::span<Loop *const> loops) : loops_(loops.begin(), loops.end()) {}

bool WholeChain::possible(std::span<Loop *const> loops) {
  return std::ranges::any_of(
      loops, [](const Loop *loop) { return loop->how().on_executor() && loop->how().executor().runs_whole_chains(); });
}

WholeChain::Seen WholeChain::see(const Loop &loop) {
  return {loop.how().part(0).kernel.get(), loop.why_not_whole().empty()};
}

std::span<const std::unique_ptr<WholeGroup>> WholeChain::groups() {
  const auto see_one = [](const Loop *loop) { return see(*loop); };
  if (!std::ranges::equal(seen_, loops_, {}, {}, see_one)) find_groups();
  return groups_;
}

void WholeChain::find_groups() {
  groups_.clear();
  seen_.clear(); // after a failure, too
  why_.clear();
  std::vector<Seen> seen;
  for (const Loop *loop : loops_) {
    seen.push_back(see(*loop));
    if (why_.empty()) why_ = loop->why_not_whole();
  }
  for (std::size_t first = 0, last = 0; first < seen.size(); first = last) {
    last = first + 1;
    while (seen[first].fits && last < seen.size() && seen[last].fits) ++last;
    std::vector<WholePart> parts;
    for (std::size_t l = first; l < last; ++l) parts.push_back({l, loops_[l]});
    groups_.push_back(std::make_unique<WholeGroup>(std::move(parts), first, last));
  }
  seen_ = std::move(seen);
}

bool WholeChain::together() const {
  return std::ranges::any_of(groups_, [](const auto &group) { return group->together(); });
}

std::string WholeChain::text() const {
  std::string out;
  std::size_t apart = 0;
  for (const auto &group : groups_)
    if (group->together())
      out += core::text(out.empty() ? "" : ", ", group->form());
    else
      ++apart;
  if (out.empty()) return core::text("one after the other: ", why_);
  const auto on_executor = std::ranges::find_if(loops_, [](const Loop *loop) { return loop->how().on_executor(); });
  out = core::text("on executor ", (*on_executor)->how().executor().name(), ": ", out);
  return apart == 0 ? out : core::text(out, "; ", apart, " by themselves: ", why_);
}

} // namespace op2::core
