// speed_threads.cpp: two threads against one where loops are limited by memory: whole airfoil iterations on openmp, in
// turn with hand-written loops on two threads and with the executor seq.
//
// Judged: the time of two threads relative to one, and to the time that the memory needs for the bytes that must move.
#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "airfoil/airfoil_arrays.hpp"
#include "airfoil/airfoil_library.hpp"
#include "airfoil/airfoil_threads.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/sizes.hpp"
#include "common/stream.hpp"

namespace {

bench::Variant::Run by_library(const naca::Mesh &mesh, const char *executor, int threads) {
  const auto library = std::make_shared<AirfoilLibrary>(mesh, executor, threads);
  return [library] { library->iterate(); };
}

bench::Variant::Run by_hand(const naca::Mesh &mesh, int threads) {
  const auto hand = std::make_shared<AirfoilHand>(mesh, threads);
  return [hand] { hand->iterate(); };
}

struct Measured {
  std::string size;
  double bytes = 0, seconds = 0; // of an iteration on two threads
};

Measured measure(const bench::Size &size, int rounds) {
  const naca::Mesh mesh = naca::make_mesh(size.I, size.J);
  bench::Variant two("openmp, two threads", [&] { return by_library(mesh, "openmp", 2); });
  bench::Variant one("openmp, one thread", [&] { return by_library(mesh, "openmp", 1); });
  bench::Variant seq("seq", [&] { return by_library(mesh, "seq", 1); });
  bench::Variant hand("by hand, two threads", [&] { return by_hand(mesh, AirfoilHand::can_thread() ? 2 : 1); });
  bench::Pairs to_one, to_seq, to_hand;
  for (int round = 0; round < rounds; ++round) {
    const double two_threads = two.sample();
    to_one.add(one.sample(), two_threads);
    to_seq.add(seq.sample(), two_threads);
    to_hand.add(hand.sample(), two_threads);
  }
  const std::string row = "speed_iteration." + size.name + ".";
  bench::result(row + "openmp2", 1e3 * bench::median(to_one.subject), "ms");
  bench::result(row + "openmp1", 1e3 * bench::median(to_one.yardstick), "ms");
  bench::result(row + "seq1", 1e3 * bench::median(to_seq.yardstick), "ms");
  const std::string ratios = "threads." + size.name + ".openmp.";
  bench::result(ratios + "2_to_1", to_one.ratio(), "x");
  bench::result(ratios + "2_to_seq", to_seq.ratio(), "x");
  if (AirfoilHand::can_thread()) {
    bench::result(row + "hand2", 1e3 * bench::median(to_hand.yardstick), "ms");
    bench::result(ratios + "2_to_hand", to_hand.ratio(), "x");
  }
  if (size.name == "1M") bench::check(ratios + "2_to_1", to_one.ratio(), 0.65, bench::Better::below, "x");
  if (size.name == "4M") bench::check(ratios + "2_to_1", to_one.ratio(), 0.56, bench::Better::below, "x");
  return {size.name, iteration_bytes(mesh), bench::median(to_one.subject)};
}

} // namespace

int main(int argc, char **argv) {
  const bench::Choice choice = bench::choose_sizes(argc, argv, {"1M", "4M"}, {"40k"});
  const bool cores = std::thread::hardware_concurrency() >= 2, openmp = bench::has_executor("openmp");
  if (!cores || !openmp) {
    const char *const why = cores ? "there is no executor openmp" : "this machine has one core";
    for (const char *name : {"1M.openmp.2_to_1", "4M.openmp.2_to_1", "1M.openmp.2_to_roofline"})
      bench::skip(std::string("threads.") + name, why);
    return 0;
  }
  std::vector<Measured> measured;
  for (const bench::Size &size : choice.sizes)
    measured.push_back(measure(size, choice.quick        ? bench::pairs_to_show
                                     : size.name == "4M" ? bench::fewest_pairs
                                                         : 31));
  if (!AirfoilHand::can_thread()) {
    bench::skip("threads.1M.openmp.2_to_roofline", "built without OpenMP, so the memory's speed is not known");
    return 0;
  }
  const bool in_caches =
      std::all_of(measured.begin(), measured.end(), [](const Measured &one) { return one.size == "40k"; });
  if (in_caches) return 0; // the memory's speed is no limit
  // Last, because no process may be forked from one that has threads.
  const double bandwidth = stream_bandwidth(2);
  bench::result("memory.roofline.2_threads", 1e-9 * bandwidth, "GB/s");
  for (const Measured &one : measured) {
    const std::string name = "threads." + one.size + ".openmp.2_to_roofline";
    const double ratio = one.seconds / (one.bytes / bandwidth);
    bench::result(name, ratio, "x");
    if (one.size == "1M") bench::check(name, ratio, 2.2, bench::Better::below, "x");
  }
  return 0;
}

// SPDX-License-Identifier: MIT
