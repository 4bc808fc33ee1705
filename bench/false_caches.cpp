// false_caches.cpp: what chains lose where a system reports caches that a program does not have: iterations of airfoil
// in chains of four, in turn with OP2_CHAIN_TILE as on machines of several kinds, in tiles of given sizes, and loop
// after loop.
//
// Judged: each of the false sizes relative to the fastest of all.
#include <algorithm>
#include <cstdlib>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"

namespace {

constexpr double most_slower = 1.03;
constexpr int in_chain = 4;

struct Way {
  const char *name, *setting, *value;
  bool judged;
};
constexpr Way ways[] = {{"as_reported", "OP2_CHAIN_TILE", "0", true},
                        {"1_and_32_MiB", "OP2_CHAIN_TILE", "1024,32768", true},
                        {"2_and_260_MiB", "OP2_CHAIN_TILE", "2048,266240", true},
                        {"quarter_and_8_MiB", "OP2_CHAIN_TILE", "256,8192", true},
                        {"half_and_512_MiB", "OP2_CHAIN_TILE", "512,524288", true},
                        {"8_and_16_MiB", "OP2_CHAIN_TILE", "8192,16384", true},
                        {"tiles_of_half_a_MiB", "OP2_CHAIN_TILE", "512", false},
                        {"tiles_of_1_MiB", "OP2_CHAIN_TILE", "1024", false},
                        {"tiles_of_4_MiB", "OP2_CHAIN_TILE", "4096", false},
                        {"loop_after_loop", "", "", false}};

bench::Variant::Run prepare(const Way &way, const naca::Mesh &mesh, const bench::BackEnd &end, int warm) {
  if (*way.setting) setenv(way.setting, way.value, 1);
  const auto library = std::make_shared<AirfoilLibrary>(mesh, end.executor, end.threads);
  const bool together = *way.setting;
  const auto run = [library, together] {
    if (together) return library->iterate_in_chain(in_chain);
    for (int k = 0; k < in_chain; ++k) library->iterate();
  };
  for (int k = 0; k < warm; ++k) run(); // forms and tiles are chosen by time
  return run;
}

void measure(const naca::Mesh &mesh, const bench::BackEnd &end, int rounds, int warm, bool judged) {
  std::list<bench::Variant> variants;
  for (const Way &way : ways) variants.emplace_back(way.name, [&] { return prepare(way, mesh, end, warm); });
  std::vector<std::vector<double>> seconds(std::size(ways));
  for (int round = 0; round < rounds; ++round) {
    std::size_t n = 0;
    for (bench::Variant &variant : variants) seconds[n++].push_back(variant.sample());
  }
  const auto best = std::ranges::min_element(seconds, {}, [](const auto &times) { return bench::median(times); });
  for (std::size_t n = 0; n < std::size(ways); ++n) {
    bench::Pairs to_best;
    for (std::size_t r = 0; r < best->size(); ++r) to_best.add((*best)[r], seconds[n][r]);
    const std::string row = "caches." + end.name() + "." + ways[n].name + ".";
    bench::result(row + "chain", 1e3 * bench::median(seconds[n]), "ms");
    bench::result(row + "to_best", to_best.ratio(), "x");
    if (judged && ways[n].judged)
      bench::check(row + "to_best", to_best.ratio(), most_slower, bench::Better::below, "x");
  }
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const naca::Mesh mesh = quick ? naca::make_mesh(48, 72) : naca::make_mesh(480, 700);
  for (const bench::BackEnd &end : bench::back_ends())
    if (end.name() != "openmp1") measure(mesh, end, quick ? 3 : 11, quick ? 2 : 40, !quick);
  return 0;
}

// SPDX-License-Identifier: MIT
