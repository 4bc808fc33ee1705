// The memory that `overlap` of op_trace_params allows: what copies of cells beyond those that steps need take.
#include <gtest/gtest.h>

#include "counted_memory.hpp"
#include "ranks.hpp"
#include "tracer/block/block.hpp"
#include "tracer/whole.hpp"

namespace {

using namespace unit::tracing;
using op2::core::Communicator;

struct Taken {
  std::int64_t bytes = 0;
  int cells = 0;
};

Taken taken_by_block(Communicator &ranks, const Whole &whole, std::size_t overlap) {
  tracer::Division division;
  division.overlap = overlap;
  Options options;
  options.step = 0.02;
  const tracer::Source source = share_of(whole, ranks.rank(), ranks.size());
  const std::int64_t before = unit::bytes_of_this_thread();
  const tracer::Block block(ranks, source, options, division);
  return {unit::bytes_of_this_thread() - before, block.cells().size()};
}

class Overlap : public testing::TestWithParam<Cut> {};

TEST_P(Overlap, TakesNoMoreMemoryThanItIsAllowed) {
  const Whole whole = swirling(GetParam(), 16);
  unit::run_ranks(4, [&](Communicator &ranks) {
    const Taken without = taken_by_block(ranks, whole, 0);
    int before = without.cells;
    for (const std::size_t overlap : {std::size_t{1}, std::size_t{50'000}, std::size_t{200'000}, std::size_t{600'000},
                                      std::size_t{2'000'000}, std::size_t{6'000'000}}) {
      const Taken with = taken_by_block(ranks, whole, overlap);
      EXPECT_LE(with.bytes - without.bytes, static_cast<std::int64_t>(overlap))
          << overlap << ": " << with.cells - without.cells << " more cells";
      EXPECT_GE(with.cells, before);
      before = with.cells;
    }
    EXPECT_GT(ranks.sum(std::int64_t{before - without.cells}), 1000); // or nothing was tested
  });
}

INSTANTIATE_TEST_SUITE_P(All, Overlap, testing::Values(Cut::hexahedra, Cut::tetrahedra, Cut::mixed));

} // namespace

// SPDX-License-Identifier: MIT
