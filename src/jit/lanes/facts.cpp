// facts.cpp: see facts.hpp.
#include "jit/lanes/facts.hpp"

#include <algorithm>
#include <cstdlib>

#include "jit/lanes/forms.hpp"
#include "jit/text/known_functions.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

Variable *leader(Variable *variable) {
  while (variable->alias != nullptr) variable = variable->alias;
  return variable;
}

const Expression &without_parentheses(const Expression &expression) {
  const Expression *out = &expression;
  while (out->kind == Kind::parenthesized) out = out->parts[0].get();
  return *out;
}

bool is_increment_or_decrement(const Expression &expression) {
  return (expression.kind == Kind::unary || expression.kind == Kind::postfix) &&
         (expression.op.is("++") || expression.op.is("--"));
}

namespace {

bool any_varying(const Expression &expression) {
  return std::any_of(expression.parts.begin(), expression.parts.end(),
                     [](const ExpressionPtr &part) { return is_varying(*part); });
}

} // namespace

bool is_varying(const Expression &e) {
  if (pointer_levels(e) > 0) return false;
  switch (e.kind) {
    case Kind::id:
      return leader(e.variable)->varying;
    case Kind::literal:
      return false;
    case Kind::subscript: {
      Variable *variable = target(e);
      return (variable != nullptr && leader(variable)->varying) || is_varying(e[1]);
    }
    case Kind::unary:
      if (e.op.is("*")) {
        Variable *variable = target(e);
        return variable != nullptr && leader(variable)->varying;
      }
      return is_varying(e[0]);
    case Kind::binary:
      return e.op.is(",") ? is_varying(e[1]) : any_varying(e);
    case Kind::assignment:
      return is_varying(e[0]);
    case Kind::call:
      return e.helper != nullptr ? e.instance != nullptr && e.instance->result_varying : any_varying(e);
    default:
      return any_varying(e);
  }
}

Variable *target(const Expression &e) {
  switch (e.kind) {
    case Kind::id:
      return e.variable;
    case Kind::parenthesized:
    case Kind::subscript:
    case Kind::member_access:
    case Kind::unary:
    case Kind::postfix:
    case Kind::assignment:
      return target(e[0]);
    case Kind::binary:
      if (e.op.is(",")) return target(e[1]);
      return pointer_levels(e[1]) > 0 && pointer_levels(e[0]) == 0 ? target(e[1]) : target(e[0]);
    case Kind::conditional: {
      Variable *yes = target(e[1]);
      return yes != nullptr ? yes : target(e[2]);
    }
    default:
      return nullptr;
  }
}

Variable *led_to(const Expression &expression, bool reference) {
  const Expression &e = without_parentheses(expression);
  if (!reference) return pointer_levels(e) > 0 ? target(e) : nullptr;
  const bool lvalue = e.kind == Kind::id || e.kind == Kind::subscript || e.kind == Kind::member_access ||
                      (e.kind == Kind::unary && e.op.is("*"));
  return lvalue ? target(e) : nullptr;
}

int pointer_levels(const Expression &e) {
  switch (e.kind) {
    case Kind::id:
      return e.variable->pointers + e.variable->arrays;
    case Kind::parenthesized:
    case Kind::postfix:
    case Kind::assignment:
      return pointer_levels(e[0]);
    case Kind::literal:
      return e.op.is("nullptr") ? 1 : 0;
    case Kind::subscript:
      return std::max(0, pointer_levels(e[0]) - 1);
    case Kind::unary:
      if (e.op.is("*")) return std::max(0, pointer_levels(e[0]) - 1);
      if (e.op.is("&")) return pointer_levels(e[0]) + 1;
      return e.op.is("++") || e.op.is("--") ? pointer_levels(e[0]) : 0;
    case Kind::binary:
      if (e.op.is(",")) return pointer_levels(e[1]);
      if (e.op.is("+")) return std::max(pointer_levels(e[0]), pointer_levels(e[1]));
      if (e.op.is("-") && pointer_levels(e[1]) == 0) return pointer_levels(e[0]);
      return 0;
    case Kind::conditional:
      return std::max(pointer_levels(e[1]), pointer_levels(e[2]));
    default:
      return 0;
  }
}

bool at_own_index(const Expression &lvalue) {
  const Expression &e = without_parentheses(lvalue);
  if (e.kind == Kind::subscript) return is_varying(e[1]) || at_own_index(e[0]);
  return (e.kind == Kind::member_access || e.kind == Kind::unary) && at_own_index(e[0]);
}

bool at_own_place(const Expression &lvalue) {
  const Expression &e = without_parentheses(lvalue);
  return e.kind == Kind::subscript && is_varying(e[1]) && pointer_levels(e) == 0 && !at_own_index(e[0]);
}

bool in_memory(const Expression &lvalue) {
  const Expression &e = without_parentheses(lvalue);
  switch (e.kind) {
    case Kind::id:
      return e.variable->reference || e.variable->global;
    case Kind::subscript: {
      const Expression &base = without_parentheses(e[0]);
      if (base.kind == Kind::id && base.variable->arrays > 0) return base.variable->global || base.variable->reference;
      return base.kind == Kind::subscript ? in_memory(base) : true;
    }
    default:
      return true;
  }
}

