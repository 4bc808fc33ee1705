// A table of one value for each global number, distributed over all processes in blocks of equal length, so that every
// process can look up any numbers (the distributed translation table of the PARTI and CHAOS libraries: J. Saltz,
// K. Crowley, R. Mirchandaney, H. Berryman, Run-time scheduling and execution of loops on message passing machines,
// 1990).
#pragma once

#include <span>
#include <vector>

#include "host/communicator.hpp"
#include "op2/types.h"

namespace op2::core {

class Directory {
 public:
  // All calls are collective. size: numbers are 0 ... size - 1.
  Directory(Communicator &communicator, op_gindex size);
  // Each process enters the values of some numbers; all processes together enter each number at most once.
  void enter(std::span<const op_gindex> numbers, std::span<const int> values);
  // One value for all numbers first ... first + count - 1, in few messages.
  void enter_range(op_gindex first, op_gindex count, int value);
  // The value of each number; -1 if no process entered it. Best asked for each number once.
  std::vector<int> ask(std::span<const op_gindex> numbers) const;

 private:
  int keeper(op_gindex number) const { return static_cast<int>(number / block_); }

  Communicator &communicator_;
  op_gindex block_;         // numbers per process; the last process may have fewer
  std::vector<int> values_; // of the numbers of this process
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
