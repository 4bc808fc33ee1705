// collection.cpp: the kernels of tests/kernels, which are written as people write them, on a mesh of rows, on
// tetrahedra in good order and shuffled: generated code, in the form that is the fastest there, beside the same loop as
// compiled with the program (`range`) and a plain loop over arrays (`hand`), both with the compiler's best flags.
//
// Nothing is judged. `of_roofline` says how much of the memory's speed generated code uses, though data of this size
// stays in the caches of large processors, which may give more.
//
//   bench_collection [--quick] [KERNEL...]     of these kernels only
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../tests/kernels/collection.hpp"
#include "../tests/unit/json.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/roofline.hpp"
#include "common/settings.hpp"
#include "common/stream.hpp"

namespace {

using collection::Kind;

struct Extent {
  int cells, runs;
  bool choose; // the fastest form, for which all must be compiled
};

struct Measured {
  double hand = 0, range = 0, ours = 0; // ns per element
  double bytes = 0;                     // per element, that must move
  std::string form;
  double best() const { return std::min(hand, range); }
};

class Session {
 public:
  Session() {
    op_init_params params = OP_INIT_PARAMS;
    if (op_init_with(&params) != OP_OK) throw std::runtime_error(op_last_error());
  }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
  ~Session() { op_exit(); }
};

collection::Outcome run(const collection::Registered &one, Kind kind, const Extent &extent, bool by_hand) {
  collection::Mesh mesh(kind, extent.cells, by_hand, extent.runs);
  one.body(mesh);
  return mesh.outcome();
}

double nanoseconds(const collection::Outcome &outcome) { return 1e9 * outcome.seconds / outcome.elements; }

// Of the only loop.
std::string form_now() {
  const std::string file = std::filesystem::temp_directory_path() / ("op2_bench_" + std::to_string(getpid()) + ".json");
  if (op_timings_to_json(file.c_str()) != OP_OK) throw std::runtime_error(op_last_error());
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  return unit::JsonReader(text.str()).document()["loops"].items.at(0)["kernel_form"].text;
}

Measured measure(const collection::Registered &one, Kind kind, const Extent &extent) {
  Measured out;
  {
    const bench::Setting off("OP2_JIT", "off");
    const Session session;
    out.hand = nanoseconds(run(one, kind, extent, true));
    out.range = nanoseconds(run(one, kind, extent, false));
  }
  const bench::Setting vectors("OP2_JIT", "on"), when("OP2_JIT_FORM", extent.choose ? "soon" : "first");
  const Session session;
  const int comparing = extent.choose ? 64 : 0; // runs
  const collection::Outcome ours = run(one, kind, {extent.cells, extent.runs + comparing, extent.choose}, false);
  out.ours = nanoseconds(ours);
  out.bytes = ours.bytes / ours.elements;
  out.form = form_now();
  return out;
}

void report(Kind kind, const std::map<std::string, Measured> &all, double bandwidth) {
  const std::string row = std::string("collection.") + collection::name_of(kind);
  double logarithms = 0;
  int in_vectors = 0, slower = 0;
  for (const auto &[name, times] : all) {
    const double ratio = times.ours / times.best();
    bench::result(row + "." + name + ".hand", times.hand, "ns");
    bench::result(row + "." + name + ".range", times.range, "ns");
    bench::result(row + "." + name + ".ours", times.ours, "ns", times.form);
    bench::result(row + "." + name + ".to_best", ratio, "x");
    bench::share_of_roofline(row + "." + name + ".of_roofline", times.bytes, 1e-9 * times.ours, bandwidth);
    logarithms += std::log(ratio);
    in_vectors += times.form.find("vector") != std::string::npos;
    slower += ratio > 1.02;
  }
  const double mean = std::exp(logarithms / static_cast<double>(all.size()));
  bench::result("collected." + std::string(collection::name_of(kind)) + ".in_vectors", in_vectors, "kernels");
  bench::result("collected." + std::string(collection::name_of(kind)) + ".slower", slower, "kernels");
  bench::result("collected." + std::string(collection::name_of(kind)) + ".mean_to_best", mean, "x");
}

// The kernels that are named; without names all, or some with --quick. Anything else ends the program with code 2.
std::vector<collection::Registered> chosen(int argc, char **argv, bool &quick) {
  const std::vector<collection::Registered> &all = collection::all_cases();
  std::vector<collection::Registered> out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto named =
        std::find_if(all.begin(), all.end(), [&](const collection::Registered &one) { return word == one.name; });
    if (word == "--quick") {
      quick = true;
    } else if (named != all.end()) {
      out.push_back(*named);
    } else {
      std::fprintf(word == "--help" ? stdout : stderr, "usage: %s [--quick] [KERNEL...]\n", argv[0]);
      std::exit(word == "--help" ? 0 : 2);
    }
  }
  if (!out.empty()) return out;
  for (std::size_t n = 0; n < all.size(); n += quick ? 16 : 1) out.push_back(all[n]);
  return out;
}

} // namespace

int main(int argc, char **argv) {
  bool quick = false;
  const std::vector<collection::Registered> kernels = chosen(argc, argv, quick);
  const Extent extent = quick ? Extent{1500, 3, false} : Extent{40000, 25, true};
  const bench::Setting renumber("OP2_RENUMBER", "off"), all_sets("OP2_JIT_MIN_ELEMENTS", "0"),
      seq("OP2_BACKEND", "seq");
  const double bandwidth = stream_bandwidth(1);
  bench::result("collected.memory.roofline", 1e-9 * bandwidth, "GB/s");
  for (const Kind kind : {Kind::rows, Kind::tetrahedra, Kind::shuffled}) {
    if (quick && kind != Kind::rows) continue;
    std::map<std::string, Measured> all;
    for (const collection::Registered &one : kernels) {
      all[one.name] = measure(one, kind, extent);
      std::fprintf(stderr, "%s %s: %s\n", collection::name_of(kind), one.name, all[one.name].form.c_str());
    }
    report(kind, all, bandwidth);
  }
  return 0;
}

// SPDX-License-Identifier: MIT
