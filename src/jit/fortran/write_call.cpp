// write_call.cpp: calls of procedures; see procedure_writer.hpp.
#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

namespace {

constexpr int most_choices = 100'000; // in one procedure: each asks for the types of all arguments

// The same with another name for code.
void rename(Variable &variable, const std::string &from, const std::string &to) {
  variable.code = to + variable.code.substr(from.size());
  for (Variable &part : variable.parts) rename(part, from, to);
}

Variable single(const std::string &code, const Type &type) {
  Variable out;
  out.code = code;
  out.type = type;
  out.changeable = false;
  return out;
}

bool depends_on(const Expression *e, const std::string &name) {
  if (!e) return false;
  if ((e->kind == Kind::name || e->kind == Kind::reference) && e->word == name) return true;
  return std::any_of(e->parts.begin(), e->parts.end(),
                     [&](const ExpressionPtr &part) { return depends_on(part.get(), name); });
}

// Whether an array of the procedure has bounds that depend on the argument.
bool decides_size(const Unit &callee, const std::string &dummy) {
  for (const auto &[name, symbol] : callee.symbols) {
    if (!symbol.array) continue;
    for (const Bound &bound : symbol.bounds)
      if (depends_on(bound.lower.get(), dummy) || depends_on(bound.upper.get(), dummy)) return true;
  }
  return false;
}

} // namespace

/* --- which procedure */

const Expression &ProcedureWriter::argument_of(const Unit &callee, const Expression &e, std::size_t dummy) {
  if (dummy < e.parts.size() && e.parts[dummy]->kind != Kind::keyword) return *e.parts[dummy];
  for (const ExpressionPtr &part : e.parts) // in another order
    if (part->kind == Kind::keyword && part->word == callee.dummies[dummy]) return *part->parts[0];
  refuse(text("the arguments of '", e.word, "'"));
}

// Whether types, kinds and ranks of the arguments are those of the procedure.
bool ProcedureWriter::fits(const Unit &procedure, const Expression &e) {
  if (procedure.dummies.size() != e.parts.size()) return false;
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    const Symbol &symbol = procedure.symbols.at(procedure.dummies[i]);
    const bool keyword = e.parts[i]->kind == Kind::keyword;
    if (keyword &&
        std::find(procedure.dummies.begin(), procedure.dummies.end(), e.parts[i]->word) == procedure.dummies.end())
      return false;
    const Expression &argument = argument_of(procedure, e, i);
    if (!(type(argument) == semantics_.type_of(symbol, procedure))) return false;
    if (!procedure.elemental && shape(argument).size() != symbol.bounds.size()) return false;
  }
  return true;
}

const Unit *ProcedureWriter::callee_of(const Expression &e) {
  const std::vector<const Unit *> all = kernel_.effects().called(unit_, e.word);
  if (all.empty()) return nullptr;
  if (all.size() == 1) return all[0];
  if (++choices_ > most_choices) refuse(text("calls of the generic name '", e.word, "' within each other"));
  const Unit *out = nullptr;
  for (const bool elemental : {false, true}) // one for just this rank comes first
    for (const Unit *one : all) {
      if (one->elemental != elemental || out == one || !fits(*one, e)) continue;
      if (out && out->elemental == elemental) refuse(text("several procedures of the generic name '", e.word, "' fit"));
      if (!out) out = one;
    }
  if (!out) refuse(text("no procedure of the generic name '", e.word, "' has arguments of these types"));
  return out;
}

/* --- arguments */

