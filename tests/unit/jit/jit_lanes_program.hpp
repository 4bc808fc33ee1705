// A program that runs kernels in both forms over random values and compares every bit.
#pragma once

#include <string>
#include <vector>

#include "jit_lanes_kernels.hpp"

namespace op2_test {

// Cases of one language; `width` elements at once. The program prints one line per difference and returns their number.
std::string comparing_program(const std::vector<Case> &cases, int width, bool c_language);

} // namespace op2_test

// SPDX-License-Identifier: MIT
