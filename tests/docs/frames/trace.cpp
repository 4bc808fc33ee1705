// The same in C++.
#include <op2/op2.hpp>

void fragment(const op2::view &view, const op2::dat<double, 3> &velocity);
void fragment(const op2::view &view, const op2::dat<double, 3> &velocity) {
  block
}

// SPDX-License-Identifier: MIT
