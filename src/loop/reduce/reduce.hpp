// Global reductions: the record of values that a loop reduces, how two records are combined, and how the result reaches
// the program's variables. Executors see the record as bytes (op_exec_reduce).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loop/reduce/block_records.hpp"
#include "loop/reduce/ordered_reduce.hpp"
#include "loop/signature/args.hpp"
#include "op2/plugin/exec.h"
#include "plan/sequence.hpp"

namespace op2::core {

// The code of a loop, and the range function that executors run: it puts reduced values into records.
struct ReducedRange {
  op_range_fn call = nullptr;  // for executors; `inner` itself if it needs no wrapper
  op_range_fn inner = nullptr; // the code
  bool rows = false;           // `inner` takes reduced arguments as rows (see as_row) and runs many elements at once
};

// The reduced arguments of a loop and their places in a record. Immutable: several runs may share it.
class Reduction {
 public:
  explicit Reduction(std::span<const LoopArg> args) : Reduction(args, ElementNumbers(), false) {}
  // exact: results depend neither on the order of the elements nor on the threads and processes that run them. If that
  // takes more than combining partial results, kernels must run through wrap(). numbers: of the loop's set.
  Reduction(std::span<const LoopArg> args, const ElementNumbers &numbers, bool exact);
  Reduction(const Reduction &) = delete;
  Reduction &operator=(const Reduction &) = delete;

  void renumber(const ElementNumbers &numbers) { numbers_ = numbers; } // the set has other elements

  bool empty() const { return places_.empty(); }
  const op_exec_reduce *table() const { return empty() ? nullptr : &shape_.table; }
  std::size_t bytes() const { return bytes_; } // of a record
  bool exact() const { return exact_; }
  // by_rows(): code may take reduced arguments as rows. as_row(): such code takes this argument as a row.
  bool by_rows() const { return row_bytes_ > 0; }
  bool as_row(int arg) const;
  ReducedRange wrap(op_range_fn range, bool rows) const;
  // Writes the results to the places of the values that the kernel sees. The record cannot be combined afterwards.
  void settle(char *record) const;
  // Puts a result into the variables; not of those that need an order, whose values are not in records.
  void finish(char *record, std::span<const op_arg> args) const;
  bool by_program() const;  // some argument is combined by a function of the program, which may throw
  bool needs_order() const; // some argument is of the program's own kind, and exact
  // The record gets what that of later elements has.
  void combine(char *into, const char *later) const;

 private:
  friend class ReductionRun;
  struct Place {
    int arg;
    std::size_t offset, bytes;
    op_access access;
    ElementType element;
    int dim;
    int payload_of; // position of the extremum's place, -1 for values
    const op_reduction_core *reduction;
    bool late; // an extremum in a global of the library, or its payload: the present value takes part at the end only
    // exact: the kind of partial result that a record has besides the values that the kernel sees (of one element)
    enum { plain, sum, extremum, payload, ordered } exact = plain;
    std::size_t kept = 0; // offset in the record. sum: an ExactSum for each value; extremum: numbers, then values
    std::size_t ordered_argument = 0;
    std::size_t row_offset = 0; // of its rows in scratch memory
  };
  struct Shape { // table() is its first member
    op_exec_reduce table;
    const Reduction *owner;
  };
  static void combine_entry(const op_exec_reduce *table, void *into, const void *later);
  void improve(const Place &place, const char *found, std::span<const op_arg> args) const;
  void finish_place(const Place &place, const char *record, std::span<const op_arg> args) const;
  void combine_extremum(const Place &place, char *into, const char *later) const;
  template <class Take>
  void for_better(const Place &place, char *into, const char *later, const Take &take) const;
  // reduce_exact.cpp
  static constexpr std::size_t header_bytes = 64; // before the first place: the pointer to the ReductionRun
  void plan_exact(std::size_t &end);
  void plan_rows();
  void combine_exact(const Place &place, char *into, const char *later) const;
  struct Candidate { // for one component of an extremum
    const char *value;
    op_gindex number;
    const char *from; // a record, or rows, with its payload
    int element;      // whose payload `from` holds; -1: `from` is a partial result
    bool rows;        // `from` is rows of many elements
  };
  void keep_winner(const Place &place, char *into, int component, const Candidate &candidate) const;

  std::vector<Place> places_;
  std::vector<std::int32_t> arg_of_place_;
  std::vector<std::size_t> offset_of_place_;
  std::size_t bytes_ = 0;
  ElementNumbers numbers_;
  bool exact_ = false;        // requested, and an argument needs it
  std::size_t row_bytes_ = 0; // of one element, all exact places together; 0: no code by rows
  int rows_at_once_ = 0;
  Shape shape_{};
  mutable std::vector<BlockRecords *> collecting_; // of runs
};

// The values of one run: the start of partial results, and the result.
class ReductionRun {
 public:
  explicit ReductionRun(const Reduction &reduction); // which must outlive it
  ReductionRun(const ReductionRun &) = delete;       // records point to it
  ReductionRun &operator=(const ReductionRun &) = delete;

  ~ReductionRun();

  char *start() { return start_.data(); }
  char *result() { return result_.data(); }
  // Sets the record partial results start from: 0 for INC, the identity for REDUCE and for MIN and MAX of globals of
  // the library, which other loops may still change; else the program's present values for MIN and MAX and their
  // payloads.
  void begin(std::span<const op_arg> args);
  // Code that fills records from now on. With a sequence, one call runs all its elements on one thread, in its order;
  // NULL: ascending order.
  void use(const ReducedRange &code, const std::vector<SequenceRun> *sequence = nullptr) {
    code_ = code;
    sequence_ = sequence;
  }
  // append() combines the result with that of later elements; across() with those of all processes, to the same bits on
  // each, and is collective.
  void append(const char *later) { reduction_.combine(result_.data(), later); }
  // Where an executor puts what these blocks of a part of the loop reduce, if it runs all blocks in several goes; after
  // the last one, combine_collected() makes the result, or that of a part, which stays as it is where nothing was
  // collected.
  char *collect(std::size_t part, std::span<const int> blocks);
  void combine_collected();
  void combine_collected(std::size_t part, std::vector<char> &into) const;
  void end_collecting();
  void across(Communicator &communicator);
  // Puts the combined record into the program's variables.
  void finish(std::span<const op_arg> args);

 private:
  using Place = Reduction::Place;
  friend class Reduction; // which calls exact_range()
  // reduce_exact.cpp
  void begin_exact();
  static void exact_range(const op_range_ctx *ctx, int begin, int end);
  void run_elements(const op_range_ctx *ctx, int begin, int end, char *record) const;
  void run_rows(const op_range_ctx *ctx, int begin, int end, char *record) const;
  void run_copies(const op_range_ctx *ctx, int begin, int end) const;
  void fill(const Place &place, char *rows, int count) const;
  // Adds the contributions of elements first ... first + count - 1 to the record, from one row of each.
  void take(const Place &place, const char *rows, char *record, int first, int count) const;
  void take_extremum(const Place &place, const char *rows, char *record, int first, int count) const;
  bool settle_ordered(const Place &place, char *variable);

  const Reduction &reduction_;
  std::vector<char> start_, result_;
  std::vector<std::unique_ptr<BlockRecords>> collected_; // of each part
  ReducedRange code_;
  const std::vector<SequenceRun> *sequence_ = nullptr;
  mutable std::vector<char> dropped_; // the record for copied elements
  mutable OrderedReduction ordered_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
