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
  return std::ranges::any_of(loop.signature().args,
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
  for (std::size_t i = 0; i < calls_.size(); ++i)
    for (op_global_core *global : kept_[i]->reduced) global->awaited = false;
  for (const Put &put : puts_) put.global->awaited = false;
  const auto after = [count](auto &list) { return list.begin() + static_cast<std::ptrdiff_t>(count); };
  std::rotate(kept_.begin(), after(kept_), kept_.begin() + static_cast<std::ptrdiff_t>(calls_.size()));
  calls_.erase(calls_.begin(), after(calls_));
  std::erase_if(puts_, [count](const Put &put) { return put.before <= count; });
  for (Put &put : puts_) put.before -= count;
  await();
}

// What is put later comes behind what was put before, also where no call is left that reduces into the global.
void Recorder::await() {
  for (std::size_t i = 0; i < calls_.size(); ++i)
    for (op_global_core *global : kept_[i]->reduced) global->awaited = true;
  for (const Put &put : puts_) put.global->awaited = true;
}

void Recorder::give_up() {
  for (const Put &put : puts_) {
    std::memcpy(put.global->data(), put.values.data(), put.values.size());
    put.global->awaited = false;
  }
  puts_.clear();
  drop(calls_.size());
}

void Recorder::add(Loop &loop, const LoopCall &call) {
  if (kept_.size() == calls_.size()) kept_.push_back(std::make_unique<Kept>());
  Kept &kept = *kept_[calls_.size()];
  kept.site = whole_site(*call.site);
  kept.args.assign(call.args.begin(), call.args.end());
  kept.name = call.name;
  kept.types.resize(kept.args.size());
  for (std::size_t i = 0; i < kept.args.size(); ++i)
    if (kept.args[i].type) kept.args[i].type = kept.types[i].assign(kept.args[i].type).c_str();
  const std::vector<LoopArg> &args = loop.signature().args;
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
  kept.reduced.clear();
  for (const LoopArg &arg : args)
    if (arg.global && arg.reduces()) kept.reduced.push_back(arg.global);
  calls_.push_back({&loop, {&kept.site, kept.name.c_str(), call.set, kept.args}});
  for (op_global_core *global : kept.reduced) global->awaited = true;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
