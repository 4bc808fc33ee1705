// effects.cpp: see effects.hpp.
#include "jit/fortran/effects.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;

const StatementList &EffectsOf::body(const Unit &procedure) {
  const auto found = bodies_.find(&procedure);
  return found != bodies_.end() ? found->second : bodies_.emplace(&procedure, read_body(procedure)).first->second;
}

std::string root_of(const Expression &e) {
  if (e.kind == Kind::name || e.kind == Kind::reference) return e.word;
  return e.kind == Kind::component ? root_of(*e.parts[0]) : "";
}

std::vector<const Unit *> EffectsOf::called(const Unit &scope, const std::string &name) {
  const Meaning meaning = semantics_.find(scope, name);
  if (meaning.generic) {
    std::vector<const Unit *> out;
    for (const std::string &one : *meaning.generic) {
      const Meaning found = semantics_.find(*meaning.owner, one);
      const Unit *procedure = found.procedure ? found.procedure : semantics_.project().external(one);
      if (!procedure)
        Semantics::refuse(*meaning.owner, meaning.owner->file, meaning.owner->line,
                          text("the procedure '", one, "' of the generic name '", name, "' is not found"));
      out.push_back(procedure);
    }
    return out;
  }
  if (meaning.procedure) return {meaning.procedure};
  if (meaning.record) return {};
  if (meaning.symbol && (meaning.symbol->array || meaning.symbol->dummy || meaning.symbol->parameter)) return {};
  const Unit *external = semantics_.project().external(name);
  return external ? std::vector<const Unit *>{external} : std::vector<const Unit *>{};
}

const Effects &EffectsOf::of(const Unit &procedure) {
  const auto found = known_.find(&procedure);
  if (found != known_.end()) return found->second;
  if (!reading_.insert(&procedure).second)
    Semantics::refuse(procedure, procedure.file, procedure.line, text("'", procedure.name, "' calls itself"));
  Effects out;
  statements(procedure, body(procedure), out);
  for (const auto &[name, symbol] : procedure.symbols) // bounds that depend on names
    for (const Bound &bound : symbol.bounds) {
      expression(procedure, bound.lower.get(), out);
      expression(procedure, bound.upper.get(), out);
    }
  reading_.erase(&procedure);
  return known_.emplace(&procedure, std::move(out)).first->second;
}

bool EffectsOf::changes(const Unit &procedure, std::size_t dummy) {
  if (dummy >= procedure.dummies.size()) return true;
  const std::string &name = procedure.dummies[dummy];
  const auto symbol = procedure.symbols.find(name);
  if (symbol != procedure.symbols.end() && (symbol->second.intent == Symbol::Intent::in || symbol->second.by_value))
    return false;
  if (symbol != procedure.symbols.end() && symbol->second.intent != Symbol::Intent::none) return true;
  return of(procedure).changed.contains(name);
}

void EffectsOf::call(const Unit &callee, const Expression &e, Effects &out) {
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    const Expression *argument = e.parts[i].get();
    std::size_t dummy = i;
    if (argument->kind == Kind::keyword) {
      const auto named = std::find(callee.dummies.begin(), callee.dummies.end(), argument->word);
      dummy = static_cast<std::size_t>(named - callee.dummies.begin());
      argument = argument->parts[0].get();
    }
    const std::string root = root_of(*argument);
    if (!root.empty() && changes(callee, dummy)) out.changed.insert(root);
  }
  // Of its host's variables, which are this procedure's or its host's, too.
  if (!callee.host || callee.host->kind == Unit::Kind::module) return;
  const Effects &inside = of(callee);
  for (const std::string &name : inside.used)
    if (semantics_.find(callee, name).owner != &callee) out.used.insert(name);
  for (const std::string &name : inside.changed)
    if (semantics_.find(callee, name).owner != &callee) out.changed.insert(name);
}

// Of a generic name, any of its procedures but the one that calls: which of them it is, types tell later.
void EffectsOf::call_any(const Unit &unit, const Expression &e, Effects &out) {
  const std::vector<const Unit *> all = called(unit, e.word);
  for (const Unit *callee : all)
    if (all.size() == 1 || !reading_.contains(callee)) call(*callee, e, out);
}

void EffectsOf::expression(const Unit &unit, const Expression *e, Effects &out) {
  if (!e) return;
  if (e->kind == Kind::name || e->kind == Kind::reference) out.used.insert(e->word);
  for (const ExpressionPtr &part : e->parts) expression(unit, part.get(), out);
  for (const ExpressionPtr &bound : e->bounds) expression(unit, bound.get(), out);
  if (e->kind != Kind::reference) return;
  call_any(unit, *e, out);
}

// Names that stand for variables or values around the construct.
void EffectsOf::associate(const Unit &unit, const Statement &s, Effects &out) {
  Effects inside;
  for (const Branch &branch : s.branches) statements(unit, branch.body, inside);
  for (const auto &[name, value] : s.names) {
    expression(unit, value.get(), out);
    if (inside.changed.contains(name)) inside.changed.insert(root_of(*value));
  }
  for (const auto &[name, value] : s.names) {
    inside.used.erase(name);
    inside.changed.erase(name);
  }
  out.used.insert(inside.used.begin(), inside.used.end());
  out.changed.insert(inside.changed.begin(), inside.changed.end());
  out.pointed.insert(inside.pointed.begin(), inside.pointed.end());
}

void EffectsOf::statements(const Unit &unit, const StatementList &list, Effects &out) {
  for (const Statement &s : list) {
    if (s.kind == Statement::Kind::call) {
      out.used.insert(s.left->word);
      for (const ExpressionPtr &part : s.left->parts) expression(unit, part.get(), out);
      if (s.left->kind == Kind::component) continue; // refused where it is written
      if (s.left->word == "c_f_pointer" && s.left->parts.size() > 1)
        out.pointed[root_of(*s.left->parts[1])] = root_of(*s.left->parts[0]);
      call_any(unit, *s.left, out);
      continue;
    }
    if (s.kind == Statement::Kind::associate) {
      associate(unit, s, out);
      continue;
    }
    expression(unit, s.left.get(), out);
    expression(unit, s.right.get(), out);
    if ((s.kind == Statement::Kind::assignment || s.kind == Statement::Kind::count) && s.left)
      out.changed.insert(root_of(*s.left));
    for (const ExpressionPtr &bound : s.bounds) expression(unit, bound.get(), out);
    for (const Branch &branch : s.branches) {
      expression(unit, branch.condition.get(), out);
      for (const ExpressionPtr &one : branch.cases) expression(unit, one.get(), out);
      statements(unit, branch.body, out);
    }
  }
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
