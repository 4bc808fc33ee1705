// plan_cache.hpp: keeps plans, so that loops that divide alike share one division.
//
// Keys hold integers only: two arguments are alike when they go through the same columns of the same map, whichever dat
// they belong to, so freeing a dat never matters. A cache belongs to one context and is not safe to share between
// threads.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "plan/plan.hpp"

namespace op2::core {

// The columns column ... column+count-1 of the map of that number; map = plan_identity: the element itself.
inline constexpr int plan_identity = -1;
struct PlanColumns {
  int map = plan_identity;
  int column = 0;
  int count = 1;
  friend auto operator<=>(const PlanColumns &, const PlanColumns &) = default;
};

// As PlanRequest, with numbers in place of pointers. One inner vector per dat that must not be met twice.
struct PlanKey {
  int kind = OP_PLAN_NONE;
  int begin = 0, end = 0;
  int block_size = 0;
  std::vector<std::vector<PlanColumns>> groups;
  int parts = 0;                // owner plans
  int otherwise = OP_PLAN_NONE; // owner plans: as in op_exec_plan_request
  int sequence = -1;            // owner plans: number of the set whose sequence orders the elements; -1: none
  bool compact = false;         // element colours
  friend auto operator<=>(const PlanKey &, const PlanKey &) = default;
};

// The shortest key for the same plan: columns sorted, joined, each once; no group that is part of another or that
// cannot collide; nothing the kind ignores; the block size spelled out.
PlanKey canonical(PlanKey key);

// A map as it lies in memory: map[n * dim + column] < rows.
struct PlanMap {
  const int *map = nullptr;
  int dim = 0;
  int rows = 0;
};

struct PlanCacheStats {
  std::int64_t hits = 0, builds = 0;
  double seconds = 0; // spent building
};

class PlanCache {
 public:
  // The plan for `key`, which need not be canonical; built if it is not there. find_map gives the memory of a map
  // number and is called only to build. Throws what build_plan or find_map throw; then nothing is kept. The plan is
  // owned by the cache and stays where it is until forget_map() for one of its maps or clear(); loops keep the
  // reference and ask once. An owner plan with an `otherwise` that would be poor (see plan/owner) gives that kind's
  // plan.
  const Plan &get(const PlanKey &key, const std::function<PlanMap(int map)> &find_map);

  // The sequence of a set, made when it is asked for first. For keys with its number.
  using Sequence = std::vector<SequenceRun>;
  const Sequence &sequence(int set, const std::function<Sequence()> &make);

  // Drops the plans that go through this map, the sequence of this set: their contents change.
  void forget_map(int map);
  void forget_set(int set) { sequences_.erase(set); }
  void clear() {
    plans_.clear();
    owner_work_.clear();
    sequences_.clear();
  }

  std::size_t size() const { return plans_.size(); }
  // What plan/owner's owner_work() said about this owner plan; 0 when it was not asked.
  double owner_work(const PlanKey &key) const;
  const PlanCacheStats &stats() const { return stats_; }

 private:
  double work_of(const PlanKey &owner, const std::function<PlanMap(int map)> &find_map);
  PlanRequest request_of(const PlanKey &key, const std::function<PlanMap(int map)> &find_map) const;

  std::map<PlanKey, Plan> plans_;        // nodes: plans never move
  std::map<PlanKey, double> owner_work_; // keys without parts and otherwise
  std::map<int, Sequence> sequences_;    // by set
  PlanCacheStats stats_;
};

} // namespace op2::core
