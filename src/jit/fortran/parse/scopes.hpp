// Names that hold within a construct only: those of block, associate and do concurrent.
#pragma once

#include "jit/fortran/parse/tree.hpp"

namespace op2::core::jit::fortran {

// Whether the line is an assignment, also to an element or a component.
bool is_assignment(const Line &line);

// Gives them names that occur once in the procedure ("x_B2"), adds what is declared in blocks to its symbols, and takes
// the lines of `block` and `end block` away: in procedure.body, the text's own lines stay as they are.
void read_scopes(Unit &procedure, const std::vector<Line> &lines);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
