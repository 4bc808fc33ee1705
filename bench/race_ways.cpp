// race_ways.cpp: the ways of OP2_RACE to keep threads apart that add to the same cells: res_calc of airfoil in the
// mesh's own order, each way with one thread and two, relative to `seq`, which runs the edges in order.
//
// Judged at 1M cells: the default costs nothing on one thread and takes at most 0.65 of the time on two.
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"

namespace {

struct Size {
  const char *name;
  int I, J;
  int runs; // of the loop in one sample
};

// What the default must reach: no price on one thread, and most of the second one.
constexpr struct {
  const char *name;
  double limit;
} limits[] = {{"race.1M.auto.1_thread", 1.1}, {"race.1M.auto.2_threads", 0.65}};

void skip_all(const char *reason) {
  for (const auto &judged : limits) bench::skip(judged.name, reason);
}

bench::Variant::Run res_calc(const naca::Mesh &mesh, const char *executor, const char *way, int threads, int runs) {
  setenv("OP2_RACE", way, 1); // in a process of its own
  const auto library = std::make_shared<AirfoilLibrary>(mesh, executor, threads);
  const auto loop = [library] { library->run(AIRFOIL_RES_CALC, Form::range); };
  library->run(AIRFOIL_ADT_CALC, Form::range);
  for (int i = 0; i < 16; ++i) loop();
  return [=] {
    for (int i = 0; i < runs; ++i) loop();
  };
}

void compare(const Size &size, const std::vector<const char *> &ways, int pairs) {
  const naca::Mesh mesh = naca::make_mesh(size.I, size.J);
  bench::Variant seq("seq", [&] { return res_calc(mesh, "seq", "auto", 1, size.runs); });
  const std::string table = std::string("race.") + size.name + ".";
  const auto milliseconds = [&](double seconds) { return 1e3 * seconds / size.runs; };
  for (const char *const way : ways)
    for (const int threads : {1, 2}) {
      bench::Variant other(way, [&] { return res_calc(mesh, "openmp", way, threads, size.runs); });
      const bench::Pairs times = bench::alternate(seq, other, pairs);
      char detail[80];
      std::snprintf(detail, sizeof detail, "%.3f ms, seq %.3f ms", milliseconds(bench::median(times.subject)),
                    milliseconds(bench::median(times.yardstick)));
      const std::string name = table + way + (threads == 1 ? ".1_thread" : ".2_threads");
      bench::result(name, times.ratio(), "x", detail);
      for (const auto &judged : limits)
        if (name == judged.name) bench::check(name, times.ratio(), judged.limit, bench::Better::below, "x");
    }
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  if (!bench::has_executor("openmp")) {
    skip_all("there is no executor openmp");
    return 0;
  }
  if (std::thread::hardware_concurrency() < 2) {
    skip_all("this machine has one core");
    return 0;
  }
  const int pairs = quick ? bench::pairs_to_show : 21;
  std::vector<const char *> ways = {"auto", "colour"};
  if (!quick) ways = {"auto", "owner", "colour"};
  compare({"40k", 96, 144, quick ? 4 : 20}, ways, pairs);
  if (quick) return 0;
  compare({"1M", 480, 700, 2}, ways, pairs);
  compare({"4M", 960, 1400, 1}, ways, pairs);
  return 0;
}

// SPDX-License-Identifier: MIT