Signature ProcedureWriter::signature_of(const Unit &callee, const Expression &e) {
  if (e.parts.size() != callee.dummies.size())
    refuse(text("a call of '", e.word, "' with ", e.parts.size(), " arguments; it has ", callee.dummies.size()));
  Signature out(callee.dummies.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string &name = callee.dummies[i];
    const Symbol &symbol = callee.symbols.at(name);
    const Expression &argument = argument_of(callee, e, i);
    if (argument.kind == Kind::range) refuse(text("the arguments of '", e.word, "'"));
    const bool changed = kernel_.effects().changes(callee, i), designator = is_designator(argument);
    if (designator && (symbol.array || changed)) out[i].as_int = view(argument).as_int;
    if (designator && symbol.array) out[i].shifted = !view(argument).offset.known();
    if (!symbol.array && !changed && decides_size(callee, name)) out[i].value = known_number(&argument);
    const bool assumed =
        std::any_of(symbol.bounds.begin(), symbol.bounds.end(), [](const Bound &b) { return b.deferred; });
    if (!assumed) continue;
    const Shape of = shape(argument);
    if (of.size() != symbol.bounds.size())
      refuse(text("the argument '", name, "' of '", e.word, "' has ", of.size(), " dimensions, not ",
                  symbol.bounds.size()));
    for (const Amount &extent : of)
      out[i].extents.push_back(extent.known() ? std::optional<long>(extent.number) : std::nullopt);
    if (!designator) continue;
    const Variable from = view(argument);
    if (is_dense(from)) continue;
    for (const Dimension &dimension : from.dimensions) {
      if (!dimension.stride.known()) refuse(text("a section for '", name, "' whose stride is no constant"));
      out[i].strides.push_back(dimension.stride.number);
    }
  }
  return out;
}

// One leaf of an argument: where it begins, the variable, or its value.
void ProcedureWriter::pass_leaf(const Variable &to, const Variable &from, const Helper::Dummy &dummy,
                                std::vector<std::string> &out) {
  if (to.array) {
    if (to.as_int != from.as_int) refuse("logical values of several kinds as an argument");
    out.push_back(address_of(from));
  } else if (dummy.changed && !dummy.by_value) {
    out.push_back(place(from, {}));
  } else {
    const std::string code = place(from, {});
    out.push_back(from.as_int ? text("(", code, " != 0)") : code);
  }
}

void ProcedureWriter::pass(const Helper::Dummy &dummy, const Expression &e, const Indices &at, const std::string &whose,
                           std::vector<std::string> &out) {
  const Variable &to = dummy.variable;
  const bool designator = is_designator(e), changed = dummy.changed && !dummy.by_value;
  if (changed && designator && !variable(root_of(e)).changeable)
    refuse(text("'", root_of(e), "' is only read here, and changed by ", whose));
  if (!to.array && !to.is_record() && !changed) {
    const Value value = element(e, shape(e).empty() ? Indices{} : at);
    if (value.type.base != to.type.base || (value.type.kind != to.type.kind && value.type.base != Base::logical))
      refuse(
          text("the argument '", to.code, "' of ", whose, " is a ", name_of(value.type), ", not a ", name_of(to.type)));
    return out.push_back(value.code);
  }
  if (!(type(e) == to.type)) refuse(text("the argument '", to.code, "' of ", whose, " has another type"));
  if (changed && !designator)
    refuse(text("the argument '", to.code, "' of ", whose, " is changed and must be a variable"));
  Variable from = designator ? view(e) : value_in_memory(e, to.type, to.code);
  if (!to.array) {
    if (!from.dimensions.empty() && from.dimensions.size() != at.size())
      refuse(text("the argument '", to.code, "' of ", whose, " is an array"));
    for (std::size_t d = 0; d < from.dimensions.size(); ++d)
      from.offset = from.offset + at[d] * from.dimensions[d].stride;
    from.dimensions.clear();
  } else if (!from.array) {
    refuse(text("a single value for the array '", to.code, "'"));
  }
  if (dummy.assumed && from.dimensions.size() != to.dimensions.size())
    refuse(text("the argument '", to.code, "' of ", whose, " has another rank"));
  if (to.array && !dummy.assumed && !is_dense(from)) // the others are written for their strides
    from = packed(from, dummy.changed);
  std::vector<Variable> leaves_to, leaves_from;
  leaves_of(to, leaves_to);
  const std::string first = text("(int)(", code_of(from.offset), ")");
  if (dummy.shifted) from.offset = fortran::known(0);
  leaves_of(from, leaves_from);
  for (std::size_t n = 0; n < leaves_to.size(); ++n) pass_leaf(leaves_to[n], leaves_from[n], dummy, out);
  for (std::size_t d = 0; d < dummy.extents.size(); ++d)
    if (dummy.extents[d]) out.push_back(text("(int)(", code_of(*from.dimensions.at(d).extent), ")"));
  if (dummy.shifted) out.push_back(first);
}

