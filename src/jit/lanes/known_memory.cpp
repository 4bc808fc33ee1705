// known_memory.cpp: see known_memory.hpp.
#include "jit/lanes/known_memory.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/text/known_functions.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

namespace {

// A division of scalars, which ends the program when it is one of integers by zero.
bool may_trap(const Expression &e) {
  if (!e.op.is("/") && !e.op.is("%") && !e.op.is("/=") && !e.op.is("%=")) return false;
  if (is_varying(e) || is_real(type_of(e[0])) || is_real(type_of(e[1]))) return false;
  return plain_number(e[1]) <= 0;
}

bool is_access(const Expression &e) {
  return e.kind == Kind::subscript || (e.kind == Kind::unary && e.op.is("*")) || e.arrow;
}

// a[i] or *a, with a name for a; otherwise nothing.
struct Access {
  const Variable *base = nullptr;
  const Expression *index = nullptr; // NULL: 0
};
Access simple(const Expression &e) {
  const Expression &base = without_parentheses(e[0]);
  if (e.arrow || base.kind != Kind::id || base.variable->reference) return {};
  if (base.variable->pointers > 0 && (base.variable->assigned || !base.variable->parameter)) return {};
  return {base.variable, e.kind == Kind::subscript ? &without_parentheses(e[1]) : nullptr};
}

// The largest value of an index that is a number or a counter between numbers; -1 if it is unknown.
long largest(const Expression *index) {
  if (index == nullptr) return 0;
  if (index->kind == Kind::literal) return plain_number(*index);
  if (index->kind == Kind::id && !leader(index->variable)->changed && index->variable->bound > 0)
    return index->variable->bound - 1;
  return -1;
}

std::string spelled(const Expression &e) {
  std::string out = e.kind == Kind::id ? text(e.op.text, "#", static_cast<const void *>(e.variable)) : e.op.text;
  for (const ExpressionPtr &part : e.parts) out += text("(", spelled(*part), ")");
  return out;
}

} // namespace

void KnownMemory::note(const Expression &access) {
  const Access to = simple(access);
  if (to.base == nullptr) return;
  const long index = largest(to.index);
  if (index >= 0) {
    auto [at, fresh] = largest_.try_emplace(to.base, index);
    if (!fresh) at->second = std::max(at->second, index);
  } else if (is_stable(*to.index)) {
    seen_.emplace_back(to.base, spelled(*to.index));
  }
}

bool KnownMemory::is_there(const Expression &access) const {
  const Access to = simple(access);
  if (to.base == nullptr) return false;
  const long index = largest(to.index);
  if (index >= 0) {
    if (to.base->arrays == 1 && to.base->extent > index) return true;
    const auto seen = largest_.find(to.base);
    return seen != largest_.end() && seen->second >= index;
  }
  return is_stable(*to.index) &&
         std::find(seen_.begin(), seen_.end(), std::pair(to.base, spelled(*to.index))) != seen_.end();
}

bool KnownMemory::is_safe(const Expression &e) const {
  if ((is_access(e) && !is_there(e)) || may_trap(e)) return false;
  return std::all_of(e.parts.begin(), e.parts.end(), [&](const ExpressionPtr &part) { return is_safe(*part); });
}

bool KnownMemory::is_safe(const Statement &s) const {
  if (s.is_iteration()) return false; // it may go further than any index in it tells
  for (const auto *part : {&s.condition, &s.step})
    if (*part && !is_safe(**part)) return false;
  if (s.init_statement && !is_safe(*s.init_statement)) return false;
  for (const Declarator &declarator : s.declarators)
    if (declarator.value && !is_safe(*declarator.value)) return false;
  return std::all_of(s.parts.begin(), s.parts.end(), [&](const StatementPtr &part) { return is_safe(*part); });
}

bool is_costly(const Expression &e) {
  if (e.kind == Kind::call) {
    const KnownFunction *known = e.helper == nullptr ? known_function(e.op.text) : nullptr;
    if (known == nullptr || !known->exact) return true;
  }
  return std::any_of(e.parts.begin(), e.parts.end(), [](const ExpressionPtr &part) { return is_costly(*part); });
}

bool is_costly(const Statement &s) {
  if (s.is_iteration()) return true;
  for (const auto *part : {&s.condition, &s.step})
    if (*part && is_costly(**part)) return true;
  for (const Declarator &declarator : s.declarators)
    if (declarator.value && is_costly(*declarator.value)) return true;
  return std::any_of(s.parts.begin(), s.parts.end(), [](const StatementPtr &part) { return is_costly(*part); });
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
