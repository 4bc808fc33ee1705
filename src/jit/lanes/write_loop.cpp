// write_loop.cpp: see writer.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/lanes/writer.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

namespace {

bool has_jumps(const Statement &s, bool only_continue = false) {
  if (s.kind == Statement::Kind::jump_continue) return true;
  if (!only_continue && (s.kind == Statement::Kind::jump_break || s.kind == Statement::Kind::jump_return)) return true;
  return std::any_of(s.parts.begin(), s.parts.end(),
                     [&](const StatementPtr &part) { return has_jumps(*part, only_continue); });
}

struct Count {
  Variable *counter = nullptr;
  long from = -1, to = -1;
};

// for (int n = number; n < number; ++n)
Count count_of(const Statement &s) {
  if (!s.init_statement || s.init_statement->kind != Statement::Kind::declaration ||
      s.init_statement->declarators.size() != 1 || !s.condition || !s.step)
    return {};
  const Declarator &declarator = s.init_statement->declarators[0];
  const Expression &condition = without_parentheses(*s.condition), &step = without_parentheses(*s.step);
  Count out{declarator.variable, declarator.value ? plain_number(*declarator.value) : -1, -1};
  const auto is_counter = [&](const Expression &e) {
    return without_parentheses(e).kind == Kind::id && without_parentheses(e).variable == out.counter;
  };
  if (condition.kind != Kind::binary || !is_counter(condition[0]) || out.from < 0) return {};
  if (condition.op.is("<")) out.to = plain_number(condition[1]);
  if (condition.op.is("<=") && plain_number(condition[1]) >= 0) out.to = plain_number(condition[1]) + 1;
  if (out.to < 0 || !is_increment_or_decrement(step) || !step.op.is("++") || !is_counter(step[0])) return {};
  if (leader(out.counter)->changed || out.counter->type.scalar != Scalar::int32 || out.counter->type.narrow) return {};
  return out;
}

} // namespace

void Writer::put_loop(const Statement &s) {
  if (s.diverges || s.skips || s.returns)
    put_masked_loop(s);
  else
    put_plain_loop(s);
}

// Declarations that do not fit into the brackets of `for` come before it.
bool Writer::open_for(const Statement &s) {
  if (!s.init_statement || s.init_statement->kind != Statement::Kind::declaration ||
      s.init_statement->declarators.size() < 2)
    return false;
  open("{");
  put(*s.init_statement);
  return true;
}

std::string Writer::for_init(const Statement &s) {
  if (!s.init_statement || s.init_statement->kind == Statement::Kind::null) return "";
  if (s.init_statement->kind == Statement::Kind::expression) return effect(*s.init_statement->condition);
  return s.init_statement->declarators.size() == 1 ? declaration(s.init_statement->declarators[0]) : "";
}

void Writer::put_plain_loop(const Statement &s) {
  const KnownMemory before = known_;
  if (s.kind == Statement::Kind::iteration_for) {
    const bool block = open_for(s);
    const Count count = count_of(s);
    const std::string init = for_init(s), condition = s.condition ? value(*s.condition) : "";
    if (count.counter != nullptr) count.counter->bound = count.to;
    loops_.emplace_back();
    // The step may only switch off what the body has not yet: it is written first, but its accesses come last.
    const KnownMemory start = known_;
    const std::string step = s.step ? effect(*s.step) : "";
    known_ = start;
    open(text("for (", init, "; ", condition, "; ", step, ") {"));
    put_body(s[0]);
    close();
    loops_.pop_back();
    // What a loop that is run through to its end uses in all its rounds is there.
    if (!(count.counter != nullptr && count.from < count.to && !has_jumps(s[0]))) known_ = before;
    if (block) close();
    return;
  }
  loops_.emplace_back();
  if (s.kind == Statement::Kind::iteration_while) {
    open(text("while (", value(*s.condition), ") {"));
    put_body(s[0]);
    close();
  } else {
    open("do {");
    put_body(s[0]);
    close(text("} while (", value(*s.condition), ");"));
  }
  loops_.pop_back();
  known_ = before;
}

void Writer::put_masked_loop(const Statement &s) {
  const bool at_end = s.kind == Statement::Kind::iteration_do;
  if (at_end && has_jumps(s[0], true)) refuse_at(s.line, "'continue' in this 'do'");
  const std::string outer = mask_;
  const KnownMemory before = known_;
  const bool apart = s.condition && is_varying(*s.condition);
  Loop loop;
  open("{");
  if (s.diverges) {
    loop.staying = new_name("b");
    line(text("op2_mask ", loop.staying, " = ", outer.empty() ? "true" : outer, ";"));
  }
  if (s.init_statement && s.init_statement->kind == Statement::Kind::declaration &&
      s.init_statement->declarators.size() > 1)
    put(*s.init_statement);
  const std::string init = s.kind == Statement::Kind::iteration_for ? for_init(s) : "";
  const std::string condition = s.condition && !apart && !at_end ? value(*s.condition) : "";
  // Lanes that are in the loop, when its step is taken and when its body begins.
  std::string inside = s.diverges ? loop.staying : outer;
  if (s.returns) inside = inside.empty() ? "!op2_left" : text(inside, " & !op2_left");
  mask_ = inside;
  const std::string step = s.step ? effect(*s.step) : "";
  open(text("for (", init, "; ", condition, "; ", step, ") {"));
  if (apart && !at_end) {
    line(text("if (!op2j::any(", inside, ")) break;"));
    line(text(loop.staying, " = op2j::both(", loop.staying, ", ", lazily(*s.condition), ");"));
  }
  const std::string body = new_name("m");
  line(text("const op2_mask ", body, " = ", inside.empty() ? "true" : inside, ";"));
  if (s.diverges || s.returns) line(text("if (!op2j::any(", body, ")) break;"));
  if (s.skips) {
    loop.running = new_name("c");
    line(text("op2_mask ", loop.running, " = ", body, ";"));
  }
  mask_ = body;
  loops_.push_back(loop);
  open("{");
  put_body(s[0]);
  close();
  loops_.pop_back();
  mask_ = inside;
  if (at_end && apart)
    line(text(loop.staying, " = op2j::both(", inside, ", ", lazily(*s.condition), ");"));
  else if (at_end)
    line(text("if (!(", value(*s.condition), ")) break;"));
  mask_ = outer;
  close();
  close();
  known_ = before;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
