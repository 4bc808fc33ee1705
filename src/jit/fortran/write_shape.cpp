// write_shape.cpp: types and shapes of expressions; see procedure_writer.hpp.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

namespace {

bool compares(const std::string &sign) {
  for (const std::string_view one : {"==", "/=", "<", "<=", ">", ">=", ".and.", ".or.", ".eqv.", ".neqv.", ".not."})
    if (sign == one) return true;
  return false;
}

} // namespace

ProcedureWriter::Shape ProcedureWriter::shape_of_view(const Variable &view, const std::string &name) const {
  Shape out;
  for (const Dimension &dimension : view.dimensions) {
    if (!dimension.extent) refuse(text("the whole array '", name, "', whose extent is no constant"));
    out.push_back(*dimension.extent);
  }
  return out;
}

std::optional<long> ProcedureWriter::size_of(const Shape &shape) const {
  long out = 1;
  for (const Amount &extent : shape) {
    if (!extent.known() || extent.number > 1'000'000 || out > 1'000'000) return std::nullopt;
    out *= extent.number;
  }
  return out;
}

// Of two arrays of one shape, the extents that are known.
ProcedureWriter::Shape ProcedureWriter::common_shape(const Shape &a, const Shape &b, const std::string &around) const {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  if (a.size() != b.size()) refuse(text("arrays of different shapes around '", around, "'"));
  Shape out;
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d].known() && b[d].known() && !(a[d] == b[d]))
      refuse(text("arrays of different shapes around '", around, "'"));
    out.push_back(a[d].known() ? a[d] : b[d]);
  }
  return out;
}

ProcedureWriter::Shape ProcedureWriter::shape(const Expression &e) {
  if (semantics_.constant(e, unit_)) return {};
  if (is_designator(e)) return shape_of_view(view(e), root_of(e));
  switch (e.kind) {
    case Kind::reference:
      return shape_of_call(e);
    case Kind::component:
      view(e); // which refuses it
      return {};
    case Kind::unary:
    case Kind::grouped:
      return shape(*e.parts[0]);
    case Kind::binary:
      return common_shape(shape(*e.parts[0]), shape(*e.parts[1]), e.word);
    case Kind::constructor: {
      long size = 0;
      for (const ExpressionPtr &part : e.parts) {
        if (part->kind == Kind::implied_do) refuse("an implied loop in an array constructor");
        const std::optional<long> own = size_of(shape(*part));
        if (!own) refuse("an array constructor whose size is no constant");
        size += *own;
      }
      return {fortran::known(size)};
    }
    default:
      return {};
  }
}

ProcedureWriter::Shape ProcedureWriter::shape_of_call(const Expression &e) {
  if (const Unit *callee = callee_of(e)) {
    Shape out;
    if (callee->elemental)
      for (const ExpressionPtr &part : e.parts)
        out = common_shape(out, shape(part->kind == Kind::keyword ? *part->parts[0] : *part), e.word);
    return out;
  }
  if (semantics_.record(e.word, unit_)) return {};
  const auto argument = [&](std::size_t i) -> const Expression & {
    if (i >= e.parts.size()) refuse(text("the arguments of '", e.word, "'"));
    return *e.parts[i];
  };
  if (is_reduction(e.word)) {
    const Reduction r = reduction_of(e);
    Shape out;
    if (!r.dimension) return out;
    out = shape(*r.array);
    out.erase(out.begin() + (*r.dimension - 1));
    return out;
  }
  if (e.word == "size" || e.word == "lbound" || e.word == "ubound") return {};
  if (e.word == "transpose") {
    const Shape of = shape(argument(0));
    if (of.size() != 2) refuse("'transpose' of what is no matrix");
    return {of[1], of[0]};
  }
  if (e.word == "matmul") {
    const Shape left = shape(argument(0)), right = shape(argument(1));
    const bool fits = !left.empty() && !right.empty() && left.back().known() && left.back() == right.front();
    if (!fits || left.size() + right.size() < 3) refuse("'matmul' of these shapes");
    Shape out(left.begin(), left.end() - 1);
    out.insert(out.end(), right.begin() + 1, right.end());
    return out;
  }
  if (!is_intrinsic(e.word)) refuse(text("a call of '", e.word, "', of which nothing is known"));
  Shape out; // elemental
  for (const ExpressionPtr &part : e.parts)
    if (part->kind != Kind::keyword && part->kind != Kind::range) out = common_shape(out, shape(*part), e.word);
  return out;
}

