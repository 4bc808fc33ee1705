// write_array.cpp: assignments to arrays and to values of derived types; see procedure_writer.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

namespace {

bool same_dimensions(const std::vector<Dimension> &a, const std::vector<Dimension> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Dimension &x, const Dimension &y) { return x.stride == y.stride; });
}

// Whether the names may stand for the same memory: also two of the addresses of a vector argument.
bool same_memory(const std::string &a, const std::string &b) {
  return a == b || (a.find('[') != std::string::npos && a.substr(0, a.find('[')) == b.substr(0, b.find('[')));
}

} // namespace

void ProcedureWriter::store(const Variable &left, const Indices &at, const Value &value) {
  std::string code = converted_to(value, left.type);
  if (left.as_int) code = text("(", code, ") ? 1 : 0");
  emit_text(text(place(left, at), " = ", code, ";"));
}

std::vector<ProcedureWriter::Indices> ProcedureWriter::all_indices(const Shape &shape) const {
  std::vector<Indices> out;
  for (long n = 0; n < *size_of(shape); ++n) {
    Indices at;
    long rest = n;
    for (const Amount &extent : shape) {
      at.push_back(fortran::known(rest % extent.number));
      rest /= extent.number;
    }
    out.push_back(std::move(at));
  }
  return out;
}

// For each element of a shape, in the order of memory: one by one, or in loops where they are many or not known.
void ProcedureWriter::put_each(const Shape &shape, const std::function<void(const Indices &)> &put) {
  const std::optional<long> size = size_of(shape);
  if (size && *size <= most_unrolled) {
    for (const Indices &at : all_indices(shape)) put(at);
    return;
  }
  Indices at;
  std::vector<std::string> heads;
  for (const Amount &extent : shape) {
    const std::string counter = new_name("I"), end = code_of(kept(extent));
    at.push_back({0, counter});
    heads.push_back(text("for (int ", counter, " = 0; ", counter, " < ", end, "; ++", counter, ") {"));
  }
  for (auto head = heads.rbegin(); head != heads.rend(); ++head) emit_text(*head);
  put(at);
  for (std::size_t n = 0; n < heads.size(); ++n) emit_text("}");
}

bool ProcedureWriter::reads(const Expression &e, const std::string &name) const {
  if ((e.kind == Kind::name || e.kind == Kind::reference) && e.word == name) return true;
  return std::any_of(e.parts.begin(), e.parts.end(),
                     [&](const ExpressionPtr &part) { return part && reads(*part, name); });
}

// Whether an element of `e` may depend on another element of the array `left`: on the same one only, where each
// operation is done element by element and `left` stands as it is.
bool ProcedureWriter::mixes(const Expression &e, const Variable &left) {
  if (semantics_.constant(e, unit_)) return false;
  const auto any_part = [&](bool whole_too) {
    return std::any_of(e.parts.begin(), e.parts.end(), [&](const ExpressionPtr &part) {
      if (!part) return false;
      if (mixes(*part, left)) return true;
      return whole_too && is_designator(*part) && same_memory(view(*part).code, left.code);
    });
  };
  if (is_designator(e)) {
    const Variable own = view(e);
    if (!own.is_record() && same_memory(own.code, left.code) &&
        (own.code != left.code || !(own.offset == left.offset) || !same_dimensions(own.dimensions, left.dimensions)))
      return true;
    return e.kind == Kind::name ? false : any_part(true); // subscripts
  }
  return any_part(e.kind == Kind::reference || e.kind == Kind::constructor);
}

