// Global arguments with OP_WRITE, OP_RW or OP_WORK: variables of the program that the elements of a loop use one after
// another. The loop runs in the order of its elements; several processes agree on a value afterwards.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/communicator.hpp"
#include "loop/args.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class SharedVariables {
 public:
  explicit SharedVariables(std::span<const LoopArg> args);
  bool empty() const { return variables_.empty(); }

  // Before the first element: remembers the values.
  void begin(std::span<const op_arg> args);
  // Before copies of others' elements, whose owners change the variables: they get memory of their own.
  void give_scratch(std::vector<op_range_arg> &ranges);
  // Collective. Each component that some process has changed becomes that of the first such process; OP2 takes a value
  // that is not zero of some process.
  void across(Communicator &communicator, std::span<const op_arg> args);

 private:
  struct Variable {
    std::size_t arg;
    std::size_t bytes, component;
    bool kept; // OP_WORK is not: nobody wants its value
    std::string before, scratch;
  };
  std::vector<Variable> variables_;
};

} // namespace op2::core
