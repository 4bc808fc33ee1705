// The trial of generated code: before a loop uses it, the trial runs it and the form compiled with the program on
// copies of a sample of elements, and compares the results.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "loop/reduce/reduce.hpp"
#include "loop/signature/signature.hpp"

namespace op2::core {

// The sample for a form that does not run in host memory.
struct TrialSample {
  int size;                                       // elements
  std::span<const op_range_arg> args;             // over `rows` and map tables of `size` elements, in host memory
  std::map<const Dat *, std::vector<char>> &rows; // receive the results
  std::vector<char> &record;                      // of reduced values: the start, then the result
};

struct TrialRequest {
  op_range_fn known; // compiled with the program
  op_range_fn made;  // generated
  const LoopSignature *what;
  std::span<const op_range_arg> range_args; // as for the executor, in host memory
  std::span<const op_arg> call_args;
  const Reduction *reduction;
  std::span<const op_range_layout> layouts; // that `made` expects; empty: rows are contiguous
  // Runs in place of `made`. Its mathematical functions may differ, so agreement to half of the digits is enough.
  std::function<void(const TrialSample &)> elsewhere = nullptr;
  std::function<void(char *row, const Dat &dat, int n)> fetch_row = nullptr; // of a dat whose host copy is stale
  // Rows that are added to begin as they are or with other values, not with zero, so that a kernel that reads them is
  // found out.
  bool added_to_anything = false;
  std::span<const int> elements = {}; // of the sample; empty: 99 from the start, the middle and the end of the set
};

struct TrialResult {
  std::string difference;        // what differs by more than rounding; "" = nothing
  bool rounds_otherwise = false; // some last bits differ
  bool rounds = false;           // the same, beside values that differ by more
};

// Changes neither mesh nor data. Rows incremented through a map start from zero, so that each element's own
// contribution is compared; sums over all elements may differ by rounding.
TrialResult try_code(const TrialRequest &request);

} // namespace op2::core

// SPDX-License-Identifier: MIT
