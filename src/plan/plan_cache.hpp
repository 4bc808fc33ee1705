// plan_cache.hpp: keeps plans, so that loops with equal keys share one division.
//
// Keys hold integers only: two arguments are equal if they use the same columns of the same map, for any dats, so that
// freeing a dat has no effect on the cache. A cache belongs to one context and one thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace op2::core {

class KeptFindings;

// The columns column ... column+count-1 of map number `map`; plan_identity: the element itself.
inline constexpr int plan_identity = -1;
struct PlanColumns {
  int map = plan_identity;
  int column = 0;
  int count = 1;
  friend auto operator<=>(const PlanColumns &, const PlanColumns &) = default;
};

// The number of a sequence of a set's elements. level: 0, or how far it goes into the copies (loop/layers/layers.hpp).
constexpr int sequence_number(int set, int level = 0) { return set | level << 20; }
constexpr int set_of_sequence(int number) { return number & ((1 << 20) - 1); }

// As PlanRequest, with numbers in place of pointers. One inner vector per ConflictGroup.
struct PlanKey {
  int kind = OP_PLAN_NONE;
  int begin = 0, end = 0;
  int block_size = 0;
  std::vector<std::vector<PlanColumns>> groups;
  int parts = 0;                // owner plans
  int otherwise = OP_PLAN_NONE; // owner plans: as in op_exec_plan_request
  int sequence = -1;            // owner plans: sequence_number() of the one that orders the elements; -1: none
  bool compact = false;         // element colours
  friend auto operator<=>(const PlanKey &, const PlanKey &) = default;
};

// The shortest key for the same plan: columns sorted, joined, each once; no group that is part of another or that
// cannot collide; no field that the kind ignores; an explicit block size.
PlanKey canonical(PlanKey key);

// A map in memory: map[n * dim + column] < rows. version: another number for other entries; below 0: nothing is kept.
struct PlanMap {
  const int *map = nullptr;
  int dim = 0;
  int rows = 0;
  std::int64_t version = 0;
};

struct PlanCacheStats {
  std::int64_t hits = 0, builds = 0, adapted = 0;
  double seconds = 0; // spent building and adapting
};

class PlanCache {
 public:
  // Plans of large ranges are taken from what earlier runs have kept there, and kept. NULL: nothing is.
  void keep_in(KeptFindings *kept) { kept_ = kept; }

  // The plan for `key`, which need not be canonical; built if the cache has none. find_map gives the memory of a map
  // number and is called only to build. Throws what build_plan or find_map throw; then nothing is kept. The cache owns
  // the plan; loops keep the reference, which is valid until forget_map() for one of its maps or clear(). If
  // the key has an `otherwise` and its owner_work() is above most_owner_work, the result is a plan of that kind.
  const Plan &get(const PlanKey &key, const std::function<PlanMap(int map)> &find_map);

  // The plan for `key`, made by `make` if the cache has none; that may give none.
  const Plan *get_made(const PlanKey &key, const std::function<std::optional<Plan>()> &make);

  // The sequence with this number; the first call makes it.
  using Sequence = std::vector<SequenceRun>;
  const Sequence &sequence(int number, const std::function<Sequence()> &make);
  // The same as op_exec_plan.added wants it.
  const std::vector<int> &additions(int number, const std::function<Sequence()> &make);

  // This map leads some of its elements (ascending, each once) elsewhere now. Plans through it are adapted, or dropped
  // and built anew by get(); they keep their addresses, not those of their arrays.
  void rewritten(int map, std::span<const int> elements, const std::function<PlanMap(int map)> &find_map);

  // Drop the plans through this map, or the sequences of this set, whose contents change.
  void forget_map(int map);
  void forget_set(int set) {
    const auto is_of_set = [set](const auto &entry) { return set_of_sequence(entry.first) == set; };
    std::erase_if(sequences_, is_of_set);
    std::erase_if(additions_, is_of_set);
  }
  void clear() {
    plans_.clear();
    owner_work_.clear();
    sequences_.clear();
    additions_.clear();
  }

  std::size_t size() const { return plans_.size(); }
  // The result of plan/owner's owner_work() for this owner plan; 0 if it was not computed.
  double owner_work(const PlanKey &key) const;
  const PlanCacheStats &stats() const { return stats_; }

 private:
  double work_of(const PlanKey &owner, const std::function<PlanMap(int map)> &find_map);
  Plan find_or_build(const PlanKey &key, const std::function<PlanMap(int map)> &find_map);
  std::string name_of(const PlanKey &key, const std::function<PlanMap(int map)> &find_map) const;
  PlanRequest request_of(const PlanKey &key, const std::function<PlanMap(int map)> &find_map) const;

  std::map<PlanKey, Plan> plans_;        // a node container, so plans keep their addresses
  std::map<PlanKey, double> owner_work_; // keys without otherwise
  std::map<int, Sequence> sequences_;    // by number
  std::map<int, std::vector<int>> additions_;
  PlanCacheStats stats_;
  KeptFindings *kept_ = nullptr;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
