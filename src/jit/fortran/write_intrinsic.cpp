// write_intrinsic.cpp: Fortran's own functions; see procedure_writer.hpp.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

namespace {

struct Called {
  std::string_view fortran, cpp; // of double; that of float has an f behind it
  int arguments;
};
constexpr std::array<Called, 26> mathematics_ = {
    Called{"sqrt", "sqrt", 1}, {"exp", "exp", 1},   {"log", "log", 1},   {"log10", "log10", 1}, {"sin", "sin", 1},
    {"cos", "cos", 1},         {"tan", "tan", 1},   {"asin", "asin", 1}, {"acos", "acos", 1},   {"atan", "atan", 1},
    {"sinh", "sinh", 1},       {"cosh", "cosh", 1}, {"tanh", "tanh", 1}, {"atan2", "atan2", 2}, {"atan", "atan2", 2},
    {"hypot", "hypot", 2},     {"erf", "erf", 1},   {"erfc", "erfc", 1}, {"aint", "trunc", 1},  {"anint", "round", 1},
    {"dsqrt", "sqrt", 1},      {"dexp", "exp", 1},  {"dlog", "log", 1},  {"dsin", "sin", 1},    {"dcos", "cos", 1},
    {"alog", "log", 1}};
constexpr std::array<std::string_view, 41> others = {
    "abs",    "dabs",  "iabs",    "max",    "min",    "amax1",     "amin1",  "dmax1", "dmin1", "max0",  "min0",
    "mod",    "dmod",  "amod",    "modulo", "sign",   "dsign",     "real",   "dble",  "float", "sngl",  "int",
    "nint",   "floor", "ceiling", "merge",  "matmul", "transpose", "iand",   "ior",   "ieor",  "btest", "not",
    "dfloat", "isnan", "dim",     "ifix",   "idint",  "size",      "lbound", "ubound"};

} // namespace

bool ProcedureWriter::is_intrinsic(const std::string &name) const {
  return std::any_of(mathematics_.begin(), mathematics_.end(),
                     [&](const Called &one) { return one.fortran == name; }) ||
         std::find(others.begin(), others.end(), name) != others.end() || is_reduction(name);
}

ProcedureWriter::Value ProcedureWriter::mathematics(const std::string &name, const Expression &e, const Indices &at) {
  for (const Called &one : mathematics_) {
    if (one.fortran != name || one.arguments != static_cast<int>(e.parts.size())) continue;
    std::string code;
    Type type;
    for (std::size_t i = 0; i < e.parts.size(); ++i) {
      const Value value = element(*e.parts[i], at);
      if (value.type.base != Base::real || (i > 0 && !(value.type == type)))
        refuse(text("'", name, "' of a ", name_of(value.type)));
      type = value.type;
      code += text(i > 0 ? ", " : "", value.code);
    }
    return {text(one.cpp, type.kind == 4 ? "f(" : "(", code, ")"), type};
  }
  refuse(text("'", name, "' with ", e.parts.size(), " arguments"));
}

// The first of equal values; what comes of NaN is not defined in Fortran, either.
ProcedureWriter::Value ProcedureWriter::extreme(const Expression &e, const Indices &at) {
  const bool greatest = e.word.find("max") != std::string::npos;
  if (e.parts.size() < 2) refuse(text("'", e.word, "' of one value"));
  Value out = element(*e.parts[0], at);
  for (std::size_t i = 1; i < e.parts.size(); ++i) {
    const Value next = element(*e.parts[i], at);
    if (!(next.type == out.type) || (next.type.base != Base::real && next.type.base != Base::integer))
      refuse(text("'", e.word, "' of a ", name_of(out.type), " and a ", name_of(next.type)));
    out.code =
        text(greatest ? "max(" : "min(", next.code, ", ", out.code, ")"); // C++ has the second of equal values first
  }
  return out;
}

// An element of a product of matrices.
ProcedureWriter::Value ProcedureWriter::product(const Expression &e, const Indices &at) {
  if (e.parts.size() != 2) refuse("'matmul' of these arguments");
  const Shape left = shape(*e.parts[0]), right = shape(*e.parts[1]);
  const Type type = this->type(e);
  if (type.base == Base::logical) refuse("'matmul' of logical values");
  if (!left.back().known() || left.back().number > 30)
    refuse("'matmul' of large matrices, which compilers leave to a library");
  std::string out = type.base == Base::integer ? "0" : type.kind == 4 ? "0.0f" : "0.0";
  for (long k = 0; k < left.back().number; ++k) {
    Indices of_left, of_right;
    std::size_t next = 0;
    if (left.size() == 2) of_left.push_back(at.at(next++));
    of_left.push_back(fortran::known(k));
    of_right.push_back(fortran::known(k));
    if (right.size() == 2) of_right.push_back(at.at(next));
    out = text("(", out, " + (", converted_to(element(*e.parts[0], of_left), type), " * ",
               converted_to(element(*e.parts[1], of_right), type), "))");
  }
  return {out, type};
}