namespace {

Scalar type_of_number(const std::string &text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const bool real =
      hexadecimal ? text.find_first_of("pP") != std::string::npos : text.find_first_of(".eE") != std::string::npos;
  const char last = text.back();
  if (real)
    return last == 'f' || last == 'F' ? Scalar::float32 : last == 'l' || last == 'L' ? Scalar::other : Scalar::float64;
  if (text.find_first_of("uUlL") != std::string::npos || text.size() > 9) return Scalar::other;
  return Scalar::int32;
}

Scalar promoted(Scalar scalar) { return scalar == Scalar::boolean ? Scalar::int32 : scalar; }

Scalar arithmetic(Scalar a, Scalar b) {
  a = promoted(a);
  b = promoted(b);
  if (a == Scalar::other || b == Scalar::other || a == Scalar::none || b == Scalar::none) return Scalar::other;
  return std::max(a, b); // in the order of the enumeration, which is that of C's conversions
}

Scalar type_of_binary(const Expression &e) {
  for (const char *op : {"<", "<=", ">", ">=", "==", "!=", "&&", "||"})
    if (e.op.is(op)) return Scalar::boolean;
  if (e.op.is(",")) return type_of(e[1]);
  if (pointer_levels(e[0]) > 0 || pointer_levels(e[1]) > 0) return Scalar::other;
  if (e.op.is("<<") || e.op.is(">>")) return promoted(type_of(e[0]));
  return arithmetic(type_of(e[0]), type_of(e[1]));
}

} // namespace

Scalar type_of(const Expression &e) {
  switch (e.kind) {
    case Kind::id:
      return e.variable->type.narrow ? Scalar::other : e.variable->type.scalar;
    case Kind::literal:
      if (e.op.is("true") || e.op.is("false")) return Scalar::boolean;
      return e.op.kind == TokenKind::number ? type_of_number(e.op.text) : Scalar::other;
    case Kind::parenthesized:
    case Kind::subscript:
    case Kind::postfix:
    case Kind::assignment:
      return type_of(e[0]);
    case Kind::unary:
      if (e.op.is("!")) return Scalar::boolean;
      if (e.op.is("*") || e.op.is("++") || e.op.is("--")) return type_of(e[0]);
      return e.op.is("&") ? Scalar::other : promoted(type_of(e[0]));
    case Kind::binary:
      return type_of_binary(e);
    case Kind::conditional: {
      const Scalar yes = type_of(e[1]), no = type_of(e[2]);
      return yes == no ? yes : arithmetic(yes, no);
    }
    case Kind::call:
      if (e.helper != nullptr) return e.helper->result;
      return e.type.narrow ? Scalar::other : e.type.scalar;
    case Kind::cast:
      return e.type.narrow ? Scalar::other : e.type.scalar;
    default:
      return Scalar::other;
  }
}

long plain_number(const Expression &expression) {
  const Expression &e = without_parentheses(expression);
  if (e.kind != Kind::literal || e.op.kind != TokenKind::number || e.op.text.size() > 9) return -1;
  const std::string &digits = e.op.text;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  return digits[0] == '0' && digits.size() > 1 ? -1 : std::atol(digits.c_str()); // 010 is eight
}

bool has_effects(const Expression &e) {
  if (e.kind == Kind::assignment || is_increment_or_decrement(e)) return true;
  if (e.kind == Kind::call && e.helper != nullptr && (e.instance == nullptr || e.instance->writes)) return true;
  return std::any_of(e.parts.begin(), e.parts.end(), [](const ExpressionPtr &part) { return has_effects(*part); });
}

namespace {

bool reads(const Expression &e, const Variable *variable, bool memory) {
  if (e.kind == Kind::id && leader(e.variable) == variable) return true;
  if (memory && (e.kind == Kind::subscript || (e.kind == Kind::unary && e.op.is("*")) ||
                 (e.kind == Kind::id && e.variable->reference)))
    return true;
  return std::any_of(e.parts.begin(), e.parts.end(),
                     [&](const ExpressionPtr &part) { return reads(*part, variable, memory); });
}

} // namespace

bool may_change(const Expression &e, const Expression &other) {
  if ((e.kind == Kind::assignment || is_increment_or_decrement(e)) &&
      reads(other, leader(target(e[0])), in_memory(e[0])))
    return true;
  if (e.kind == Kind::call && has_effects(e) && without_parentheses(other).kind != Kind::literal) return true;
  return std::any_of(e.parts.begin(), e.parts.end(),
                     [&](const ExpressionPtr &part) { return may_change(*part, other); });
}

bool is_stable(const Expression &e) {
  if (e.kind == Kind::id) return !leader(e.variable)->changed && !e.variable->assigned;
  if (e.kind == Kind::call || e.kind == Kind::assignment || e.kind == Kind::subscript ||
      e.kind == Kind::member_access || is_increment_or_decrement(e))
    return false;
  if (e.kind == Kind::unary && e.op.is("*")) return false;
  return std::all_of(e.parts.begin(), e.parts.end(), [](const ExpressionPtr &part) { return is_stable(*part); });
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
