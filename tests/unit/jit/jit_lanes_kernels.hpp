// Kernels whose forms for lanes must give the same bits as their scalar forms.
#pragma once

#include <string>
#include <vector>

namespace op2_test {

struct Case {
  std::string name;
  // One word per parameter: a type (d double, t double of moderate size, f float, i int, u unsigned, l long long,
  // k unsigned long long), the number of elements, and in front of it '=' if all elements of the loop share it, '!' if
  // it is NULL, '*' and a number behind it for so many pointers.
  std::string parameters;
  std::string source;
  std::string constants = {}; // definitions of what op_decl_const() would have declared
  bool c_language = false;
};

std::vector<Case> airfoil_cases(); // jit_lanes_airfoil.cpp
std::vector<Case> branch_cases();  // jit_lanes_branches.cpp
std::vector<Case> loop_cases();    // jit_lanes_loops.cpp
std::vector<Case> type_cases();    // jit_lanes_types.cpp
std::vector<Case> helper_cases();  // jit_lanes_helpers.cpp
std::vector<Case> lambda_cases();  // jit_lanes_helpers.cpp

} // namespace op2_test

// SPDX-License-Identifier: MIT
