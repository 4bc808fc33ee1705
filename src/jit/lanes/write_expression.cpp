// write_expression.cpp: see writer.hpp.
#include <cstdlib>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/lanes/writer.hpp"
#include "jit/text/known_functions.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

std::string Writer::value(const Expression &e) {
  check_operands(e);
  switch (e.kind) {
    case Kind::id:
      return e.variable->name;
    case Kind::literal:
      return e.op.text;
    case Kind::parenthesized:
      return text("(", value(e[0]), ")");
    case Kind::unary:
      return unary(e);
    case Kind::postfix:
      check_effect(e[0]);
      return value(e[0]) + e.op.text;
    case Kind::binary:
      return binary(e);
    case Kind::assignment:
      check_effect(e[0]);
      return text(value(e[0]), " ", e.op.text, " ", value(e[1]));
    case Kind::conditional:
      return conditional(e);
    case Kind::call:
      return call(e);
    case Kind::subscript:
      return access(e);
    case Kind::member_access:
      return text(value(e[0]), e.arrow ? "->" : ".", e.op.text);
    case Kind::cast:
      return cast(e);
    case Kind::braced_init_list:
      break;
  }
  std::string out = "{";
  for (std::size_t i = 0; i < e.parts.size(); ++i) out += text(i > 0 ? ", " : "", value(e[i]));
  return out + "}";
}

// Operators that make no sense for these types, or none for lanes.
void Writer::check_operands(const Expression &e) const {
  const bool bits = e.op.is("%") || e.op.is("^") || e.op.is("<<") || e.op.is(">>") || e.op.is("~") || e.op.is("%=") ||
                    e.op.is("&=") || e.op.is("|=") || e.op.is("^=") || e.op.is("<<=") || e.op.is(">>=") ||
                    e.op.is("|") || (e.op.is("&") && e.kind == Kind::binary);
  for (const ExpressionPtr &part : e.parts)
    if (bits && is_real(type_of(*part))) refuse_at(e.op.line, text("'", e.op.text, "' of real numbers"));
  if (pointer_levels(e) == 0) return;
  const bool moves = e.kind == Kind::binary || (e.kind == Kind::assignment && !e.op.is("="));
  for (const ExpressionPtr &part : e.parts)
    if (moves && is_varying(*part)) refuse_at(e.op.line, "a pointer that differs between elements");
}

// Which of two operands is evaluated first is not defined, and is not the same for operators of scalars and of lanes.
void Writer::check_order(const Expression &e) const {
  for (const ExpressionPtr &one : e.parts)
    for (const ExpressionPtr &other : e.parts)
      if (one != other && may_change(*one, *other))
        refuse_at(e.op.line, "a value that is changed within the expression that uses it");
}

void Writer::check_effect(const Expression &left) {
  if (at_own_index(left))
    refuse_at(left.op.line, "an assignment at an index that differs between elements, within a larger expression");
  const bool varying = leader(target(left))->varying;
  if (arms_ > 0)
    refuse_at(left.op.line, "an assignment in a part of an expression that is evaluated for some elements only");
  if (varying && needs_mask(left))
    refuse_at(left.op.line,
              "an assignment within a larger expression, under a condition that differs between elements");
}

std::string Writer::unary(const Expression &e) {
  if (e.op.is("*")) return access(e);
  if (is_increment_or_decrement(e)) check_effect(e[0]);
  const std::string operand = value(e[0]);
  const bool glued = !operand.empty() && operand[0] == e.op.text.back(); // - -x
  return text(e.op.text, glued ? " " : "", operand);
}

// A table, or an array of the element's own, at an index of each element. Switched-off elements may have any index.
std::string Writer::gather(const Expression &e) {
  const std::string what = without_parentheses(e[0]).kind == Kind::id ? without_parentheses(e[0]).op.text : "an array";
  if (pointer_levels(e) > 0 || arms_ > 0)
    refuse_at(e.op.line, text("the index of '", what, "' differs between elements"));
  const std::string base = value(e[0]);
  return text("op2j::gather(", base, ", ", value(e[1]), ", op2_mask(", mask_.empty() ? "true" : mask_, "))");
}

std::string Writer::access(const Expression &e) {
  if (e.kind == Kind::subscript && is_varying(e[1])) return gather(e);
  if (arms_ == 0) known_.note(e);
  if (e.kind == Kind::subscript) {
    const std::string base = value(e[0]);
    return text(base, "[", value(e[1]), "]");
  }
  return text("*", value(e[0]));
}

std::string Writer::lazily(const Expression &e) {
  const KnownMemory before = known_;
  ++arms_;
  std::string out = text("[&] { return ", value(e), "; }");
  --arms_;
  known_ = before;
  return out;
}

