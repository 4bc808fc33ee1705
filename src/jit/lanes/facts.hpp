// Properties of expressions: whether they vary between lanes, targets of pointers, types.
#pragma once

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

// The representative of all variables that alias the same values.
Variable *leader(Variable *variable);

// The expression without enclosing parentheses.
const Expression &without_parentheses(const Expression &expression);

// Whether the values vary between lanes. A pointer itself never does.
bool is_varying(const Expression &expression);

// The variable that an lvalue or a pointer refers to; NULL if there is none (0, a temporary).
Variable *target(const Expression &expression);

// The target of a pointer, or of a reference bound to the expression; NULL for a temporary.
Variable *led_to(const Expression &expression, bool reference);

// Levels of indirection of a value: 1 for an array's name.
int pointer_levels(const Expression &expression);

// Whether an lvalue is at an index that differs between elements; place: in one array, as a[i].
bool at_own_index(const Expression &lvalue);
bool at_own_place(const Expression &lvalue);

// Whether an lvalue is accessed through a pointer or a reference, so that it may be memory of a caller.
bool in_memory(const Expression &lvalue);

// Its type in C++; Scalar::other if unknown.
Scalar type_of(const Expression &expression);

// The value of a plain non-negative integer literal; -1 for other expressions.
long plain_number(const Expression &expression);

// Whether its evaluation has side effects.
bool has_effects(const Expression &expression);

// Whether its evaluation may change the value of `other`.
bool may_change(const Expression &expression, const Expression &other);

// Whether it has the same value everywhere in the scope of its names: a constant, a pointer that is never assigned, ...
bool is_stable(const Expression &expression);

// ++ or --
bool is_increment_or_decrement(const Expression &expression);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
