// The texts of kernels that the program gave.
#pragma once

#include "jit/specialiser.hpp"

namespace op2::core {

// They belong to the process: constructors of the program fill them before there is a context.
jit::GivenTexts &given_texts();

} // namespace op2::core
