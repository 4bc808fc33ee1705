// The trial of generated code: before a loop uses it, it runs a sample of the elements on copies, beside the form that
// was compiled with the program, and they must agree.
#pragma once

#include <span>
#include <string>

#include "loop/args.hpp"
#include "loop/reduce.hpp"

namespace op2::core {

struct TrialRequest {
  op_range_fn known; // compiled with the program
  op_range_fn made;  // generated
  op_kernel_fn element;
  const Set *set;
  std::span<const LoopArg> args;
  std::span<const op_range_arg> range_args; // as the executor would get them, host memory
  std::span<const op_arg> call_args;
  Reduction *reduction;
  std::span<const op_range_layout> layouts; // where `made` finds the arguments; empty: rows are contiguous
};

struct TrialResult {
  std::string difference;        // what differs by more than rounding; "" = nothing
  bool rounds_otherwise = false; // some last bits differ
};

// Reads the mesh and its data, changes neither. Rows that are added to start
// from zero, so that each element's own contribution is compared; sums over all elements agree up to their rounding.
TrialResult try_code(const TrialRequest &request);

} // namespace op2::core