std::string ProcedureWriter::arguments(const Unit &callee, const Expression &e, const Helper &helper,
                                       const Indices &at) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < helper.dummies.size(); ++i)
    pass(helper.dummies[i], argument_of(callee, e, i), at, text("'", e.word, "'"), all);
  for (const Helper::Capture &capture : helper.captures) {
    std::vector<Variable> leaves;
    leaves_of(variable(capture.name), leaves);
    for (const Variable &leaf : leaves) all.push_back(leaf.code);
  }
  std::string out;
  for (const std::string &one : all) out += text(out.empty() ? "" : ", ", one);
  return out;
}

// A value of its own: of an array expression, or of a derived type.
Variable ProcedureWriter::value_in_memory(const Expression &e, const Type &of, const std::string &whose) {
  Variable out;
  if (of.base == Base::record) {
    Symbol symbol;
    symbol.name = whose;
    symbol.typed = true;
    symbol.called = of.called;
    out = variable_of(symbol, *of.record->owner, new_name("R"));
    declare(out, whose);
    put_record_assignment(out, e, out.code);
    return out;
  }
  const Shape shape = this->shape(e);
  const std::optional<long> size = size_of(shape);
  if (shape.empty()) refuse(text("a single value for the array '", whose, "'"));
  if (!size || *size > largest_copy) refuse("a long array expression as an argument");
  out.code = new_name("A");
  out.type = of;
  out.array = true;
  for (const Amount &extent : shape) out.dimensions.push_back({fortran::known(1), extent, fortran::known(1)});
  set_strides(out.dimensions);
  std::vector<Value> values;
  if (*size > most_unrolled) {
    declare(out, whose);
    put_each(shape, [&](const Indices &at) { store(out, at, element(e, at)); });
    return out;
  }
  const std::vector<Indices> all = all_indices(shape);
  for (const Indices &at : all) values.push_back(element(e, at));
  declare(out, whose);
  for (std::size_t n = 0; n < all.size(); ++n) store(out, all[n], values[n]);
  return out;
}

// A section with gaps, one element behind the other. What a subroutine changes goes back afterwards.
Variable ProcedureWriter::packed(const Variable &view, bool changed) {
  Variable out = view;
  out.offset = fortran::known(0);
  set_strides(out.dimensions);
  const std::optional<long> size = fortran::size_of(out.dimensions);
  if (view.is_record() || !size || *size > largest_copy || view.as_int)
    refuse(text("a section of '", view.code, "' with gaps as an argument"));
  out.code = new_name("A");
  declare(out, view.code);
  put_leaves(out, view);
  if (changed) packed_.emplace_back(view, out);
  return out;
}

/* --- calls */

ProcedureWriter::Value ProcedureWriter::call(const Unit &callee, const Expression &e, const Indices &at) {
  if (callee.kind != Unit::Kind::function) refuse(text("the subroutine '", e.word, "' in place of a function"));
  const Helper &helper = kernel_.helper(callee, signature_of(callee, e), variables_, name_);
  if (!helper.returns) refuse(text("the function '", e.word, "', which gives more than a number, in this place"));
  const Value out{text(helper.name, "(", arguments(callee, e, helper, at), ")"), helper.result.type};
  if (!packed_.empty()) refuse(text("a section with gaps that the function '", e.word, "' changes"));
  return out;
}

