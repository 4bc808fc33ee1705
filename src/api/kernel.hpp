// The source texts of kernels that the program passes.
#pragma once

#include "jit/specialiser.hpp"

namespace op2::core {

// One object per process: constructors of the program fill it before op_init().
jit::GivenTexts &given_texts();

} // namespace op2::core

// SPDX-License-Identifier: MIT
