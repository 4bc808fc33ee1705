// Questions about expressions: what differs between lanes, what a pointer leads to, of what type something is.
#pragma once

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

// The variable that stands for all that lead to the same numbers.
Variable *leader(Variable *variable);

// Without brackets around it.
const Expression &without_parentheses(const Expression &expression);

// Do the numbers differ between lanes? A pointer never does.
bool is_varying(const Expression &expression);

// The variable whose numbers an lvalue or a pointer leads to; NULL when there is none (0, a temporary).
Variable *target(const Expression &expression);

// The variable that a pointer, or a reference made from an expression, leads to; NULL for a temporary.
Variable *led_to(const Expression &expression, bool reference);

// Levels of pointers of a value: 1 for an array's name.
int pointer_levels(const Expression &expression);

// Is an lvalue reached through a pointer or a reference, so that it may be memory of somebody else?
bool in_memory(const Expression &lvalue);

// Its type in C++; other when it is unknown.
Scalar type_of(const Expression &expression);

// A number without anything special about it; -1 for everything else.
long plain_number(const Expression &expression);

// Does evaluating it change anything?
bool has_effects(const Expression &expression);

// May evaluating it change the value of the other one?
bool may_change(const Expression &expression, const Expression &other);

// Is it a name of a parameter or local variable whose pointer is assigned nowhere, a constant, ...: is it the same
// wherever it stands within the scope of its names?
bool is_stable(const Expression &expression);

// ++ or --
bool is_increment_or_decrement(const Expression &expression);

} // namespace op2::core::jit
