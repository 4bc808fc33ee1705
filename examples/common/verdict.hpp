// verdict.hpp: numbers that must be right.
#ifndef OP2_EXAMPLES_VERDICT_HPP
#define OP2_EXAMPLES_VERDICT_HPP

#include <op2/op2.h>

namespace example {

// Prints what it is given; all is good until something is not.
struct Verdict {
  bool good = true;

  // Is a number from low to high?
  void require(const char *what, double value, double low, double high) {
    const bool fine = value >= low && value <= high; // false for what is not a number
    op_printf("  %s: %.7g, allowed %g to %g%s\n", what, value, low, high, fine ? "" : "  WRONG");
    good = good && fine;
  }
};

} // namespace example

#endif

// SPDX-License-Identifier: MIT
