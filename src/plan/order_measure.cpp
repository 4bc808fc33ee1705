// How good an order is, from samples.
#include <algorithm>

#include "plan/order.hpp"

namespace op2::core {

namespace {

constexpr int run_length = 32768; // longer than a front of a three-dimensional mesh
constexpr int most_runs = 4;
constexpr int held = 8192; // lines that a core keeps: since so many fetches
constexpr int just = 64; // so few fetches ago a line was fetched,
constexpr int near = 2;  // so many lines away: processors then ask for the next ones ahead

// The lines that a loop fetches in a run of elements.
class Fetches {
 public:
  explicit Fetches(int lines) : fetched_(static_cast<std::size_t>(lines), never) {}

  void begin_run() { begin_ = now_ += 2 * just; }
  void fetch(int line) {
    int &last = fetched_[static_cast<std::size_t>(line)];
    if (last < begin_ || now_ - last > held) {
      ++lines_;
      jumps_ += !beside_recent(line);
      ++now_;
    }
    last = now_;
  }
  int lines() const { return lines_; }
  int jumps() const { return jumps_; }

 private:
  static constexpr int never = -held;
  bool beside_recent(int line) const {
    const auto first = fetched_.begin() + std::max(line - near, 0);
    const auto last = fetched_.begin() + std::min(line + near + 1, static_cast<int>(fetched_.size()));
    return std::any_of(first, last, [this](int when) { return now_ - when < just; });
  }

  std::vector<int> fetched_; // when; the clock counts fetches of lines that were not there
  int begin_ = 0, now_ = 0, lines_ = 0, jumps_ = 0;
};

} // namespace

Locality locality(const OrderMap &map, std::span<const int> order_of_from, std::span<const int> place_of_target,
                  int rows_per_line) {
  if (map.from == 0 || map.to == 0 || map.dim == 0) return {};
  const int length = std::min(run_length, map.from);
  const int runs = std::min(most_runs, map.from / length);
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  Fetches fetches(map.to / rows_per_line + 1);
  int beside = 0;
  std::vector<int> before(dim), places(dim);
  for (int run = 0; run < runs; ++run) {
    fetches.begin_run();
    std::ranges::fill(before, -2);
    // Evenly spread, the first and the last one at the ends.
    const std::int64_t begin = runs == 1 ? 0 : static_cast<std::int64_t>(map.from - length) * run / (runs - 1);
    for (std::size_t i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(begin + length); ++i) {
      const int *const row = map.row(order_of_from.empty() ? static_cast<int>(i) : order_of_from[i]);
      bool next = true;
      for (std::size_t j = 0; j < dim; ++j) {
        places[j] = place_of_target.empty() ? row[j] : place_of_target[static_cast<std::size_t>(row[j])];
        next = next && places[j] == before[j] + 1;
        fetches.fetch(places[j] / rows_per_line);
      }
      beside += next;
      places.swap(before);
    }
  }
  Locality out;
  const double sampled = static_cast<double>(runs) * length / map.from;
  out.fetched = static_cast<double>(fetches.lines()) * rows_per_line / sampled;
  out.jumps = fetches.jumps() / sampled;
  out.side_by_side = beside / sampled;
  // A map that leads to a part of its set only needs that part.
  out.needed = std::min(static_cast<double>(map.to), static_cast<double>(map.entries()));
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