// The right side is complete before the left one changes: where an element needs others of the same array, all are
// computed first.
void ProcedureWriter::put_array_assignment(const Variable &left, const Expression &right, const std::string &name) {
  const Shape to = shape_of_view(left, name), from = shape(right);
  const bool fits = from.empty() || (from.size() == to.size() &&
                                     std::equal(from.begin(), from.end(), to.begin(), [](const auto &a, const auto &b) {
                                       return !a.known() || !b.known() || a == b;
                                     }));
  if (!fits) refuse(text("an array of another shape than '", name, "'"));
  const bool apart = mixes(right, left);
  if (from.empty()) { // the same value for all
    const Value one = scalar(right);
    const std::string code = apart ? kept(one) : named(one);
    return put_each(to, [&](const Indices &at) { store(left, at, {code, one.type}); });
  }
  if (!apart) return put_each(to, [&](const Indices &at) { store(left, at, element(right, at)); });
  const std::optional<long> size = size_of(to);
  if (!size || *size > most_unrolled) return put_through_copy(left, right);
  std::vector<Value> values;
  const std::vector<Indices> all = all_indices(to);
  for (const Indices &at : all)
    values.push_back({kept({converted_to(element(right, at), left.type), left.type}), left.type});
  for (std::size_t n = 0; n < all.size(); ++n) store(left, all[n], values[n]);
}

void ProcedureWriter::put_through_copy(const Variable &left, const Expression &right) {
  Variable copy;
  copy.code = new_name("A");
  copy.type = left.type;
  copy.array = true;
  const Shape to = shape_of_view(left, left.code);
  std::optional<long> room = size_of(to); // or what the whole array has
  if (!room)
    for (const auto &[name, whole] : variables_)
      if (whole.code == left.code && !whole.is_record()) room = fortran::size_of(whole.dimensions);
  if (!room || *room > largest_copy) refuse("an assignment of a section to one that it may overlap");
  emit_text(text(spelling(left.type), " ", copy.code, "[", *room, "];"));
  Shape fixed;
  for (const Amount &extent : to) {
    fixed.push_back(kept(extent));
    copy.dimensions.push_back({fortran::known(1), fixed.back(), fortran::known(1)});
  }
  set_strides(copy.dimensions);
  put_each(fixed, [&](const Indices &at) { store(copy, at, element(right, at)); });
  put_each(fixed, [&](const Indices &at) { store(left, at, {place(copy, at), left.type}); });
}

/* --- values of derived types */

void ProcedureWriter::put_leaves(const Variable &left, const Variable &right) {
  std::vector<Variable> to, from;
  leaves_of(left, to);
  leaves_of(right, from);
  for (std::size_t n = 0; n < to.size(); ++n)
    put_each(shape_of_view(to[n], left.code), [&](const Indices &at) {
      const Indices there(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(from[n].dimensions.size()));
      const std::string code = place(from[n], there);
      store(to[n], at, {from[n].as_int ? text("(", code, " != 0)") : code, from[n].type});
    });
}

Variable ProcedureWriter::copy_of(const Variable &from, const std::string &name) {
  Symbol symbol;
  symbol.name = name;
  symbol.typed = true;
  symbol.called = from.type.called;
  Variable out = variable_of(symbol, *from.type.record->owner, new_name("R"));
  out.array = from.array;
  out.dimensions = from.dimensions;
  set_strides(out.dimensions);
  declare(out, name);
  put_leaves(out, from);
  return out;
}

void ProcedureWriter::put_record_assignment(const Variable &left, const Expression &right, const std::string &name) {
  if (right.kind == Kind::grouped) return put_record_assignment(left, *right.parts[0], name);
  const Type of = type(right);
  if (!(of == left.type)) refuse(text("a ", name_of(of), " where a ", name_of(left.type), " is expected"));
  if (is_designator(right)) {
    const Variable from = view(right);
    const bool apart = same_memory(from.parts[0].code, left.parts[0].code);
    if (from.dimensions.size() > left.dimensions.size()) refuse(text("this assignment to '", name, "'"));
    for (std::size_t d = 0; d < from.dimensions.size(); ++d)
      if (from.dimensions[d].extent && left.dimensions[d].extent && from.dimensions[d].extent->known() &&
          left.dimensions[d].extent->known() && !(*from.dimensions[d].extent == *left.dimensions[d].extent))
        refuse(text("an array of another shape than '", name, "'"));
    if (!apart || left.dimensions.empty()) return put_leaves(left, from);
    const Variable copy = copy_of(from, name); // the two may overlap
    return put_leaves(left, copy);
  }
  if (right.kind != Kind::reference || !semantics_.record(right.word, unit_))
    refuse(text("this value of type ", name_of(left.type)));
  if (reads(right, name) || !left.dimensions.empty()) {
    const ExpressionPtr value = temporary(value_in_memory(right, left.type, name));
    return put_record_assignment(left, *value, name);
  }
  // state(1.0, u, n = 3)
  const Record &record = *left.type.record;
  if (right.parts.size() > record.parts.size()) refuse(text("'", right.word, "' with these values"));
  for (std::size_t n = 0; n < record.parts.size(); ++n) {
    const Symbol &symbol = record.parts[n];
    const Expression *value = symbol.value.get();
    for (std::size_t i = 0; i < right.parts.size(); ++i) {
      const Expression &part = *right.parts[i];
      if (part.kind == Kind::keyword ? part.word == symbol.name : i == n)
        value = part.kind == Kind::keyword ? part.parts[0].get() : &part;
    }
    if (!value) refuse(text("'", right.word, "' without a value for '", symbol.name, "'"));
    const Variable part = part_of(left, left.parts[n]);
    const ExpressionPtr whole = settled(ExpressionPtr(ExpressionPtr(), value), true);
    if (part.is_record())
      put_record_assignment(part, *whole, name);
    else if (part.array)
      put_array_assignment(part, *whole, symbol.name);
    else
      store(part, {}, scalar(*whole));
  }
}

