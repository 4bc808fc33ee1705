#include "plan/plan_cache.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/text.hpp"
#include "host/kept/kept_findings.hpp"
#include "plan/adapt/adapt.hpp"
#include "plan/blocks.hpp"
#include "plan/kept/plan_bytes.hpp"
#include "plan/owner.hpp"

namespace op2::core {
namespace {

using Group = std::vector<PlanColumns>;

// Single columns, sorted, each once: the form in which groups compare.
Group single_columns(const Group &group) {
  Group result;
  for (const PlanColumns &columns : group) {
    if (columns.map == plan_identity) {
      result.push_back({}); // whatever column and count say
      continue;
    }
    for (int j = 0; j < columns.count; ++j) result.push_back({columns.map, columns.column + j, 1});
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// Neighbouring single columns of one map become one entry, which the inspector also runs through faster.
Group joined_columns(const Group &singles) {
  Group result;
  for (const PlanColumns &column : singles) {
    if (!result.empty() && result.back().map == column.map &&
        result.back().column + result.back().count == column.column)
      ++result.back().count;
    else
      result.push_back(column);
  }
  return result;
}

bool can_collide(const Group &group) {
  return std::ranges::any_of(group, [](const PlanColumns &columns) { return columns.map != plan_identity; });
}

// Elements that collide in a group collide in every group that contains it, so the smaller one adds nothing.
std::vector<Group> canonical_groups(const std::vector<Group> &groups) {
  std::vector<Group> singles;
  for (const Group &group : groups)
    if (Group columns = single_columns(group); can_collide(columns)) singles.push_back(std::move(columns));
  std::ranges::sort(singles,
                    [](const Group &a, const Group &b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });

  std::vector<Group> kept; // the larger ones come first, so a group can only be part of one that is already here
  for (Group &group : singles) {
    const auto contains = [&](const Group &larger) { return std::ranges::includes(larger, group); };
    if (std::ranges::none_of(kept, contains)) kept.push_back(std::move(group));
  }
  for (Group &group : kept) group = joined_columns(group);
  std::ranges::sort(kept);
  return kept;
}

// An element itself is a row of the set the group's maps lead to, so it takes its rows from them.
ConflictGroup group_in_memory(const Group &group, const std::function<PlanMap(int)> &find_map) {
  ConflictGroup result;
  int rows = 0;
  for (const PlanColumns &columns : group) {
    if (columns.map == plan_identity) continue;
    const PlanMap map = find_map(columns.map);
    rows = map.rows;
    result.columns.push_back({map.map, map.dim, columns.column, columns.count, map.rows, columns.map});
  }
  if (result.columns.size() < group.size()) result.columns.push_back({nullptr, 0, 0, 1, rows});
  return result;
}

// What an owner plan is judged by: as many parts as it has, but few on sets so small that parts are hardly more than
// their borders. Two at least: one thread takes the colours that two take.
PlanKey for_owners(PlanKey key) {
  constexpr int elements_of_part = 16384;
  key.parts = std::max(std::min(key.parts, (key.end - key.begin) / elements_of_part), 2);
  key.otherwise = OP_PLAN_NONE;
  return key;
}

// Adds the seconds until the end of the scope.
class Stopwatch {
 public:
  explicit Stopwatch(double &seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

 private:
  double &seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool goes_through(const PlanKey &key, int map) {
  const auto in_group = [map](const Group &group) {
    return std::ranges::find(group, map, &PlanColumns::map) != group.end();
  };
  return std::ranges::any_of(key.groups, in_group);
}

} // namespace

PlanKey canonical(PlanKey key) {
  key.end = std::max(key.begin, key.end);
  if (key.kind == OP_PLAN_NONE || key.kind == OP_PLAN_GLOBAL_COLOURS || key.kind == OP_PLAN_OWNER)
    key.block_size = 0;
  else if (key.block_size <= 0)
    key.block_size = default_block_size(key.end - key.begin);
  if (key.kind == OP_PLAN_NONE || key.kind == OP_PLAN_BLOCKS)
    key.groups.clear();
  else
    key.groups = canonical_groups(key.groups);
  key.compact = key.compact && key.kind == OP_PLAN_ELEMENT_COLOURS;
  key.parts = is_owner_kind(key.kind) ? std::max(key.parts, 1) : 0;
  if (!is_owner_kind(key.kind)) {
    key.otherwise = OP_PLAN_NONE;
    key.sequence = -1;
  }
  return key;
}

PlanRequest PlanCache::request_of(const PlanKey &key, const std::function<PlanMap(int)> &find_map) const {
  PlanRequest request{key.kind, key.begin, key.end, key.block_size, {}, key.parts, {}, key.compact};
  for (const Group &group : key.groups) request.groups.push_back(group_in_memory(group, find_map));
  if (const auto found = sequences_.find(key.sequence); found != sequences_.end()) request.sequence = found->second;
  return request;
}

const PlanCache::Sequence &PlanCache::sequence(int number, const std::function<Sequence()> &make) {
  if (const auto found = sequences_.find(number); found != sequences_.end()) return found->second;
  return sequences_.emplace(number, make()).first->second;
}

const std::vector<int> &PlanCache::additions(int number, const std::function<Sequence()> &make) {
  if (const auto found = additions_.find(number); found != additions_.end()) return found->second;
  std::vector<int> out;
  for (const SequenceRun &run : make()) out.insert(out.end(), {run.begin, run.end});
  return additions_.emplace(number, std::move(out)).first->second;
}

double PlanCache::owner_work(const PlanKey &key) const {
  const auto found = owner_work_.find(for_owners(canonical(key)));
  return found == owner_work_.end() ? 0 : found->second;
}

// All that determines the plan, and the work of its owners. "": it is not kept.
std::string PlanCache::name_of(const PlanKey &key, const std::function<PlanMap(int)> &find_map) const {
  const bool worth = is_owner_kind(key.kind) || (is_colour_kind(key.kind) && !key.compact);
  if (!kept_ || !worth || key.sequence >= 0 || key.end - key.begin < smallest_kept) return {};
  std::string name =
      text(key.kind, " of ", key.begin, " to ", key.end, ", blocks ", key.block_size, ", parts ", key.parts);
  for (const Group &group : key.groups) {
    name += ";";
    for (const PlanColumns &columns : group) {
      if (columns.map == plan_identity) {
        name += " self";
        continue;
      }
      const PlanMap map = find_map(columns.map);
      if (map.version < 0) return {};
      const std::size_t entries = static_cast<std::size_t>(key.end) * static_cast<std::size_t>(map.dim);
      name += text(" map ", columns.map, " ", kept_->digest(columns.map, map.version, {map.map, entries}), " to ",
                   map.rows, ", ", columns.count, " from ", columns.column, " of ", map.dim);
    }
  }
  return name;
}

Plan PlanCache::find_or_build(const PlanKey &key, const std::function<PlanMap(int)> &find_map) {
  const std::string name = name_of(key, find_map);
  if (name.empty()) return build_plan(request_of(key, find_map));
  if (const std::optional<std::string> kept = kept_->find("plan " + name))
    if (std::optional<Plan> plan = plan_of_bytes(*kept, key.begin, key.end)) return std::move(*plan);
  Plan plan = build_plan(request_of(key, find_map));
  kept_->keep("plan " + name, bytes_of_plan(plan));
  return plan;
}

double PlanCache::work_of(const PlanKey &owner, const std::function<PlanMap(int map)> &find_map) {
  PlanKey key = for_owners(owner);
  if (const auto found = owner_work_.find(key); found != owner_work_.end()) return found->second;
  const Stopwatch watch(stats_.seconds);
  const std::string name = name_of(key, find_map);
  std::vector<double> found;
  const std::optional<std::string> kept = name.empty() ? std::nullopt : kept_->find("owner work " + name);
  std::string_view bytes = kept ? std::string_view(*kept) : std::string_view();
  if (!take_array(bytes, found) || found.size() != 1) {
    const std::vector<int> blocks = split_blocks(key.begin, key.end, std::max(key.block_size, 1));
    found = {core::owner_work(request_of(key, find_map), blocks)};
    std::string out;
    add_array(out, found);
    if (!name.empty()) kept_->keep("owner work " + name, out);
  }
  const double work = found.front();
  owner_work_.emplace(std::move(key), work);
  return work;
}

const Plan &PlanCache::get(const PlanKey &key, const std::function<PlanMap(int map)> &find_map) {
  PlanKey shortest = canonical(key);
  if (shortest.otherwise != OP_PLAN_NONE) {
    if (work_of(shortest, find_map) > most_owner_work) {
      PlanKey instead = key;
      instead.kind = key.otherwise;
      shortest = canonical(std::move(instead));
    }
    shortest.otherwise = OP_PLAN_NONE;
  }
  if (const auto found = plans_.find(shortest); found != plans_.end()) {
    ++stats_.hits;
    return found->second;
  }
  Plan plan;
  {
    const Stopwatch watch(stats_.seconds);
    plan = find_or_build(shortest, find_map);
  }
  ++stats_.builds;
  return plans_.emplace(std::move(shortest), std::move(plan)).first->second;
}

const Plan *PlanCache::get_made(const PlanKey &key, const std::function<std::optional<Plan>()> &make) {
  PlanKey shortest = canonical(key);
  if (const auto found = plans_.find(shortest); found != plans_.end()) {
    ++stats_.hits;
    return &found->second;
  }
  const Stopwatch watch(stats_.seconds);
  std::optional<Plan> plan = make();
  if (!plan) return nullptr;
  ++stats_.builds;
  return &plans_.emplace(std::move(shortest), std::move(*plan)).first->second;
}

void PlanCache::rewritten(int map, std::span<const int> elements, const std::function<PlanMap(int)> &find_map) {
  const Stopwatch watch(stats_.seconds);
  const auto in_range = [&](const PlanKey &key) {
    const auto first = std::ranges::lower_bound(elements, key.begin);
    return std::span(first, std::lower_bound(first, elements.end(), key.end));
  };
  std::vector<PlanKey> outdated;
  for (auto &[key, plan] : plans_) {
    if (!goes_through(key, map) || in_range(key).empty()) continue;
    bool adapted = false;
    try {
      adapted = adapt_plan(plan, request_of(key, find_map), in_range(key));
    } catch (const std::bad_alloc &) { // the plan is dropped
    }
    if (adapted)
      ++stats_.adapted;
    else
      outdated.push_back(key);
  }
  for (const PlanKey &key : outdated) plans_.erase(key);
  // The judgement of whole ranges stays until one of their plans is built anew.
  std::erase_if(owner_work_, [&](const auto &judged) {
    return std::ranges::any_of(outdated, [&](const PlanKey &key) {
      return key.begin == judged.first.begin && key.end == judged.first.end && key.groups == judged.first.groups;
    });
  });
}

void PlanCache::forget_map(int map) {
  const auto uses = [map](const auto &entry) { return goes_through(entry.first, map); };
  std::erase_if(plans_, uses);
  std::erase_if(owner_work_, uses);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
