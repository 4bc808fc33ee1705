// write_statement.cpp: see writer.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/lanes/writer.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

bool Writer::needs_mask(const Expression &left) const {
  if (mask_.empty() || pointer_levels(left) > 0) return false;
  Variable *variable = target(left);
  return leader(variable)->varying && (in_memory(left) || variable->mask != mask_);
}

std::string Writer::with(const std::string &condition) const {
  return mask_.empty() ? condition : text(mask_, " & ", condition);
}

void Writer::put(const Statement &s) {
  switch (s.kind) {
    case Statement::Kind::compound:
      open("{");
      put_list(s.parts, 0);
      return close();
    case Statement::Kind::declaration:
      for (const Declarator &declarator : s.declarators) declare(declarator);
      return;
    case Statement::Kind::expression:
      return line(effect(*s.condition) + ";");
    case Statement::Kind::selection_if:
      return put_if(s);
    case Statement::Kind::iteration_for:
    case Statement::Kind::iteration_while:
    case Statement::Kind::iteration_do:
      return put_loop(s);
    case Statement::Kind::selection_switch:
      return put_switch(s);
    case Statement::Kind::labeled:
      return line(s.condition ? text("case ", value(*s.condition), ":") : "default:");
    case Statement::Kind::jump_break:
    case Statement::Kind::jump_continue:
      return put_jump(s);
    case Statement::Kind::jump_return:
      return put_return(s);
    case Statement::Kind::null:
      return line(";");
  }
}

void Writer::put_body(const Statement &s) {
  if (s.kind == Statement::Kind::compound)
    put_list(s.parts, 0);
  else
    put(s);
}

// Behind a statement that may have switched lanes off, the rest is for the others.
void Writer::put_list(const std::vector<StatementPtr> &parts, std::size_t from) {
  for (std::size_t i = from; i < parts.size(); ++i) {
    const int returns = returns_;
    const Loop before = loops_.empty() ? Loop() : loops_.back();
    put(*parts[i]);
    if (i + 1 == parts.size()) return;
    std::string mask;
    const auto without = [&](const std::string &more) { mask += (mask.empty() ? "" : " & ") + more; };
    if (!loops_.empty() && loops_.back().breaks != before.breaks) without(loops_.back().staying);
    if (!loops_.empty() && loops_.back().continues != before.continues) without(loops_.back().running);
    if (returns != returns_) without("!op2_left");
    if (!mask.empty()) return put_rest(parts, i + 1, mask);
  }
}

void Writer::put_rest(const std::vector<StatementPtr> &parts, std::size_t from, const std::string &mask) {
  bool guard = false;
  for (std::size_t i = from; i < parts.size(); ++i) {
    if (parts[i]->kind == Statement::Kind::labeled)
      refuse_at(parts[i]->line, "'case' behind a jump that some elements take");
    guard = guard || !known_.is_safe(*parts[i]) || is_costly(*parts[i]);
  }
  const std::string name = new_name("m"), outer = mask_;
  const KnownMemory before = known_;
  open("{");
  line(text("const op2_mask ", name, " = ", with(mask), ";"));
  if (guard) open(text("if (op2j::any(", name, ")) {"));
  mask_ = name;
  put_list(parts, from);
  mask_ = outer;
  if (guard) close();
  close();
  known_ = before;
}

void Writer::put_if(const Statement &s) {
  if (!is_varying(*s.condition)) {
    open(text(s.is_constexpr ? "if constexpr (" : "if (", value(*s.condition), ") {"));
    const KnownMemory before = known_;
    put_body(s[0]);
    known_ = before;
    if (s.parts.size() > 1) {
      --indent_;
      open("} else {");
      put_body(s[1]);
      known_ = before;
    }
    return close();
  }
  const std::string condition = value(*s.condition), yes = new_name("m");
  open("{");
  line(text("const auto ", yes, " = ", with(text("op2j::truth(", condition, ")")), ";"));
  put_way(s[0], yes);
  if (s.parts.size() > 1) {
    const std::string no = new_name("m");
    line(text("const auto ", no, " = ", with("!" + yes), ";"));
    put_way(s[1], no);
  }
  close();
}

void Writer::put_way(const Statement &s, const std::string &mask) {
  const bool guard = !known_.is_safe(s) || is_costly(s);
  const std::string outer = mask_;
  const KnownMemory before = known_;
  open(guard ? text("if (op2j::any(", mask, ")) {") : "{");
  mask_ = mask;
  put_body(s);
  mask_ = outer;
  close();
  known_ = before;
}