/* --- where */

// Elements whose mask is true.
void ProcedureWriter::put_masked(const Variable &to, const Expression &right, const std::vector<std::string> &masks) {
  const Shape of = shape_of_view(to, to.code), from = shape(right);
  const std::optional<long> size = size_of(of);
  if (!size || *size != static_cast<long>(masks.size()) || (!from.empty() && from != of))
    refuse("an array of another shape in 'where'");
  const std::vector<Indices> all = all_indices(of);
  std::vector<std::string> values; // computed before any of the elements changes, where they need each other
  if (mixes(right, to))
    for (std::size_t n = 0; n < all.size(); ++n) {
      values.push_back(new_name("T"));
      emit_text(text(spelling(to.type), " ", values[n], "; if (", masks[n], ") {"));
      emit_text(
          text(values[n], " = ", converted_to(element(right, from.empty() ? Indices{} : all[n]), to.type), "; }"));
    }
  for (std::size_t n = 0; n < all.size(); ++n) {
    emit_text(text("if (", masks[n], ") {"));
    store(to, all[n], values.empty() ? element(right, from.empty() ? Indices{} : all[n]) : Value{values[n], to.type});
    emit_text("}");
  }
}

void ProcedureWriter::put_where(const Statement &s) {
  std::vector<std::string> left; // elements that no branch before took
  for (const Branch &branch : s.branches) {
    std::vector<std::string> masks;
    const ExpressionPtr condition = settled(branch.condition, true);
    const Shape of = condition ? shape(*condition) : Shape{};
    const std::optional<long> known = size_of(of);
    if (condition && (of.empty() || !known || *known > most_unrolled)) refuse("'where' over this shape");
    const std::size_t size = condition ? static_cast<std::size_t>(*known) : left.size();
    if (!left.empty() && left.size() != size) refuse("'where' with masks of several shapes");
    const std::vector<Indices> all = condition ? all_indices(of) : std::vector<Indices>(size);
    std::vector<std::string> rest;
    for (std::size_t n = 0; n < size; ++n) {
      const std::string mask = new_name("M"), other = new_name("M");
      const std::string own = condition ? element(*condition, all[n]).code : "true";
      emit_text(text("const bool ", mask, " = ", left.empty() ? "" : text(left[n], " && "), own, ";"));
      emit_text(text("const bool ", other, " = ", left.empty() ? "" : text(left[n], " && "), "!", mask, ";"));
      masks.push_back(mask);
      rest.push_back(other);
    }
    for (const Statement &one : branch.body) {
      line_ = one.line;
      file_ = one.file;
      if (one.kind != Action::assignment || !is_designator(*one.left) || view(*one.left).is_record() ||
          view(*one.left).dimensions.empty() || !variable(root_of(*one.left)).changeable)
        refuse("this statement within 'where'");
      put_masked(view(*one.left), *settled(one.right, true), masks);
    }
    left = std::move(rest);
  }
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
