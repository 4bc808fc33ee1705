// The trial of generated code: before a loop uses it, it runs a sample of the elements on copies, beside the form that
// was compiled with the program, and they must agree.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "loop/reduce/reduce.hpp"
#include "loop/signature.hpp"

namespace op2::core {

// A sample as a form gets it that runs in other memory.
struct TrialSample {
  int size;                                       // elements
  std::span<const op_range_arg> args;             // over `rows` and tables of this many elements, in host memory
  std::map<const Dat *, std::vector<char>> &rows; // to be brought up to date
  std::vector<char> &record;                      // what is reduced: the start, and then the result
};

struct TrialRequest {
  op_range_fn known; // compiled with the program
  op_range_fn made;  // generated
  const LoopSignature *what;
  std::span<const op_range_arg> range_args; // as the executor would get them, host memory
  std::span<const op_arg> call_args;
  const Reduction *reduction;
  std::span<const op_range_layout> layouts; // where `made` finds the arguments; empty: rows are contiguous
  // In place of `made`. Its mathematics may be another, so agreement to half of the digits is enough.
  std::function<void(const TrialSample &)> elsewhere = nullptr;
  std::function<void(char *row, const Dat &dat, int n)> fetch_row = nullptr; // of a dat that the host has not
};

struct TrialResult {
  std::string difference;        // what differs by more than rounding; "" = nothing
  bool rounds_otherwise = false; // some last bits differ
};

// Reads the mesh and its data, changes neither. Rows that are added to start
// from zero, so that each element's own contribution is compared; sums over all elements agree up to their rounding.
TrialResult try_code(const TrialRequest &request);

} // namespace op2::core
