// Generates the C++ text of a range function for one loop, from the kernel's text and the shape of the loop.
//
// Dims, strides and columns are literals, arguments that share a row share its load, reduced values are local
// variables. The vector form runs the kernel on W elements at once: values are vectors of W lanes, rows are transposed
// in registers (prelude/rows.h), increments are added lane by lane in the order of the elements. The remaining elements
// of a range run one by one and give the same bits.
//
// The generated file exports
//   op2_range          the range function (op_range_fn)
//   op2_constants      const void *[], in the order of LoopShape::constants: where the values are; set before the first
// run and includes nothing. A call whose arguments do not match the shape (other strides, maps that are not shared)
// takes a general path in it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jit/text/kernel_text.hpp"
#include "op2/loop.h"

namespace op2::core::jit {

// The properties of an argument on which code depends. Equal numbers of dats or maps: the same dat or map.
struct ArgShape {
  int kind = OP_RANGE_ABSENT; // OP_RANGE_...
  op_access access = OP_READ;
  Scalar scalar = Scalar::other;
  int type_size = 0;
  int dim = 0;
  int dat = -1;
  int map = -1;
  int column = 0;
  int columns = 0; // of the map
  int count = 0;   // vector arguments: pointers
  int payload_of = -1;
  bool distinct = false; // through a map: no two entries that the loop follows lead to the same row
  int layout = 0;        // OP_LAYOUT_... of the dat; the generator takes any but AoS only where layout_fits()
};

struct ConstantShape {
  std::string name;
  Scalar scalar = Scalar::other;
  int dim = 1;
  int number = 0; // of its variable among those of this name
};

// Ends a line of the text. Compiled code has one place for the values, so texts that read different variables differ.
std::string variable_note(const ConstantShape &constant);

// A column of a map with the same entry for neighbouring elements, for most of them: edges in good order have their
// first node in common. See jit/loop/deferred.hpp.
struct SteadyColumn {
  int map = -1, column = 0; // -1: there is none
};

// Where a column through which the loop adds leads in runs, relative to others, for most of them: of the elements
// phase, phase + period, ... the first row lies `offset` behind the lowest one of a group. See jit/loop/grouped.hpp.
struct ColumnPlace {
  int map = -1, column = 0, phase = 0;
  int group = 0, offset = 0;
};

struct LoopShape {
  std::string name; // for readers of the code
  std::vector<ArgShape> args;
  std::vector<ConstantShape> constants; // that the kernel reads
  bool stream = false;                  // the loop moves more than the caches hold: use non-temporal stores
  bool stream_by_time = false;          // it may do so or not: both are forms of it
  // 1: map entries often increase by one from element n to n + 1; 2: from n to n + 2. See jit/loop/runs.hpp
  int runs = 0;
  std::vector<ColumnPlace> places;
  bool grouped =
      false; // what is added in runs is added as whole vectors, where columns lie as `places` says: grouped.hpp
  SteadyColumn steady;
  bool deferred =
      false; // a block's increments are made while the next one is computed, where it has no runs: deferred.hpp
  bool vector_math = false; // mathematical functions from the machine's vector library
};

// All of it but the name, as text.
std::string identity_of(const LoopShape &shape);

struct LoopCode {
  std::string text;  // without the names of the loop and of the kernel's file: equal loops share compiled code
  std::string title; // with these names, for readers of the text
  // "scalar"; "vector x8", also with ", by the compiler" and one of ", plain stores", ", deferred
  // increments", ", grouped increments"
  std::string form;
  std::string why_scalar;   // why the generator writes no vectors; "" if it does or none were requested
  bool by_compiler = false; // the compiler is to make the vectors (code_store.hpp)
  bool by_element = false;  // of a text for vectors by the compiler, the entry for elements one by one is used
  bool fortran = false;     // the text is in Fortran (fortran/range/range_text.hpp)
  int runs = 0;             // the period of the runs that the code uses; 0 = none
  int lanes = 0;            // 0: scalar
};

// Whether the arguments that use dat `dat` may receive copies of its rows, as in all layouts but AoS: all read, or all
// increment through maps, or there is only one and it accesses one row.
bool layout_fits(std::span<const ArgShape> args, int dat);

// vector_bytes: 0 = scalar code. Throws Refusal if the kernel's parameters do not match the loop.
LoopCode generate(const KernelText &kernel, const LoopShape &shape, int vector_bytes);

// Other forms of the same loop that give the same bits as `code`, which generate() made of the same arguments: half as
// many lanes, scalar code, ordinary instead of non-temporal stores, deferred increments, grouped increments. Which is
// the fastest depends on mesh and machine. Those that promise least are the last: there may be no time to try them
// (loop/form/form_times.hpp).
std::vector<LoopCode> other_forms(const KernelText &kernel, const LoopShape &shape, int vector_bytes,
                                  const LoopCode &code);

// The same text, which must be that of an excerpt, for elements one by one.
LoopCode element_form(const LoopCode &code);

// Scalar code that gives the same bits as `code`, as generate() returned it. quick: as a text that is compiled in a
// fraction of the time, and runs more slowly. Empty if there is none.
std::optional<LoopCode> scalar_form(const KernelText &kernel, const LoopShape &shape, const LoopCode &code,
                                    bool quick = false);

// The names of the exported symbols.
inline constexpr const char *range_symbol = "op2_range";
inline constexpr const char *element_symbol = "op2_range_by_element"; // elements one by one: only of excerpts
inline constexpr const char *constants_symbol = "op2_constants";

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
