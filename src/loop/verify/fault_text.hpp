// A fault of a chain's schedule in words.
#pragma once

#include <string>
#include <vector>

#include "loop/verify/fault.hpp"

namespace op2::core {

struct ChainNames {
  std::string chain;                        // "" = without a name
  std::vector<std::string> loops, elements; // names of the loops and of their sets
  std::vector<std::string> dats, rows;      // of the dats and of their sets
};

// schedule: "5 tiles on 2 threads". Numbers of elements and rows appear as they are in the fault.
std::string fault_text(const ScheduleFault &fault, const ChainNames &names, const std::string &schedule);

} // namespace op2::core

// SPDX-License-Identifier: MIT
