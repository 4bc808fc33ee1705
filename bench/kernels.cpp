// kernels.cpp: each airfoil kernel through libop2, in each form and on each back end, beside the loop written by hand.
//
// Both run on the same mesh in the same process, kernel by kernel in turn, with as many threads. Judged: the range form
// of op2.hpp on seq at 1M cells, at most 1.15 times the hand-written loop.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "airfoil/airfoil_arrays.hpp"
#include "airfoil/airfoil_library.hpp"
#include "airfoil/airfoil_threads.hpp"
#include "common/back_ends.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "common/stream.hpp"

namespace {

constexpr double range_limit = 1.15;
constexpr double same_answer = 1e-9; // relative difference of the residuals: the order of the increments differs

struct Case {
  const char *name;
  int I, J; // of the mesh: 3 I J cells
  bool larger_than_caches;
  int rounds;
};

using Times = std::array<bench::Pairs, AIRFOIL_KERNELS>;

// Each kernel of an iteration by hand and through the library in turn; the first round warms up.
Times run_pairs(AirfoilHand &hand, AirfoilLibrary &library, Form form, int rounds) {
  Times times;
  for (int round = -1; round < rounds; ++round)
    for (int kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel) {
      const double by_hand = bench::seconds([&] { hand.run(kernel); });
      const double by_library = bench::seconds([&] { library.run(kernel, form); });
      if (round >= 0) times[static_cast<std::size_t>(kernel)].add(by_hand, by_library);
    }
  return times;
}

class Report {
 public:
  Report(const Case &which, const bench::BackEnd &end, const naca::Mesh &mesh, double triad)
      : case_(which), row_(std::string(which.name) + "." + end.name() + "."), mesh_(mesh), triad_(triad) {}

  // Times per call of all five kernels. `limits`: also say what they are of the memory's bandwidth.
  void speed(const std::string &what, const std::array<double, AIRFOIL_KERNELS> &seconds, bool limits) const {
    for (int kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel) {
      const std::string name = row_ + what + "." + airfoil_kernel_names[kernel];
      const double time = seconds[static_cast<std::size_t>(kernel)], bytes = useful_bytes(mesh_, kernel);
      bench::result("airfoil." + name, 1e9 * time / elements(mesh_, kernel), "ns/element");
      if (!limits || !case_.larger_than_caches || bytes == 0) continue;
      bench::result("useful." + name, 1e-9 * bytes / time, "GB/s");
      bench::result("of_triad." + name, 100 * bytes / time / triad_, "%");
    }
  }
  void ratios(const std::string &what, const Times &times, bool judged) const {
    for (int kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel) {
      const double ratio = times[static_cast<std::size_t>(kernel)].ratio();
      const std::string name = "airfoil." + row_ + what + "_to_hand." + airfoil_kernel_names[kernel];
      bench::result(name, ratio, "x");
      if (judged && kernel != AIRFOIL_BRES_CALC) bench::check(name, ratio, range_limit, bench::Better::below, "x");
    }
  }
  // What the first call of a loop costs on top of a later one: checking, planning, and touching memory.
  void first_calls(const std::array<double, AIRFOIL_KERNELS> &first,
                   const std::array<double, AIRFOIL_KERNELS> &later) const {
    for (std::size_t k = 0; k < first.size(); ++k)
      bench::result("first_call." + row_ + airfoil_kernel_names[k], 1e3 * std::max(0.0, first[k] - later[k]), "ms");
  }

 private:
  const Case &case_;
  std::string row_;
  const naca::Mesh &mesh_;
  double triad_;
};

std::array<double, AIRFOIL_KERNELS> medians(const Times &times, std::vector<double> bench::Pairs::*side) {
  std::array<double, AIRFOIL_KERNELS> out{};
  std::transform(times.begin(), times.end(), out.begin(),
                 [&](const bench::Pairs &pairs) { return bench::median(pairs.*side); });
  return out;
}

// Returns the relative difference of the residuals at the end.
double measure(const Case &which, const bench::BackEnd &end, const naca::Mesh &mesh, double triad) {
  AirfoilHand hand(mesh, end.threads);
  AirfoilLibrary library(mesh, end.executor, end.threads);
  std::array<double, AIRFOIL_KERNELS> first{};
  for (int kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel) {
    hand.run(kernel);
    first[static_cast<std::size_t>(kernel)] = bench::seconds([&] { library.run(kernel, Form::range); });
  }
  std::vector<Times> times;
  for (const Form form : all_forms) times.push_back(run_pairs(hand, library, form, which.rounds));

  const Report report(which, end, mesh, triad);
  report.speed("hand", medians(times.back(), &bench::Pairs::yardstick), true);
  for (const Form form : all_forms) {
    const auto f = static_cast<std::size_t>(form);
    report.speed(form_names[f], medians(times[f], &bench::Pairs::subject), form == Form::range);
    report.ratios(form_names[f], times[f], form == Form::range && which.larger_than_caches && end.executor == "seq");
  }
  report.first_calls(first, medians(times.back(), &bench::Pairs::subject));
  return std::abs(library.rms() / hand.rms() - 1);
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const auto forms = bench::compiled_forms();
  std::vector<Case> cases = {{"40k", 96, 144, false, quick ? bench::fewest_pairs : 101}};
  if (!quick) cases.push_back({"1M", 480, 700, true, 31});
  double triad[3] = {}, difference = 0;
  for (const bench::BackEnd &end : bench::back_ends())
    if (!quick && triad[end.threads] == 0) triad[end.threads] = triad_bandwidth(end.threads);
  for (const Case &which : cases) {
    const naca::Mesh mesh = naca::make_mesh(which.I, which.J);
    for (const bench::BackEnd &end : bench::back_ends()) {
      if (end.threads > 1 && !AirfoilHand::can_thread()) continue;
      bench::raise(difference, measure(which, end, mesh, triad[end.threads]));
    }
  }
  bench::exact("airfoil.residuals.difference", difference, same_answer, "relative");
  return 0;
}

// SPDX-License-Identifier: MIT
