// paged_units_test.cpp: data larger than memory on several processes: the verifier accepts the units of a loop by
// itself and of a group of loops, and finds what is planted in them.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loop/layers/layer_tiles.hpp"
#include "loop/prepared_loops.hpp"
#include "loop/verify/paged_rows.hpp"
#include "mesh/paged/kept_rows.hpp"
#include "mesh/paged/paged_data.hpp"
#include "whole_session.hpp"

namespace {

using op2::core::Chunks;
using op2::core::LayerTiles;
using op2::core::Loop;
using op2::core::PageMoves;

void nothing() {} // is never called

// Cells in a row with their values in chunks of a page; edges between them.
class PagedUnits : public testing::Test {
 protected:
  static constexpr int own = 16000; // of each process
  void SetUp() override {
    const std::string folder = testing::TempDir();
    session_ = std::make_unique<whole::Session>(std::vector<std::string>{
        "OP2_PLUGIN_PATH=" OP2_BUILT_PLUGINS, "OP2_JIT=off", "OP2_DECLARE=replicated", "OP2_PARTITION=block",
        "OP2_MEMORY_LIMIT=96K", "OP2_OOC_CHUNK=4", "OP2_OOC_DIR=" + folder});
    const int size = own * session_->processes;
    const op_set cells = op_decl_set(size, "cells"), edges = op_decl_set(size, "edges");
    std::vector<int> table;
    for (int e = 0; e < size; ++e) table.insert(table.end(), {e, std::min(e + 1, size - 1)});
    const op_map ends = op_decl_map(edges, cells, 2, table.data(), "ends");
    const std::vector<double> values(static_cast<std::size_t>(size), 1.0);
    const op_dat q = op_decl_dat(cells, 1, "double", values.data(), "q");
    const op_dat flux = op_decl_dat(cells, 1, "double", values.data(), "flux");
    ASSERT_NE(nullptr, flux) << op_last_error();
    auto &current = *op2::core::current_session();
    current.engine->make_mesh_ready();
    current.mesh->paged()->take();
    pager_ = current.mesh->paged()->pager();
    ASSERT_NE(nullptr, pager_);
    prepared_ = std::make_unique<unit::PreparedLoops>();
    static const op_loop_site site = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&nothing), nullptr, "nothing");
    double sum = 0;
    for (const auto &call :
         {prepared_->add(site, "clear", cells, {op_arg_dat(flux, -1, OP_ID, 1, "double", OP_WRITE)}),
          prepared_->add(
              site, "spread", edges,
              {op_arg_dat(q, 0, ends, 1, "double", OP_READ), op_arg_dat(flux, 1, ends, 1, "double", OP_INC)}),
          prepared_->add(
              site, "add", cells,
              {op_arg_dat(flux, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW)}),
          prepared_->add(site, "sum", cells,
                         {op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC)})})
      loops_.push_back(call.loop);
  }
  void TearDown() override {
    prepared_.reset();
    session_.reset();
  }

  std::unique_ptr<LayerTiles> units_of(std::span<Loop *const> loops) {
    std::size_t kept = 0;
    for (const auto &dat : op2::core::current_session()->mesh->dats())
      kept += pager_->bytes_of(kept_chunks(*dat, *pager_));
    return std::make_unique<LayerTiles>(loops, 8192.0, op2::core::LayerPaging{pager_, kept});
  }
  // What is found, "" = nothing, after a change of the schedule.
  std::string found(std::span<Loop *const> loops, const LayerTiles &tiles,
                    const std::function<void(std::vector<PageMoves> &)> &plant = {}) {
    std::vector<PageMoves> units = tiles.pages().units;
    if (plant) plant(units);
    const auto fault = find_fault(loops, *pager_, {tiles.schedule().steps, units, tiles.pages().start}, uses_);
    return fault ? fault->text : "";
  }
  // Planted one by one: chunks that are not brought.
  void expect_found(std::span<Loop *const> loops, const LayerTiles &tiles) {
    int planted = 0, seen = 0;
    for (std::size_t u = 0; u < tiles.pages().units.size(); ++u) {
      if (tiles.pages().units[u].load.empty()) continue;
      ++planted;
      const std::string what = found(loops, tiles, [&](auto &units) {
        Chunks &last = units[u].load.back();
        if (--last.last == last.first) units[u].load.pop_back();
      });
      if (what.empty()) continue;
      ++seen;
      EXPECT_TRUE(unit::contains(what, "element "));
      EXPECT_TRUE(unit::contains(what, " in loop '"));
      EXPECT_TRUE(unit::contains(what, ", row "));
      EXPECT_TRUE(unit::contains(what, "for argument "));
      EXPECT_TRUE(unit::contains(what, ", which the schedule has not brought for unit "));
    }
    EXPECT_GT(seen, 0);
    EXPECT_GE(seen, planted - 1) << "a chunk behind all rows may be brought for nobody";
  }

  std::unique_ptr<whole::Session> session_;
  op2::core::Pager *pager_ = nullptr;
  std::unique_ptr<unit::PreparedLoops> prepared_;
  std::vector<Loop *> loops_;
  std::int64_t uses_ = 0;
};

TEST_F(PagedUnits, OfLoopsAreVerified) {
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const std::span<Loop *const> one = std::span(loops_).subspan(l, 1);
    const auto tiles = units_of(one);
    ASSERT_TRUE(tiles->in_units()) << one.front()->name() << ": " << tiles->why();
    EXPECT_GT(tiles->pages().units.size(), 1U) << one.front()->name();
    EXPECT_EQ("", found(one, *tiles)) << one.front()->name();
    if (one.front()->name() != "clear") expect_found(one, *tiles); // which reads nothing
  }
}

TEST_F(PagedUnits, OfGroupsAreVerified) {
  const std::span<Loop *const> group = std::span(loops_).first(3);
  const auto tiles = units_of(group);
  ASSERT_TRUE(tiles->in_units()) << tiles->why();
  EXPECT_EQ("", found(group, *tiles));
  EXPECT_GT(uses_, own * 6); // of 7 an element, less where processes meet
  expect_found(group, *tiles);
}

} // namespace

// SPDX-License-Identifier: MIT
