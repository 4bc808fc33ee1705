// From a kernel's text and the shape of a loop to the program text of one range function made for just that loop.
//
// Dims, strides and columns are literals, arguments that share a row share its load, reduced values live in local
// variables. The vector form runs the kernel on W elements at once: its numbers are vectors of W lanes, rows are
// transposed in registers (prelude/rows.h), increments are added lane by lane in the order of the elements. What is
// left at the end of a range runs one by one and computes the same bits.
//
// The generated file exports
//   op2_range          the range function (op_range_fn)
//   op2_constants      const void *[], in the order of LoopShape::constants: where the values are; set before the first
//   run
// and includes nothing. A call whose arguments are not what the loop was made for (other strides, maps that are not
// shared) takes a general path inside of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jit/text/kernel_text.hpp"
#include "op2/loop.h"

namespace op2::core::jit {

// One argument, as far as code depends on it. Numbers of dats and maps only tell which are the same.
struct ArgShape {
  int kind = OP_RANGE_OFF; // OP_RANGE_...
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
  int layout = 0; // OP_LAYOUT_... of the dat; the generator takes any but AoS only where layout_fits()
  int block = 1;  // AoSoA: rows of a block, a multiple of the lanes
};

struct ConstantShape {
  std::string name;
  Scalar scalar = Scalar::other;
  int dim = 1;
};

struct LoopShape {
  std::string name; // for readers of the code
  std::vector<ArgShape> args;
  std::vector<ConstantShape> constants; // those the kernel reads
  bool stream = false;                  // the loop moves more than caches hold: write past them
  // 1: map entries often count up by one from element to element, 2: from each to the next but one. jit/loop/runs.hpp
  int runs = 0;
  bool vector_math = false; // functions of mathematics from the machine's vector library
};

struct LoopCode {
  std::string text;  // names neither the loop nor the file of its kernel: loops that are alike share what is compiled
  std::string title; // names them, for who reads the text
  std::string form;  // "vector x8" or "scalar"
  std::string why_scalar; // why it is not a vector form, "" if it is or if none was asked for
  int runs = 0;           // the period of those it looks for; 0 = none
};

// Whether the arguments of a loop that use dat `dat` can do with copies of its rows, which any layout but AoS means:
// they all read, or all add through maps, or there is one only and it reaches one row.
bool layout_fits(std::span<const ArgShape> args, int dat);

// Code for vectors of so many bytes; 0 = scalar code. Throws Refusal when text and loop do not go together.
LoopCode generate(const KernelText &kernel, const LoopShape &shape, int vector_bytes);

// The names of the symbols.
inline constexpr const char *range_symbol = "op2_range";
inline constexpr const char *constants_symbol = "op2_constants";

} // namespace op2::core::jit
