// threads.cpp: what a second thread brings: whole airfoil iterations on openmp with one thread and two, in turn.
//
// Judged: at least 1.6 times faster at 1M cells. The same pairs of the hand-written loops show what the machine gives.
#include <memory>
#include <thread>

#include "airfoil/airfoil_library.hpp"
#include "airfoil/airfoil_threads.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"

namespace {

bench::Variant::Run by_library(const naca::Mesh &mesh, int threads) {
  const auto library = std::make_shared<AirfoilLibrary>(mesh, "openmp", threads);
  return [library] { library->iterate(); };
}

bench::Variant::Run by_hand(const naca::Mesh &mesh, int threads) {
  const auto hand = std::make_shared<AirfoilHand>(mesh, threads);
  return [hand] { hand->iterate(); };
}

// The speed-up from one thread to two, with the pairs behind it.
template <class Prepare>
double speed_up(const char *mesh_name, const char *who, const naca::Mesh &mesh, Prepare prepare, int pairs) {
  bench::Variant two("two threads", [&] { return prepare(mesh, 2); });
  bench::Variant one("one thread", [&] { return prepare(mesh, 1); });
  const bench::Pairs times = bench::alternate(two, one, pairs);
  const std::string row = std::string("iteration.") + mesh_name + "." + who + ".";
  bench::result(row + "1_thread", 1e3 * bench::median(times.subject), "ms");
  bench::result(row + "2_threads", 1e3 * bench::median(times.yardstick), "ms");
  const double ratio = times.ratio();
  bench::result(std::string("threads.") + mesh_name + "." + who + ".1_to_2", ratio, "x");
  return ratio;
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const int pairs = quick ? bench::pairs_to_show : 31;
  const auto forms = bench::compiled_forms();
  const char *const judged = "threads.1M.openmp.1_to_2";
  if (std::thread::hardware_concurrency() < 2) {
    bench::skip(judged, "this machine has one core");
    return 0;
  }
  if (!bench::has_executor("openmp")) {
    bench::skip(judged, "there is no executor openmp");
    return 0;
  }
  const struct {
    const char *name;
    int I, J;
  } meshes[] = {{"40k", 96, 144}, {"1M", 480, 700}};
  for (const auto &size : meshes) {
    if (quick && std::string(size.name) != "40k") continue;
    const naca::Mesh mesh = naca::make_mesh(size.I, size.J);
    if (AirfoilHand::can_thread()) speed_up(size.name, "hand", mesh, by_hand, pairs);
    const double ratio = speed_up(size.name, "openmp", mesh, by_library, pairs);
    if (std::string(size.name) == "1M") bench::check(judged, ratio, 1.6, bench::Better::above, "x");
  }
  return 0;
}

// SPDX-License-Identifier: MIT
