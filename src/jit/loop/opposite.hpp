// Increments that are the negative of others, as in every flux: what leaves one cell enters its neighbour.
#pragma once

#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

// Whether the text adds to parameter a, in each of its `dim` components and unconditionally, exactly what it subtracts
// from parameter b:
//     res1[0] += f; res2[0] -= f; ...
// Then the rows for b need not be computed: subtracting those of a gives the same bits. Only statements side by side
// count, and the two names may occur nowhere else.
bool opposite_increments(const Function &kernel, const Parameter &a, const Parameter &b, int dim);

} // namespace op2::core::jit
