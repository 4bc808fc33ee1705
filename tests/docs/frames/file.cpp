// Declarations from files, and files from data.
#include <op2/op2.hpp>

void fragment(int step);
void fragment(int step) {
  block
}

// SPDX-License-Identifier: MIT
