// Shared by the scalar and the vector form of a generated loop: names in the code, and the code around the loop over
// elements.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jit/loop/code_writer.hpp"
#include "jit/loop/loop_code.hpp"

namespace op2::core::jit {

class LoopParts {
 public:
  LoopParts(const KernelText &kernel, const LoopShape &shape)
      : kernel_(kernel), shape_(shape), components_(shape.args.size()) {}

  const KernelText &kernel() const { return kernel_; }
  const LoopShape &shape() const { return shape_; }
  int nargs() const { return static_cast<int>(shape_.args.size()); }
  const ArgShape &arg(int i) const { return shape_.args[static_cast<std::size_t>(i)]; }

  // The first argument with the same dat; with the same dat, map and columns; with the same map and column.
  int same_dat(int i) const;
  int same_row(int i) const;
  int same_column(int i) const;

  bool through_map(int i) const { return arg(i).kind == OP_RANGE_INDIRECT || arg(i).kind == OP_RANGE_VECTOR; }
  bool is_row(int i) const { return arg(i).kind == OP_RANGE_DIRECT || through_map(i); }
  bool has_map(int i) const { return through_map(i) || arg(i).kind == OP_RANGE_MAP_INDEX; }
  bool has_base(int i) const { return is_row(i) || arg(i).kind == OP_RANGE_GLOBAL; }
  // Incremented through a map: the kernel adds to zeros, and the code adds the result to the row.
  bool added(int i) const { return through_map(i) && arg(i).access == OP_INC; }
  // A global sum of a loop that also increments through maps: executors may split its blocks between threads, so the
  // vector form adds element by element in their order, and a split changes no bit.
  bool summed_in_order(int i) const;
  // A global that the vector form reduces in lanes: each lane has a partial result.
  bool reduced_in_lanes(int i) const {
    return arg(i).kind == OP_RANGE_GLOBAL && arg(i).access != OP_READ && !summed_in_order(i);
  }
  bool has_payload(int i) const; // an extremum of which another argument says where it was found
  // With `locals`: the kernel adds to zeroed variables, element by element.
  bool from_nothing(int i) const { return added(i) || summed_in_order(i); }
  int pointers(int i) const { return arg(i).kind == OP_RANGE_VECTOR ? arg(i).count : 1; }
  std::string type(int i) const; // of the values: "double"; "char" for user types

  // split(): rows in a layout other than AoS, of which kernels receive copies. step(): values from a component to the
  // next.
  bool split(int i) const { return is_row(i) && arg(i).layout != OP_LAYOUT_AOS; }
  bool any_split() const;
  std::string step(int i) const { return text("s", same_dat(i)); }
  // Parameter and argument lists of functions in the code.
  const char *parameters() const {
    return any_split() ? "const op_range_arg *a, const op_range_layout *layouts" : "const op_range_arg *a";
  }
  const char *passed() const { return any_split() ? "a, layouts" : "a"; }

  // Of code whose kernel adds to something local: what that is for the row of argument i, "one_component<double>"; ""
  // for an array of zeros. Always "" before find_components(). Only scalar code can do with it.
  void find_components();
  const std::string &components(int i) const { return components_[static_cast<std::size_t>(i)]; }

  bool is_array(const ConstantShape &constant) const;

  // Throws Refusal unless the kernel's parameters match the loop's arguments, and its uses of constants their dims.
  void check_parameters() const;

  std::string title() const; // a comment for readers
  // Range arguments, prelude. by_compiler: as the compiler needs it to make vectors.
  void write_head(CodeWriter &out, bool by_compiler = false) const;
  void write_straight_line(CodeWriter &out) const; // unless the kernel fuses products and sums itself
  void write_quick_head(CodeWriter &out) const;    // the least that scalar code needs
  void write_constants(CodeWriter &out) const;     // struct op2_declared
  void write_scalar_members(CodeWriter &out) const;
  void write_excerpt_constants(CodeWriter &out) const;
  // The member function that calls the kernel of an excerpt. how: its specifiers; scope: "op2_program::" outside of it.
  void write_call_of_excerpt(CodeWriter &out, const char *how, const char *scope = "",
                             bool only_declared = false) const;
  void write_fits(CodeWriter &out) const; // bool op2_fits(args)
  // void op2_general(args, begin, end). locals: as in write_element_loop, to give the same bits.
  void write_general(CodeWriter &out, bool locals) const;
  // An exported range function, which calls `run`(args, begin, end).
  void write_entry(CodeWriter &out, const char *symbol = range_symbol, const char *run = "op2_run") const;
  void write_pointers(CodeWriter &out) const; // b0, c0: bases and map columns, at the start of op2_run
  void write_general_rows(CodeWriter &out, int i, bool locals) const;
  void write_general_copies(CodeWriter &out, int i) const; // the same for rows in another layout
  void write_general_back(CodeWriter &out, int i) const;
  std::string base(int i) const { return text("b", same_dat(i)); }
  std::string column(int i) const { return text("c", same_column(i)); }
  // Address of the row of element `n` through column j of argument i.
  std::string row(int i, int j, const char *n) const;

 private:
  const KernelText &kernel_;
  const LoopShape &shape_;
  std::vector<std::string> components_;
};

// Returns the text of op2_run. vector_loop() throws Refusal if vectors are not possible. like_lanes: the scalar form
// gives the bits of the vector form with so many lanes, in which no argument has a payload; 0: those of the program's
// own code, whose kernel changes rows and globals directly.
std::string scalar_loop(const LoopParts &parts, int like_lanes, bool may_trap);
// The same as a text that is compiled in a fraction of the time. Only for rows that are contiguous, and no excerpt.
std::string quick_loop(const LoopParts &parts, int like_lanes);
std::string vector_loop(const LoopParts &parts, int lanes, int value_bytes); // value_bytes: of the widest type, 4 or 8
// The same loop around the kernel as it is, which the compiler is to make vectors of.
std::string compiler_vector_loop(const LoopParts &parts, int lanes, int value_bytes);

// The elements one by one, from `n` up to `end`. locals: the kernel increments zeroed local rows, as in the vector
// form.
void write_element_loop(CodeWriter &out, const LoopParts &parts, bool locals);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
