// graph_cache.cpp: expecting what came before, and patterns of chains.
#include "launch/graph_cache.hpp"

#include <algorithm>
#include <utility>

namespace op2::exec_cuda {

namespace {

constexpr size_t shortest_pattern = 4; // launches: for fewer a graph gains nothing
constexpr size_t usual_pattern = 16;   // enough for the launch of a graph to cost little for each
constexpr size_t longest_pattern = 32; // between two interruptions, so that the device starts early
constexpr size_t most_patterns = 32;
constexpr uint64_t launches_each = 256;  // for every graph that is made: making one takes as long as many launches
constexpr uint32_t interruption = 0x200; // a member of the sequence that is no launch

uint32_t token_of(const LaunchShape &shape, bool small) {
  uint64_t hash = reinterpret_cast<uintptr_t>(shape.function);
  for (const uint64_t part : {uint64_t{shape.grid}, uint64_t{shape.block}, uint64_t{shape.shared}})
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
  const uint32_t token = static_cast<uint32_t>(hash >> 16);
  return small ? token | 1u : (token & ~1u) | 2u;
}
constexpr bool is_small(uint32_t token) { return (token & 1u) != 0; }

} // namespace

GraphCache::GraphCache(const Driver &driver, const op_host_v1 *host, CUstream stream, const std::string &use,
                       unsigned few_blocks)
    : sender_(driver, host, stream, use != "off"), eager_(use == "always"), few_blocks_(few_blocks) {}

void GraphCache::note(const LaunchShape &shape, bool small) {
  repeats_.add(token_of(shape, small));
  shapes_[count_++ % Repeats::longest] = shape;
}

void GraphCache::launch(const LaunchShape &shape, const void *parameters, const char *name) {
  if (shape.grid == 0) return;
  if (!sender_.makes_graphs() || (shape.grid > few_blocks_ && !eager_)) return launch_now(shape, parameters, name);
  ++launches_;
  if (!held_.empty()) narrow(shape);
  if (held_.empty()) find_candidates(shape);
  open_ = true;
  after_pattern_ = false;
  note(shape, true);
  if (candidates_.empty()) return sender_.send(shape, parameters, name);
  held_.add(shape, parameters, name);
  for (Pattern *const pattern : candidates_)
    if (pattern->shapes.size() == held_.size()) return run(*pattern);
}

void GraphCache::launch_now(const LaunchShape &shape, const void *parameters, const char *name) {
  if (shape.grid == 0) return;
  ++launches_;
  launch_held();
  if (sender_.makes_graphs()) {
    note(shape, false);
    open_ = after_pattern_ = true;
  }
  sender_.send(shape, parameters, name);
}

void GraphCache::interrupt() {
  open_ = false;
  repeats_.add(interruption);
  ++count_;
  after_pattern_ = true;
  launch_held();
}

// One by one: what was expected did not come. After an exception nothing is held any more.
void GraphCache::launch_held() {
  if (held_.empty()) return;
  candidates_.clear();
  const LaunchList held = std::exchange(held_, {});
  for (const LaunchList::One &one : held.launches()) sender_.send(one.shape, held.parameters_of(one), one.name);
}

void GraphCache::narrow(const LaunchShape &shape) {
  const size_t at = held_.size();
  std::erase_if(candidates_,
                [&](const Pattern *pattern) { return pattern->shapes.size() <= at || pattern->shapes[at] != shape; });
  if (candidates_.empty()) launch_held();
}

// Patterns that begin with this launch; one is made when it is time for it.
void GraphCache::find_candidates(const LaunchShape &shape) {
  make_pattern(shape);
  for (const auto &pattern : patterns_)
    if (pattern->shapes.front() == shape) candidates_.push_back(pattern.get());
}

// Whether the sequence goes on with the pattern if it goes on to repeat itself.
bool GraphCache::fits(const Pattern &pattern, size_t period) const {
  for (size_t i = 0; i < pattern.shapes.size(); ++i) {
    const size_t back = Repeats::back(period, i);
    if (!is_small(repeats_.last(back)) || shape_before(back) != pattern.shapes[i]) return false;
  }
  return true;
}

// Launches from now on that are to be one pattern. Without interruptions whole rounds are; between two interruptions it
// is as many equal parts as it takes.
size_t GraphCache::pattern_length(size_t period) const {
  size_t small = 0;
  while (small < period && is_small(repeats_.last(Repeats::back(period, small)))) ++small;
  if (small == period) return period * std::max<size_t>(1, usual_pattern / period);
  const size_t parts = (small + longest_pattern - 1) / longest_pattern;
  return parts == 0 ? 0 : (small + parts - 1) / parts;
}

void GraphCache::make_pattern(const LaunchShape &shape) {
  const uint32_t next = token_of(shape, true);
  const size_t period = eager_ ? repeats_.period(next, 2, 2) : repeats_.period(next, 3, usual_pattern);
  if (period == 0) return;
  const size_t first = Repeats::back(period, 0);
  if (!is_small(repeats_.last(first)) || shape_before(first) != shape) return;
  const size_t length = pattern_length(period);
  if (!after_pattern_ && length < period) return; // only whole ones, or they would begin anywhere
  if (length < (eager_ ? 2 : shortest_pattern)) return;
  for (const auto &pattern : patterns_)
    if (fits(*pattern, period)) return;
  if (!eager_ && (patterns_.size() + sender_.graphs_made()) * launches_each > launches_) return;
  if (patterns_.size() == most_patterns) drop_oldest();
  auto pattern = std::make_unique<Pattern>();
  for (size_t i = 0; i < length; ++i) pattern->shapes.push_back(shape_before(Repeats::back(period, i)));
  pattern->used = launches_;
  patterns_.push_back(std::move(pattern));
}

void GraphCache::drop_oldest() {
  sender_.wait();
  patterns_.erase(std::min_element(patterns_.begin(), patterns_.end(),
                                   [](const auto &a, const auto &b) { return a->used < b->used; }));
}

// The pattern is what is held back.
void GraphCache::run(Pattern &pattern) {
  pattern.used = launches_;
  after_pattern_ = true;
  if (!sender_.send(pattern, held_)) {
    launch_held();
    open_ = false;
    return;
  }
  held_.clear();
  candidates_.clear();
}

Pattern &GraphCache::open() { return *of_chains_.emplace_back(std::make_unique<Pattern>()); }

void GraphCache::close(Pattern &pattern) {
  if (!pattern.graphs.empty()) sender_.wait();
  std::erase_if(of_chains_, [&](const auto &one) { return one.get() == &pattern; });
}

bool GraphCache::launch_chain(Pattern &pattern, const LaunchList &list, size_t &failed) {
  flush(); // chains interrupt what is guessed
  launches_ += list.size();
  ++chains_;
  failed = 0;
  if (!pattern.matches(list)) {
    if (!pattern.graphs.empty()) sender_.wait();
    pattern = {};
    for (const LaunchList::One &one : list.launches()) pattern.shapes.push_back(one.shape);
  }
  if (sender_.makes_graphs() && list.size() > 1 && sender_.send(pattern, list)) return true;
  for (const LaunchList::One &one : list.launches()) {
    sender_.send(one.shape, list.parameters_of(one), one.name);
    ++failed;
  }
  return false;
}

void GraphCache::forget(CUfunction function) {
  flush();
  const auto uses = [&](const auto &pattern) {
    return std::any_of(pattern->shapes.begin(), pattern->shapes.end(),
                       [&](const LaunchShape &shape) { return shape.function == function; });
  };
  std::erase_if(patterns_, uses);
  for (const auto &pattern : of_chains_) // the chain may still be run with other code
    if (uses(pattern)) *pattern = {};
  for (LaunchShape &shape : shapes_)
    if (shape.function == function) shape = {}; // another one may get its address
}

std::string GraphCache::report() const {
  return std::to_string(launches_) + " launches, " + sender_.report() + "; " + std::to_string(chains_) +
         " runs of chains";
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
