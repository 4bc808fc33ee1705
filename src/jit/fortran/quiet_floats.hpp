// Arithmetic of the library's own that the program does not notice.
#pragma once

#include <cfenv>

namespace op2::core::jit::fortran {

// While it lives floating-point exceptions do not trap. Afterwards those that the program has seen are the same as
// before, which programs in Fortran print when they stop, and so are traps and rounding.
class QuietFloats {
 public:
  QuietFloats() { std::feholdexcept(&before_); }
  ~QuietFloats() { std::fesetenv(&before_); }
  QuietFloats(const QuietFloats &) = delete;
  QuietFloats &operator=(const QuietFloats &) = delete;

 private:
  std::fenv_t before_;
};

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
