// shuffled.cpp: what a mesh in random order costs: whole airfoil iterations through libop2, which renumbers such a mesh
// by itself, in turn with the same mesh in its natural order, and with hand-written loops on the shuffled mesh.
//
// Judged: the shuffled mesh relative to the natural order, on one thread and on two, and the price of renumbering.
#include <algorithm>
#include <memory>
#include <string>

#include "airfoil/airfoil_library.hpp"
#include "airfoil/airfoil_threads.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "common/shuffle.hpp"

namespace {

constexpr double most_slower = 1.15, most_iterations = 20;

struct Meshes {
  naca::Mesh natural, shuffled;
};

bench::Variant::Run by_library(const naca::Mesh &mesh, const bench::BackEnd &end) {
  const auto library = std::make_shared<AirfoilLibrary>(mesh, end.executor, end.threads);
  return [library] { library->iterate(); };
}

bench::Variant::Run by_hand(const naca::Mesh &mesh, int threads) {
  const auto hand = std::make_shared<AirfoilHand>(mesh, threads);
  return [hand] { hand->iterate(); };
}

void measure(const Meshes &meshes, const std::string &size, const bench::BackEnd &end, int rounds) {
  bench::Variant natural("natural order", [&] { return by_library(meshes.natural, end); });
  bench::Variant shuffled("random order", [&] { return by_library(meshes.shuffled, end); });
  const bench::Pairs times = bench::alternate(natural, shuffled, rounds);
  const std::string row = "shuffled." + size + "." + end.name() + ".";
  bench::result(row + "natural", 1e3 * bench::median(times.yardstick), "ms");
  bench::result(row + "library", 1e3 * bench::median(times.subject), "ms");
  bench::result(row + "to_natural", times.ratio(), "x");
  if (size == "1M") bench::check(row + "to_natural", times.ratio(), most_slower, bench::Better::below, "x");
  if (end.threads > 1 && !AirfoilHand::can_thread()) return;
  bench::Variant hand("by hand, random order", [&] { return by_hand(meshes.shuffled, end.threads); });
  const bench::Pairs to_hand = bench::alternate(hand, shuffled, 3); // slow, and only for comparison
  bench::result(row + "hand", 1e3 * bench::median(to_hand.yardstick), "ms");
  bench::result(row + "to_hand", to_hand.ratio(), "x");
}

struct Start {
  double first, later; // iterations, seconds
};

Start start(const naca::Mesh &mesh) {
  AirfoilLibrary library(mesh, "seq", 1);
  Start out{};
  out.first = bench::seconds([&] { library.iterate(); });
  out.later = bench::median({bench::seconds([&] { library.iterate(); }), bench::seconds([&] { library.iterate(); }),
                             bench::seconds([&] { library.iterate(); })});
  return out;
}

// What the first iteration costs on the shuffled mesh more than on the other, in iterations of the other: planning and
// touching memory happen on both, compiled code is in the cache by now.
void price(const Meshes &meshes) {
  const char *const name = "shuffled.1M.seq1.renumbering";
  if (!bench::has_setting("OP2_RENUMBER")) return bench::skip(name, "this library has no setting OP2_RENUMBER");
  const Start natural = start(meshes.natural), shuffled = start(meshes.shuffled);
  const double more = (shuffled.first - shuffled.later) - (natural.first - natural.later);
  const double iterations = std::max(0.0, more) / natural.later;
  bench::result(name, iterations, "iterations");
  bench::check(name, iterations, most_iterations, bench::Better::below, "iterations");
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const int rounds = quick ? bench::pairs_to_show : 21;
  const naca::Mesh mesh = quick ? naca::make_mesh(96, 144) : naca::make_mesh(480, 700);
  const Meshes meshes{mesh, bench::shuffled(mesh)};
  bool two_threads = false;
  for (const bench::BackEnd &end : bench::back_ends()) {
    if (end.name() == "openmp1") continue; // seq is the one thread
    two_threads = two_threads || end.threads == 2;
    measure(meshes, quick ? "40k" : "1M", end, rounds);
  }
  if (quick) return 0;
  if (!two_threads) bench::skip("shuffled.1M.openmp2.to_natural", "no executor openmp or only one core");
  price(meshes);
  return 0;
}

// SPDX-License-Identifier: MIT
