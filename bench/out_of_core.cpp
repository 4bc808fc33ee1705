// out_of_core.cpp: airfoil whose data has a share of the memory that it needs, in turn with the same data in memory, by
// chains of four iterations and loop after loop: under OP2_MEMORY_LIMIT, and with arrays in a mapped file that the
// kernel pages (in a control group with that limit, see common/mapped.hpp). Bytes that move between memory and disk.
//
// bench_out_of_core [I J [share ...]]: a mesh of 3 I J cells; shares such as 3 for a third. Files are made in
// OP2_OOC_DIR. Times are those of a disk, so they are not judged; bytes are.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/mapped.hpp"
#include "common/report.hpp"

namespace {

constexpr int iterations = 4, pairs = 3;

enum class Where { memory, paged, mapped };
struct Way {
  Where where;
  bool chain, flow_only; // flow_only: what one chain computes for itself is told to the library
  const char *name, *text;
};
constexpr Way in_memory = {Where::memory, true, false, "memory", "in memory, chains"};
constexpr Way ways[] = {{Where::paged, true, true, "scratch", "OP2_MEMORY_LIMIT, chains, scratch"},
                        {Where::paged, true, false, "chains", "OP2_MEMORY_LIMIT, chains"},
                        {Where::paged, false, false, "loops", "OP2_MEMORY_LIMIT, loop after loop"},
                        {Where::mapped, true, false, "mapped_chains", "mapped file, chains"},
                        {Where::mapped, false, false, "mapped_loops", "mapped file, loop after loop"}};

// What the process of a variant has counted: bytes that have moved for each cell and iteration, chunks by page faults,
// bytes in memory.
struct Counted {
  double read, written, faults, peak, limit, rss;
};
// Memory that it shares with its parent.
Counted &shared_counted() {
  void *const memory = mmap(nullptr, sizeof(Counted), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return *new (memory) Counted();
}

double data_bytes(const naca::Mesh &mesh) {
  const double cells = mesh.ncell, edges = mesh.nedge, nodes = mesh.nnode;
  return cells * (13 * 8 + 4 * 4) + edges * 4 * 4 + nodes * 2 * 8;
}

// A number of the timing table of this process.
double number(const char *name) {
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

bench::DiskBytes moved(Where where) {
  return where == Where::mapped ? bench::DiskBytes::so_far() : bench::DiskBytes{number("read"), number("written")};
}

std::string folder() {
  const char *const asked = std::getenv("OP2_OOC_DIR");
  return asked ? asked : "/tmp";
}

bench::Variant::Run prepare(int i, int j, int share, const Way &way, const bench::MemoryGroup &group,
                            Counted &counted) {
  std::shared_ptr<AirfoilLibrary> library;
  std::shared_ptr<bench::MappedFile> file;
  double cells = 0, limit = 0;
  {
    const naca::Mesh mesh = naca::make_mesh(i, j);
    cells = mesh.ncell;
    limit = data_bytes(mesh) / share;
    if (way.where == Where::paged) setenv("OP2_MEMORY_LIMIT", std::to_string(static_cast<long long>(limit)).c_str(), 1);
    if (way.where == Where::mapped) setenv("OP2_LAYOUT", "aos", 1); // no copies elsewhere
    library = std::make_shared<AirfoilLibrary>(mesh, "seq", 1);
    if (way.flow_only) library->keep_flow_only();
  }
  const auto run = [library, &way] {
    if (way.chain) return library->iterate_in_chain(iterations);
    for (int n = 0; n < iterations; ++n) library->iterate();
  };
  run(), run(); // forms and tiles are found
  if (way.where == Where::mapped) {
    file = std::make_shared<bench::MappedFile>(folder());
    for (const std::span<char> array : library->memory()) file->take(array);
    file->leave_memory();
    group.enter(limit);
    run();
  }
  const auto runs = std::make_shared<int>(0);
  return [=, &way, &counted, before = moved(way.where)] {
    run();
    if (++*runs != pairs + 1 || way.where == Where::memory) return;
    const bench::DiskBytes after = moved(way.where);
    const double each = cells * iterations * *runs;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    counted = {(after.read - before.read) / each,
               (after.written - before.written) / each,
               number("faults"),
               number("peak"),
               limit,
               static_cast<double>(usage.ru_maxrss) * 1024};
    if (file) file->leave_memory(); // the next variant does not wait for its pages
  };
}

struct Row {
  int share;
  const Way *way;
  double seconds, speed;
  Counted counted;
};

Row measure(int i, int j, int share, const Way &way, const bench::MemoryGroup &group, bench::Variant &memory) {
  Counted &counted = shared_counted();
  bench::Variant limited(way.text, [&] { return prepare(i, j, share, way, group, counted); });
  const bench::Pairs times = bench::alternate(memory, limited, pairs);
  const std::string row = "out_of_core." + std::to_string(share) + "." + way.name;
  bench::result(row + ".in_memory", bench::median(times.yardstick) / iterations, "s", "an iteration");
  bench::result(row + ".limited", bench::median(times.subject) / iterations, "s", "an iteration");
  bench::result(row + ".speed", 1 / times.ratio(), "x");
  bench::result(row + ".read", counted.read, "B", "per cell and iteration");
  bench::result(row + ".written", counted.written, "B", "per cell and iteration");
  bench::result(row + ".limit", counted.limit / 1048576, "MiB");
  bench::result(row + ".rss", counted.rss / 1048576, "MiB", "also while the mesh was made");
  if (way.where == Where::paged) {
    bench::result(row + ".faults", counted.faults, "chunks");
    bench::result(row + ".peak", counted.peak / 1048576, "MiB", "of dats and maps");
  }
  return {share, &way, bench::median(times.subject) / iterations, 1 / times.ratio(), counted};
}

void print(const std::vector<Row> &rows) {
  std::printf("%6s %-34s %14s %6s %10s %10s\n", "share", "way", "s an iteration", "speed", "B read", "B written");
  for (const Row &row : rows)
    std::printf("%6s %-34s %14.4f %6.2f %10.1f %10.1f\n", ("1/" + std::to_string(row.share)).c_str(), row.way->text,
                row.seconds, row.speed, row.counted.read, row.counted.written);
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
  const bench::MemoryGroup group;
  bench::Variant memory(in_memory.text, [&] { return prepare(i, j, 1, in_memory, group, shared_counted()); });
  std::vector<Row> rows;
  for (const int share : shares)
    for (const Way &way : ways) {
      if (quick && !way.chain) continue;
      if (way.where == Where::mapped && !group.why_not().empty())
        bench::skip("out_of_core." + std::to_string(share) + "." + way.name, group.why_not());
      else
        rows.push_back(measure(i, j, share, way, group, memory));
    }
  print(rows);
  return 0;
}
// SPDX-License-Identifier: MIT
