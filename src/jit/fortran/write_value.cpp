// write_value.cpp: values of expressions; see procedure_writer.hpp. Everything is in brackets: the order of C++ and
// that of Fortran do not matter.
#include <algorithm>
#include <array>
#include <functional>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

namespace {

constexpr std::size_t most_code = 20'000; // characters of one expression

// x ** n is x ** first(n) * x ** (n - first(n)) to gfortran, for n from 2 (-fdump-tree-optimized shows it).
constexpr std::array<int, 65> first_factors = {0,  1,  1,  2,  2,  3,  3,  4,  4,  6,  5,  6,  6,  10, 7,  9,  8,
                                               16, 9,  16, 10, 12, 11, 13, 12, 17, 13, 18, 14, 24, 15, 26, 16, 17,
                                               17, 19, 18, 33, 19, 26, 20, 25, 21, 40, 22, 27, 23, 44, 24, 32, 25,
                                               34, 26, 29, 27, 44, 28, 31, 29, 34, 30, 60, 31, 36, 32};
constexpr long most_power = 64;

// `names` has those powers that have been computed.
std::string product_of(long n, std::map<long, std::string> &names,
                       const std::function<std::string(std::string)> &keep) {
  if (const auto found = names.find(n); found != names.end()) return found->second;
  const long first = first_factors[static_cast<std::size_t>(n)];
  const std::string a = product_of(first, names, keep), b = product_of(n - first, names, keep);
  return names[n] = keep(text("(", a, " * ", b, ")"));
}

} // namespace

ProcedureWriter::Value ProcedureWriter::scalar(const Expression &e) {
  const ExpressionPtr whole = settled(ExpressionPtr(ExpressionPtr(), &e));
  if (!shape(*whole).empty()) refuse("an array where a single value is expected");
  return element(*whole, {});
}

std::string ProcedureWriter::condition(const Expression &e) {
  const Value value = scalar(e);
  if (value.type.base != Base::logical) refuse("a condition that is not logical");
  return value.code;
}

std::string ProcedureWriter::converted_to(const Value &value, const Type &to) const {
  if ((value.type.base == Base::logical) != (to.base == Base::logical))
    refuse(text("a ", name_of(value.type), " where a ", name_of(to), " is expected"));
  if (to.base == Base::logical || (value.type.base == to.base && value.type.kind == to.kind)) return value.code;
  return text("(", spelling(to), ")(", value.code, ")");
}

std::string ProcedureWriter::named(const Value &value) { return is_plain(value.code) ? value.code : kept(value); }

Amount ProcedureWriter::kept(const Amount &amount) {
  if (amount.known()) return amount;
  return {0, kept({code_of(amount), {Base::integer, 4, ""}})};
}

std::string ProcedureWriter::kept(const Value &value) {
  const std::string name = new_name("T");
  emit_text(text("const ", spelling(value.type), " ", name, " = ", value.code, ";"));
  return name;
}

// Element `at` of an array expression; a scalar is the same for every element.
ProcedureWriter::Value ProcedureWriter::element(const Expression &e, const Indices &at) {
  if (const auto constant = semantics_.constant(e, unit_)) return {literal(*constant), constant->type};
  if (e.kind == Kind::name || e.kind == Kind::component || is_designator(e)) {
    const Variable own = view(e);
    if (own.is_record() || own.type.base == Base::other) refuse(text("a ", name_of(own.type), " in place of a number"));
    // A single value is the same for all elements.
    const std::string code = place(own, own.dimensions.empty() ? Indices{} : at);
    return {own.as_int ? text("(", code, " != 0)") : code, own.type};
  }
  Value out;
  switch (e.kind) {
    case Kind::reference: {
      const Unit *callee = callee_of(e);
      out = callee ? call(*callee, e, at) : intrinsic(e, at);
      break;
    }
    case Kind::unary:
      out = unary(e, at);
      break;
    case Kind::grouped:
      out = element(*e.parts[0], at);
      break;
    case Kind::binary:
      out = binary(e, at);
      break;
    case Kind::constructor:
      out = constructed(e, at.at(0));
      break;
    default:
      out.type = type(e); // which refuses it
      refuse("an expression that is not read");
  }
  if (out.code.size() > most_code) refuse("an expression that is too long");
  return out;
}

