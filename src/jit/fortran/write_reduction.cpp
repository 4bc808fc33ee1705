// write_reduction.cpp: from arrays to values; see procedure_writer.hpp. Element after element in the order of memory,
// from 0 or 1 on, as compilers do where they may not reorder additions.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

bool ProcedureWriter::is_reduction(const std::string &name) {
  constexpr std::array<std::string_view, 8> names = {"sum", "product", "maxval",      "minval",
                                                     "any", "all",     "dot_product", "count"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

// sum(a), sum(a, 1), sum(a, dim = 1), sum(a, mask = a > 0), sum(a, a > 0), sum(a, 1, a > 0).
ProcedureWriter::Reduction ProcedureWriter::reduction_of(const Expression &e) {
  const std::string &name = e.word;
  const bool dot = name == "dot_product", masked = name != "any" && name != "all" && name != "count" && !dot;
  if (e.parts.empty()) refuse(text("'", name, "' without arguments"));
  Reduction out;
  const Expression *dimension = nullptr;
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    const Expression &part = *e.parts[i];
    const bool keyword = part.kind == Kind::keyword;
    const Expression *value = keyword ? part.parts[0].get() : &part;
    if (!keyword && i == 0)
      out.array = value;
    else if (!keyword && dot && i == 1)
      out.other = value;
    else if (!dot && (keyword ? part.word == "dim" : i == 1 && type(*value).base == Base::integer))
      dimension = value;
    else if (masked && (keyword ? part.word == "mask" : i >= 1 && type(*value).base == Base::logical))
      out.mask = value;
    else
      refuse(text("'", name, "' with these arguments"));
  }
  if (!out.array || (dot && !out.other)) refuse(text("'", name, "' with these arguments"));
  if (!dimension) return out;
  out.dimension = known_number(dimension);
  const std::size_t rank = shape(*out.array).size();
  if (!out.dimension || *out.dimension < 1 || *out.dimension > static_cast<long>(rank))
    refuse(text("'", name, "' along this dimension"));
  if (rank == 1) out.dimension.reset(); // a single value
  return out;
}

bool ProcedureWriter::is_large(const Expression &e) {
  const Reduction r = reduction_of(e);
  if (r.dimension) return false;
  const std::optional<long> size = size_of(shape(*r.array));
  return !size || *size > most_unrolled;
}

// The value of no elements.
std::string ProcedureWriter::started(const std::string &name, const Type &type) {
  const std::string suffix = type.kind == 4 ? "f" : "";
  const bool is_real = type.base == Base::real;
  if (name == "sum" || name == "dot_product") return is_real ? text("0.0", suffix) : "0";
  if (name == "product") return is_real ? text("1.0", suffix) : "1";
  if (name == "count") return "0";
  if (name == "any" || name == "all") return name == "any" ? "false" : "true";
  const bool greatest = name == "maxval";
  const std::string most = is_real          ? type.kind == 4 ? "3.40282347e+38f" : "1.7976931348623157e+308"
                           : type.kind == 8 ? "9223372036854775807ll"
                                            : "2147483647";
  if (is_real) return greatest ? text("(-", most, ")") : most;
  return greatest ? text("(-", most, " - 1)") : most;
}

// What comes of the elements before and the one at these positions; so_far is "" for extremes without a beginning.
std::string ProcedureWriter::joined(const std::string &name, const std::string &so_far, const Reduction &r,
                                    const Indices &at, const Type &type) {
  const Value value = element(*r.array, at);
  const bool logical = name == "any" || name == "all" || name == "count";
  if (logical != (value.type.base == Base::logical)) refuse(text("'", name, "' of a ", name_of(value.type)));
  if (name == "any" || name == "all") return text("(", so_far, name == "any" ? " || " : " && ", value.code, ")");
  if (name == "count") return text("(", so_far, " + (", value.code, " ? 1 : 0))");
  std::string out;
  if (name == "dot_product")
    out = text("(", so_far, " + (", converted_to(value, type), " * ", converted_to(element(*r.other, at), type), "))");
  else if (name == "sum" || name == "product")
    out = text("(", so_far, name == "sum" ? " + " : " * ", value.code, ")");
  else
    out = so_far.empty() ? value.code : text(name == "maxval" ? "max(" : "min(", value.code, ", ", so_far, ")");
  if (!r.mask) return out;
  return text("(", condition_at(*r.mask, at, name), " ? ", out, " : ", so_far, ")");
}

std::string ProcedureWriter::condition_at(const Expression &e, const Indices &at, const std::string &whose) {
  const Value value = element(e, shape(e).empty() ? Indices{} : at);
  if (value.type.base != Base::logical) refuse(text("'", whose, "' of a ", name_of(value.type)));
  return value.code;
}

// `at`: the positions in the other dimensions where one is summed up.
ProcedureWriter::Value ProcedureWriter::reduction(const Expression &e, const Indices &at) {
  const std::string &name = e.word;
  const Reduction r = reduction_of(e);
  const Shape whole = shape(*r.array);
  if (whole.empty()) refuse(text("'", name, "' of what is no array"));
  for (const Expression *other : {r.other, r.mask})
    if (other && (other == r.other || !shape(*other).empty())) {
      if (shape(*other).empty()) refuse(text("'", name, "' of an array and a single value"));
      common_shape(whole, shape(*other), name);
    }
  const Type type = this->type(e);
  if (type.base == Base::record || type.base == Base::other) refuse(text("'", name, "' of a ", name_of(type)));
  const std::size_t along = r.dimension ? static_cast<std::size_t>(*r.dimension - 1) : 0;
  const Shape of = r.dimension ? Shape{whole[along]} : whole;
  const std::optional<long> size = size_of(of);
  if (!size || *size > most_unrolled) return reduced_by_loop(e, r, of);
  const bool extreme = name == "maxval" || name == "minval";
  const bool from_first = (extreme && !r.mask && *size > 0) || ((name == "any" || name == "all") && *size > 0);
  std::string out = from_first ? "" : started(name, type);
  for (const Indices &one : all_indices(of)) {
    Indices place = one;
    if (r.dimension) {
      place = at;
      place.insert(place.begin() + static_cast<std::ptrdiff_t>(along), one[0]);
    }
    if (out.empty() && !extreme) {
      const Value first = element(*r.array, place);
      if (first.type.base != Base::logical) refuse(text("'", name, "' of a ", name_of(first.type)));
      out = first.code;
      continue;
    }
    if (r.mask && out.size() > 12) out = kept({out, type}); // which stands there twice
    out = joined(name, out, r, place, type);
  }
  return {out, type};
}

ProcedureWriter::Value ProcedureWriter::reduced_by_loop(const Expression &e, const Reduction &r, const Shape &of) {
  const std::string &name = e.word;
  if (r.dimension) refuse(text("'", name, "' along a long dimension"));
  const Type type = this->type(e);
  const std::string total = new_name("S");
  emit_text(text(spelling(type), " ", total, " = ", started(name, type), ";"));
  // Branches, since elements at an index that differs from lane to lane stand in no part of a condition.
  Reduction unmasked = r;
  unmasked.mask = nullptr;
  put_each(of, [&](const Indices &at) {
    if (r.mask) emit_text(text("if (", condition_at(*r.mask, at, name), ") {"));
    if (name == "any" || name == "all") {
      const std::string value = condition_at(*r.array, at, name);
      emit_text(
          text("if (", name == "all" ? "!" : "", "(", value, ")) ", total, name == "all" ? " = false;" : " = true;"));
    } else {
      const std::string next = joined(name, total, unmasked, at, type);
      emit_text(text(total, " = ", next, ";"));
    }
    if (r.mask) emit_text("}");
  });
  return {total, type};
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
