// Reverse Cuthill-McKee on the graph of a map's targets.
//
// The graph is walked through the map: from a vertex to the elements that lead to it, and from each of them to its
// other targets. All targets of an element are found when it is first met, so each element is opened once and the
// cliques are never written down. Maps with two columns are walked from vertex to vertex.
#include <algorithm>

#include "plan/order.hpp"

namespace op2::core {

namespace {

// A search is no faster than its misses; the queue tells what will be needed soon.
constexpr std::size_t next_ahead = 4, near_ahead = 8, far_ahead = 16;

// What is found behind each vertex: with two columns its neighbours, otherwise the elements that lead to it.
struct Incidence {
  std::vector<std::uint32_t> offset; // [vertices + 1]
  std::vector<int> item;
};

Incidence incidence(const OrderMap &map) {
  Incidence out;
  const std::size_t entries = map.entries();
  out.offset.assign(static_cast<std::size_t>(map.to) + 2, 0);
  out.item.resize(entries);
  // Counted two places further on, so that after the filling each offset is where it belongs.
  std::uint32_t *const count = out.offset.data() + 2;
  for (std::size_t i = 0; i < entries; ++i) ++count[map.table[i]];
  for (int v = 1; v < map.to; ++v) count[v] += count[v - 1];
  std::uint32_t *const next = out.offset.data() + 1;
  if (map.dim == 2) {
    for (std::size_t i = 0; i < entries; i += 2) {
      const int a = map.table[i], b = map.table[i + 1];
      out.item[next[a]++] = b;
      out.item[next[b]++] = a;
    }
  } else {
    for (int n = 0; n < map.from; ++n)
      for (int j = 0; j < map.dim; ++j) out.item[next[map.row(n)[j]]++] = n;
  }
  out.offset.pop_back();
  return out;
}

class Search {
 public:
  explicit Search(const OrderMap &map)
      : map_(map),
        incidence_(incidence(map)),
        vertex_mark_(static_cast<std::size_t>(map.to), 0),
        element_mark_(map.dim == 2 ? 0 : static_cast<std::size_t>(map.from), 0),
        degree_(static_cast<std::size_t>(map.to)),
        queue_(static_cast<std::size_t>(map.to) + 1) {
    for (std::size_t v = 0; v < degree_.size(); ++v)
      degree_[v] = static_cast<std::uint8_t>(
          std::min<std::uint32_t>(incidence_.offset[v + 1] - incidence_.offset[v], most_degree));
  }

  std::vector<int> cuthill_mckee() {
    for (int v = 0; v < map_.to; ++v) {
      if (vertex_mark_[static_cast<std::size_t>(v)] != 0) continue;
      if (degree_[static_cast<std::size_t>(v)] == 0)
        queue_[end_++] = v;
      else
        component(v);
    }
    queue_.pop_back();
    return std::move(queue_);
  }

 private:
  static constexpr std::uint8_t most_degree = 255;
  static constexpr std::uint8_t most_searches = 4; // for an end of a component
  struct Levels {
    int count = 0;
    std::size_t last = 0; // where the last one begins in the queue
  };

  // Appends the component of this vertex to the queue, from one of its ends: where the search before ended, until the
  // component gets no longer by it. A few per cent are not worth another search.
  void component(int start) {
    const std::size_t begin = end_;
    Levels levels = search(start, begin, 1);
    for (std::uint8_t mark = 2; mark <= most_searches; ++mark) {
      const Levels next = search(lowest_degree(levels.last, end_), begin, mark);
      const bool longer = next.count > levels.count + levels.count / 8;
      levels = next;
      if (!longer) break;
    }
  }

  int lowest_degree(std::size_t first, std::size_t last) const {
    int best = queue_[first];
    for (std::size_t i = first + 1; i < last; ++i)
      if (degree_[static_cast<std::size_t>(queue_[i])] < degree_[static_cast<std::size_t>(best)]) best = queue_[i];
    return best;
  }

  Levels search(int start, std::size_t begin, std::uint8_t mark) {
    return map_.dim == 2 ? search<true>(start, begin, mark) : search<false>(start, begin, mark);
  }

  // Breadth first over everything not marked with `mark`, the new neighbours of a vertex by their degree. Pointers are
  // kept in locals: compilers must assume that a mark, being a byte, may be part of any member.
  template <bool edges>
  Levels search(int start, std::size_t begin, std::uint8_t mark) {
    const std::uint32_t *const offset = incidence_.offset.data();
    const int *const item = incidence_.item.data();
    std::uint8_t *const seen = vertex_mark_.data(), *const opened = element_mark_.data();
    int *const queue = queue_.data();
    std::size_t end = begin;
    const auto append = [&end, seen, queue, mark](int v) {
      queue[end] = v; // without a branch, which would be guessed wrongly half of the time
      end += seen[v] != mark;
      seen[v] = mark;
    };
    append(start);
    Levels levels;
    for (std::size_t at = begin, level_end = begin; at < end; ++at) {
      if (at == level_end) {
        levels.last = at;
        ++levels.count;
        level_end = end;
      }
      if (at + far_ahead < end) __builtin_prefetch(offset + queue[at + far_ahead]);
      if (at + near_ahead < end) __builtin_prefetch(item + offset[queue[at + near_ahead]]);
      if (!edges && at + next_ahead < end)
        for (std::uint32_t k = offset[queue[at + next_ahead]]; k < offset[queue[at + next_ahead] + 1]; ++k)
          __builtin_prefetch(map_.row(item[k]));
      const std::size_t first_new = end;
      const int v = queue[at];
      for (std::uint32_t k = offset[v]; k < offset[v + 1]; ++k) {
        if constexpr (edges) {
          append(item[k]);
        } else {
          if (opened[item[k]] == mark) continue;
          opened[item[k]] = mark;
          for (int j = 0; j < map_.dim; ++j) append(map_.row(item[k])[j]);
        }
      }
      sort_by_degree(queue + first_new, queue + end);
    }
    end_ = end;
    return levels;
  }

  void sort_by_degree(int *first, int *last) const {
    const std::uint8_t *const degree = degree_.data();
    const auto lower = [degree](int a, int b) { return degree[a] < degree[b]; };
    if (last - first > 32) {
      std::stable_sort(first, last, lower);
      return;
    }
    for (int *i = first; i < last; ++i) {
      const int v = *i;
      int *k = i;
      for (; k > first && lower(v, k[-1]); --k) *k = k[-1];
      *k = v;
    }
  }

  const OrderMap &map_;
  Incidence incidence_;
  std::vector<std::uint8_t> vertex_mark_, element_mark_, degree_;
  std::vector<int> queue_; // becomes the order; a place more, for what is found again
  std::size_t end_ = 0;
};

} // namespace

std::vector<int> reverse_cuthill_mckee(const OrderMap &map) {
  std::vector<int> order = Search(map).cuthill_mckee();
  std::ranges::reverse(order);
  return order;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
