// analysis.cpp: see analysis.hpp.
#include "jit/lanes/analysis.hpp"

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

void Analysis::run() {
  for (Variable *parameter : instance_.definition.parameters) parameter->depth = base_;
  do {
    changed_ = false;
    depth_ = base_;
    walk(*instance_.definition.body);
  } while (changed_);
}

void Analysis::mark(Variable *variable, int line) {
  Variable *one = leader(variable);
  if (one->varying) return;
  if (one->fixed)
    refuse_at(line, "'" + variable->name +
                        "' is the same for all elements, and is used together with or in place of values that differ");
  if (variable->type.narrow || variable->type.scalar == Scalar::other || variable->type.scalar == Scalar::none)
    if (!variable->type.is_auto)
      refuse_at(line, "'" + variable->name + "' differs between elements and is of type '" +
                          spell(variable->type.spelled) + "'");
  set(one->varying);
}

void Analysis::unite(Variable *a, Variable *b, int line) {
  a = leader(a);
  b = leader(b);
  if (a == b) return;
  if (a->varying != b->varying) mark(a->varying ? b : a, line);
  b->alias = a;
  a->fixed = a->fixed || b->fixed;
  a->changed = a->changed || b->changed;
  changed_ = true;
}

void Analysis::walk_parts(Statement &statement) {
  for (const StatementPtr &part : statement.parts) walk(*part);
}

void Analysis::walk(Statement &statement) {
  switch (statement.kind) {
    case Statement::Kind::compound:
      return walk_parts(statement);
    case Statement::Kind::declaration:
      for (const Declarator &declarator : statement.declarators) declare(declarator, statement.line);
      return;
    case Statement::Kind::expression:
      return visit(*statement.condition);
    case Statement::Kind::selection_if: {
      visit(*statement.condition);
      const int apart = is_varying(*statement.condition) ? 1 : 0;
      depth_ += apart;
      walk_parts(statement);
      depth_ -= apart;
      return;
    }
    case Statement::Kind::iteration_for:
    case Statement::Kind::iteration_while:
    case Statement::Kind::iteration_do:
      return walk_loop(statement);
    case Statement::Kind::selection_switch:
      visit(*statement.condition);
      if (is_varying(*statement.condition))
        refuse_at(statement.line, "'switch' over a value that differs between elements");
      loops_.push_back({&statement, depth_, loops_.empty() ? 0 : loops_.back().continues});
      walk_parts(statement);
      loops_.pop_back();
      return;
    case Statement::Kind::jump_break:
    case Statement::Kind::jump_continue:
      return jump(statement);
    case Statement::Kind::jump_return:
      return return_statement(statement);
    case Statement::Kind::labeled:
    case Statement::Kind::null:
      return;
  }
}

void Analysis::walk_loop(Statement &statement) {
  const int outer = depth_;
  if (statement.diverges) ++depth_;
  loops_.push_back({&statement, depth_, depth_ + (statement.skips ? 1 : 0)});
  if (statement.init_statement) walk(*statement.init_statement);
  if (statement.condition) {
    visit(*statement.condition);
    if (is_varying(*statement.condition)) set(statement.diverges);
  }
  if (statement.skips) ++depth_;
  walk_parts(statement);
  if (statement.skips) --depth_;
  if (statement.step) {
    // The counter that this 'for' declares may be stepped by it and count as unchanged within the body.
    Variable *counter = nullptr;
    if (statement.init_statement && statement.init_statement->kind == Statement::Kind::declaration &&
        statement.init_statement->declarators.size() == 1)
      counter = statement.init_statement->declarators[0].variable;
    const bool changed = counter != nullptr && leader(counter)->changed;
    visit(*statement.step);
    if (counter != nullptr) leader(counter)->changed = changed;
  }
  loops_.pop_back();
  depth_ = outer;
}

