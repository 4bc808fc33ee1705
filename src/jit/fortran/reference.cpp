// reference.cpp: variables as code reaches them: whole, an element, a section, a component; see procedure_writer.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

bool ProcedureWriter::is_designator(const Expression &e) {
  switch (e.kind) {
    case Kind::name:
      return is_variable(e.word);
    case Kind::reference:
      return is_variable(e.word) && variable(e.word).array;
    case Kind::component:
      return is_designator(*e.parts[0]);
    default:
      return false;
  }
}

Variable ProcedureWriter::view(const Expression &e) {
  if (e.kind == Kind::name) {
    const Variable &out = variable(e.word);
    if (out.pointer) refuse(text("the pointer '", e.word, "', of which nothing is known here"));
    return out;
  }
  if (e.kind == Kind::reference) {
    const Variable &whole = variable(e.word);
    if (whole.pointer) refuse(text("the pointer '", e.word, "', of which nothing is known here"));
    if (!whole.array) refuse(text("'", e.word, "' is no array"));
    return subscripted(whole, e.parts, 0, e.word);
  }
  if (e.kind != Kind::component) refuse("an assignment to this");
  const Variable base = view(*e.parts[0]);
  if (!base.is_record()) refuse(text("the component '", e.word, "' of a ", name_of(base.type)));
  const std::vector<Symbol> &symbols = base.type.record->parts;
  const auto symbol =
      std::find_if(symbols.begin(), symbols.end(), [&](const Symbol &one) { return one.name == e.word; });
  if (symbol == symbols.end()) {
    const std::vector<std::string> &bound = base.type.record->bound;
    if (std::find(bound.begin(), bound.end(), e.word) != bound.end())
      refuse(text("the type-bound procedure '", e.word, "'"));
    refuse(text("'", name_of(base.type), "' has no component '", e.word, "'"));
  }
  const Variable &part = base.parts.at(static_cast<std::size_t>(symbol - symbols.begin()));
  Variable out = part_of(base, part);
  if (e.parts.size() == 1) return out;
  if (!part.array) refuse(text("'", e.word, "' is no array"));
  // The component's own dimensions come first.
  std::vector<Dimension> others(out.dimensions.begin() + static_cast<std::ptrdiff_t>(part.dimensions.size()),
                                out.dimensions.end());
  out.dimensions.resize(part.dimensions.size());
  out = subscripted(std::move(out), e.parts, 1, e.word);
  out.dimensions.insert(out.dimensions.end(), others.begin(), others.end());
  return out;
}

// With the subscripts from `first` on: what single ones leave over, and sections.
Variable ProcedureWriter::subscripted(Variable variable, const std::vector<ExpressionPtr> &subscripts,
                                      std::size_t first, const std::string &name) {
  const std::size_t count = subscripts.size() - first;
  if (count != variable.dimensions.size())
    refuse(text("'", name, "' has ", variable.dimensions.size(), " dimensions, not ", count));
  std::vector<Dimension> left;
  for (std::size_t d = 0; d < count; ++d) {
    const Expression &subscript = *subscripts[first + d];
    const Dimension &dimension = variable.dimensions[d];
    Amount at = known(0);
    if (subscript.kind == Kind::range)
      left.push_back(section(dimension, subscript, name, &at));
    else
      at = position(dimension, subscript, name);
    variable.offset = variable.offset + at * dimension.stride;
  }
  variable.dimensions = std::move(left);
  return variable;
}

// From 0, in one dimension of a declared array.
Amount ProcedureWriter::position(const Dimension &dimension, const Expression &subscript, const std::string &name) {
  if (subscript.kind == Kind::keyword) refuse(text("'", subscript.word, "=' as a subscript"));
  if (!shape(subscript).empty()) refuse(text("an array as a subscript of '", name, "'"));
  if (type(subscript).base != Base::integer) refuse(text("a subscript of '", name, "' that is no integer"));
  const Amount at = amount(subscript), out = at - dimension.lower;
  const bool inside =
      !out.known() || dimension.assumed ||
      (out.number >= 0 && (!dimension.extent || !dimension.extent->known() || out.number < dimension.extent->number));
  if (!inside && at.known()) refuse(text("the subscript ", at.number, " beside the array"));
  return out;
}

