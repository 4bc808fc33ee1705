// speed.cpp: what specialised loops bring on one thread: each airfoil kernel and the whole iteration through libop2
// (executor seq) beside hand-written scalar loops and hand-written `omp simd` loops.
//
// All of them work on the library's memory in turn, an iteration each, so that every kernel finds the caches as its
// neighbours in a real iteration leave them. Judged on processors with AVX-512; narrower vectors are reported.
#include <algorithm>
#include <array>
#include <iterator>

#include "airfoil/airfoil_arrays.hpp"
#include "airfoil/airfoil_library.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/roofline.hpp"
#include "common/settings.hpp"
#include "common/sizes.hpp"
#include "common/stream.hpp"

namespace {

// One more than the kernels: the last one is the whole iteration.
constexpr std::size_t whole = AIRFOIL_KERNELS;
using Times = std::array<double, whole + 1>;

std::string column(std::size_t k) { return k == whole ? "iteration" : airfoil_kernel_names[k]; }

// The library's time relative to the hand-written scalar loops.
struct Limit {
  const char *size;
  std::size_t what;
  double most;
};
constexpr Limit limits[] = {
    {"40k", AIRFOIL_ADT_CALC, 0.20},
    {"40k", AIRFOIL_RES_CALC, 0.60},
    {"40k", AIRFOIL_UPDATE, 0.80},
    {"1M", AIRFOIL_ADT_CALC, 0.30},
    {"1M", AIRFOIL_RES_CALC, 0.50},
    {"1M", AIRFOIL_UPDATE, 0.90},
    {"1M", whole, 0.45},
};

// Seconds of one iteration, kernel by kernel; two stages together.
template <class Run>
Times iteration(Run &&run) {
  Times times{};
  const auto timed = [&](int kernel) {
    const double time = bench::seconds([&] { run(kernel); });
    times[static_cast<std::size_t>(kernel)] += time;
    times[whole] += time;
  };
  timed(AIRFOIL_SAVE_SOLN);
  for (int stage = 0; stage < 2; ++stage)
    for (int kernel = AIRFOIL_ADT_CALC; kernel <= AIRFOIL_UPDATE; ++kernel) timed(kernel);
  return times;
}

Times by_hand(const HandLoops &loops, const naca::Mesh &mesh, AirfoilLibrary &library) {
  Times times{};
  HandUpdate update;
  library.on_memory([&](const AirfoilArrays &arrays) {
    times = iteration([&](int kernel) { run_by_hand(loops, mesh, arrays, kernel, update); });
  });
  return times;
}

struct Comparison {
  std::array<bench::Pairs, whole + 1> to_scalar, to_simd; // subject: the library
};

Comparison compare(const naca::Mesh &mesh, int rounds) {
  AirfoilLibrary library(mesh, "seq", 1);
  Comparison out;
  for (int round = -2; round < rounds; ++round) { // two to warm up: pages, plans, compiled code
    const Times scalar = by_hand(scalar_loops, mesh, library);
    const Times simd = by_hand(simd_loops, mesh, library);
    const Times ours = iteration([&](int kernel) { library.run(kernel); });
    if (round < 0) continue;
    for (std::size_t k = 0; k <= whole; ++k) {
      out.to_scalar[k].add(scalar[k], ours[k]);
      out.to_simd[k].add(simd[k], ours[k]);
    }
  }
  return out;
}

// Elements of an iteration's runs of one kernel; of the whole: its cells.
double elements_of(const naca::Mesh &mesh, std::size_t k) {
  if (k == whole) return mesh.ncell;
  return (k == AIRFOIL_SAVE_SOLN ? 1 : 2) * elements(mesh, static_cast<int>(k));
}

double bytes_of(const naca::Mesh &mesh, std::size_t k) {
  if (k == whole) return iteration_bytes(mesh);
  return (k == AIRFOIL_SAVE_SOLN ? 1 : 2) * useful_bytes(mesh, static_cast<int>(k));
}

// bandwidth 0: the mesh fits the caches, so the memory's speed is no limit.
void report_speed(const std::string &row, const naca::Mesh &mesh, std::size_t k, const std::vector<double> &times,
                  double bandwidth) {
  const double time = bench::median(times), bytes = bytes_of(mesh, k);
  const std::string name = row + "." + column(k);
  bench::result("speed." + name, 1e9 * time / elements_of(mesh, k), "ns/element");
  if (bandwidth == 0 || bytes == 0) return;
  bench::result("useful." + name, 1e-9 * bytes / time, "GB/s");
  bench::share_of_roofline("of_roofline." + name, bytes, time, bandwidth);
}

void judge(const std::string &size, const Comparison &measured) {
  const std::string reason = bench::no_wide_vectors();
  for (const Limit &limit : limits) {
    if (size != limit.size) continue;
    const std::string name = "speed." + size + ".library_to_scalar." + column(limit.what);
    if (reason.empty())
      bench::check(name, measured.to_scalar[limit.what].ratio(), limit.most, bench::Better::below, "x");
    else
      bench::skip(name, reason);
  }
}

void measure(const bench::Size &size, int rounds, double bandwidth) {
  const naca::Mesh mesh = naca::make_mesh(size.I, size.J);
  if (size.name == "40k") bandwidth = 0;
  const std::string row = size.name + ".";
  const Comparison measured = compare(mesh, rounds);
  for (std::size_t k = 0; k <= whole; ++k) {
    report_speed(row + "scalar", mesh, k, measured.to_scalar[k].yardstick, bandwidth);
    report_speed(row + "simd", mesh, k, measured.to_simd[k].yardstick, bandwidth);
    report_speed(row + "library", mesh, k, measured.to_scalar[k].subject, bandwidth);
    bench::result("speed." + row + "library_to_scalar." + column(k), measured.to_scalar[k].ratio(), "x");
    bench::result("speed." + row + "library_to_simd." + column(k), measured.to_simd[k].ratio(), "x");
  }
  judge(size.name, measured);
  if (!bench::has_setting("OP2_JIT_ISA") || !bench::no_wide_vectors().empty()) return;
  const bench::Setting narrower("OP2_JIT_ISA", "avx2");
  const Comparison avx2 = compare(mesh, rounds);
  for (std::size_t k = 0; k <= whole; ++k) {
    report_speed(row + "avx2", mesh, k, avx2.to_scalar[k].subject, bandwidth);
    bench::result("speed." + row + "avx2_to_scalar." + column(k), avx2.to_scalar[k].ratio(), "x");
    bench::result("speed." + row + "avx2_to_simd." + column(k), avx2.to_simd[k].ratio(), "x");
  }
}

} // namespace

int main(int argc, char **argv) {
  const bench::Choice choice = bench::choose_sizes(argc, argv, {"40k", "1M", "4M"}, {"40k"});
  const bool in_memory = std::any_of(choice.sizes.begin(), choice.sizes.end(),
                                     [](const bench::Size &size) { return size.name != "40k" && size.name != "6k"; });
  const double bandwidth = in_memory ? stream_bandwidth(1) : 0;
  if (in_memory) bench::result("memory.roofline.1_thread", 1e-9 * bandwidth, "GB/s");
  for (const bench::Size &size : choice.sizes) {
    const int most = size.name == "40k" ? 101 : size.name == "1M" ? 31 : bench::fewest_pairs;
    const int rounds = !choice.quick ? most : bench::fewest_pairs;
    measure(size, rounds, bandwidth);
  }
  if (!bench::has_setting("OP2_JIT_ISA"))
    bench::skip("speed.avx2", "this library has no setting OP2_JIT_ISA");
  else if (!bench::no_wide_vectors().empty())
    bench::skip("speed.avx2", bench::no_wide_vectors());
  return 0;
}

// SPDX-License-Identifier: MIT
