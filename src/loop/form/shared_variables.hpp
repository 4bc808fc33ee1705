// Global arguments with OP_WRITE, OP_RW or OP_WORK: variables of the program that the elements of a loop use one after
// another. The loop runs in the order of its elements; several processes agree on a value afterwards.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/communicator.hpp"
#include "loop/signature/args.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class SharedVariables {
 public:
  explicit SharedVariables(std::span<const LoopArg> args);
  bool empty() const { return variables_.empty(); }

  // Saves the values before the first element.
  void begin(std::span<const op_arg> args);
  // Before elements of this process, and before copies of other processes' elements: points the arguments at the
  // program's variables, or at scratch memory, as only owners may change variables.
  void give(std::vector<op_range_arg> &ranges, bool own);
  // Collective. Each component gets the value of the lowest rank that changed it. (OP2: a nonzero value of any
  // process.)
  void across(Communicator &communicator, std::span<const op_arg> args);

 private:
  struct Variable {
    std::size_t arg;
    std::size_t bytes, component;
    bool kept; // false for OP_WORK: its value is not used afterwards
    char *own;
    std::string before, scratch;
  };
  std::vector<Variable> variables_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
