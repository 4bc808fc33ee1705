// private_counters.cpp: counters that are declared at the top of a function, as C programs do, become those of their
// loops.
//
// int i; if (condition) for (i = 0; i < 4; ++i) ...: outside of the loop nobody asks for i. As a variable of the whole
// function it would differ between the elements that take the branch and those that do not.
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
    if (inside != uses_in(*definition.body)[counter]) continue;
    for (Statement *loop : loops) make_private(*loop, counter, definition);
  }
}

} // namespace op2::core::jit