std::string Writer::binary(const Expression &e) {
  const bool logic = e.op.is("&&") || e.op.is("||");
  if (!logic) {
    if (!e.op.is(",")) check_order(e);
    const std::string left = value(e[0]);
    return text(left, e.op.is(",") ? "" : " ", e.op.text, " ", value(e[1]));
  }
  const auto side = [&](const Expression &part) { // operators for lanes take no pointers
    return is_varying(e) && pointer_levels(part) > 0 ? text("op2j::truth(", value(part), ")") : value(part);
  };
  const std::string left = side(e[0]);
  // The right side is evaluated if the left one asks for it, in any lane.
  const bool lazy = is_varying(e) && !(known_.is_safe(e[1]) && !is_costly(e[1]));
  if (lazy) return text(e.op.is("&&") ? "op2j::both(" : "op2j::either(", left, ", ", lazily(e[1]), ")");
  const KnownMemory before = known_;
  arms_ += is_varying(e[0]) ? 1 : 0;
  const std::string right = side(e[1]);
  arms_ -= is_varying(e[0]) ? 1 : 0;
  if (is_varying(e) && has_effects(e[1])) refuse_at(e.op.line, text("an assignment on the right of '", e.op.text, "'"));
  known_ = before;
  return text(left, " ", e.op.text, " ", right);
}

std::string Writer::conditional(const Expression &e) {
  const std::string condition = value(e[0]);
  if (!is_varying(e[0])) {
    if (is_varying(e) && pointer_levels(e) == 0)
      return text("op2j::pick(op2j::truth(", condition, "), ", lazily(e[1]), ", ", lazily(e[2]), ")");
    const KnownMemory before = known_;
    const std::string yes = value(e[1]);
    known_ = before;
    const std::string no = value(e[2]);
    known_ = before;
    return text(condition, " ? ", yes, " : ", no);
  }
  if (pointer_levels(e) > 0)
    refuse_at(e.op.line, "a pointer that is chosen by a condition that differs between elements");
  bool lazy = false;
  for (const std::size_t arm : {1u, 2u}) lazy = lazy || !known_.is_safe(e[arm]) || is_costly(e[arm]);
  if (lazy) return text("op2j::choose(", condition, ", ", lazily(e[1]), ", ", lazily(e[2]), ")");
  ++arms_;
  const std::string yes = value(e[1]), no = value(e[2]);
  --arms_;
  return text("op2j::select(", condition, ", ", yes, ", ", no, ")");
}

namespace {

// pow(x, 2), which compilers make a product.
const char *square_name(const Expression &e) {
  if (e.op.text != "pow" && e.op.text != "powf") return nullptr;
  const Expression &exponent = without_parentheses(e[1]);
  if (exponent.kind != Kind::literal || exponent.op.kind != TokenKind::number) return nullptr;
  const std::string &spelled = exponent.op.text;
  char *end = nullptr;
  const bool two = std::strtod(spelled.c_str(), &end) == 2.0;
  if (!two || *end != '\0') return nullptr; // 2.0f has a type of its own
  return e.op.text == "pow" ? "square" : "squaref";
}

} // namespace

std::string Writer::call(const Expression &e) {
  check_order(e);
  std::string out;
  std::size_t arguments = e.parts.size();
  if (e.helper != nullptr) {
    if (e.instance->writes && arms_ > 0)
      refuse_at(e.op.line, text("a call of '", e.op.text, "', which writes memory, for some elements only"));
    if (e.instance->writes && !mask_.empty() && !e.instance->masked)
      refuse_at(e.op.line, text("a call of '", e.op.text, "', which writes memory, under a condition"));
    out = e.instance->name + "(";
    if (e.instance->masked) out += mask_.empty() ? "op2_mask(true)" : text("op2_mask(", mask_, ")");
    if (e.instance->masked && arguments > 0) out += ", ";
  } else {
    const char *square = is_varying(e) ? square_name(e) : nullptr;
    out = e.op.text.starts_with("__builtin_") ? e.op.text : text("op2j::", square != nullptr ? square : e.op.text);
    if (square != nullptr) arguments = 1;
    if (e.templated && !is_varying(e)) out += text("<", spell(e.type.spelled), ">");
    out += "(";
  }
  for (std::size_t i = 0; i < arguments; ++i) {
    if (i > 0) out += ", ";
    const bool converted = e.templated && is_varying(e);
    if (converted && (lanes_of(e.type.scalar).empty() || e.type.narrow)) refuse_at(e.op.line, "the type in <>");
    out += converted ? text(lanes_of(e.type.scalar), "(", value(e[i]), ")") : value(e[i]);
  }
  return out + ")";
}

std::string Writer::cast(const Expression &e) {
  if (!is_varying(e) || e.type.scalar == Scalar::none) {
    const bool plain = e.type.spelled.size() == 1 && spelling_of(e.type.scalar)[0] != '\0' && !e.type.narrow;
    return text("(", plain ? spelling_of(e.type.scalar) : spell(e.type.spelled), ")", value(e[0]));
  }
  const std::string type = lanes_of(e.type.scalar);
  if (type.empty() || e.type.narrow || e.type.is_auto)
    refuse_at(e.op.line, text("a conversion to '", spell(e.type.spelled), "' of values that differ between elements"));
  return text(type, "(", value(e[0]), ")");
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
