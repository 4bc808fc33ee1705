#include "loop/chain/recorder.hpp"

#include <algorithm>
#include <cstring>

namespace op2::core {

namespace {

constexpr std::size_t unit = sizeof(std::max_align_t);

std::size_t units_of(const LoopArg &arg) {
  if (arg.kind != OP_RANGE_GLOBAL || arg.access != OP_READ) return 0;
  return (static_cast<std::size_t>(arg.dim) * static_cast<std::size_t>(arg.element.size) + unit - 1) / unit;
}

} // namespace

bool Recorder::waits(const Loop &loop) {
  return std::ranges::any_of(loop.what().args,
                             [](const LoopArg &arg) { return arg.global && arg.global->awaited && !arg.reduces(); });
}

void Recorder::put(op_global_core &global, const void *values) {
  if (!global.awaited) {
    std::memcpy(global.data(), values, global.bytes());
    return;
  }
  const char *const from = static_cast<const char *>(values);
  puts_.push_back({calls_.size(), &global, {from, from + global.bytes()}});
}

void Recorder::put_before(std::size_t at) {
  for (const Put &put : puts_)
    if (put.before == at) std::memcpy(put.global->data(), put.values.data(), put.values.size());
}

std::size_t Recorder::whole_rounds() const {
  const std::size_t size = calls_.size();
  for (std::size_t round = 1; round <= size / 2; ++round) {
    bool repeats = true;
    for (std::size_t i = round; i < size && repeats; ++i) repeats = calls_[i].loop == calls_[i - round].loop;
    if (repeats) return size / round * round;
  }
  return size;
}

void Recorder::drop(std::size_t count) {
  const auto await = [](const ChainCall &call, bool awaited) {
    for (const LoopArg &arg : call.loop->what().args)
      if (arg.global && arg.reduces()) arg.global->awaited = awaited;
  };
  const auto kept = [count](auto &list) { return list.begin() + static_cast<std::ptrdiff_t>(count); };
  std::for_each(calls_.begin(), kept(calls_), [&](const ChainCall &call) { await(call, false); });
  std::for_each(kept(calls_), calls_.end(), [&](const ChainCall &call) { await(call, true); });
  std::rotate(kept_.begin(), kept(kept_), kept_.begin() + static_cast<std::ptrdiff_t>(calls_.size()));
  calls_.erase(calls_.begin(), kept(calls_));
  std::erase_if(puts_, [count](const Put &put) { return put.before <= count; });
  for (Put &put : puts_) put.before -= count;
}

void Recorder::add(Loop &loop, const LoopCall &call) {
  if (kept_.size() == calls_.size()) kept_.push_back(std::make_unique<Kept>());
  Kept &kept = *kept_[calls_.size()];
  kept.site = *call.site;
  kept.args.assign(call.args.begin(), call.args.end());
  const std::vector<LoopArg> &args = loop.what().args;
  std::size_t needed = 0;
  for (const LoopArg &arg : args) needed += units_of(arg);
  kept.values.resize(needed);
  std::max_align_t *at = kept.values.data();
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (units_of(args[i]) == 0) continue;
    char *const copy = reinterpret_cast<char *>(at);
    std::memcpy(copy, kept.args[i].data,
                static_cast<std::size_t>(args[i].dim) * static_cast<std::size_t>(args[i].element.size));
    kept.args[i].data = copy;
    at += units_of(args[i]);
  }
  for (const LoopArg &arg : args)
    if (arg.global && arg.reduces()) arg.global->awaited = true;
  calls_.push_back({&loop, {&kept.site, loop.name().c_str(), call.set, kept.args}});
}

} // namespace op2::core