// real(x), int(x, 8), nint(x), ...
ProcedureWriter::Value ProcedureWriter::converting(const Expression &e, const Value &x) {
  const std::string &name = e.word;
  if (name == "nint" || name == "floor" || name == "ceiling") {
    if (x.type.base != Base::real) refuse(text("'", name, "' of a ", name_of(x.type)));
    const Type to = type_of_call(e);
    const std::string rounded =
        name == "nint" ? text("lround(", x.code, ")")
                       : text(name == "floor" ? "floor" : "ceil", x.type.kind == 4 ? "f" : "", "(", x.code, ")");
    return {text("(", spelling(to), ")(", rounded, ")"), to};
  }
  const Type to = name == "ifix" || name == "idint" ? Type{Base::integer, 4, ""} : type_of_call(e);
  return {converted_to(x, to), to};
}

ProcedureWriter::Value ProcedureWriter::intrinsic(const Expression &e, const Indices &at) {
  const std::string &name = e.word;
  if (!is_intrinsic(name)) refuse(text("a call of '", name, "', of which nothing is known"));
  if (const std::string why = semantics_.may_be_own(unit_, name); !why.empty())
    refuse(text("a call of '", name, "', which ", why));
  const std::size_t nargs = e.parts.size();
  if (is_reduction(name)) return reduction(e, at);
  if (const auto asked = inquiry(e)) return {code_of(*asked), {Base::integer, 4, ""}};
  if (name == "matmul") return product(e, at);
  if (nargs == 0) refuse(text("'", name, "' without arguments"));
  for (const ExpressionPtr &part : e.parts)
    if (part->kind == Kind::keyword && part->word != "kind")
      refuse(text("the argument '", part->word, "=' of '", name, "'"));
  if (name == "transpose") return element(*e.parts[0], {at.at(1), at.at(0)});
  for (const std::string_view one : {"max", "min", "amax1", "amin1", "dmax1", "dmin1", "max0", "min0"})
    if (name == one) return extreme(e, at);
  const Value x = element(*e.parts[0], at);
  const bool is_real = x.type.base == Base::real;
  const char *const single = x.type.kind == 4 ? "f" : "";
  const auto second = [&] {
    if (nargs != 2) refuse(text("'", name, "' with ", nargs, " arguments"));
    Value out = element(*e.parts[1], at);
    if (!(out.type == x.type)) refuse(text("'", name, "' of a ", name_of(x.type), " and a ", name_of(out.type)));
    return out;
  };
  if (name == "abs" || name == "dabs" || name == "iabs") {
    if (x.type.base == Base::logical) refuse("'abs' of a logical");
    return {is_real ? text("fabs", single, "(", x.code, ")") : text("abs(", x.code, ")"), x.type};
  }
  if (name == "mod" || name == "dmod" || name == "amod") {
    const Value y = second();
    return {is_real ? text("fmod", single, "(", x.code, ", ", y.code, ")") : text("(", x.code, " % ", y.code, ")"),
            x.type};
  }
  if (name == "modulo") {
    const std::string p = named(second());
    if (is_real) { // of the sign of p, also where it is zero
      const std::string zero = text("0.0", single), r = kept({text("fmod", single, "(", x.code, ", ", p, ")"), x.type});
      return {text("(", r, " != ", zero, " ? ((", r, " < ", zero, ") != (", p, " < ", zero, ") ? (", r, " + ", p,
                   ") : ", r, ") : copysign", single, "(", zero, ", ", p, "))"),
              x.type};
    }
    return {text("((", x.code, " % ", p, " + ", p, ") % ", p, ")"), x.type};
  }
  if (name == "sign" || name == "dsign") {
    const Value y = second();
    if (is_real) return {text("copysign", single, "(", x.code, ", ", y.code, ")"), x.type};
    const std::string of = named(x);
    return {text("(", y.code, " >= 0 ? abs(", of, ") : -abs(", of, "))"), x.type};
  }
  if (name == "dim") {
    const std::string a = named(x), b = named(second());
    return {text("(", a, " > ", b, " ? ", a, " - ", b, " : ", is_real ? text("0.0", single) : "0", ")"), x.type};
  }
  for (const std::string_view one :
       {"real", "dble", "float", "sngl", "dfloat", "int", "ifix", "idint", "nint", "floor", "ceiling"})
    if (name == one) return converting(e, x);
  if (name == "merge") {
    if (nargs != 3) refuse("'merge' with these arguments");
    const Value y = element(*e.parts[1], at), mask = element(*e.parts[2], at);
    if (!(x.type == y.type) || x.type.base == Base::record || mask.type.base != Base::logical)
      refuse("'merge' of values of several types");
    // Both values are computed, whatever the mask is: outside of the choice they need no branch.
    const std::string yes = named(x), no = named(y);
    return {text("(", mask.code, " ? ", yes, " : ", no, ")"), x.type};
  }
  if (name == "iand" || name == "ior" || name == "ieor") {
    if (is_real) refuse(text("'", name, "' of reals"));
    return {text("(", x.code, name == "iand" ? " & " : name == "ior" ? " | " : " ^ ", second().code, ")"), x.type};
  }
  if (name == "not") return {text("(~", x.code, ")"), x.type};
  if (name == "btest") {
    const Value bit = second();
    return {text("(((", x.code, " >> ", bit.code, ") & 1) != 0)"), logical_type};
  }
  if (name == "isnan") return {text("(", named(x), " != ", named(x), ")"), logical_type};
  return mathematics(name, e, at);
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