Type ProcedureWriter::type(const Expression &e) {
  if (const auto value = semantics_.constant(e, unit_)) return value->type;
  switch (e.kind) {
    case Kind::name:
      return variable(e.word).type;
    case Kind::component:
      return view(e).type;
    case Kind::reference:
      if (is_variable(e.word) && variable(e.word).array) return variable(e.word).type;
      return type_of_call(e);
    case Kind::unary:
    case Kind::grouped:
      return type(*e.parts[0]);
    case Kind::binary: {
      if (compares(e.word)) return logical_type;
      const Type left = type(*e.parts[0]), right = type(*e.parts[1]);
      if (e.word == "**" && right.base == Base::integer && left.base == Base::real) return left;
      return common_type(left, right);
    }
    case Kind::constructor: {
      Type out = e.parts.empty() ? Type{} : type(*e.parts[0]);
      for (const ExpressionPtr &part : e.parts)
        if (!(type(*part) == out)) refuse("an array constructor of values of several types");
      return out;
    }
    case Kind::number:
      refuse(text("the number ", e.word));
    case Kind::text:
      refuse("a text");
    case Kind::keyword:
      return type(*e.parts[0]);
    default:
      refuse(e.kind == Kind::other ? e.word : "an expression that is not read");
  }
}

int ProcedureWriter::kind_argument(const Expression &e, std::size_t position, int otherwise) {
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    const bool keyword = e.parts[i]->kind == Kind::keyword;
    if (keyword && e.parts[i]->word == "kind") return semantics_.kind_of(*e.parts[i]->parts[0], unit_);
    if (!keyword && i == position) return semantics_.kind_of(*e.parts[i], unit_);
  }
  return otherwise;
}

Type ProcedureWriter::type_of_call(const Expression &e) {
  if (const Unit *callee = callee_of(e)) {
    if (callee->kind != Unit::Kind::function) refuse(text("the subroutine '", e.word, "' in place of a function"));
    return semantics_.type_of(callee->symbols.at(callee->result), *callee);
  }
  if (const Record *record = semantics_.record(e.word, unit_))
    return {Base::record, 0, text("type(", record->name, ")"), record};
  const std::string &name = e.word;
  if (!is_intrinsic(name)) refuse(text("a call of '", name, "', of which nothing is known"));
  if (e.parts.empty()) refuse(text("'", name, "' without arguments"));
  const Type first = type(*e.parts[0]);
  if (name == "real") return {Base::real, kind_argument(e, 1, 4), ""};
  if (name == "dble" || name == "dfloat") return {Base::real, 8, ""};
  if (name == "float" || name == "sngl") return {Base::real, 4, ""};
  for (const std::string_view one : {"int", "nint", "floor", "ceiling"})
    if (name == one) return {Base::integer, kind_argument(e, 1, 4), ""};
  if (name == "any" || name == "all" || name == "btest") return logical_type;
  if (name == "count" || name == "size" || name == "lbound" || name == "ubound") return {Base::integer, 4, ""};
  if (name == "max" || name == "min" || name == "dot_product" || name == "matmul") {
    Type out = first;
    for (const ExpressionPtr &part : e.parts) out = common_type(out, type(*part));
    return out;
  }
  if (name.starts_with("d") &&
      (name == "dsqrt" || name == "dabs" || name == "dexp" || name == "dlog" || name == "dsin" || name == "dcos" ||
       name == "dmax1" || name == "dmin1" || name == "dsign" || name == "dmod"))
    return {Base::real, 8, ""};
  return first;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
