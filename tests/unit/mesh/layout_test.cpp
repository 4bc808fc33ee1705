// Layouts of dats: where values lie, and conversions in both directions.
#include "mesh/layout.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace op2::core;

namespace {

ElementType type(const char *name) { return parse_type(name); }

// Every value is another one.
std::vector<char> distinct_rows(int rows, int dim, int value_bytes) {
  std::vector<char> out(static_cast<std::size_t>(rows * dim * value_bytes));
  for (int i = 0; i < rows * dim; ++i) {
    const long long value = 1000003LL * (i + 1);
    std::memcpy(out.data() + i * value_bytes, &value, static_cast<std::size_t>(value_bytes));
  }
  return out;
}

// By the formula of op_range_layout, value by value.
void expect_values_in_place(const std::vector<char> &copy, const std::vector<char> &rows, const Layout &layout) {
  const op_range_layout l = layout.range();
  for (int r = 0; r < layout.rows; ++r)
    for (int c = 0; c < layout.dim; ++c) {
      const std::ptrdiff_t place = r * layout.stride() + c * l.step;
      ASSERT_LE(0, place);
      ASSERT_LE(static_cast<std::size_t>(place + layout.value_bytes), copy.size()) << r << ' ' << c;
      ASSERT_EQ(0, std::memcmp(copy.data() + place, rows.data() + (r * layout.dim + c) * layout.value_bytes,
                               static_cast<std::size_t>(layout.value_bytes)))
          << "row " << r << ", component " << c;
    }
}

const LayoutRequest soa{OP_LAYOUT_SOA, false};

} // namespace

TEST(Layout, ConversionsMoveEveryValueThereAndBack) {
  for (const char *name : {"double", "float", "int", "uint", "ll", "ull"})
    for (const int dim : {2, 3, 4, 5, 8, 17, 64})
      for (const int rows : {0, 1, 7, 8, 16, 127, 128, 129, 1000}) {
        SCOPED_TRACE(testing::Message() << name << " x " << dim << ", rows " << rows);
        const Layout layout = layout_for(soa, type(name), rows, dim);
        ASSERT_EQ(OP_LAYOUT_SOA, layout.kind);
        const std::vector<char> values = distinct_rows(rows, dim, layout.value_bytes);
        std::vector<char> copy(layout.bytes()), back(values.size()),
            row(static_cast<std::size_t>(dim * layout.value_bytes));
        rows_to_layout(copy.data(), values.data(), layout);
        expect_values_in_place(copy, values, layout);
        layout_to_rows(back.data(), copy.data(), layout);
        ASSERT_EQ(values, back);
        for (const int r : {0, rows / 2, rows - 1}) {
          if (rows == 0) continue;
          layout_to_row(row.data(), copy.data(), layout, r);
          ASSERT_EQ(0, std::memcmp(row.data(), values.data() + static_cast<std::size_t>(r) * row.size(), row.size()))
              << r;
        }
      }
}

TEST(Layout, ComponentsBeginAtLinesThatDoNotMeetInACache) {
  for (const int rows : {1, 8, 512, 4096, 1 << 20}) {
    const Layout layout = layout_for(soa, type("double"), rows, 4);
    EXPECT_EQ(0, layout.step() % 64);
    EXPECT_EQ(1, layout.step() / 64 % 2) << rows;
    EXPECT_LE(rows * 8, layout.step());
  }
}

TEST(Layout, WhatCodeDoesNotKnowStaysInRows) {
  EXPECT_TRUE(layout_for(soa, type("double"), 100, 1).aos()); // one component has one layout
  EXPECT_TRUE(layout_for(soa, type("double"), 100, 65).aos());
  EXPECT_TRUE(layout_for(soa, type("bool"), 100, 4).aos());
  EXPECT_TRUE(layout_for(soa, type("particle"), 100, 4).aos());
}

TEST(Layout, TheSuffixCountsWhereItIsAskedFor) {
  const LayoutRequest declared{OP_LAYOUT_AOS, true};
  EXPECT_EQ(OP_LAYOUT_SOA, layout_for(declared, type("double:soa"), 100, 4).kind);
  EXPECT_TRUE(layout_for(declared, type("double"), 100, 4).aos());
  EXPECT_TRUE(layout_for({}, type("double:soa"), 100, 4).aos());
  const LayoutRequest hinted{OP_LAYOUT_SOA, false, 32, true};
  EXPECT_EQ(OP_LAYOUT_SOA, layout_for(hinted, type("double:soa"), 100, 2).kind); // shorter than the executor wishes
  EXPECT_EQ(OP_LAYOUT_SOA, layout_for(hinted, type("double:soa"), 100, 8).kind);
  EXPECT_TRUE(layout_for(hinted, type("double"), 100, 2).aos());
  EXPECT_EQ(OP_LAYOUT_SOA, layout_for(hinted, type("double"), 100, 8).kind);
  EXPECT_TRUE(layout_for(hinted, type("double:soa"), 100, 1).aos());
  const LayoutRequest at_once{OP_LAYOUT_SOA, false, 16}; // what a thread moves at once stays together
  EXPECT_TRUE(layout_for(at_once, type("double"), 100, 2).aos());
  EXPECT_TRUE(layout_for(at_once, type("float"), 100, 4).aos());
  EXPECT_EQ(OP_LAYOUT_SOA, layout_for(at_once, type("float"), 100, 3).kind);
  EXPECT_EQ(OP_LAYOUT_SOA, layout_for(at_once, type("double"), 100, 4).kind);
  const LayoutRequest rows_hinted{OP_LAYOUT_AOS, false, 0, true};
  EXPECT_EQ(OP_LAYOUT_SOA, layout_for(rows_hinted, type("double:soa"), 100, 4).kind);
  EXPECT_TRUE(layout_for(rows_hinted, type("double"), 100, 4).aos());
}

// SPDX-License-Identifier: MIT
