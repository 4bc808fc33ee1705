// Global reductions: the record of values that a loop reduces, how two records are combined, and how the result reaches
// the program's variables. Executors see the record as bytes (op_exec_reduce).
#pragma once

#include <span>
#include <vector>

#include "loop/args.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class Reduction {
 public:
  explicit Reduction(std::span<const LoopArg> args);
  Reduction(const Reduction &) = delete;
  Reduction &operator=(const Reduction &) = delete;

  bool empty() const { return places_.empty(); }
  const op_exec_reduce *table() const { return empty() ? nullptr : &shape_.table; }
  char *start() { return start_.data(); }
  char *result() { return result_.data(); }

  // Sets the record partial results start from: 0 for INC, the identity for REDUCE, the program's present values for
  // MIN and MAX and their payloads.
  void begin(std::span<const op_arg> args);
  // Combines the result with that of later elements, and with those of all processes: the same bits everywhere.
  void append(const char *later) { combine(result_.data(), later); }
  void across(Communicator &communicator);
  std::size_t bytes() const { return result_.size(); }
  // Puts the combined record into the program's variables.
  void finish(std::span<const op_arg> args);

 private:
  struct Place {
    int arg;
    std::size_t offset, bytes;
    op_access access;
    ElementType element;
    int dim;
    int payload_of; // position of the extremum's place, -1 for values
    const op_reduction_core *reduction;
  };
  struct Shape { // what the executor's pointer leads back to
    op_exec_reduce table;
    const Reduction *owner;
  };
  static void combine_entry(const op_exec_reduce *table, void *into, const void *later);
  void combine(char *into, const char *later) const;
  void combine_extremum(const Place &place, char *into, const char *later) const;

  std::vector<Place> places_;
  std::vector<std::int32_t> arg_of_place_;
  std::vector<std::size_t> offset_of_place_;
  std::vector<char> start_, result_;
  Shape shape_{};
};

} // namespace op2::core