void ProcedureWriter::put_call(const Expression &whole) {
  if (whole.kind == Kind::component) refuse(text("the type-bound procedure '", whole.word, "'"));
  if (whole.kind != Kind::name && whole.kind != Kind::reference) refuse("a call of this");
  if (whole.word == "c_f_pointer" && semantics_.find(unit_, whole.word).nothing()) return put_pointer(whole);
  Expression e = whole;
  for (ExpressionPtr &part : e.parts) part = settled(part, true);
  const Unit *callee = callee_of(e);
  if (!callee) refuse(text("a call of '", e.word, "', whose text is not found"));
  if (callee->kind != Unit::Kind::subroutine) refuse(text("a call of the function '", e.word, "'"));
  Shape of;
  if (callee->elemental)
    for (std::size_t i = 0; i < callee->dummies.size() && i < e.parts.size(); ++i) {
      const Expression &argument = argument_of(*callee, e, i);
      if (!shape(argument).empty()) of = of.empty() ? shape(argument) : common_shape(of, shape(argument), e.word);
    }
  const Helper &helper = kernel_.helper(*callee, signature_of(*callee, e), variables_, name_);
  put_each(of, [&](const Indices &at) {
    const std::string given = arguments(*callee, e, helper, at);
    emit_text(text(helper.name, "(", given, ");"));
    for (const auto &[section, copy] : std::exchange(packed_, {})) put_leaves(section, copy);
  });
}

/* --- what stands in front of a statement */

ExpressionPtr ProcedureWriter::temporary(Variable variable) {
  auto out = std::make_shared<Expression>();
  out->kind = Kind::name;
  out->word = new_name("%"); // no name of Fortran
  variables_[out->word] = std::move(variable);
  return out;
}

// An array or a value of a derived type that a function gives.
ExpressionPtr ProcedureWriter::large_result(const Unit &callee, const Expression &e) {
  const Helper &helper = kernel_.helper(callee, signature_of(callee, e), variables_, name_);
  Variable out = helper.result;
  rename(out, "Result", new_name("R"));
  std::string given = arguments(callee, e, helper, {});
  if (!packed_.empty()) refuse(text("a section with gaps that the function '", e.word, "' changes"));
  declare(out, e.word);
  std::vector<Variable> leaves;
  leaves_of(out, leaves);
  for (const Variable &leaf : leaves) given += text(given.empty() ? "" : ", ", leaf.code);
  emit_text(text(helper.name, "(", given, ");"));
  return temporary(std::move(out));
}

// The expression with names in place of what is computed before the statement: arrays and values of derived types that
// functions give, long sums, and with all_calls what is the same for all elements of an array.
ExpressionPtr ProcedureWriter::settled(const ExpressionPtr &e, bool all_calls) {
  if (!e || (e->parts.empty() && e->kind != Kind::reference) || semantics_.constant(*e, unit_)) return e;
  auto copy = std::make_shared<Expression>(*e);
  bool differs = false;
  for (ExpressionPtr &part : copy->parts) {
    ExpressionPtr one = settled(part, all_calls);
    differs = differs || one != part;
    part = std::move(one);
  }
  const ExpressionPtr out = differs ? ExpressionPtr(std::move(copy)) : e;
  if (out->kind != Kind::reference || is_designator(*out)) return out;
  if (const Unit *callee = callee_of(*out)) {
    if (callee->kind != Unit::Kind::function) refuse(text("the subroutine '", e->word, "' in place of a function"));
    if (callee->elemental) return out;
    const Symbol &result = callee->symbols.at(callee->result);
    if (result.array || semantics_.type_of(result, *callee).base == Base::record) return large_result(*callee, *out);
    if (!all_calls) return out;
    const Value value = call(*callee, *out, {});
    return temporary(single(kept(value), value.type));
  }
  if (!is_reduction(out->word) || !is_large(*out)) return out;
  const Value value = reduction(*out, {});
  return temporary(single(kept(value), value.type));
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