void Writer::put_switch(const Statement &s) {
  open(text("switch (", value(*s.condition), ") {"));
  const KnownMemory before = known_;
  put_body(s[0]);
  known_ = before;
  close();
}

void Writer::put_jump(const Statement &s) {
  const bool breaks = s.kind == Statement::Kind::jump_break;
  if (!s.apart) return line(breaks ? "break;" : "continue;");
  Loop &loop = loops_.back();
  const std::string &mask = breaks ? loop.staying : loop.running;
  if (mask.empty()) refuse_at(s.line, "a jump that some elements take");
  ++(breaks ? loop.breaks : loop.continues);
  line(text(mask, " = ", mask, " & !", mask_, ";"));
}

void Writer::put_return(const Statement &s) {
  const bool has_value = s.condition != nullptr;
  const bool late = instance_.returns_apart && (s.apart || mask_ != base_mask_);
  if (!late) return line(has_value ? text("return ", value(*s.condition), ";") : "return;");
  if (has_value && instance_.source->result == Scalar::none)
    refuse_at(s.line, "a value returned from a function without one");
  if (has_value) line(text("op2j::assign(op2_result, ", value(*s.condition), ", ", mask_, ");"));
  if (!s.apart) return line(has_value ? "return op2_result;" : "return;");
  line(text("op2_left = op2_left | ", mask_, ";"));
  ++returns_;
}

std::string Writer::effect(const Expression &expression) {
  const Expression &e = without_parentheses(expression);
  if (e.kind == Kind::binary && e.op.is(",")) {
    const std::string left = effect(e[0]);
    return text(left, ", ", effect(e[1]));
  }
  check_operands(e);
  if (e.kind == Kind::assignment) return assignment(e);
  if (is_increment_or_decrement(e) && at_own_place(e[0]))
    return scattered(e[0], text(value(e[0]), e.op.is("++") ? " + 1" : " - 1"));
  if (is_increment_or_decrement(e) && needs_mask(e[0]))
    return masked(e[0], text(value(e[0]), e.op.is("++") ? " + 1" : " - 1"));
  return value(expression);
}

std::string Writer::masked(const Expression &left, const std::string &value_text) {
  if (has_effects(left))
    refuse_at(left.op.line,
              "an assignment within the left side of another one, under a condition that differs between elements");
  return text("op2j::assign(", value(left), ", ", value_text, ", ", mask_, ")");
}

// One value for each element, at an index of its own in one array.
std::string Writer::scattered(const Expression &left, const std::string &value_text) {
  const Expression &e = without_parentheses(left);
  if (has_effects(left)) refuse_at(left.op.line, "an assignment within the left side of another one");
  const std::string base = value(e[0]);
  return text("op2j::scatter(", base, ", ", value(e[1]), ", ", value_text, ", op2_mask(",
              mask_.empty() ? "true" : mask_, "))");
}

std::string Writer::assignment(const Expression &e) {
  if (at_own_place(e[0])) {
    if (has_effects(e[1])) refuse_at(e.op.line, "an assignment within an assignment");
    const std::string right = value(e[1]);
    if (e.op.is("=")) return scattered(e[0], right);
    return scattered(e[0], text(value(e[0]), " ", e.op.text.substr(0, e.op.text.size() - 1), " (", right, ")"));
  }
  const Expression &right = without_parentheses(e[1]);
  const bool chained = right.kind == Kind::assignment && needs_mask(right[0]);
  if (!needs_mask(e[0]) && !chained) return value(e);
  std::string before, result;
  if (chained) { // a = b = c: b = c, a = b
    before = assignment(right) + ", ";
    result = value(right[0]);
  } else {
    result = value(e[1]);
  }
  // C++ evaluates the right side first; among arguments there is no order.
  const bool first = needs_mask(e[0]) && !chained && has_effects(e[1]);
  std::string early;
  if (first) {
    early = new_name("v");
    before = text("[&] { const auto ", early, " = ", result, "; ");
    result = early;
  }
  if (!e.op.is("=")) result = text(value(e[0]), " ", e.op.text.substr(0, e.op.text.size() - 1), " (", result, ")");
  if (first) return text(before, masked(e[0], result), "; }()");
  if (needs_mask(e[0])) return before + masked(e[0], result);
  check_effect(e[0]);
  return text(before, value(e[0]), " = ", result);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
