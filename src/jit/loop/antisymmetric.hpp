// Increments that are the negative of others, as for fluxes between two cells.
#pragma once

#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

// Whether the text adds to parameter a, in each of its `dim` components and unconditionally, exactly what it subtracts
// from parameter b:
// res1[0] += f; res2[0] -= f; ... Then the code subtracts the increments of a from the rows of b, with the same bits.
// Only statements count between which there are no others, and the two names may occur nowhere else.
bool antisymmetric_increments(const Function &kernel, const Parameter &a, const Parameter &b, int dim);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
