// How good an order is, from samples.
#include <algorithm>

#include "plan/order.hpp"

namespace op2::core {

namespace {

constexpr int run_length = 4096;
constexpr int most_runs = 8;
constexpr int rows_per_line = 8;

} // namespace

Locality locality(const OrderMap &map, std::span<const int> order_of_from, std::span<const int> place_of_target) {
  if (map.from == 0 || map.to == 0 || map.dim == 0) return {};
  const int length = std::min(run_length, map.from);
  const int runs = std::min(most_runs, map.from / length);
  std::vector<int> last_run(static_cast<std::size_t>(map.to) / rows_per_line + 1, -1); // that fetched each line
  std::int64_t lines = 0;
  for (int run = 0; run < runs; ++run) {
    // Evenly spread, the first and the last one at the ends.
    const std::int64_t begin = runs == 1 ? 0 : static_cast<std::int64_t>(map.from - length) * run / (runs - 1);
    for (std::size_t i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(begin + length); ++i) {
      const int *const row = map.row(order_of_from.empty() ? static_cast<int>(i) : order_of_from[i]);
      for (int j = 0; j < map.dim; ++j) {
        const int place = place_of_target.empty() ? row[j] : place_of_target[static_cast<std::size_t>(row[j])];
        int &fetched_by = last_run[static_cast<std::size_t>(place / rows_per_line)];
        lines += fetched_by != run;
        fetched_by = run;
      }
    }
  }
  Locality out;
  const double sampled = static_cast<double>(runs) * length / map.from;
  out.fetched = static_cast<double>(lines) * rows_per_line / sampled;
  // A map that leads to a part of its set only needs that part.
  out.needed = std::min(static_cast<double>(map.to), static_cast<double>(map.entries()));
  return out;
}

} // namespace op2::core
