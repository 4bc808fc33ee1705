// renumber_cost.cpp: what a bad order of the mesh costs, what the library's own order gives back, and what it takes to
// get there: airfoil on a million cells in the mesh's order, shuffled, and shuffled with OP2_RENUMBER=auto.
//
// Judged: iterations on the renumbered mesh at most 1.15 times those in the mesh's own order, on one thread and on two;
// renumbering at most 20 iterations.
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/shuffle.hpp"
#include "op2/order.h"

namespace {

constexpr int all_kernels = -1;

// What one child runs again and again: an iteration, or one kernel.
std::function<bench::Variant::Run()> on(const naca::Mesh &mesh, int threads, const char *renumber, int kernel) {
  return [&mesh, threads, renumber, kernel]() -> bench::Variant::Run {
    setenv("OP2_RENUMBER", renumber, 1);
    const auto library = std::make_shared<AirfoilLibrary>(mesh, threads == 1 ? "seq" : "openmp", threads);
    if (kernel == all_kernels) return [library] { library->iterate(); };
    library->iterate(); // all arrays hold what they will hold
    return [library, kernel] { library->run(kernel, Form::range); };
  };
}

void compare(const std::string &row, const naca::Mesh &natural, const naca::Mesh &shuffled, int threads, int kernel,
             int pairs) {
  bench::Variant good("natural", on(natural, threads, "off", kernel));
  bench::Variant bad("shuffled", on(shuffled, threads, "off", kernel));
  bench::Variant renumbered("renumbered", on(shuffled, threads, "auto", kernel));
  const bench::Pairs times = bench::alternate(good, renumbered, pairs);
  const bench::Pairs slow = bench::alternate(good, bad, 3);
  bench::result(row + ".natural", 1e3 * bench::median(times.yardstick), "ms");
  bench::result(row + ".shuffled", 1e3 * bench::median(slow.subject), "ms");
  bench::result(row + ".renumbered", 1e3 * bench::median(times.subject), "ms");
  bench::result(row + ".shuffled_to_natural", slow.ratio(), "x");
  bench::result(row + ".renumbered_to_natural", times.ratio(), "x");
  if (kernel == all_kernels && row.find("1M") != std::string::npos)
    bench::check(row + ".renumbered_to_natural", times.ratio(), 1.15, bench::Better::below, "x");
}

void cost(const naca::Mesh &shuffled, const std::string &size, int repetitions) {
  std::vector<double> renumbering, iterations;
  for (int i = 0; i < repetitions; ++i) {
    setenv("OP2_RENUMBER", "off", 1);
    AirfoilLibrary library(shuffled, "seq", 1);
    const op_renumber_params params = OP_RENUMBER_PARAMS;
    renumbering.push_back(bench::seconds([&] { op_renumber_with(&params); }));
    library.iterate();
    for (int k = 0; k < 5; ++k) iterations.push_back(bench::seconds([&] { library.iterate(); }));
  }
  const double ratio = bench::median(renumbering) / bench::median(iterations);
  bench::result("renumber." + size + ".cost", 1e3 * bench::median(renumbering), "ms");
  bench::result("renumber." + size + ".cost_in_iterations", ratio, "iterations");
  if (size == "1M") bench::check("renumber.1M.cost_in_iterations", ratio, 20, bench::Better::below, "iterations");
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const int pairs = quick ? bench::pairs_to_show : 21;
  const std::string size = quick ? "40k" : "1M";
  const naca::Mesh natural = quick ? naca::make_mesh(96, 144) : naca::make_mesh(480, 700),
                   shuffled = bench::shuffled(natural);
  for (const int threads : {1, 2}) {
    const std::string row = "renumber." + size + (threads == 1 ? ".seq1" : ".openmp2");
    if (threads == 2 && (std::thread::hardware_concurrency() < 2 || !bench::has_executor("openmp"))) {
      bench::skip(row + ".iteration.renumbered_to_natural", "there is no second core, or no executor openmp");
      continue;
    }
    compare(row + ".iteration", natural, shuffled, threads, all_kernels, pairs);
    if (quick) continue;
    for (const int kernel : {AIRFOIL_ADT_CALC, AIRFOIL_RES_CALC, AIRFOIL_UPDATE})
      compare(row + "." + airfoil_kernel_names[kernel], natural, shuffled, threads, kernel, pairs);
  }
  cost(shuffled, size, quick ? 1 : 3);
  return 0;
}

// SPDX-License-Identifier: MIT
