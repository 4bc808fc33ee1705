// switch_choice.cpp: see as_choice() in tree.hpp.
#include <algorithm>
#include <utility>

#include "jit/lanes/facts.hpp"
#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

namespace {

using What = Statement::Kind;

// The labels in front of a group of statements, and the group without the jump at its end.
struct Group {
  std::vector<const Expression *> labels;
  bool is_default = false;
  std::vector<StatementPtr *> statements;
};

bool is_end(const Statement &s) { return s.kind == What::jump_break || s.kind == What::jump_return; }

// Whether a `break` in it is for the switch. Loops within have their own.
bool breaks_out(const Statement &s) {
  if (s.kind == What::jump_break) return true;
  if (s.is_iteration() || s.kind == What::selection_switch) return false;
  return std::any_of(s.parts.begin(), s.parts.end(), [](const StatementPtr &part) { return breaks_out(*part); });
}

bool has_label(const Statement &s) {
  if (s.kind == What::labeled) return true;
  if (s.kind == What::selection_switch) return false;
  return std::any_of(s.parts.begin(), s.parts.end(), [](const StatementPtr &part) { return has_label(*part); });
}

// case A: { ...; break; }: the jump is the last statement of the block.
const Statement *last_of(const Group &group) {
  if (group.statements.empty()) return nullptr;
  const Statement *last = group.statements.back()->get();
  while (last->kind == What::compound && !last->parts.empty()) last = last->parts.back().get();
  return last;
}

// Groups of a switch of this simple kind; none if it is another one.
std::vector<Group> groups_of(Statement &body) {
  std::vector<Group> out;
  bool open = false; // labels are being read
  for (StatementPtr &part : body.parts) {
    if (part->kind == What::labeled) {
      if (!open) {
        if (!out.empty() && !(last_of(out.back()) && is_end(*last_of(out.back())))) return {}; // falls through
        out.emplace_back();
      }
      open = true;
      if (part->condition)
        out.back().labels.push_back(part->condition.get());
      else
        out.back().is_default = true;
      continue;
    }
    if (out.empty() || has_label(*part)) return {};
    open = false;
    out.back().statements.push_back(&part);
  }
  return out;
}

// The `break` at the end of a group; NULL if it ends otherwise.
Statement *final_break(Group &group) {
  if (group.statements.empty()) return nullptr;
  StatementPtr *last = group.statements.back();
  while ((*last)->kind == What::compound && !(*last)->parts.empty()) last = &(*last)->parts.back();
  return (*last)->kind == What::jump_break ? last->get() : nullptr;
}

// Whether a `break` in the middle leaves the switch.
bool breaks_in_the_middle(Group &group) {
  Statement *const last = final_break(group);
  if (last) last->kind = What::null;
  const bool out = std::any_of(group.statements.begin(), group.statements.end(),
                               [](const StatementPtr *one) { return breaks_out(**one); });
  if (last) last->kind = What::jump_break;
  return out;
}

ExpressionPtr copy_of(const Expression &e) {
  auto out = std::make_unique<Expression>();
  out->kind = e.kind;
  out->op = e.op;
  out->variable = e.variable;
  out->type = e.type;
  out->pointers = e.pointers;
  out->arrow = e.arrow;
  out->templated = e.templated;
  out->helper = e.helper;
  for (const ExpressionPtr &part : e.parts) out->parts.push_back(copy_of(*part));
  return out;
}

ExpressionPtr joined(const char *sign, ExpressionPtr left, ExpressionPtr right) {
  auto out = std::make_unique<Expression>();
  out->kind = Expression::Kind::binary;
  out->op = left->op;
  out->op.kind = TokenKind::punctuator;
  out->op.text = sign;
  for (ExpressionPtr *part : {&left, &right}) {
    auto inner = std::make_unique<Expression>();
    inner->kind = Expression::Kind::parenthesized;
    inner->op = (*part)->op;
    inner->parts.push_back(std::move(*part));
    out->parts.push_back(std::move(inner));
  }
  return out;
}

StatementPtr block_of(Group &group, int line) {
  auto out = std::make_unique<Statement>();
  out->kind = What::compound;
  out->line = line;
  for (StatementPtr *one : group.statements) out->parts.push_back(std::move(*one));
  return out;
}

} // namespace

StatementPtr as_choice(StatementPtr whole) {
  Statement &body = *whole->parts[0];
  if (body.kind != What::compound || has_effects(*whole->condition)) return whole;
  std::vector<Group> groups = groups_of(body);
  if (groups.empty() || std::count_if(groups.begin(), groups.end(), [](const Group &g) { return g.is_default; }) > 1)
    return whole;
  if (std::any_of(groups.begin(), groups.end(), breaks_in_the_middle)) return whole;
  for (Group &group : groups)
    if (Statement *const last = final_break(group)) last->kind = What::null;
  StatementPtr out;
  for (Group &group : groups)
    if (group.is_default) out = block_of(group, whole->line);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (group->is_default) continue;
    ExpressionPtr condition;
    for (const Expression *label : group->labels) {
      ExpressionPtr one = joined("==", copy_of(*whole->condition), copy_of(*label));
      condition = condition ? joined("||", std::move(condition), std::move(one)) : std::move(one);
    }
    auto choice = std::make_unique<Statement>();
    choice->kind = What::selection_if;
    choice->line = whole->line;
    choice->condition = std::move(condition);
    choice->parts.push_back(block_of(*group, whole->line));
    if (out) choice->parts.push_back(std::move(out));
    out = std::move(choice);
  }
  return out ? std::move(out) : std::move(whole);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
