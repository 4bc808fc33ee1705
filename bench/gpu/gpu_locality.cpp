// gpu_locality.cpp: what ways to run a loop on a GPU, and orders of its mesh, do to memory: one table of counts. Ways
// that executor cuda has are counted by the emulated device, others from the maps of the loop; what both count must be
// equal. No GPU is needed: times are predicted ones (docs/gpu_counts.md). docs/gpus.md has the table of a run.
//
//   bench_gpu_locality [--quick | --size N]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/report.hpp"
#include "fake/occupancy.hpp"
#include "fake/predict.hpp"
#include "gpu/locality/emulated.hpp"
#include "gpu/locality/ways.hpp"

namespace {

using namespace bench::locality;

constexpr int threads = 256, registers = 48; // of the library's kernels for these loops: 42 to 48
constexpr double tolerance = 1.001;          // of the sizes of parts
constexpr std::array loops = {"rows", "shuffled", "faces", "corners"};

// Seconds of all launches.
double predicted(const fake::Gpu &gpu, const Counts &counts) {
  const auto launches = static_cast<double>(counts.launches);
  const auto of_launch = [&](std::uint64_t count) { return static_cast<double>(count) / launches; };
  fake::Work work;
  work.memory_bytes = fake::sector_bytes * of_launch(counts.memory);
  work.l2_bytes = fake::sector_bytes * of_launch(counts.l2);
  work.atomic_sectors = of_launch(counts.add_sectors);
  work.shared_passes = of_launch(counts.shared_passes);
  work.blocks = of_launch(counts.blocks);
  work.occupancy =
      fake::occupancy(*fake::architecture(gpu.arch), threads, registers, static_cast<int>(counts.shared_bytes));
  return launches * fake::predicted_seconds(gpu, work);
}

// The lines of one loop; gains are against the first one.
class Table {
 public:
  Table(const char *name, const Loop &loop) : elements_(loop.elements), least_(loop.compulsory_bytes()) {
    std::printf("\n%s: %d elements, %.1f compulsory bytes each\n", name, loop.elements, least_ / elements_);
    std::printf("%-52s %-8s %5s | %6s %5s %5s %6s | %6s %5s %5s | %5s %6s %6s %5s |", "", "counted", "laun-",
                "bytes:", "times", "comp.", "sect.", "adds", "meet,", "meet,", "barr.", "shared", "passes", "con-");
    for (const fake::Gpu &gpu : fake::gpus) std::printf(" %s", (std::string(gpu.name) + ", pred.").c_str());
    std::printf("\n%-52s %-8s %5s | %6s %5s %5s %6s | %6s %5s %5s | %5s %6s %6s %5s |", "technique", "by", "ches",
                "asked", "L2", "mem.", "/elem.", "/elem.", "warp", "block", "/blk", "bytes", "/elem.", "flict");
    for ([[maybe_unused]] const fake::Gpu &gpu : fake::gpus) std::printf("    us  gain");
    std::printf("\n");
  }
  void line(const std::string &technique, const char *by, const Counts &c) {
    const auto each = [&](std::uint64_t count) { return static_cast<double>(count) / elements_; };
    const auto times = [&](std::uint64_t sectors) {
      return fake::sector_bytes * static_cast<double>(sectors) / least_;
    };
    const auto percent = [](std::uint64_t part, std::uint64_t all) {
      return all > 0 ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0;
    };
    std::printf("%-52s %-8s %5llu | %6.2f %5.2f %5.2f %6.2f | %6.2f %4.0f%% %4.0f%% | %5.1f %6zu %6.2f %4.0f%% |",
                technique.c_str(), by, static_cast<unsigned long long>(c.launches), times(c.sectors), times(c.l2),
                times(c.memory), each(c.sectors), each(c.adds), percent(c.warp_meets, c.adds),
                percent(c.block_meets, c.adds), static_cast<double>(c.barriers) / static_cast<double>(c.blocks),
                c.shared_bytes, each(c.shared_passes), percent(c.shared_conflicts, c.shared_passes));
    for (std::size_t g = 0; g < fake::gpus.size(); ++g) {
      const double seconds = predicted(fake::gpus[g], c);
      if (first_[g] == 0) first_[g] = seconds;
      std::printf(" %5.1f %5.2f", 1e6 * seconds, first_[g] / seconds);
    }
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  double elements_, least_;
  std::array<double, fake::gpus.size()> first_{};
};

// Counts of both must be the same.
void compare(const std::string &row, const Counts &maps, const Counts &device) {
  int different = 0;
  const auto same = [&](const char *what, std::uint64_t a, std::uint64_t b) {
    if (a == b) return;
    std::printf("%s: %s: %llu from maps, %llu by the emulator\n", row.c_str(), what, static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b));
    ++different;
  };
  same("launches", maps.launches, device.launches);
  same("blocks", maps.blocks, device.blocks);
  same("barriers", maps.barriers, device.barriers);
  same("sectors", maps.sectors, device.sectors);
  same("sectors that are read", maps.read_sectors, device.read_sectors);
  same("sectors with additions", maps.add_sectors, device.add_sectors);
  same("sectors from L2", maps.l2, device.l2);
  same("sectors from memory", maps.memory, device.memory);
  same("additions", maps.adds, device.adds);
  same("additions that meet in a warp", maps.warp_meets, device.warp_meets);
  same("additions that meet in a block", maps.block_meets, device.block_meets);
  same("requests of shared memory", maps.shared_requests, device.shared_requests);
  same("passes over shared memory", maps.shared_passes, device.shared_passes);
  same("conflicts of banks", maps.shared_conflicts, device.shared_conflicts);
  same("bytes of shared memory", maps.shared_bytes, device.shared_bytes);
  bench::exact(row + ".different", different, 0, "counts");
}

struct Divided {
  std::string by;
  Division division;
};

// Blocks in the order of the elements, as the library grows them, and by graph partitioners.
std::vector<Divided> divisions(const Loop &loop) {
  std::vector<Divided> out = {{"consecutive", consecutive(loop.elements, threads)},
                              {"compact", compact(loop, threads)}};
  const ElementGraph graph = element_graph(loop);
  const PartSizes sizes = part_sizes(loop.elements, threads, tolerance);
  if (auto parts = parts_by_metis(graph, sizes))
    out.push_back({"METIS", blocks_of_parts(graph, std::move(*parts), threads)});
  if (auto parts = parts_by_scotch(graph, sizes))
    out.push_back({"Scotch", blocks_of_parts(graph, std::move(*parts), threads)});
  std::printf(
      "\nblocks of at most %d (S' = %d, l' = %.4f): number, smallest, largest, moved; blocks that use a row, loads "
      "beyond the first, edges of cliques\n",
      threads, sizes.size, sizes.tolerance);
  for (const Divided &one : out) {
    int least = threads, most = 0;
    for (int b = 0; b < one.division.blocks(); ++b) {
      const int size =
          one.division.offset[static_cast<std::size_t>(b) + 1] - one.division.offset[static_cast<std::size_t>(b)];
      least = std::min(least, size), most = std::max(most, size);
    }
    const Sharing shared = sharing(loop, one.division);
    std::printf("%-12s %6d %4d %4d %6d; %5.2f %8llu %8llu\n", one.by.c_str(), one.division.blocks(), least, most,
                one.division.moved, shared.loads_of_row, static_cast<unsigned long long>(shared.repeats),
                static_cast<unsigned long long>(shared.cliques));
  }
  return out;
}

// Elements in the order of the blocks, and rows grouped by the blocks that use them.
Loop grouped(const Loop &loop, const Division &division) {
  Loop out = in_order(loop, division.element);
  for (int set = 0; set < static_cast<int>(loop.set_rows.size()); ++set)
    out = with_places(std::move(out), set, grouped_places(loop, set, division));
  return out;
}

constexpr Rows usual = Rows::as_on_cuda;

// A way of the library: its counts by the emulated device if there is one, else from maps.
void line_of_library(Table &table, const char *loop, int size, const std::string &technique, const std::string &row,
                     const Variables &settings, const Counts &maps) {
  const std::string name = std::string("gpu_locality.") + loop + "_" + row;
  std::string why;
  const std::optional<Counts> device = emulated(loop, size, settings, why);
  table.line(technique, device ? "emulator" : "maps", device ? *device : maps);
  if (device)
    compare(name, maps, *device);
  else
    bench::skip(name, why);
}

void measure(const char *name, int size) {
  const Loop loop = make_loop(name, size);
  const std::vector<Divided> divided = divisions(loop);
  Table table(name, loop);
  if (std::strcmp(name, "shuffled") == 0)
    line_of_library(table, name, size, "the library's default: renumbered, atomic additions", "renumbered",
                    {{"OP2_RACE", "atomic"}, {"OP2_RENUMBER", "always"}}, atomic_additions(renumbered(loop, 1), usual));
  line_of_library(table, name, size, "atomic additions", "atomic", {{"OP2_RACE", "atomic"}, {"OP2_RENUMBER", "off"}},
                  atomic_additions(loop, usual));
  line_of_library(table, name, size, "atomic additions, rows one after another (AoS)", "aos",
                  {{"OP2_RACE", "atomic"}, {"OP2_RENUMBER", "off"}, {"OP2_LAYOUT", "aos"}},
                  atomic_additions(loop, Rows::one_after_another));
  const BlockWay coloured{.coloured = true}, adding{}, staging{.stages_reads = true};
  table.line("two-level colours, consecutive blocks", "maps", blocks(loop, divided[0].division, usual, coloured));
  line_of_library(table, name, size, "two-level colours, compact blocks", "colour",
                  {{"OP2_RACE", "colour"}, {"OP2_RENUMBER", "off"}},
                  blocks(loop, divided[1].division, usual, coloured));
  std::string why;
  if (const auto device = emulated(name, size, {{"OP2_RACE", "gather"}, {"OP2_RENUMBER", "off"}}, why))
    table.line("gathered increments", "emulator", *device);
  for (const Divided &one : divided) {
    table.line(one.by + " blocks add once to a row", "maps", blocks(loop, one.division, usual, adding));
    table.line(one.by + " blocks, rows that are read staged, too", "maps", blocks(loop, one.division, usual, staging));
    if (&one == divided.data()) continue;
    const Loop ordered = grouped(loop, by_colour(loop, one.division));
    table.line(one.by + " blocks, staged, mesh in their order", "maps",
               blocks(ordered, in_place(one.division), usual, staging));
    table.line(one.by + " order of the mesh, atomic additions", "maps",
               atomic_additions(grouped(loop, one.division), usual));
  }
}

} // namespace

int main(int argc, char **argv) try {
  int size = 144;
  if (argc == 2 && std::strcmp(argv[1], "--quick") == 0)
    size = 24;
  else if (argc == 3 && std::strcmp(argv[1], "--size") == 0)
    size = std::atoi(argv[2]);
  else if (argc > 1)
    size = 0;
  if (size < 12) {
    std::fprintf(stderr, "usage: %s [--quick | --size N], N >= 12\n", argv[0]);
    return 2;
  }
  for (const char *loop : loops) measure(loop, size);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
