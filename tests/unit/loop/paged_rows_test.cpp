// paged_rows_test.cpp: the verifier of chains with data in a file accepts their schedules, and finds what is planted in
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loop/paged/paged_chain.hpp"
#include "loop/verify/paged_rows.hpp"
#include "mesh/paged/paged_data.hpp"
#include "prepared_loops.hpp"

namespace unit {
namespace {

using op2::core::ChainCall;
using op2::core::Chunks;
using op2::core::Do;
using op2::core::PagedChain;
using op2::core::PagedRowFault;
using op2::core::PageMoves;
using op2::core::Step;

void nothing() {} // is never called

// Cells in a row with their values in chunks of a page, of which an eighth fits into memory; edges between them.
class PagedRows : public LibraryTest {
 protected:
  static constexpr int size = 40000;
  void SetUp() override {
    LibraryTest::SetUp();
    setenv("OP2_JIT", "off", 1);
    setenv("OP2_MEMORY_LIMIT", "256K", 1);
    setenv("OP2_OOC_CHUNK", "4", 1);
    setenv("OP2_OOC_DIR", testing::TempDir().c_str(), 1);
    ASSERT_EQ(OP_OK, init("seq", 1)) << op_last_error();
    const op_set cells = op_decl_set(size, "cells"), edges = op_decl_set(size, "edges");
    std::vector<int> table;
    for (int e = 0; e < size; ++e) table.insert(table.end(), {e, std::min(e + 1, size - 1)});
    const op_map ends = op_decl_map(edges, cells, 2, table.data(), "ends");
    const std::vector<double> values(size, 1.0);
    const op_dat q = op_decl_dat(cells, 1, "double", values.data(), "q");
    const op_dat flux = op_decl_dat(cells, 1, "double", values.data(), "flux");
    ASSERT_NE(nullptr, flux) << op_last_error();
    op2::core::current_session()->mesh->paged()->take();
    loops_ = std::make_unique<PreparedLoops>();
    static const op_loop_site site = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&nothing), nullptr, "nothing");
    calls_.push_back(loops_->add(site, "clear", cells, {op_arg_dat(flux, -1, OP_ID, 1, "double", OP_WRITE)}));
    calls_.push_back(
        loops_->add(site, "spread", edges,
                    {op_arg_dat(q, 0, ends, 1, "double", OP_READ), op_arg_dat(flux, 1, ends, 1, "double", OP_INC)}));
    calls_.push_back(
        loops_->add(site, "add", cells,
                    {op_arg_dat(flux, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW)}));
    auto &pager = *op2::core::current_session()->mesh->paged()->pager();
    chain_ = std::make_unique<PagedChain>(calls_, pager, op2::core::PagedChainOptions{16384.0});
    ASSERT_TRUE(chain_->fits()) << chain_->why();
    units_ = chain_->pages().units;
    ASSERT_GT(units_.size(), 4U);
  }
  void TearDown() override {
    chain_.reset();
    loops_.reset();
    LibraryTest::TearDown();
  }

  // What is found, "" = nothing, after a change of the schedule.
  std::string found(const std::function<void(std::vector<PageMoves> &)> &plant, std::size_t loop = 99) {
    std::vector<PageMoves> units = units_;
    plant(units);
    uses_ = 0;
    const auto fault = find_fault(chain_->loops(), *chain_->pages().pager,
                                  {chain_->schedule().steps, units, chain_->pages().start}, uses_);
    if (fault && loop != 99) {
      EXPECT_EQ(loop, fault->loop) << fault->text;
    }
    return fault ? fault->text : "";
  }
  // The first unit from number `from` on that moves something in this way.
  PageMoves &unit_that(std::vector<PageMoves> &units, std::vector<Chunks> PageMoves::*moves, std::size_t from = 0) {
    const auto at = std::find_if(units.begin() + static_cast<std::ptrdiff_t>(from), units.end(),
                                 [&](const PageMoves &unit) { return !(unit.*moves).empty(); });
    if (at == units.end()) ADD_FAILURE() << "no unit moves anything so";
    return *at;
  }

  std::unique_ptr<PreparedLoops> loops_;
  std::vector<ChainCall> calls_;
  std::unique_ptr<PagedChain> chain_;
  std::vector<PageMoves> units_;
  std::int64_t uses_ = 0;
};

TEST_F(PagedRows, AreThereAsPlanned) {
  EXPECT_EQ("", found([](auto &) {}));
  // Of each element: a row of flux; two rows of dats and as many of the map, whose row is used for each; two rows.
  EXPECT_EQ(size * (1 + 4 + 2), uses_);
}

TEST_F(PagedRows, ForgottenChunksAreFound) {
  int forgotten = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (units_[u].load.empty()) continue;
    const std::string what = found([&](auto &units) {
      Chunks &last = units[u].load.back();
      if (--last.last == last.first) units[u].load.pop_back();
    });
    EXPECT_TRUE(contains(what, ", which the schedule has not brought for unit ")) << u;
    EXPECT_TRUE(contains(what, "element ")) << u;
    EXPECT_TRUE(contains(what, "for argument ")) << u;
    ++forgotten;
  }
  EXPECT_GT(forgotten, 4);
}

TEST_F(PagedRows, WordsNameLoopArgumentAndElement) {
  // No unit waits for the map.
  const int map = op2::core::current_session()->mesh->maps().front()->paged.number();
  const std::string what = found(
      [&](auto &units) {
        for (PageMoves &unit : units) std::erase_if(unit.read, [&](const Chunks &c) { return c.array == map; });
      },
      1);
  EXPECT_TRUE(contains(what, " of set 'edges' in loop 'spread' needs map 'ends', row "));
  EXPECT_TRUE(contains(what, ", for argument 0 (from 0: OP_READ), which the schedule has not brought for unit 0"));
}

TEST_F(PagedRows, ChangesThatWereNotPlannedAreFound) {
  const std::string what = found([&](auto &units) {
    PageMoves &unit = units[3];
    unit.read.insert(unit.read.end(), unit.write.begin(), unit.write.end());
    unit.write.clear();
  });
  EXPECT_TRUE(contains(what, "which the schedule has brought for reading only for unit 3"));
}

TEST_F(PagedRows, LostValuesAreFound) {
  const std::string dropped = found([&](auto &units) {
    PageMoves &unit = unit_that(units, &PageMoves::store);
    std::swap(unit.drop, unit.store);
  });
  EXPECT_TRUE(contains(dropped, "the schedule has lost "));
  const std::string made = found([&](auto &units) {
    PageMoves &unit = unit_that(units, &PageMoves::load);
    unit.make.insert(unit.make.end(), unit.load.begin(), unit.load.end());
    unit.load.clear();
  });
  EXPECT_TRUE(contains(made, "which the schedule has lost for unit "));
}

} // namespace
} // namespace unit

// SPDX-License-Identifier: MIT
