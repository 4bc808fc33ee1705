// Declarations at the head of a program unit.
#pragma once

#include "jit/fortran/parse/cursor.hpp"

namespace op2::core::jit::fortran {

// Takes real(8), integer*4, double precision, type(t), ... and says in `out` which type it is. False, and nothing is
// taken, where none begins.
bool type_specification(Cursor &cursor, Symbol &out);

// Adds what the line declares to the unit. False if it is no declaration: the unit's body begins.
bool read_declaration(Unit &unit, const Line &line);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
