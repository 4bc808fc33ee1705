// private_counters.cpp: counters that are declared at the top of a function, as C programs do, become those of their
// loops.
//
// int i; if (condition) for (i = 0; i < 4; ++i) ...: outside of the loop nobody asks for i. As a variable of the whole
// function it would differ between the elements that take the branch and those that do not.
//
// int i; for (i = 0; i < 4; ++i) if (x < at[i]) break; y = at[i]: the loop gets a counter of its own, which all
// elements in it share, and i follows that one as long as an element is in the loop.
#include <algorithm>
#include <map>

#include "jit/lanes/facts.hpp"
#include "jit/lanes/parser.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

namespace {

// for (i = value; ...): i.
Variable *counter_of(const Statement &s) {
  if (s.kind != Statement::Kind::iteration_for || !s.init_statement ||
      s.init_statement->kind != Statement::Kind::expression)
    return nullptr;
  const Expression &init = without_parentheses(*s.init_statement->condition);
  if (init.kind != Kind::assignment || !init.op.is("=") || without_parentheses(init[0]).kind != Kind::id)
    return nullptr;
  Variable *variable = without_parentheses(init[0]).variable;
  const bool plain = variable->is_value() && !variable->reference && !variable->global && !variable->parameter;
  return plain && !variable->type.is_const && !variable->type.is_auto ? variable : nullptr;
}

template <class Visit>
void each_expression(Expression &e, const Visit &visit) {
  visit(e);
  for (const ExpressionPtr &part : e.parts) each_expression(*part, visit);
}

template <class Visit>
void each_expression(Statement &s, const Visit &visit) {
  for (const auto *part : {&s.condition, &s.step})
    if (*part) each_expression(**part, visit);
  if (s.init_statement) each_expression(*s.init_statement, visit);
  for (const Declarator &declarator : s.declarators) {
    if (declarator.value) each_expression(*declarator.value, visit);
    for (const ExpressionPtr &extent : declarator.extents)
      if (extent) each_expression(*extent, visit);
  }
  for (const StatementPtr &part : s.parts) each_expression(*part, visit);
}

std::map<const Variable *, int> uses_in(Statement &s) {
  std::map<const Variable *, int> out;
  each_expression(s, [&](Expression &e) {
    if (e.kind == Kind::id) ++out[e.variable];
    if (e.kind == Kind::unary && e.op.is("&") && without_parentheses(e[0]).kind == Kind::id)
      out[without_parentheses(e[0]).variable] += 1000; // kept
  });
  return out;
}

// The loops that begin by setting the variable; not those within such a loop.
void loops_of(Statement &s, const Variable *variable, std::vector<Statement *> &out) {
  if (counter_of(s) == variable) {
    out.push_back(&s);
    return;
  }
  for (const StatementPtr &part : s.parts) loops_of(*part, variable, out);
}

void make_private(Statement &loop, Variable *variable, FunctionDefinition &definition) {
  definition.variables.push_back(*variable);
  Variable *own = &definition.variables.back();
  each_expression(loop, [&](Expression &e) {
    if (e.kind == Kind::id && e.variable == variable) e.variable = own;
  });
  Expression *init = loop.init_statement->condition.get();
  while (init->kind == Kind::parenthesized) init = init->parts[0].get();
  auto declaration = std::make_unique<Statement>();
  declaration->kind = Statement::Kind::declaration;
  declaration->line = loop.line;
  declaration->declarators.emplace_back();
  declaration->declarators[0].variable = own;
  declaration->declarators[0].value = std::move(init->parts[1]);
  loop.init_statement = std::move(declaration);
}

bool is(const Expression &e, const Variable *variable) {
  return without_parentheses(e).kind == Kind::id && without_parentheses(e).variable == variable;
}

bool has(Expression &e, const Variable *variable) {
  bool out = false;
  each_expression(e, [&](Expression &part) { out = out || is(part, variable); });
  return out;
}

bool is_written(Statement &s, const Variable *variable) {
  bool out = false;
  each_expression(s, [&](Expression &e) {
    out = out || ((e.kind == Kind::assignment || is_increment_or_decrement(e)) && target(e[0]) == variable);
  });
  return out;
}

// Whether it has another name somewhere: &i, int &r = i, f(i) with a reference as parameter.
bool is_referred_to(Statement &s, const Variable *variable) {
  bool out = false;
  const auto refers = [&](Expression &e) {
    out = out || (without_parentheses(e).kind != Kind::subscript && has(e, variable));
  };
  each_expression(s, [&](Expression &e) {
    if (e.kind == Kind::unary && e.op.is("&")) refers(e[0]);
    for (std::size_t i = 0; e.kind == Kind::call && e.helper != nullptr && i < e.parts.size(); ++i)
      if (e.helper->parameters[i].reference) refers(e[i]);
  });
  for (const Declarator &declarator : s.declarators)
    if (declarator.variable->reference && declarator.value) refers(*declarator.value);
  if (s.init_statement) out = out || is_referred_to(*s.init_statement, variable);
  for (const StatementPtr &part : s.parts) out = out || is_referred_to(*part, variable);
  return out;
}

// for (i = number; ...; ++i), where nothing else in the loop writes i.
bool counts_alone(Statement &loop, const Variable *variable) {
  const Expression &init = without_parentheses(*loop.init_statement->condition);
  return plain_number(init[1]) >= 0 && loop.step && is_increment_or_decrement(without_parentheses(*loop.step)) &&
         is(without_parentheses(*loop.step)[0], variable) && !is_written(*loop.parts[0], variable) &&
         !(loop.condition && has_effects(*loop.condition));
}

ExpressionPtr of_two(Kind kind, const Token &op, ExpressionPtr left, ExpressionPtr right) {
  ExpressionPtr out = make(kind, op);
  out->parts.push_back(std::move(left));
  out->parts.push_back(std::move(right));
  return out;
}

ExpressionPtr named(Variable *variable, const Token &at) {
  ExpressionPtr out = make(Kind::id, Token{TokenKind::identifier, variable->name, at.line});
  out->variable = variable;
  return out;
}

// for (i = 0; i < n; ++i) ... becomes { i = 0; for (int own = 0; own < n; ++own, i = own) ... }.
void follow(Statement &loop, Variable *variable, FunctionDefinition &definition) {
  const Expression &init = without_parentheses(*loop.init_statement->condition);
  const Token sign = init.op;
  auto first = std::make_unique<Statement>();
  first->kind = Statement::Kind::expression;
  first->line = loop.line;
  ExpressionPtr number = make(Kind::literal, without_parentheses(init[1]).op);
  first->condition = of_two(Kind::assignment, sign, named(variable, sign), std::move(number));
  make_private(loop, variable, definition);
  Variable *own = loop.init_statement->declarators[0].variable;
  own->name = "op2_own_" + variable->name;
  ExpressionPtr copied = of_two(Kind::assignment, sign, named(variable, sign), named(own, sign));
  loop.step =
      of_two(Kind::binary, Token{TokenKind::punctuator, ",", sign.line}, std::move(loop.step), std::move(copied));
  auto inner = std::make_unique<Statement>(std::move(loop));
  loop = Statement();
  loop.kind = Statement::Kind::compound;
  loop.line = inner->line;
  loop.parts.push_back(std::move(first));
  loop.parts.push_back(std::move(inner));
}

void counters_in(Statement &s, std::vector<Variable *> &out) {
  if (Variable *counter = counter_of(s); counter != nullptr && std::find(out.begin(), out.end(), counter) == out.end())
    out.push_back(counter);
  for (const StatementPtr &part : s.parts) counters_in(*part, out);
}

} // namespace

void make_counters_private(FunctionDefinition &definition) {
  std::vector<Variable *> counters;
  counters_in(*definition.body, counters);
  for (Variable *counter : counters) {
    std::vector<Statement *> loops;
    loops_of(*definition.body, counter, loops);
    int inside = 0;
    for (Statement *loop : loops) {
      inside += uses_in(*loop)[counter];
      // The value it starts with must not be its own old one.
      int own = 0;
      each_expression(*loop->init_statement,
                      [&](Expression &e) { own += e.kind == Kind::id && e.variable == counter ? 1 : 0; });
      if (own != 1) inside = -1000000;
    }
    const bool everywhere = inside == uses_in(*definition.body)[counter];
    const bool referred = !everywhere && is_referred_to(*definition.body, counter);
    for (Statement *loop : loops)
      if (everywhere)
        make_private(*loop, counter, definition);
      else if (!referred && counts_alone(*loop, counter))
        follow(*loop, counter, definition);
  }
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
