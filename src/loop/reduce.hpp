// Global reductions: the record of values that a loop reduces, how two records are combined, and how the result reaches
// the program's variables. Executors see the record as bytes (op_exec_reduce).
#pragma once

#include <span>
#include <vector>

#include "loop/args.hpp"
#include "loop/ordered_reduce.hpp"
#include "op2/plugin/exec.h"
#include "plan/sequence.hpp"

namespace op2::core {

class Reduction {
 public:
  explicit Reduction(std::span<const LoopArg> args) : Reduction(args, ElementNumbers(), false) {}
  // exact: results do not depend on the order in which elements run, nor on who runs them. Where that takes more than
  // combining partial results, kernels must run through wrap(). The numbers are those of the loop's set.
  Reduction(std::span<const LoopArg> args, const ElementNumbers &numbers, bool exact);
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
  // A range function that runs `range` and takes each element's contribution into the record; `range` itself where
  // nothing is needed. rows: it was made for arguments that are rows of the elements (see as_row), and runs many of
  // them at once; otherwise one after the other.
  op_range_fn wrap(op_range_fn range, bool rows);
  // Whether such code would be right, and which arguments of the loop it gets as rows.
  bool by_rows() const { return row_bytes_ > 0; }
  bool as_row(int arg) const;
  bool exact() const { return exact_; }
  // One call of the range function runs all elements, on one thread, in this order; NULL: in their own.
  void follow(const std::vector<SequenceRun> *sequence) { sequence_ = sequence; }
  // Results take the places of what the kernel sees: for records that nobody combines any more.
  void settle(char *record) const;
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
    // exact: what partial results consist of besides the values that the kernel sees, which are those of one element
    enum { plain, sum, extremum, payload, ordered } exact = plain;
    std::size_t kept = 0; // offset in the record. sum: an ExactSum for each value; extremum: numbers, then values
    std::size_t ordered_place = 0;
    std::size_t row_offset = 0; // of its rows in scratch memory
  };
  struct Shape { // what the executor's pointer leads back to
    op_exec_reduce table;
    const Reduction *owner;
  };
  static void combine_entry(const op_exec_reduce *table, void *into, const void *later);
  void combine(char *into, const char *later) const;
  void combine_extremum(const Place &place, char *into, const char *later) const;
  // reduce_exact.cpp
  static constexpr std::size_t header_bytes = 64; // in front of the first place, where exact_range() finds its way
  void plan_exact(std::size_t &end);
  void plan_rows();
  void begin_exact();
  static void exact_range(const op_range_ctx *ctx, int begin, int end);
  void run_elements(const op_range_ctx *ctx, int begin, int end, char *record) const;
  void run_rows(const op_range_ctx *ctx, int begin, int end, char *record) const;
  void run_copies(const op_range_ctx *ctx, int begin, int end) const;
  void fill(const Place &place, char *rows, int count) const;
  // What elements first ... first + count - 1 contribute, from a row of each.
  void take(const Place &place, const char *rows, char *record, int first, int count) const;
  void take_extremum(const Place &place, const char *rows, char *record, int first, int count) const;
  void combine_exact(const Place &place, char *into, const char *later) const;
  struct Candidate { // for one component of an extremum
    const char *value;
    idx_g_t number;
    int element;      // its payload is in this row, or -1: in a record
    const char *from; // rows of that sort, or record
  };
  void keep_winner(const Place &place, char *into, int component, const Candidate &candidate) const;
  bool settle_ordered(const Place &place, char *variable);

  std::vector<Place> places_;
  std::vector<std::int32_t> arg_of_place_;
  std::vector<std::size_t> offset_of_place_;
  std::vector<char> start_, result_;
  ElementNumbers numbers_;
  bool exact_ = false; // and something needs it
  op_range_fn inner_ = nullptr;
  bool inner_takes_rows_ = false;
  const std::vector<SequenceRun> *sequence_ = nullptr;
  mutable std::vector<char> dropped_; // the record of copies
  std::size_t row_bytes_ = 0;         // of one element, all exact places together; 0: no code by rows
  int rows_at_once_ = 0;
  mutable OrderedReduction ordered_;
  Shape shape_{};
};

} // namespace op2::core
