// accuracy.cpp: are the fast loops right? The airfoil loops through libop2 against the hand-written ones, each from the
// same values, on every back end, in each form, on the mesh in natural and in random order.
//
// Judged: no bit of adt differs, since nothing is added to it in another order; res and q differ by no more than
// 8 eps sum|terms|, where the terms are what is added up for a value; rms and the largest change by rounding only.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "airfoil/airfoil_arrays.hpp"
#include "airfoil/airfoil_library.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "common/shuffle.hpp"

namespace {

constexpr int iterations = 3;
constexpr double eps = std::numeric_limits<double>::epsilon();

// What the library holds, copied.
class Copy {
 public:
  explicit Copy(AirfoilLibrary &library, const naca::Mesh &mesh) : cells_(static_cast<std::size_t>(mesh.ncell)) {
    library.on_memory([&](const AirfoilArrays &a) {
      x.assign(a.x, a.x + 2 * static_cast<std::size_t>(mesh.nnode));
      q.assign(a.q, a.q + 4 * cells_);
      qold.assign(a.qold, a.qold + 4 * cells_);
      adt.assign(a.adt, a.adt + cells_);
      res.assign(a.res, a.res + 4 * cells_);
    });
  }
  AirfoilArrays arrays() { return {x.data(), q.data(), qold.data(), adt.data(), res.data()}; }
  std::vector<double> x, q, qold, adt, res;

 private:
  std::size_t cells_;
};

// The largest differences found, in the units of the checks.
struct Worst {
  double adt = 0, res = 0, q = 0, rms = 0;

  void raise(const Worst &other) {
    bench::raise(adt, other.adt);
    bench::raise(res, other.res);
    bench::raise(q, other.q);
    bench::raise(rms, other.rms);
  }
};

double difference(double a, double b) { return a == b ? 0 : std::abs(a - b); }

double relative(double a, double b) { return difference(a, b) / std::max(std::abs(b), 1e-300); }

std::size_t different_bits(const std::vector<double> &a, const std::vector<double> &b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += std::memcmp(&a[i], &b[i], sizeof(double)) != 0;
  return different;
}

// Absolute values of what res_calc and bres_calc add to each value of res, summed up.
std::vector<double> sums_of_terms(const naca::Mesh &mesh, const Copy &from) {
  const HandConstants constants = hand_constants();
  std::vector<double> sums(from.res.size()), one(from.res.size());
  const auto take = [&](int cell) {
    const auto first = 4 * static_cast<std::size_t>(cell);
    for (std::size_t i = first; i < first + 4; ++i) sums[i] += std::abs(std::exchange(one[i], 0.0));
  };
  for (std::size_t n = 0; n < static_cast<std::size_t>(mesh.nedge); ++n) {
    const int *const cells = &mesh.edge_cells[2 * n];
    hand_res_calc(constants, 1, &mesh.edge_nodes[2 * n], cells, from.x.data(), from.q.data(), from.adt.data(),
                  one.data());
    take(cells[0]);
    take(cells[1]);
  }
  for (std::size_t n = 0; n < static_cast<std::size_t>(mesh.nbedge); ++n) {
    hand_bres_calc(constants, 1, &mesh.bedge_nodes[2 * n], &mesh.bedge_cell[n], &mesh.bound[n], from.x.data(),
                   from.q.data(), from.adt.data(), one.data());
    take(mesh.bedge_cell[n]);
  }
  return sums;
}

// The free stream alone would be too easy: its fluxes cancel. Every value becomes up to one per cent larger.
void disturb(AirfoilLibrary &library, const naca::Mesh &mesh) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> factor(1.0, 1.01);
  library.on_memory([&](const AirfoilArrays &arrays) {
    for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(mesh.ncell); ++i) arrays.q[i] *= factor(random);
  });
}

// One stage of an iteration on both sides, from the library's values.
void compare_stage(const naca::Mesh &mesh, AirfoilLibrary &library, Worst &worst) {
  Copy hand(library, mesh);
  HandUpdate update;
  const auto both = [&](int kernel) {
    library.run(kernel);
    run_by_hand(scalar_loops, mesh, hand.arrays(), kernel, update);
  };
  both(AIRFOIL_ADT_CALC);
  bench::raise(worst.adt, static_cast<double>(different_bits(Copy(library, mesh).adt, hand.adt)));
  both(AIRFOIL_RES_CALC);
  both(AIRFOIL_BRES_CALC);
  const std::vector<double> res = Copy(library, mesh).res, sums = sums_of_terms(mesh, hand);
  for (std::size_t i = 0; i < res.size(); ++i)
    if (const double apart = difference(res[i], hand.res[i]); apart != 0)
      bench::raise(worst.res, apart / (eps * sums[i]));
  both(AIRFOIL_UPDATE);
  const std::vector<double> q = Copy(library, mesh).q;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (const double apart = difference(q[i], hand.q[i]); apart != 0)
      bench::raise(worst.q, apart / (eps * (std::abs(hand.qold[i]) + sums[i] / hand.adt[i / 4])));
  const HandUpdate ours = library.last_update();
  bench::raise(worst.rms, relative(ours.rms, update.rms));
  bench::raise(worst.rms, relative(ours.maxerr, update.maxerr));
}

Worst compare(const std::string &name, const naca::Mesh &mesh, const bench::BackEnd &end) {
  AirfoilLibrary library(mesh, end.executor, end.threads);
  disturb(library, mesh);
  Worst worst;
  for (int i = 0; i < iterations; ++i) {
    library.run(AIRFOIL_SAVE_SOLN);
    for (int stage = 0; stage < 2; ++stage) compare_stage(mesh, library, worst);
  }
  const std::string row = "accuracy." + name + ".";
  bench::result(row + "adt", worst.adt, "values");
  bench::result(row + "res", worst.res, "eps");
  bench::result(row + "q", worst.q, "eps");
  bench::result(row + "rms", worst.rms, "relative");
  return worst;
}

} // namespace

int main(int argc, char **argv) {
  (void)bench::quick(argc, argv); // short in any case
  const naca::Mesh natural = naca::make_mesh(96, 144), shuffled = bench::shuffled(natural);
  struct Form {
    const char *name, *setting, *value;
  };
  const Form forms[] = {{"default", nullptr, nullptr},
                        {"compiled", "OP2_JIT", "off"},
                        {"scalar", "OP2_JIT_ISA", "scalar"},
                        {"avx2", "OP2_JIT_ISA", "avx2"}};
  Worst worst;
  for (const Form &form : forms) {
    if (form.setting && !bench::has_setting(form.setting)) continue;
    if (std::string(form.name) == "avx2" && !bench::no_wide_vectors().empty()) continue;
    std::unique_ptr<bench::Setting> setting;
    if (form.setting) setting = std::make_unique<bench::Setting>(form.setting, form.value);
    for (const bench::BackEnd &end : bench::back_ends()) {
      worst.raise(compare(std::string("natural.") + end.name() + "." + form.name, natural, end));
      worst.raise(compare(std::string("shuffled.") + end.name() + "." + form.name, shuffled, end));
    }
  }
  bench::exact("accuracy.worst.adt", worst.adt, 0, "values");
  bench::exact("accuracy.worst.res", worst.res, 8, "eps");
  bench::exact("accuracy.worst.q", worst.q, 8, "eps");
  bench::exact("accuracy.worst.rms", worst.rms, 1e-9, "relative");
  return 0;
}

// SPDX-License-Identifier: MIT
