// out_of_core.cpp: airfoil whose data has a share of the memory that it needs (OP2_MEMORY_LIMIT), in chains of four
// iterations, in turn with the same chains in memory; and loop after loop under the same limit. Bytes that move between
// memory and disk.
//
// bench_out_of_core [I J [share ...]]: a mesh of 3 I J cells; shares such as 3 for a third. The file is made in
// OP2_OOC_DIR. Times are those of a disk, so they are not judged; bytes are.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/report.hpp"

namespace {

constexpr int iterations = 4, pairs = 3;

double data_bytes(const naca::Mesh &mesh) {
  const double cells = mesh.ncell, edges = mesh.nedge, nodes = mesh.nnode;
  return cells * (13 * 8 + 4 * 4) + edges * 4 * 4 + nodes * 2 * 8;
}

// A number of the timing table of this process.
double counted(const char *name) {
  char file[64], key[64];
  std::snprintf(file, sizeof file, "/tmp/bench_out_of_core.%d", static_cast<int>(getpid()));
  std::snprintf(key, sizeof key, "\"%s\": ", name);
  op_timings_to_json(file);
  std::ifstream in(file);
  const std::string json((std::istreambuf_iterator<char>(in)), {});
  unlink(file);
  const std::size_t at = json.find("\"paging\""), value = at == std::string::npos ? at : json.find(key, at);
  return value == std::string::npos ? 0 : std::strtod(json.c_str() + value + std::strlen(key), nullptr);
}

struct Moved {
  double read = 0, written = 0;
  static Moved so_far() { return {counted("read"), counted("written")}; }
};

// share: 0 = all in memory.
bench::Variant::Run prepare(int i, int j, int share, bool chain, const std::string &row) {
  std::shared_ptr<AirfoilLibrary> library;
  double cells = 0;
  {
    const naca::Mesh mesh = naca::make_mesh(i, j);
    cells = mesh.ncell;
    char limit[32];
    std::snprintf(limit, sizeof limit, "%.0f", data_bytes(mesh) / std::max(share, 1));
    if (share > 0) setenv("OP2_MEMORY_LIMIT", limit, 1);
    library = std::make_shared<AirfoilLibrary>(mesh, "seq", 1);
  }
  const auto run = [library, chain] {
    if (chain) return library->iterate_in_chain(iterations);
    for (int n = 0; n < iterations; ++n) library->iterate();
  };
  run(), run(); // forms and tiles are found
  const auto runs = std::make_shared<int>(0);
  return [=, before = Moved::so_far()] {
    run();
    if (++*runs != pairs + 1 || share == 0) return;
    const Moved after = Moved::so_far();
    const double each = cells * iterations * *runs;
    bench::result(row + ".read", (after.read - before.read) / each, "B", "per cell and iteration");
    bench::result(row + ".written", (after.written - before.written) / each, "B", "per cell and iteration");
    bench::result(row + ".faults", counted("faults"), "chunks");
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    bench::result(row + ".rss", static_cast<double>(usage.ru_maxrss) / 1024, "MiB", "also while the mesh was made");
    bench::result(row + ".peak", counted("peak") / 1048576, "MiB", "of dats and maps");
    bench::result(row + ".limit", counted("limit") / 1048576, "MiB");
  };
}

} // namespace

int main(int argc, char **argv) {
  std::vector<int> numbers;
  for (int n = 1; n < argc; ++n)
    if (argv[n][0] != '-') numbers.push_back(std::atoi(argv[n]));
  // A slow disk would take minutes for the usual mesh, and for loops one after another.
  const bool quick = std::find(argv, argv + argc, std::string_view("--quick")) != argv + argc;
  if (numbers.size() < 2) numbers = quick ? std::vector{60, 100} : std::vector{300, 400};
  const int i = numbers[0], j = numbers[1];
  std::vector<int> shares(numbers.begin() + 2, numbers.end());
  if (shares.empty()) shares = {3};
  bench::Variant memory("in memory", [&] { return prepare(i, j, 0, true, ""); });
  for (const int share : shares)
    for (const bool chain : {true, false}) {
      if (quick && !chain) continue;
      char row_name[64];
      std::snprintf(row_name, sizeof row_name, "out_of_core.%d.%s", share, chain ? "chains" : "loops");
      const std::string row = row_name;
      bench::Variant limited("limited", [&] { return prepare(i, j, share, chain, row); });
      const bench::Pairs times = bench::alternate(memory, limited, pairs);
      bench::result(row + ".in_memory", bench::median(times.yardstick) / iterations, "s", "an iteration");
      bench::result(row + ".limited", bench::median(times.subject) / iterations, "s", "an iteration");
      bench::result(row + ".speed", 1 / times.ratio(), "x");
    }
  return 0;
}
// SPDX-License-Identifier: MIT
