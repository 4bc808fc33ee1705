// kernel_writer.cpp: see kernel_writer.hpp.
#include "jit/fortran/kernel_writer.hpp"

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

Scalar scalar_of(const Type &type) {
  switch (type.base) {
    case Base::integer:
      return type.kind == 8 ? Scalar::int64 : Scalar::int32;
    case Base::real:
      return type.kind == 8 ? Scalar::float64 : Scalar::float32;
    case Base::logical:
      return Scalar::boolean;
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
  ProcedureWriter writer(*this, kernel, true, nullptr);
  out_.kernel = writer.write(free_name(kernel.name), nullptr);
  return std::move(out_);
}

const Helper &KernelWriter::helper(const Unit &procedure, std::map<std::string, Variable> &host) {
  const auto found = helpers_.find(&procedure);
  if (found != helpers_.end()) return found->second;
  if (!writing_.insert(&procedure).second)
    Semantics::refuse(procedure, procedure.file, procedure.line, text("'", procedure.name, "' calls itself"));
  const bool internal = procedure.host && procedure.host->kind != Unit::Kind::module;
  Helper helper;
  helper.name = free_name(procedure.name);
  ProcedureWriter writer(*this, procedure, false, internal ? &host : nullptr);
  out_.helpers.push_back(writer.write(helper.name, &helper));
  return helpers_.emplace(&procedure, std::move(helper)).first->second;
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

// A variable of a module, which generated code finds through its address.
Variable KernelWriter::program_variable(const Symbol &symbol, const Unit &owner) {
  const auto found = program_.find(&symbol);
  if (found != program_.end()) return found->second;
  const auto refuse = [&](const std::string &what) {
    Semantics::refuse(owner, symbol.file, symbol.line,
                      text("the variable '", symbol.name, "' of module '", owner.name, "' ", what));
  };
  Variable out;
  out.type = semantics_.type_of(symbol, owner);
  if (!symbol.unusable.empty()) refuse(symbol.unusable);
  if (out.type.base == Base::other) refuse(text("is of type ", name_of(out.type)));
  out.code = text("__", owner.name, "_MOD_", symbol.name);
  out.array = symbol.array;
  out.changeable = false;
  out.as_int = out.type.base == Base::logical && out.type.kind == 4;
  long size = 1;
  if (symbol.array) {
    const auto extents = semantics_.extents(symbol, owner);
    if (!extents) refuse("has no constant shape");
    for (std::size_t d = 0; d < extents->size(); ++d) {
      const Bound &bound = symbol.bounds[d];
      out.dimensions.push_back({bound.lower ? semantics_.integer(bound.lower.get(), owner) : 1, (*extents)[d], "", ""});
      size *= (*extents)[d];
    }
    if (size <= 0 || size > 1'000'000) refuse(text("has ", size, " elements"));
  }
  ProgramVariable variable;
  variable.symbol = out.code;
  variable.scalar = out.as_int ? Scalar::int32 : scalar_of(out.type);
  variable.dim = static_cast<int>(size);
  if (symbol.array && size == 1) out.array = true;
  out_.variables.push_back(variable);
  out_.declared.push_back(out.code);
  return program_.emplace(&symbol, out).first->second;
}

} // namespace op2::core::jit::fortran