void Analysis::jump(Statement &statement) {
  const bool breaks = statement.kind == Statement::Kind::jump_break;
  if (loops_.empty()) refuse_at(statement.line, "a jump outside of a loop");
  std::size_t at = loops_.size() - 1;
  while (!breaks && at > 0 && !loops_[at].statement->is_iteration()) --at; // 'continue' within 'switch'
  const Loop &loop = loops_[at];
  if (depth_ <= (breaks ? loop.breaks : loop.continues)) return;
  if (!loops_.back().statement->is_iteration())
    refuse_at(statement.line, "a jump out of 'switch' under a condition that differs between elements");
  set(statement.apart);
  set(breaks ? loop.statement->diverges : loop.statement->skips);
}

void Analysis::return_statement(Statement &statement) {
  if (statement.condition) {
    visit(*statement.condition);
    if (is_varying(*statement.condition)) set(instance_.result_varying);
    if (pointer_levels(*statement.condition) > 0) refuse_at(statement.line, "a function that returns a pointer");
  }
  if (instance_.returns_apart) set(instance_.result_varying);
  if (depth_ == base_) return;
  set(statement.apart);
  set(instance_.returns_apart);
  set(instance_.result_varying);
  for (const Loop &loop : loops_) {
    if (!loop.statement->is_iteration())
      refuse_at(statement.line, "'return' within 'switch', where elements return apart");
    set(loop.statement->returns);
  }
}

void Analysis::declare(const Declarator &declarator, int line) {
  Variable *variable = declarator.variable;
  variable->depth = depth_;
  const bool known = variable->type.is_auto || variable->type.scalar != Scalar::other;
  if (!known) refuse_at(line, text("'", variable->name, "' is of type '", spell(variable->type.spelled), "'"));
  for (const ExpressionPtr &extent : declarator.extents)
    if (extent) visit(*extent);
  if (!declarator.value) return;
  Expression &value = *declarator.value;
  visit(value);
  if (variable->type.is_auto && pointer_levels(value) > 0)
    refuse_at(line, "'auto' for the pointer '" + variable->name + "'");
  if (variable->type.is_auto && type_of(value) != Scalar::other) variable->type.scalar = type_of(value);
  if (variable->pointers > 0 || variable->reference) {
    need_one_place(value, line, "referred to");
    Variable *led = led_to(value, variable->reference);
    if (variable->reference &&
        ((led == nullptr && !variable->type.is_const) || without_parentheses(value).kind == Kind::conditional))
      refuse_at(line, "the reference '" + variable->name + "'");
    if (led != nullptr) unite(led, variable, line);
  }
  if (is_varying(value)) mark(variable, line);
}

/* --- expressions */

void Analysis::visit_condition(Expression &expression, std::size_t first) {
  for (std::size_t i = 0; i < expression.parts.size(); ++i) {
    const bool apart = i >= first && is_varying(expression[0]);
    depth_ += apart ? 1 : 0;
    visit(expression[i]);
    depth_ -= apart ? 1 : 0;
  }
}

namespace {

bool compares(const Token &sign) {
  for (const char *one : {"==", "!=", "<", ">", "<=", ">="})
    if (sign.is(one)) return true;
  return false;
}

// Rows are copied to lanes, so that their addresses say nothing: a == b, x[0] == x[1]. Others lie in one variable.
bool compares_rows(const Expression &e) {
  if (pointer_levels(e[0]) == 0 || pointer_levels(e[1]) == 0 || !(compares(e.op) || e.op.is("-"))) return false;
  const Variable *const left = target(e[0]), *const right = target(e[1]);
  if (left == nullptr || right == nullptr || !(left->parameter || right->parameter)) return false;
  return left != right || left->pointers > 1;
}

} // namespace

