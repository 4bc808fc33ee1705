// How the values of a dat lie in the executor's copy: row by row (AoS), component by component (SoA), or in blocks of
// rows that are component by component inside (AoSoA). The user's copy is always AoS.
#pragma once

#include <cstddef>

#include "base/types.hpp"
#include "op2/loop.h"

namespace op2::core {

struct Layout {
  int kind = OP_LAYOUT_AOS;
  int rows = 0, dim = 1, value_bytes = 0; // of the dat
  int block = 1;                          // rows of a block, AoSoA only
  std::ptrdiff_t component = 0;           // SoA: rows there is room for

  bool aos() const { return kind == OP_LAYOUT_AOS; }
  std::size_t bytes() const; // of a copy, with what is left over at its end
  // A row is where op_exec_row_offset() of op2/plugin/exec.h says, and its component c another c * step() behind.
  std::ptrdiff_t stride() const;
  std::ptrdiff_t step() const;
  op_range_layout range() const { return {step(), block, kind}; }
};

// Which layouts dats get when they are declared.
struct LayoutRequest {
  int kind = OP_LAYOUT_AOS;
  bool declared_only = false; // SoA for dats of a type "...:soa", AoS for others; `kind` does not count
  int vector_bytes = 0;       // of generated code; blocks of AoSoA are as long as its vectors
  int longer_than = 0;        // `kind` is for rows of more bytes
  bool hinted = false;        // SoA for dats of a type "...:soa", however short, as well
};

// Rows of one value, long rows, and types that generated code does not know stay AoS.
Layout layout_for(const LayoutRequest &request, const ElementType &element, int rows, int dim);

Layout with_rows(Layout layout, int rows); // the same layout for another number of rows

// Whole dats. `rows`: the AoS copy.
void rows_to_layout(char *to, const char *rows, const Layout &layout);
void layout_to_rows(char *rows, const char *from, const Layout &layout);
void layout_to_row(char *row, const char *from, const Layout &layout, int r); // a single one

} // namespace op2::core
