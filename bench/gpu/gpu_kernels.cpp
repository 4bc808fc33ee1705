// gpu_kernels.cpp: each airfoil kernel on a GPU through libop2, in double and single precision: time, useful bandwidth
// and its share of what the driver's own copy within the device reaches; by each way to keep increments apart and in
// each layout.
//
// A sample is a batch of calls and one wait for the device, since loops return before they have run. Judged as the
// project promises for GPUs of the class of an H200, and only there.
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>

#include "airfoil/airfoil_arrays.hpp"
#include "airfoil/airfoil_float.hpp"
#include "airfoil/airfoil_library.hpp"
#include "airfoil/airfoil_threads.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "common/sizes.hpp"
#include "gpu/gpu_driver.hpp"
#include "op2/compat.h"

namespace {

constexpr double same_answer = 1e-9; // relative difference of the residuals after ten iterations
constexpr double least_of_copy[AIRFOIL_KERNELS] = {80, 80, 55, 0, 80}; // percent
constexpr double least_of_copy_whole = 65, most_slower_than_best = 1.05;
constexpr std::size_t whole = AIRFOIL_KERNELS; // after the kernels: the iteration

std::string column(std::size_t k) { return k == whole ? "iteration" : airfoil_kernel_names[k]; }

// What one setting of the library is measured with.
struct Variant {
  std::string name;
  const char *setting, *value;
};
const Variant automatic = {"auto", "OP2_RACE", "auto"};
const std::vector<Variant> ways = {{"atomic", "OP2_RACE", "atomic"},
                                   {"colour", "OP2_RACE", "colour"},
                                   {"gather", "OP2_RACE", "gather"},
                                   {"aos", "OP2_LAYOUT", "aos"},
                                   {"soa", "OP2_LAYOUT", "soa"}};

struct Plan {
  int rounds, batch, warm_up;
};

using Times = std::array<double, whole + 1>; // seconds of a call, and of an iteration

// Returns when the device has run everything.
void settle() {
  double wall = 0;
  op_timers(nullptr, &wall);
}

double per_run(const Plan &plan, const std::function<void()> &run) {
  for (int i = 0; i < plan.warm_up; ++i) run();
  settle();
  std::vector<double> samples;
  for (int round = 0; round < plan.rounds; ++round)
    samples.push_back(bench::seconds([&] {
                        for (int i = 0; i < plan.batch; ++i) run();
                        settle();
                      }) /
                      plan.batch);
  return bench::median(samples);
}

template <class Library>
void iterate(Library &library) {
  library.run(AIRFOIL_SAVE_SOLN);
  for (int stage = 0; stage < 2; ++stage)
    for (int kernel = AIRFOIL_ADT_CALC; kernel <= AIRFOIL_UPDATE; ++kernel) library.run(kernel);
}

// The iteration first: later the kernels run for themselves, and the flow is none any more.
template <class Library>
Times measure(Library &library, const Plan &plan) {
  Times times{};
  times[whole] = per_run(plan, [&] { iterate(library); });
  for (int kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel)
    times[static_cast<std::size_t>(kernel)] = per_run(plan, [&] { library.run(kernel); });
  return times;
}

struct Case {
  std::string precision, size;
  double real; // bytes of a value
  double copy; // bytes per second
  bool judged;
};

void report(const Case &which, const Variant &variant, const naca::Mesh &mesh, const Times &times) {
  const std::string row = which.precision + "." + which.size + "." + variant.name + ".";
  for (std::size_t k = 0; k <= whole; ++k) {
    bench::result("gpu." + row + column(k), 1e6 * times[k], "us");
    const double bytes =
        k == whole ? iteration_bytes(mesh, which.real) : useful_bytes(mesh, static_cast<int>(k), which.real);
    if (bytes == 0) continue;
    const double share = 100 * bytes / times[k] / which.copy;
    bench::result("gpu_useful." + row + column(k), 1e-9 * bytes / times[k], "GB/s");
    bench::result("gpu_of_copy." + row + column(k), share, "%");
    if (!which.judged || variant.name != automatic.name) continue;
    const double least = k == whole ? least_of_copy_whole : least_of_copy[k];
    bench::check("gpu_of_copy." + row + column(k), share, least, bench::Better::above, "%");
  }
}

template <class Library>
Times measure_variant(const Case &which, const Variant &variant, const naca::Mesh &mesh, const Plan &plan) {
  const bench::Setting setting(variant.setting, variant.value);
  Library library(mesh, "cuda", 1);
  const Times times = measure(library, plan);
  report(which, variant, mesh, times);
  return times;
}

// all: every way and layout besides what a program gets by default.
template <class Library>
void measure_case(const Case &which, const naca::Mesh &mesh, const Plan &plan, bool all) {
  const Times own = measure_variant<Library>(which, automatic, mesh, plan);
  if (!all) return;
  double best = own[AIRFOIL_RES_CALC];
  for (const Variant &variant : ways) {
    const Times times = measure_variant<Library>(which, variant, mesh, plan);
    if (std::string(variant.setting) == "OP2_RACE") best = std::min(best, times[AIRFOIL_RES_CALC]);
  }
  const std::string name = "gpu_choice." + which.precision + "." + which.size + ".auto_to_best.res_calc";
  bench::result(name, own[AIRFOIL_RES_CALC] / best, "x");
  if (which.judged) bench::check(name, own[AIRFOIL_RES_CALC] / best, most_slower_than_best, bench::Better::below, "x");
}

// Ten iterations by hand on the processor, and on the GPU.
double difference(const naca::Mesh &mesh) {
  double expected = 0;
  {
    AirfoilHand hand(mesh, 1);
    for (int i = 0; i < 10; ++i) iterate(hand);
    expected = hand.rms();
  }
  AirfoilLibrary library(mesh, "cuda", 1);
  for (int i = 0; i < 10; ++i) iterate(library);
  return std::abs(library.rms() / expected - 1);
}

void run(const bench::Choice &choice, bench::GpuDriver &gpu) {
  const std::size_t bytes = choice.quick ? 1 << 26 : std::size_t(1) << 31;
  const double copy = gpu.copy_bandwidth(bytes, bench::fewest_pairs);
  const bool known = gpu.device().find("H200") != std::string::npos;
  bench::result("gpu_copy.within.device", 1e-9 * copy, "GB/s", gpu.device());
  if (!known) bench::skip("gpu_of_copy", "limits are for an H200; this is " + gpu.device());
  const Plan plan = choice.quick ? Plan{3, 2, 4} : Plan{bench::fewest_pairs, 20, 30};
  for (const bench::Size &size : choice.sizes) {
    const naca::Mesh mesh = naca::make_mesh(size.I, size.J);
    const bool large = known && size.name == "16M";
    if (size.name != "16M")
      bench::exact("gpu_residual." + size.name + ".difference", difference(mesh), same_answer, "relative");
    const bool all = size.name != "720k" && (size.name != "16M" || !choice.quick);
    measure_case<AirfoilLibrary>({"double", size.name, 8, copy, large}, mesh, plan, all);
    measure_case<AirfoilFloat>({"float", size.name, 4, copy, false}, mesh, plan, all && size.name != "16M");
  }
}

} // namespace

int main(int argc, char **argv) {
  const bench::Choice choice = bench::choose_sizes(argc, argv, {"720k", "4M", "16M"}, {"720k"});
  std::string why;
  const auto gpu = bench::GpuDriver::open(why);
  if (!gpu) {
    bench::skip("gpu", why);
    return 0;
  }
  // Loops that came to run on the host would be measured as such.
  const bench::Setting fallback("OP2_FALLBACK", "error");
  run(choice, *gpu);
  return 0;
}

// SPDX-License-Identifier: MIT