void Analysis::visit(Expression &e) {
  switch (e.kind) {
    case Kind::conditional:
      visit_condition(e, 1);
      if (pointer_levels(e) > 0) {
        if (is_varying(e[0]))
          refuse_at(e.op.line, "a pointer that is chosen by a condition that differs between elements");
        Variable *yes = target(e[1]), *no = target(e[2]);
        if (yes != nullptr && no != nullptr) unite(yes, no, e.op.line);
      }
      return;
    case Kind::binary:
      if (e.op.is("&&") || e.op.is("||")) return visit_condition(e, 1);
      if (compares_rows(e)) refuse_at(e.op.line, "a comparison or difference of rows' addresses");
      break;
    case Kind::call:
      for (const ExpressionPtr &part : e.parts) visit(*part);
      if (e.helper != nullptr) call(e);
      return;
    default:
      break;
  }
  for (const ExpressionPtr &part : e.parts) visit(*part);
  if (e.kind == Kind::unary && e.op.is("&")) need_one_place(e[0], e.op.line, "pointed to");
  if (e.kind == Kind::assignment) write(e[0], &e[1], e.op.line);
  if (is_increment_or_decrement(e)) write(e[0], nullptr, e.op.line);
}

void Analysis::need_one_place(const Expression &e, int line, const char *use) const {
  if (at_own_index(e)) refuse_at(line, text("the index of what is ", use, " differs between elements"));
}

void Analysis::write(const Expression &left, const Expression *value, int line) {
  if (!at_own_place(left)) need_one_place(left, line, "written");
  Variable *variable = target(left);
  if (variable == nullptr || without_parentheses(left).kind == Kind::conditional)
    refuse_at(line, "an assignment to this");
  if (without_parentheses(left).kind == Kind::member_access) refuse_at(line, "an assignment to a member of a struct");
  if (pointer_levels(left) > 0) {
    if (without_parentheses(left).kind != Kind::id) refuse_at(line, "an assignment to a pointer in memory");
    if (depth_ > variable->depth)
      refuse_at(line,
                "the pointer '" + variable->name + "' is assigned under a condition that differs between elements");
    variable->assigned = true;
    if (value != nullptr) {
      if (Variable *led = pointer_levels(*value) > 0 ? led_to(*value, false) : nullptr) unite(led, variable, line);
    }
    return;
  }
  if (leader(variable)->fixed)
    refuse_at(line, "'" + variable->name + "' is written, which is the same for all elements and only read");
  leader(variable)->changed = true; // nothing here depends on it
  const bool memory = in_memory(left);
  if (memory) set(instance_.writes);
  const bool apart = memory ? depth_ > 0 || instance_.returns_apart : depth_ > variable->depth;
  if (apart || at_own_place(left) || (value != nullptr && is_varying(*value))) mark(variable, line);
}

/* --- calls of helpers */

std::vector<bool> Analysis::arguments(const Expression &e) const {
  std::vector<bool> out;
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    const Parameter &parameter = e.helper->parameters[i];
    Variable *led = parameter.pointers > 0 || parameter.reference ? led_to(e[i], parameter.reference) : nullptr;
    out.push_back(led != nullptr ? leader(led)->varying || is_varying(e[i]) : is_varying(e[i]));
  }
  return out;
}

void Analysis::call(Expression &e) {
  Instance *form = &forms_.form(*e.helper, arguments(e), false);
  // Where some lanes have returned or are switched off, memory must be written in the others only.
  if (form->writes && (depth_ > 0 || instance_.returns_apart)) form = &forms_.form(*e.helper, arguments(e), true);
  if (e.instance != form) changed_ = true;
  e.instance = form;
  if (form->writes) set(instance_.writes);
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    const Parameter &parameter = e.helper->parameters[i];
    if (parameter.pointers == 0 && !parameter.reference) continue;
    if (parameter.reference && without_parentheses(e[i]).kind == Kind::conditional)
      refuse_at(e.op.line, "'?:' where a reference is expected");
    if (!parameter.is_const || parameter.pointers > 0) need_one_place(e[i], e.op.line, "referred to");
    Variable *led = led_to(e[i], parameter.reference);
    if (led == nullptr) continue;
    Variable *inside = form->definition.parameters[i];
    if (leader(inside)->varying) mark(led, e.op.line);
    if (leader(inside)->changed && leader(led)->fixed)
      refuse_at(e.op.line, text("'", led->name, "' is written by '", e.op.text,
                                "', but is only read: it is the same for all elements"));
    if (!parameter.is_const) leader(led)->changed = true;
  }
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
