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

ProcedureWriter::Shape ProcedureWriter::shape_of(const Variable &variable, const std::string &name) {
  Shape out;
  for (const Dimension &dimension : variable.dimensions) {
    if (!dimension.extent) refuse(text("the whole array '", name, "', whose extent is no constant"));
    out.push_back(*dimension.extent);
  }
  return out;
}

// The number of indices of a section.
long ProcedureWriter::length_of(const Expression &range, const Dimension &dimension) {
  const std::optional<long> step = range.parts[2] ? semantics_.integer(range.parts[2].get(), unit_) : 1;
  if (!step || *step == 0) refuse("a section whose stride is no constant");
  std::optional<long> lower = range.parts[0] ? semantics_.integer(range.parts[0].get(), unit_) : dimension.lower;
  std::optional<long> upper = range.parts[1] ? semantics_.integer(range.parts[1].get(), unit_) : std::nullopt;
  if (!range.parts[1] && dimension.lower && dimension.extent) upper = *dimension.lower + *dimension.extent - 1;
  if (*step < 0 && (!range.parts[0] || !range.parts[1])) refuse("a section backwards without bounds");
  if (!lower || !upper) refuse("a section whose size is no constant");
  return std::max(0L, (*upper - *lower + *step) / *step);
}

ProcedureWriter::Shape ProcedureWriter::shape(const Expression &e) {
  if (semantics_.constant(e, unit_)) return {};
  switch (e.kind) {
    case Kind::name:
      if (!is_variable(e.word)) return {};
      return shape_of(variable(e.word), e.word);
    case Kind::reference: {
      if (!is_variable(e.word) || !variable(e.word).array) return shape_of_call(e);
      const Variable &array = variable(e.word);
      if (array.dimensions.size() != e.parts.size())
        refuse(text("'", e.word, "' has ", array.dimensions.size(), " dimensions, not ", e.parts.size()));
      Shape out;
      for (std::size_t d = 0; d < e.parts.size(); ++d) {
        if (e.parts[d]->kind == Kind::range)
          out.push_back(length_of(*e.parts[d], array.dimensions[d]));
        else if (!shape(*e.parts[d]).empty())
          refuse(text("an array as a subscript of '", e.word, "'"));
      }
      return out;
    }
    case Kind::unary:
    case Kind::grouped:
      return shape(*e.parts[0]);
    case Kind::binary: {
      const Shape left = shape(*e.parts[0]), right = shape(*e.parts[1]);
      if (!left.empty() && !right.empty() && left != right)
        refuse(text("arrays of different shapes around '", e.word, "'"));
      return left.empty() ? right : left;
    }
    case Kind::constructor: {
      long size = 0;
      for (const ExpressionPtr &part : e.parts) {
        if (part->kind == Kind::implied_do) refuse("an implied loop in an array constructor");
        long own = 1;
        for (const long extent : shape(*part)) own *= extent;
        size += own;
      }
      return {size};
    }
    default:
      return {};
  }
}

ProcedureWriter::Shape ProcedureWriter::shape_of_call(const Expression &e) {
  if (const Unit *callee = kernel_.effects().called(unit_, e.word)) {
    if (!callee->elemental) return {};
    for (const ExpressionPtr &part : e.parts)
      if (const Shape one = shape(*part); !one.empty()) return one;
    return {};
  }
  const auto argument = [&](std::size_t i) -> const Expression & {
    if (i >= e.parts.size()) refuse(text("the arguments of '", e.word, "'"));
    return *e.parts[i];
  };
  for (const std::string_view name :
       {"sum", "product", "maxval", "minval", "dot_product", "any", "all", "count", "size"})
    if (e.word == name) return {};
  if (e.word == "transpose") {
    const Shape of = shape(argument(0));
    if (of.size() != 2) refuse("'transpose' of what is no matrix");
    return {of[1], of[0]};
  }
  if (e.word == "matmul") {
    const Shape left = shape(argument(0)), right = shape(argument(1));
    if (left.empty() || right.empty() || left.back() != right.front() || left.size() + right.size() < 3)
      refuse("'matmul' of these shapes");
    Shape out(left.begin(), left.end() - 1);
    out.insert(out.end(), right.begin() + 1, right.end());
    return out;
  }
  if (!is_intrinsic(e.word)) refuse(text("a call of '", e.word, "', of which nothing is known"));
  Shape out; // elemental
  for (const ExpressionPtr &part : e.parts) {
    if (part->kind == Kind::keyword || part->kind == Kind::range) continue;
    const Shape one = shape(*part);
    if (!out.empty() && !one.empty() && one != out)
      refuse(text("arrays of different shapes as arguments of '", e.word, "'"));
    if (out.empty()) out = one;
  }
  return out;
}

Type ProcedureWriter::type(const Expression &e) {
  if (const auto value = semantics_.constant(e, unit_)) return value->type;
  switch (e.kind) {
    case Kind::name:
      return variable(e.word).type;
    case Kind::reference:
      if (is_variable(e.word) && variable(e.word).array) return variable(e.word).type;
      return type_of_call(e);
    case Kind::unary:
    case Kind::grouped:
      return type(*e.parts[0]);
    case Kind::binary: {
      if (compares(e.word)) return logical_type;
      const Type left = type(*e.parts[0]), right = type(*e.parts[1]);
      if (e.word == "**" && right.base == Base::integer) return left;
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
  if (const Unit *callee = kernel_.effects().called(unit_, e.word)) {
    if (callee->kind != Unit::Kind::function) refuse(text("the subroutine '", e.word, "' in place of a function"));
    return semantics_.type_of(callee->symbols.at(callee->result), *callee);
  }
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
  if (name == "count" || name == "size") return {Base::integer, 4, ""};
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
