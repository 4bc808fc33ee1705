// The same in C++.
#include <op2/op2.hpp>

void fragment(const op2::map &cell_nodes, const op2::dat<double, 2> &x, const op2::dat<double, 1> &pressure);
void fragment(const op2::map &cell_nodes, const op2::dat<double, 2> &x, const op2::dat<double, 1> &pressure) {
  block
}

// SPDX-License-Identifier: MIT