Dimension ProcedureWriter::section(const Dimension &dimension, const Expression &range, const std::string &name,
                                   Amount *first) {
  const std::optional<long> step = range.parts[2] ? known_number(range.parts[2].get()) : 1;
  if (!step || *step == 0) refuse("a section whose stride is no constant");
  if (*step < 0 && (!range.parts[0] || !range.parts[1])) refuse("a section backwards without bounds");
  if (!range.parts[1] && !dimension.extent) refuse(text("a section of '", name, "' without an end"));
  for (const std::size_t bound : {0u, 1u})
    if (range.parts[bound] && type(*range.parts[bound]).base != Base::integer)
      refuse(text("a section of '", name, "' whose bounds are no integers"));
  const Amount lower = range.parts[0] ? amount(*range.parts[0]) : dimension.lower;
  const Amount upper =
      range.parts[1] ? amount(*range.parts[1]) : dimension.lower + *dimension.extent - fortran::known(1);
  Dimension out;
  Amount extent = upper - lower + fortran::known(*step);
  if (extent.known())
    extent = fortran::known(std::max(0L, extent.number / *step));
  else if (*step != 1)
    extent = Amount{0, text("(", code_of(extent), " / ", *step < 0 ? text("(", *step, ")") : text(*step), ")")};
  out.extent = extent;
  out.stride = dimension.stride * fortran::known(*step);
  *first = lower - dimension.lower;
  if (first->known() && extent.known() && extent.number > 0 && !dimension.assumed) {
    const long last = first->number + (extent.number - 1) * *step;
    const bool ends = dimension.extent && dimension.extent->known();
    if (std::min(first->number, last) < 0 || (ends && std::max(first->number, last) >= dimension.extent->number))
      refuse(text("a section beside the array '", name, "'"));
  }
  return out;
}

// The code of an element; `at` are positions in the dimensions that the view has.
std::string ProcedureWriter::place(const Variable &view, const Indices &at) const {
  if (at.size() != view.dimensions.size()) refuse("an array where a single value is expected");
  if (!view.array) return view.indirect ? text(view.code, "[0]") : view.code;
  return element_of(view, at);
}

/* --- whole numbers */

std::optional<long> ProcedureWriter::known_number(const Expression *e) {
  if (!e) return std::nullopt;
  if (const auto number = semantics_.integer(e, unit_)) return number;
  if (e->kind == Kind::name) {
    const auto found = known_.find(e->word);
    return found == known_.end() ? std::nullopt : std::optional<long>(found->second);
  }
  if (e->kind == Kind::grouped) return known_number(e->parts[0].get());
  if (e->kind == Kind::reference) {
    const std::optional<Amount> out = inquiry(*e);
    return out && out->known() ? std::optional<long>(out->number) : std::nullopt;
  }
  if (e->kind != Kind::binary) return std::nullopt;
  const std::optional<long> a = known_number(e->parts[0].get()), b = known_number(e->parts[1].get());
  if (!a || !b || std::abs(*a) > 1'000'000 || std::abs(*b) > 1'000'000) return std::nullopt;
  if (e->word == "+") return *a + *b;
  if (e->word == "-") return *a - *b;
  if (e->word == "*") return *a * *b;
  return std::nullopt;
}

Amount ProcedureWriter::amount(const Expression &e) {
  if (const auto number = known_number(&e)) return fortran::known(*number);
  if (const auto out = inquiry(e)) return *out;
  if (e.kind == Kind::grouped) return amount(*e.parts[0]);
  const bool whole =
      e.kind == Kind::binary && type(*e.parts[0]).base == Base::integer && type(*e.parts[1]).base == Base::integer;
  if (whole && e.word == "+") return amount(*e.parts[0]) + amount(*e.parts[1]);
  if (whole && e.word == "-") return amount(*e.parts[0]) - amount(*e.parts[1]);
  const Value value = scalar(e);
  if (value.type.base != Base::integer) refuse(text("a ", name_of(value.type), " where a whole number is expected"));
  return {0, value.code};
}

// size, lbound, ubound: of all of an array, or of one dimension.
std::optional<Amount> ProcedureWriter::inquiry(const Expression &e) {
  const bool asks = e.kind == Kind::reference && (e.word == "size" || e.word == "lbound" || e.word == "ubound");
  if (!asks || e.parts.empty() || e.parts.size() > 2 || !semantics_.find(unit_, e.word).nothing()) return std::nullopt;
  const Expression &array = *e.parts[0];
  const Shape extents = shape(array);
  if (extents.empty()) refuse(text("'", e.word, "' of what is no array"));
  std::optional<long> dimension;
  if (e.parts.size() == 2) {
    const Expression &which = e.parts[1]->kind == Kind::keyword ? *e.parts[1]->parts[0] : *e.parts[1];
    const bool named = e.parts[1]->kind != Kind::keyword || e.parts[1]->word == "dim";
    dimension = known_number(&which);
    if (!named || !dimension || *dimension < 1 || *dimension > static_cast<long>(extents.size()))
      refuse(text("'", e.word, "' of this dimension"));
  }
  const auto extent = [&](std::size_t d) -> Amount {
    if (extents[d].known() || is_plain(extents[d].code)) return extents[d];
    return {0, text("max(", code_of(extents[d]), ", 0)")};
  };
  if (e.word == "size") {
    if (dimension) return extent(static_cast<std::size_t>(*dimension - 1));
    Amount all = fortran::known(1);
    for (std::size_t d = 0; d < extents.size(); ++d) all = all * extent(d);
    return all;
  }
  if (!dimension && extents.size() > 1) refuse(text("'", e.word, "' of several dimensions"));
  const std::size_t d = dimension ? static_cast<std::size_t>(*dimension - 1) : 0;
  const bool whole = array.kind == Kind::name && is_variable(array.word);
  const Amount lower = whole ? variable(array.word).dimensions[d].lower : fortran::known(1);
  return e.word == "lbound" ? lower : lower + extent(d) - fortran::known(1);
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
