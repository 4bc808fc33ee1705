// kernel_writer.cpp: see kernel_writer.hpp.
#include "jit/fortran/kernel_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"
#include "jit/text/known_functions.hpp"
#include "jit/text/words.hpp"

namespace op2::core::jit::fortran {

using Base = Type::Base;

constexpr std::size_t most_helpers = 1000;

Scalar scalar_of(const Type &type) {
  switch (type.base) {
    case Base::integer:
      return type.kind == 8 ? Scalar::int64 : Scalar::int32;
    case Base::real:
      return type.kind == 8 ? Scalar::float64 : Scalar::float32;
    case Base::logical:
      return Scalar::boolean;
    case Base::record:
    case Base::other:
      break;
  }
  return Scalar::other;
}

std::string spelling(const Type &type, bool as_int) { return as_int ? "int" : spelling_of(scalar_of(type)); }

std::string literal(const Constant &value) {
  if (value.type.base == Base::logical) return value.truth ? "true" : "false";
  std::string out;
  bool negative = false;
  if (value.type.base == Base::integer) {
    const long long n = value.integer;
    if (n == std::numeric_limits<long long>::min()) return "(-9223372036854775807ll - 1)";
    if (n == std::numeric_limits<int>::min() && value.type.kind == 4) return "(-2147483647 - 1)";
    negative = n < 0;
    out = text(negative ? -n : n, value.type.kind == 8 ? "ll" : "");
  } else {
    negative = std::signbit(value.real);
    char digits[40];
    std::snprintf(digits, sizeof digits, value.type.kind == 4 ? "%.9g" : "%.17g", negative ? -value.real : value.real);
    out = digits;
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    if (value.type.kind == 4) out += "f";
  }
  return negative ? text("(-", out, ")") : out;
}

std::string safe_name(const std::string &name) {
  const bool taken = is_keyword(name) || is_type_specifier(name) || is_qualifier(name) || is_storage_specifier(name) ||
                     known_function(name) || !standard_type(name).empty() || name.starts_with("op2");
  return taken ? name + "_F" : name; // no name of Fortran here has capitals
}

std::string KernelWriter::free_name(const std::string &wanted) {
  std::string out = safe_name(wanted);
  for (int n = 2; !names_.insert(out).second; ++n) out = text(safe_name(wanted), "_F", n);
  return out;
}

KernelText KernelWriter::write(const Unit &kernel) {
  if (kernel.kind == Unit::Kind::function)
    Semantics::refuse(kernel, kernel.file, kernel.line,
                      text("'", kernel.name, "' is a function; kernels are subroutines"));
  writing_.insert(&kernel);
  ProcedureWriter writer(*this, kernel, nullptr, nullptr);
  out_.kernel = writer.write(free_name(kernel.name), nullptr);
  return std::move(out_);
}

namespace {

// Two calls with the same key get the same code.
std::string key_of(const Signature &signature, const std::string &host) {
  std::string out = host;
  for (const Given &given : signature) {
    out += text(";", given.as_int ? "i" : "", given.shifted ? "o" : "", given.value ? text("=", *given.value) : "");
    for (const std::optional<long> &extent : given.extents) out += extent ? text(",", *extent) : ",?";
    for (const long stride : given.strides) out += text("/", stride);
  }
  return out;
}

} // namespace

const Helper &KernelWriter::helper(const Unit &procedure, const Signature &signature,
                                   std::map<std::string, Variable> &host, const std::string &host_name) {
  const bool internal = procedure.host && procedure.host->kind != Unit::Kind::module;
  const auto key = std::pair(&procedure, key_of(signature, internal ? host_name : ""));
  const auto found = helpers_.find(key);
  if (found != helpers_.end()) return found->second;
  if (helpers_.size() >= most_helpers)
    Semantics::refuse(procedure, procedure.file, procedure.line, "too many procedures");
  if (!writing_.insert(&procedure).second)
    Semantics::refuse(procedure, procedure.file, procedure.line, text("'", procedure.name, "' calls itself"));
  Helper helper;
  helper.name = free_name(procedure.name);
  ProcedureWriter writer(*this, procedure, &signature, internal ? &host : nullptr);
  out_.helpers.push_back(writer.write(helper.name, &helper));
  writing_.erase(&procedure);
  return helpers_.emplace(key, std::move(helper)).first->second;
}

// As compilers' own libraries compute it, which multiply by squares from the lowest bit of the exponent on.
std::string KernelWriter::power_function(const Type &base, const Type &exponent) {
  std::string &name = powers_[text(name_of(base), name_of(exponent))];
  if (!name.empty()) return name;
  Function out;
  out.name = name = free_name("power_of");
  out.result = scalar_of(base);
  for (const Type *one : {&base, &exponent}) {
    Parameter parameter;
    parameter.name = one == &base ? "x" : "n";
    parameter.scalar = scalar_of(*one);
    out.parameters.push_back(std::move(parameter));
  }
  const bool is_real = base.base == Base::real;
  const std::string of = spelling(base), count = spelling(exponent),
                    one = is_real ? base.kind == 4 ? "1.0f" : "1.0" : "1";
  const bool long_exponent = is_real && exponent.kind == 8; // 1/x comes first there, and last otherwise
  std::string body = text("{", count, " m = n < 0 ? -n : n; ", of, " p = x;");
  if (!is_real) body += "if (n < 0) { if (x == 1) return 1; if (x == -1) return (n & 1) != 0 ? -1 : 1; return 0; }";
  if (long_exponent) body += text("if (n < 0) p = ", one, " / x;");
  body += text(of, " y = (m & 1) != 0 ? p : ", one, "; m = m >> 1;");
  body += "while (m > 0) { p = p * p; if ((m & 1) != 0) y = y * p; m = m >> 1; }";
  body += is_real && !long_exponent ? text("return n < 0 ? ", one, " / y : y; }") : "return y; }";
  out.body = tokenize(body, 0);
  out_.helpers.push_back(std::move(out));
  return name;
}

std::string KernelWriter::constant_array(const Symbol &array, const Unit &owner) {
  const auto found = arrays_.find(&array);
  if (found != arrays_.end()) return found->second;
  const auto elements = semantics_.elements(array, owner);
  if (!elements || elements->empty())
    Semantics::refuse(owner, array.file, array.line, text("the value of the constant '", array.name, "'"));
  const Type type = semantics_.type_of(array, owner);
  NamedConstant out;
  out.name = free_name(array.name + "_C");
  out.scalar = scalar_of(type);
  out.array = true;
  std::string all;
  for (const Constant &one : *elements) all += (all.empty() ? "" : ", ") + literal(one);
  out.declaration = tokenize(
      text("constexpr ", spelling(type), " ", out.name, "[", elements->size(), "] = {", all, "};"), array.line);
  out_.constants.push_back(out);
  return arrays_.emplace(&array, out.name).first->second;
}

namespace {

constexpr long largest_variable = 1'000'000;

std::string place_of(const Unit &owner) {
  return text(owner.kind == Unit::Kind::module ? "module '" : "procedure '", owner.name, "'");
}

// See part_of_variable().
std::string name_at(const std::string &object, long offset, const Type &type, long size) {
  const char base = type.base == Base::real ? 'r' : type.base == Base::integer ? 'i' : 'l';
  return text(object, "_AT", offset, "_", base, type.kind, "_", size);
}

} // namespace

void KernelWriter::add_variable(const Variable &variable, long size) {
  for (const ProgramVariable &known : out_.variables)
    if (known.symbol == variable.code) return;
  ProgramVariable out;
  out.symbol = variable.code;
  out.scalar = variable.as_int ? Scalar::int32 : scalar_of(variable.type);
  out.dim = static_cast<int>(size);
  out_.variables.push_back(out);
  out_.declared.push_back(variable.code);
}

// The numbers of a variable of a derived type, which compilers place as C does.
void KernelWriter::add_parts(Variable &record, const Symbol &symbol, const Unit &owner) {
  const Record &type = *record.type.record;
  const auto refuse = [&](const std::string &what) {
    Semantics::refuse(owner, symbol.file, symbol.line,
                      text("the variable '", symbol.name, "' of ", place_of(owner), " ", what));
  };
  if (symbol.array) refuse("is an array of a derived type");
  if (!type.unusable.empty()) refuse(text("is of type '", type.name, "', which ", type.unusable));
  long offset = 0;
  for (const Symbol &one : type.parts) {
    Variable part;
    part.type = semantics_.type_of(one, *type.owner);
    part.array = one.array;
    part.changeable = false;
    part.as_int = part.type.base == Base::logical && part.type.kind == 4;
    if (!one.unusable.empty()) refuse(text("has the component '", one.name, "', which ", one.unusable));
    if (part.type.base == Base::other || part.type.base == Base::record)
      refuse(text("has the component '", one.name, "' of type ", name_of(part.type)));
    const long size = bounds_of(part, one, *type.owner);
    if (size <= 0) refuse(text("has the component '", one.name, "' of no constant shape"));
    const long bytes = part.type.kind;
    offset = (offset + bytes - 1) / bytes * bytes;
    part.code = name_at(record.code, offset, part.type, size);
    add_variable(part, size);
    offset += bytes * size;
    record.parts.push_back(std::move(part));
  }
}

// The bounds of an array of the program, and its size; 0 where it is not known.
long KernelWriter::bounds_of(Variable &variable, const Symbol &symbol, const Unit &owner) {
  if (!symbol.array) return 1;
  const auto extents = semantics_.extents(symbol, owner);
  if (!extents) return 0;
  for (std::size_t d = 0; d < extents->size(); ++d) {
    const Bound &bound = symbol.bounds[d];
    const std::optional<long> lower = bound.lower ? semantics_.integer(bound.lower.get(), owner) : 1;
    variable.dimensions.push_back({known(lower.value_or(1)), known((*extents)[d]), known(1)});
  }
  set_strides(variable.dimensions);
  const std::optional<long> size = size_of(variable.dimensions);
  return size && *size <= largest_variable ? *size : 0;
}

// A variable of a module or a common block, which generated code finds through its address.
Variable KernelWriter::program_variable(const Symbol &symbol, const Unit &owner) {
  const auto found = program_.find(&symbol);
  if (found != program_.end()) return found->second;
  const auto refuse = [&](const std::string &what) {
    Semantics::refuse(owner, symbol.file, symbol.line,
                      text("the variable '", symbol.name, "' of ", place_of(owner), " ", what));
  };
  Variable out;
  out.type = semantics_.type_of(symbol, owner);
  if (!symbol.unusable.empty()) refuse(symbol.unusable);
  if (out.type.base == Base::other) refuse(text("is of type ", name_of(out.type)));
  const bool common = !symbol.common.empty();
  const std::string block = symbol.common == "/" ? "__BLNK__" : text(symbol.common, "_");
  out.code = text("__", owner.name, "_MOD_", symbol.name);
  out.array = symbol.array;
  out.changeable = false;
  out.as_int = out.type.base == Base::logical && out.type.kind == 4;
  if (out.is_record()) {
    if (common) refuse("is of a derived type, in a common block");
    add_parts(out, symbol, owner);
    return program_.emplace(&symbol, out).first->second;
  }
  const long size = bounds_of(out, symbol, owner);
  if (size <= 0) refuse("has no constant shape, or too many elements");
  if (common) out.code = name_at(block, semantics_.common_offset(symbol, owner), out.type, size);
  add_variable(out, size);
  return program_.emplace(&symbol, out).first->second;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