ProcedureWriter::Value ProcedureWriter::unary(const Expression &e, const Indices &at) {
  const Value operand = element(*e.parts[0], at);
  if ((e.word == ".not.") != (operand.type.base == Base::logical))
    refuse(text("'", e.word, "' of a ", name_of(operand.type)));
  if (e.word == "+") return operand;
  return {text(e.word == "-" ? "(-" : "(!", operand.code, ")"), operand.type};
}

ProcedureWriter::Value ProcedureWriter::binary(const Expression &e, const Indices &at) {
  const Value left = element(*e.parts[0], at);
  const std::string &sign = e.word;
  if (sign == "**") return power(left, *e.parts[1], at);
  if (sign == "//") refuse("a text");
  const Value right = element(*e.parts[1], at);
  const bool logical = left.type.base == Base::logical;
  if (logical != (right.type.base == Base::logical))
    refuse(text("'", sign, "' of a ", name_of(left.type), " and a ", name_of(right.type)));
  if (logical) {
    const char *const cpp = sign == ".and."    ? " && "
                            : sign == ".or."   ? " || "
                            : sign == ".eqv."  ? " == "
                            : sign == ".neqv." ? " != "
                                               : nullptr;
    if (!cpp) refuse(text("'", sign, "' of logical values"));
    return {text("(", left.code, cpp, right.code, ")"), logical_type};
  }
  const Type common = common_type(left.type, right.type);
  const std::string a = converted_to(left, common), b = converted_to(right, common);
  for (const std::string_view one : {"==", "/=", "<", "<=", ">", ">="})
    if (sign == one) return {text("(", a, " ", one == "/=" ? "!=" : one, " ", b, ")"), logical_type};
  if (sign == ".and." || sign == ".or." || sign == ".eqv." || sign == ".neqv.") refuse(text("'", sign, "' of numbers"));
  return {text("(", a, " ", sign, " ", b, ")"), common};
}

ProcedureWriter::Value ProcedureWriter::power(const Value &base, const Expression &exponent, const Indices &at) {
  const auto constant = semantics_.constant(exponent, unit_);
  std::optional<long> whole;
  if (constant && constant->type.base == Base::integer) whole = static_cast<long>(constant->integer);
  // Compilers make products and quotients of these powers, too.
  if (constant && constant->type.base == Base::real &&
      (constant->real == 2.0 || constant->real == 1.0 || constant->real == -1.0) && base.type.base == Base::real &&
      common_type(base.type, constant->type) == base.type)
    whole = static_cast<long>(constant->real);
  const bool is_real = base.type.base == Base::real;
  if (whole && (is_real || *whole >= 0)) return whole_power(base, *whole);
  const Value to = element(exponent, at);
  const Type common = common_type(base.type, to.type);
  if (to.type.base == Base::integer && (is_real || base.type.base == Base::integer)) {
    const Type result = is_real ? base.type : common;
    return {text(kernel_.power_function(result, to.type), "(", converted_to(base, result), ", ", to.code, ")"), result};
  }
  if (common.base != Base::real || to.type.base != Base::real) refuse("a power of these types");
  return {text(common.kind == 4 ? "powf(" : "pow(", converted_to(base, common), ", ", converted_to(to, common), ")"),
          common};
}

ProcedureWriter::Value ProcedureWriter::whole_power(const Value &base, long exponent) {
  const long n = exponent < 0 ? -exponent : exponent;
  if (n > most_power) refuse(text("the power ", exponent, "; those up to ", most_power, " are known"));
  const std::string one = base.type.base != Base::real ? "1" : base.type.kind == 4 ? "1.0f" : "1.0";
  if (n == 0) return {one, base.type};
  std::map<long, std::string> names = {{1, n > 1 ? named(base) : base.code}};
  const bool many = n > 16; // what is needed twice gets a name
  const std::string product = product_of(n, names, [&](std::string code) {
    return many ? kept({std::move(code), base.type}) : code;
  });
  return {exponent < 0 ? text("(", one, " / ", product, ")") : product, base.type};
}

ProcedureWriter::Value ProcedureWriter::constructed(const Expression &e, const Amount &at) {
  if (!at.known()) refuse("an array constructor in a long array");
  long left = at.number;
  const Type whole = type(e);
  for (const ExpressionPtr &part : e.parts) {
    const Shape of = shape(*part);
    const long size = size_of(of).value_or(0);
    if (left >= size) {
      left -= size;
      continue;
    }
    Indices inside;
    for (const Amount &extent : of) {
      inside.push_back(fortran::known(left % extent.number));
      left /= extent.number;
    }
    return {converted_to(element(*part, inside), whole), whole};
  }
  refuse("an array constructor that is too short");
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
