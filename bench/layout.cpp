// layout.cpp: airfoil with its dats in SoA (OP2_LAYOUT): whole iterations and each kernel in them, relative to AoS. One
// process per layout, in turn.
//
// Judged: what a program gets by default is no slower than SoA, whole iterations on one thread.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "common/sizes.hpp"

namespace {

constexpr double most_slower = 1.05;
constexpr std::array layouts = {"aos", "soa"};

// One more than the kernels: the last one is the whole iteration.
constexpr std::size_t whole = AIRFOIL_KERNELS;
using Times = std::array<double, whole + 1>;

std::string column(std::size_t k) { return k == whole ? "iteration" : airfoil_kernel_names[k]; }

// Seconds of one iteration, kernel by kernel.
void iterate(AirfoilLibrary &library, Times &times) {
  times.fill(0);
  const auto timed = [&](int kernel) {
    const double time = bench::seconds([&] { library.run(kernel); });
    times[static_cast<std::size_t>(kernel)] += time;
    times[whole] += time;
  };
  timed(AIRFOIL_SAVE_SOLN);
  for (int stage = 0; stage < 2; ++stage)
    for (int kernel = AIRFOIL_ADT_CALC; kernel <= AIRFOIL_UPDATE; ++kernel) timed(kernel);
}

// A library of its own in a process of its own, which leaves its times where this one can read them.
class InLayout {
 public:
  InLayout(const char *layout, const naca::Mesh &mesh, const bench::BackEnd &end)
      : times_(shared_times()), variant_(layout, [this, layout, &mesh, &end]() -> bench::Variant::Run {
          setenv("OP2_LAYOUT", layout, 1);
          const auto library = std::make_shared<AirfoilLibrary>(mesh, end.executor, end.threads);
          return [this, library] { iterate(*library, *times_); };
        }) {}
  InLayout(const InLayout &) = delete;
  InLayout &operator=(const InLayout &) = delete;
  ~InLayout() { munmap(times_, sizeof *times_); }

  Times sample() {
    variant_.sample();
    return *times_;
  }

 private:
  static Times *shared_times() {
    void *const memory = mmap(nullptr, sizeof(Times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
    return static_cast<Times *>(memory);
  }
  Times *times_;
  bench::Variant variant_;
};

void measure(const bench::Size &size, const bench::BackEnd &end, int rounds) {
  const naca::Mesh mesh = naca::make_mesh(size.I, size.J);
  std::array<std::unique_ptr<InLayout>, layouts.size()> variants;
  for (std::size_t i = 0; i < layouts.size(); ++i) variants[i] = std::make_unique<InLayout>(layouts[i], mesh, end);
  std::array<std::array<bench::Pairs, whole + 1>, layouts.size()> pairs; // each layout with AoS
  for (int round = -1; round < rounds; ++round) {
    std::array<Times, layouts.size()> times;
    for (std::size_t i = 0; i < layouts.size(); ++i) times[i] = variants[i]->sample();
    if (round < 0) continue;
    for (std::size_t i = 0; i < layouts.size(); ++i)
      for (std::size_t k = 0; k <= whole; ++k) pairs[i][k].add(times[0][k], times[i][k]);
  }
  const std::string row = "layout." + size.name + "." + end.name() + ".";
  double best = pairs[1][whole].ratio();
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    bench::result(row + layouts[i] + ".ms", 1e3 * bench::median(pairs[i][whole].subject), "ms");
    if (i == 0) continue;
    for (std::size_t k = 0; k <= whole; ++k)
      bench::result(row + layouts[i] + "_to_aos." + column(k), pairs[i][k].ratio(), "x");
    best = std::min(best, pairs[i][whole].ratio());
  }
  if (end.threads == 1)
    bench::check(row + "default_to_best.iteration", 1 / best, most_slower, bench::Better::below, "x");
}

} // namespace

int main(int argc, char **argv) {
  const bench::Choice choice = bench::choose_sizes(argc, argv, {"40k", "1M"}, {"40k"});
  if (!bench::has_setting("OP2_LAYOUT")) {
    bench::skip("layout", "this library has no setting OP2_LAYOUT");
    return 0;
  }
  for (const bench::Size &size : choice.sizes)
    for (const bench::BackEnd &end : bench::back_ends()) {
      if (end.name() == "openmp1") continue; // seq is the one thread
      measure(size, end, choice.quick ? bench::fewest_pairs : size.name == "40k" ? 101 : 31);
    }
  return 0;
}

// SPDX-License-Identifier: MIT
