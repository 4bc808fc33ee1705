// The layout of a dat in the executor's copy: row by row (AoS) or component by component (SoA). The program's copy is
// always AoS.
#pragma once

#include <cstddef>

#include "base/types.hpp"
#include "op2/loop.h"

namespace op2::core {

struct Layout {
  int kind = OP_LAYOUT_AOS;
  int rows = 0, dim = 1, value_bytes = 0; // of the dat
  std::ptrdiff_t component = 0;           // SoA: capacity in rows

  bool aos() const { return kind == OP_LAYOUT_AOS; }
  std::size_t bytes() const; // of a copy, with its padding
  // Bytes: component c of row r begins at r * stride() + c * step().
  std::ptrdiff_t stride() const;
  std::ptrdiff_t step() const;
  op_range_layout range() const { return {step(), kind}; }
};

// The layouts that new dats get.
struct LayoutRequest {
  int kind = OP_LAYOUT_AOS;
  bool declared_only = false; // SoA for dats of a type "...:soa", AoS for others; `kind` does not count
  int longer_than = 0;        // bytes; rows up to this length, of 2, 4, 8, ... values, stay AoS
  bool hinted = false;        // also SoA for types "...:soa" of any length
};

// Rows of one value or of very many, and types that generated code does not know, stay AoS.
Layout layout_for(const LayoutRequest &request, const ElementType &element, int rows, int dim);

Layout with_rows(Layout layout, int rows); // the same layout for another number of rows

// Convert a whole dat. `rows`: the AoS copy.
void rows_to_layout(char *to, const char *rows, const Layout &layout);
void layout_to_rows(char *rows, const char *from, const Layout &layout);
void layout_to_row(char *row, const char *from, const Layout &layout, int r); // one row

} // namespace op2::core

// SPDX-License-Identifier: MIT
