// trace_table.cpp: see trace_table.hpp.
#include "trace_scale/trace_table.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "common/report.hpp"

namespace trace_scale {

namespace {

// What the published method has reached with its tree, on up to 8192 processes and 140 million particles. From which
// number of processes its efficiency counts is not known.
struct Published {
  int processes;
  double efficiency; // per cent
};
constexpr Published published[] = {{1024, 50}, {2048, 29}, {4096, 21.3}, {8192, 11.1}};

std::string published_for(int processes) {
  const auto *const found = std::find_if(std::begin(published), std::end(published),
                                         [&](const Published &p) { return p.processes == processes; });
  if (found == std::end(published)) return "";
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", found->efficiency);
  return text;
}

double speedup(const Outcome &first, const Outcome &other) { return first.seconds / other.seconds; }
double efficiency(const Outcome &first, const Outcome &other) {
  return 100 * speedup(first, other) * first.processes / other.processes;
}
double useful(const Outcome &outcome, double alone) { return 100 * alone / (outcome.seconds * outcome.processes); }

} // namespace

void print_scaling(const std::vector<Row> &rows, int blocks, double alone) {
  std::printf(
      "\nsimulated, %d block%s for each process; handed over and came back: for each particle; effic.: to the first "
      "row; useful: share of the steps' own time\n",
      blocks, blocks > 1 ? "s" : "");
  std::printf("%9s %6s %6s %6s | %9s %8s %7s %7s %6s %9s %9s | %9s %7s %10s | %9s %7s %10s | %9s\n", "processes",
              "handed", "back", "cells", "tree ms", "speed-up", "effic.%", "useful%", "imbal.", "particle", "other",
              "broadc.ms", "effic.%", "other", "reduc. ms", "effic.%", "other", "published");
  std::printf("%9s %6s %6s %6s | %9s %8s %7s %7s %6s %9s %9s | %9s %7s %10s | %9s %7s %10s | %9s\n", "", "over", "",
              "max", "", "", "", "", "", "messages", "messages", "", "", "messages", "", "", "messages", "tree %");
  for (const Row &row : rows) {
    const Outcome &tree = row.tree;
    std::printf("%9d %6.2f %6.2f %6.1f | %9.3f %8.1f %7.1f %7.1f %6.2f %9lld %9lld |", row.processes, row.handed_over,
                row.came_back, row.cells, 1e3 * tree.seconds, speedup(rows.front().tree, tree),
                efficiency(rows.front().tree, tree), useful(tree, alone), tree.imbalance(),
                static_cast<long long>(tree.particle_messages), static_cast<long long>(tree.other_messages));
    for (const Outcome Row::*ending : {&Row::broadcast, &Row::reduction}) {
      const Outcome &its = row.*ending;
      std::printf(" %9.3f %7.1f %10lld |", 1e3 * its.seconds, efficiency(rows.front().*ending, its),
                  static_cast<long long>(its.other_messages));
    }
    std::printf(" %9s\n", published_for(row.processes).c_str());
  }
  std::fflush(stdout);
}

void report_scaling(const std::vector<Row> &rows, int blocks, double alone) {
  const std::string study = "trace_scale." + std::to_string(blocks) + (blocks > 1 ? "_blocks." : "_block.");
  for (const Row &row : rows) {
    const std::string name = study + std::to_string(row.processes) + ".";
    bench::result(name + "tree", 1e3 * row.tree.seconds, "ms", "simulated");
    bench::result(name + "broadcast", 1e3 * row.broadcast.seconds, "ms", "simulated");
    bench::result(name + "reduction", 1e3 * row.reduction.seconds, "ms", "simulated");
    bench::result(name + "tree_efficiency", efficiency(rows.front().tree, row.tree), "%", "simulated");
    bench::result(name + "broadcast_efficiency", efficiency(rows.front().broadcast, row.broadcast), "%", "simulated");
    bench::result(name + "reduction_efficiency", efficiency(rows.front().reduction, row.reduction), "%", "simulated");
    bench::result(name + "tree_useful", useful(row.tree, alone), "%", "simulated");
    bench::result(name + "handed_over", row.handed_over, "-", "for each particle");
  }
  const auto fastest = [&](const Outcome Row::*ending) {
    return std::min_element(rows.begin(), rows.end(),
                            [&](const Row &a, const Row &b) { return (a.*ending).seconds < (b.*ending).seconds; })
        ->processes;
  };
  bench::result(study + "tree.fastest_with", fastest(&Row::tree), "processes", "simulated");
  bench::result(study + "broadcast.fastest_with", fastest(&Row::broadcast), "processes", "simulated");
  bench::result(study + "reduction.fastest_with", fastest(&Row::reduction), "processes", "simulated");
}

void print_variants(const std::string &title, const std::vector<Variant> &variants, double alone) {
  std::printf("\nsimulated, %s\n%22s %9s %6s %6s %6s %9s %7s %6s %9s\n", title.c_str(), "", "processes", "handed",
              "back", "cells", "tree ms", "useful%", "imbal.", "messages");
  for (const auto &[name, row] : variants)
    std::printf("%22s %9d %6.2f %6.2f %6.1f %9.3f %7.1f %6.2f %9lld\n", name.c_str(), row.processes, row.handed_over,
                row.came_back, row.cells, 1e3 * row.tree.seconds, useful(row.tree, alone), row.tree.imbalance(),
                static_cast<long long>(row.tree.particle_messages));
  std::fflush(stdout);
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
