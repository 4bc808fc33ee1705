// locality_test.cpp: what bench/gpu/locality counts from maps equals what can be said of it in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "gpu/locality/division.hpp"
#include "gpu/locality/requests.hpp"
#include "gpu/locality/ways.hpp"

namespace {

using namespace bench::locality;

// Element n reads from the rows n and n + 1 of one dat, and adds to these of another one.
Loop line(int elements) {
  Loop loop;
  loop.elements = elements;
  loop.set_rows = {elements + 1};
  loop.maps = {{{}, 2, 0}};
  for (int n = 0; n < elements; ++n) loop.maps[0].table.insert(loop.maps[0].table.end(), {n, n + 1});
  loop.dats = {{0, 1}, {0, 1}};
  loop.args = {{0, 0, 0, 1, false}, {0, 0, 1, 1, false}, {1, 0, 0, 1, true}, {1, 0, 1, 1, true}};
  return loop;
}

// All elements add to row 0.
Loop star(int elements) {
  Loop loop;
  loop.elements = elements;
  loop.set_rows = {1};
  loop.maps = {{std::vector<int>(static_cast<std::size_t>(elements), 0), 1, 0}};
  loop.dats = {{0, 1}};
  loop.args = {{0, 0, 0, 1, true}};
  return loop;
}

Counts of_stride(Use use, unsigned stride) {
  Requests out(128);
  out.start_launch(0);
  out.instruction(use, 8,
                  [&](int thread) { return std::optional(std::uint64_t{8} * stride * static_cast<unsigned>(thread)); });
  out.end_block();
  return out.counts();
}

TEST(Locality, SectorsOfStrides) {
  EXPECT_EQ(of_stride(Use::load, 1).sectors, 4 * 8u);
  EXPECT_EQ(of_stride(Use::load, 2).sectors, 4 * 16u);
  EXPECT_EQ(of_stride(Use::load, 4).sectors, 4 * 32u);
  EXPECT_EQ(of_stride(Use::load, 0).sectors, 4u);
  EXPECT_EQ(of_stride(Use::load, 0).l2, 1u);
  EXPECT_EQ(of_stride(Use::store, 2).memory, 4 * 16u);
  EXPECT_EQ(of_stride(Use::add, 1).memory, 2 * 4 * 8u); // there and back
}

TEST(Locality, AdditionsThatMeet) {
  const Counts one = of_stride(Use::add, 0), apart = of_stride(Use::add, 1);
  EXPECT_EQ(one.adds, 128u);
  EXPECT_EQ(one.warp_meets, 4 * 31u);
  EXPECT_EQ(one.block_meets, 127u);
  EXPECT_EQ(apart.warp_meets + apart.block_meets, 0u);
}

TEST(Locality, BanksOfSharedMemory) {
  const auto passes = [](unsigned stride) { return of_stride(Use::shared, stride).shared_passes / 4; };
  EXPECT_EQ(passes(1), 2u); // halves of the warp take turns
  EXPECT_EQ(passes(2), 4u);
  EXPECT_EQ(passes(17), 2u);
  EXPECT_EQ(passes(32), 32u);
  EXPECT_EQ(of_stride(Use::shared, 2).shared_conflicts, 4 * 2u);
}

TEST(Locality, AtomicAdditionsOnALine) {
  const Counts counts = atomic_additions(line(512), Rows::as_on_cuda);
  EXPECT_EQ(counts.launches, 1u);
  EXPECT_EQ(counts.blocks, 2u);
  EXPECT_EQ(counts.sectors, 16 * (2 * 8u + 2 * (8 + 9)));
  EXPECT_EQ(counts.add_sectors, 16 * (8 + 9u));
  EXPECT_EQ(counts.memory, 128 + 3 * 129u); // maps, what is read, and what is added to, there and back
  EXPECT_EQ(counts.adds, 2 * 512u);
  EXPECT_EQ(counts.warp_meets, 0u);
  EXPECT_EQ(counts.block_meets, 2 * 255u); // 257 rows
  EXPECT_EQ(line(512).compulsory_bytes(), 512 * 8 + 513 * 24);
}

TEST(Locality, RowsOfFourInBothLayouts) {
  Loop loop = line(512);
  loop.dats[0].dim = 4;
  const auto read = [&](Rows rows) { return atomic_additions(loop, rows).read_sectors - 16 * 2 * 8u; };
  EXPECT_EQ(read(Rows::as_on_cuda), 16 * 4 * (8 + 9u)); // components begin at lines
  EXPECT_EQ(read(Rows::one_after_another), 16 * 2 * 2 * 32u);
}

TEST(Locality, TwoLevelColoursOnALine) {
  const Loop loop = line(1024);
  const Division four = consecutive(1024, 256);
  const Counts coloured = blocks(loop, four, Rows::as_on_cuda, {.coloured = true});
  EXPECT_EQ(coloured.launches, 2u); // neighbouring blocks share a row
  EXPECT_EQ(coloured.blocks, 4u);
  EXPECT_EQ(coloured.barriers, 4 * (1 + 2u)); // neighbouring elements share a row
  EXPECT_EQ(coloured.adds, 0u);
  EXPECT_EQ(coloured.shared_bytes, 272 * 8u); // 257 rows, at a multiple of 16
  const Counts adding = blocks(loop, four, Rows::as_on_cuda, {});
  EXPECT_EQ(adding.launches, 1u);
  EXPECT_EQ(adding.adds, 4 * 257u);
  EXPECT_EQ(adding.block_meets, 0u);
}

TEST(Locality, RowsThatAreReadAreStaged) {
  const Counts counts = blocks(line(256), consecutive(256, 256), Rows::as_on_cuda, {.stages_reads = true});
  const unsigned lists = 6 * 8, rows = 8 * 4 + 1, values = 8 * 8 + 1, numbers = 2 * 8 * 2, colours = 8 * 2;
  EXPECT_EQ(counts.sectors, lists + 2 * (rows + values) + numbers + colours);
  EXPECT_EQ(counts.add_sectors, values);
  EXPECT_EQ(counts.barriers, 3u);
  EXPECT_EQ(counts.shared_bytes, 2 * 272 * 8u);
}

TEST(Locality, SizesOfPartsLeaveRoomForTheTolerance) {
  const PartSizes sizes = part_sizes(10000, 256, 1.001);
  EXPECT_EQ(sizes.size, 255);
  EXPECT_EQ(sizes.parts, 40);
  EXPECT_DOUBLE_EQ(sizes.tolerance, 256.0 / 255);
  for (const int most : {64, 128, 256})
    for (const int elements : {most, 10000, 82560}) {
      const PartSizes s = part_sizes(elements, most, 1.001);
      EXPECT_GE(s.tolerance, 1.001);
      EXPECT_LE(s.tolerance * elements / s.parts, most + 1e-9);
    }
}

TEST(Locality, ARowMakesAClique) {
  EXPECT_EQ(element_graph(star(5)).neighbour.size(), 2 * 10u); // both directions
  const ElementGraph of_line = element_graph(line(100));
  EXPECT_EQ(of_line.neighbour.size(), 2 * 99u);
  Loop twice = line(3); // all of them reach row 1 and row 2, once or twice
  twice.maps[0].table = {1, 2, 2, 1, 1, 2};
  const ElementGraph heavy = element_graph(twice);
  EXPECT_EQ(heavy.neighbour.size(), 6u);
  EXPECT_EQ(heavy.weight, std::vector<int>(6, 2));
}

TEST(Locality, PartsThatAreTooLargeGiveElementsAway) {
  std::vector<int> part(10, 0);
  part[9] = 1;
  const Division division = blocks_of_parts(element_graph(line(10)), part, 4);
  EXPECT_EQ(division.moved, 9 - 4);
  for (int b = 0; b < division.blocks(); ++b)
    EXPECT_LE(division.offset[static_cast<std::size_t>(b) + 1] - division.offset[static_cast<std::size_t>(b)], 4);
  std::vector<int> all = division.element;
  std::sort(all.begin(), all.end());
  std::vector<int> expected(10);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

TEST(Locality, RowsAreGroupedByTheBlocksThatUseThem) {
  const Division pairs = consecutive(6, 2); // blocks use the rows 0 1 2, 2 3 4 and 4 5 6
  EXPECT_EQ(grouped_places(line(6), 0, pairs), (std::vector<int>{0, 1, 5, 2, 6, 3, 4}));
  const Sharing shared = sharing(line(6), pairs);
  EXPECT_EQ(shared.repeats, 2u);
  EXPECT_EQ(shared.cliques, 2u);
  EXPECT_DOUBLE_EQ(shared.loads_of_row, 9.0 / 7);
  EXPECT_EQ(sharing(star(8), consecutive(8, 2)).repeats, 3u);
  EXPECT_EQ(sharing(star(8), consecutive(8, 2)).cliques, 6u);
}

} // namespace

// SPDX-License-Identifier: MIT
