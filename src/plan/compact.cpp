#include "plan/compact.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace op2::core {
namespace {

// Which elements reach a slot, and which slots an element reaches; elements are numbered from 0 here.
struct Reach {
  std::vector<std::int64_t> offset; // [slots + 1] into element
  std::vector<int> element, slot;   // slot: [elements][columns]
  std::size_t columns = 0;

  Reach(const SlotTable &table, int begin, int end) : offset(table.slots + 1) {
    for (const Access &access : table.accesses) columns += static_cast<std::size_t>(access.count);
    const auto each = [&](const auto &visit) {
      for (int n = begin; n < end; ++n)
        for (const Access &access : table.accesses)
          for_each_slot(access, n, n + 1, [&](std::size_t s) { visit(n - begin, s); });
    };
    slot.reserve(columns * static_cast<std::size_t>(end - begin));
    each([&](int, std::size_t s) {
      ++offset[s + 1];
      slot.push_back(static_cast<int>(s));
    });
    std::partial_sum(offset.begin(), offset.end(), offset.begin());
    element.resize(slot.size());
    std::vector<std::int64_t> next(offset.begin(), offset.end() - 1);
    each([&](int n, std::size_t s) { element[static_cast<std::size_t>(next[s]++)] = n; });
  }
  std::span<const int> slots_of(int n) const { return {slot.data() + static_cast<std::size_t>(n) * columns, columns}; }
  std::span<const int> elements_of(int s) const {
    const auto at = static_cast<std::size_t>(s);
    return {element.data() + offset[at], static_cast<std::size_t>(offset[at + 1] - offset[at])};
  }
};

class Growth {
 public:
  Growth(const Reach &reach, int elements, int block_size)
      : reach_(reach),
        elements_(elements),
        block_size_(block_size),
        gain_(static_cast<std::size_t>(elements), 0),
        queues_(reach.columns + 1),
        block_of_slot_(reach.offset.size() - 1, -1) {
    out_.reserve(static_cast<std::size_t>(elements));
  }

  std::vector<int> run() {
    while (static_cast<int>(out_.size()) < elements_) grow_block();
    return std::move(out_);
  }

 private:
  static constexpr int taken = -1;

  void grow_block() {
    ++block_;
    border_.clear();
    for (int size = 0; size < block_size_ && static_cast<int>(out_.size()) < elements_; ++size) {
      int n = best_candidate();
      if (n < 0) n = next_seed();
      take(n);
    }
    // What was touched and is left over has gains for this block only.
    for (const int n : border_)
      if (gain_[static_cast<std::size_t>(n)] != taken) gain_[static_cast<std::size_t>(n)] = 0;
    for (Queue &queue : queues_) queue.clear();
    seeds_.insert(seeds_.end(), border_.begin(), border_.end());
  }

  // First in, first out; entries are stale once an element has moved on.
  struct Queue {
    std::vector<int> entries;
    std::size_t next = 0;
    void clear() {
      entries.clear();
      next = 0;
    }
  };

  int best_candidate() {
    for (std::size_t gain = queues_.size() - 1; gain > 0; --gain) {
      Queue &queue = queues_[gain];
      while (queue.next < queue.entries.size()) {
        const int n = queue.entries[queue.next++];
        if (gain_[static_cast<std::size_t>(n)] == static_cast<int>(gain)) return n;
      }
    }
    return -1;
  }

  // At the border of the blocks so far, the oldest first, so that no islands stay behind; else the lowest number.
  int next_seed() {
    while (seed_ < seeds_.size()) {
      const int n = seeds_[seed_++];
      if (gain_[static_cast<std::size_t>(n)] != taken) return n;
    }
    while (gain_[static_cast<std::size_t>(lowest_)] == taken) ++lowest_;
    return lowest_;
  }

  void take(int n) {
    gain_[static_cast<std::size_t>(n)] = taken;
    out_.push_back(n);
    for (const int s : reach_.slots_of(n)) {
      int &block = block_of_slot_[static_cast<std::size_t>(s)];
      if (block == block_) continue;
      block = block_;
      for (const int m : reach_.elements_of(s)) {
        int &gain = gain_[static_cast<std::size_t>(m)];
        if (gain == taken) continue;
        if (gain == 0) border_.push_back(m);
        queues_[static_cast<std::size_t>(++gain)].entries.push_back(m);
      }
    }
  }

  const Reach &reach_;
  int elements_, block_size_, block_ = -1, lowest_ = 0;
  std::vector<int> gain_; // targets of the element that the present block has; or taken
  std::vector<Queue> queues_;
  std::vector<int> block_of_slot_, border_, seeds_, out_;
  std::size_t seed_ = 0;
};

} // namespace

CompactElements compact_elements(const SlotTable &table, int begin, int end, int block_size) {
  CompactElements out;
  const Reach reach(table, begin, end);
  if (reach.columns == 0 || block_size >= end - begin) {
    out.element.resize(static_cast<std::size_t>(end - begin));
    std::iota(out.element.begin(), out.element.end(), 0);
  } else {
    out.element = Growth(reach, end - begin, block_size).run();
  }
  out.slot.reserve(reach.slot.size());
  for (int &n : out.element) {
    const std::span<const int> slots = reach.slots_of(n);
    out.slot.insert(out.slot.end(), slots.begin(), slots.end());
    n += begin;
  }
  const int columns = static_cast<int>(reach.columns);
  if (columns > 0) out.table.accesses.push_back({out.slot.data(), columns, columns, 0});
  out.table.slots = table.slots;
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
