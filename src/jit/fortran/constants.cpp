// constants.cpp: values of constant expressions, as gfortran computes them: every operation rounded to the kind of its
// result. See meaning.hpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/text.hpp"
#include "jit/fortran/meaning.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

namespace {

struct Named {
  std::string_view name;
  int value;
};
// Kinds of the intrinsic modules, on machines where C's long has 8 bytes.
constexpr std::array kinds = {
    Named{"c_double", 8},  Named{"c_float", 4},   Named{"c_int", 4},    Named{"c_long", 8}, Named{"c_long_long", 8},
    Named{"c_int32_t", 4}, Named{"c_int64_t", 8}, Named{"c_size_t", 8}, Named{"c_bool", 1}, Named{"real32", 4},
    Named{"real64", 8},    Named{"int32", 4},     Named{"int64", 8}};

constexpr int deepest_constant = 200;
constexpr std::size_t most_elements = 4096;

Constant whole(long long value, int kind = 4) {
  Constant out;
  out.type = {Base::integer, kind, ""};
  out.integer = value;
  return out;
}

Constant real(double value, int kind) {
  Constant out;
  out.type = {Base::real, kind, ""};
  out.real = kind == 4 ? static_cast<double>(static_cast<float>(value)) : value;
  return out;
}

Constant truth(bool value) {
  Constant out;
  out.type = {Base::logical, 4, ""};
  out.truth = value;
  return out;
}

bool fits(long long value, int kind) {
  return kind == 8 || (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max());
}

// A function's value to the last bit: that of a wider type, unless it lies so near to the middle between two values
// that its own error could decide. Compilers round the exact value.
std::optional<Constant> rounded(long double value, int kind) {
  if (!std::isfinite(value)) return std::nullopt;
  if (value == 0) return real(0, kind);
  const long double error = std::fabs(value) * std::numeric_limits<long double>::epsilon() * 4;
  const auto as_kind = [&](long double x) {
    return kind == 4 ? static_cast<double>(static_cast<float>(x)) : static_cast<double>(x);
  };
  if (std::numeric_limits<long double>::digits <= std::numeric_limits<double>::digits) return std::nullopt;
  if (as_kind(value - error) != as_kind(value + error)) return std::nullopt;
  return real(as_kind(value), kind);
}

using WideFunction = long double (*)(long double);
struct NamedFunction {
  std::string_view name;
  WideFunction value;
};
const std::array<NamedFunction, 12> wide_functions = {NamedFunction{"exp", std::exp},
                                                      {"log", std::log},
                                                      {"log10", std::log10},
                                                      {"sin", std::sin},
                                                      {"cos", std::cos},
                                                      {"tan", std::tan},
                                                      {"asin", std::asin},
                                                      {"acos", std::acos},
                                                      {"atan", std::atan},
                                                      {"sinh", std::sinh},
                                                      {"cosh", std::cosh},
                                                      {"tanh", std::tanh}};

std::optional<Constant> arithmetic(const std::string &sign, const Constant &left, const Constant &right) {
  const Type type = common_type(left.type, right.type);
  const Constant a = converted(left, type), b = converted(right, type);
  if (type.base == Base::integer) {
    const auto both = [&](long double value) { return std::fabs(value) < 9e18L; };
    const long double x = static_cast<long double>(a.integer), y = static_cast<long double>(b.integer);
    if (sign == "/" && b.integer == 0) return std::nullopt;
    if (!both(sign == "*" ? x * y : sign == "+" ? x + y : sign == "-" ? x - y : 0)) return std::nullopt;
    const long long value = sign == "+"   ? a.integer + b.integer
                            : sign == "-" ? a.integer - b.integer
                            : sign == "*" ? a.integer * b.integer
                                          : a.integer / b.integer;
    return fits(value, type.kind) ? std::optional(whole(value, type.kind)) : std::nullopt;
  }
  const auto in = [&](auto x, auto y) {
    return sign == "+" ? x + y : sign == "-" ? x - y : sign == "*" ? x * y : x / y;
  };
  const double value = type.kind == 4 ? static_cast<double>(in(static_cast<float>(a.real), static_cast<float>(b.real)))
                                      : in(a.real, b.real);
  return std::isfinite(value) ? std::optional(real(value, type.kind)) : std::nullopt;
}

std::optional<Constant> compare(const std::string &sign, const Constant &left, const Constant &right) {
  const Type type = common_type(left.type, right.type);
  const Constant a = converted(left, type), b = converted(right, type);
  const auto in = [&](auto x, auto y) {
    return sign == "=="   ? x == y
           : sign == "/=" ? x != y
           : sign == "<"  ? x < y
           : sign == "<=" ? x <= y
           : sign == ">"  ? x > y
                          : x >= y;
  };
  return truth(type.base == Base::integer ? in(a.integer, b.integer) : in(a.real, b.real));
}

// Whole powers of whole numbers, and of reals where the order of multiplications is that of one or none.
std::optional<Constant> power(const Constant &base, const Constant &exponent) {
  if (exponent.type.base != Base::integer) return std::nullopt;
  if (base.type.base == Base::integer) {
    if (exponent.integer < 0 || exponent.integer > 62) return std::nullopt;
    Constant out = whole(1, common_type(base.type, exponent.type).kind);
    for (long long n = 0; n < exponent.integer; ++n) {
      const std::optional<Constant> next = arithmetic("*", out, base);
      if (!next) return std::nullopt;
      out = *next;
    }
    return out;
  }
  if (exponent.integer == 2) return arithmetic("*", base, base);
  return rounded(std::pow(static_cast<long double>(base.real), static_cast<long double>(exponent.integer)),
                 base.type.kind);
}

} // namespace

Constant converted(const Constant &value, const Type &type) {
  if (value.type == type) return value;
  Constant out = value;
  out.type = type;
  if (type.base == Base::real) {
    const bool from_integer = value.type.base == Base::integer;
    if (type.kind == 4)
      out.real = from_integer ? static_cast<double>(static_cast<float>(value.integer))
                              : static_cast<double>(static_cast<float>(value.real));
    else
      out.real = from_integer ? static_cast<double>(value.integer) : value.real;
  } else if (type.base == Base::integer && value.type.base == Base::real) {
    out.integer = static_cast<long long>(value.real);
  }
  return out;
}

std::optional<Constant> Semantics::number(const std::string &word, const Unit &scope) {
  std::string digits = word;
  int kind = 0;
  if (const std::size_t under = word.find('_'); under != std::string::npos) {
    const std::string named = word.substr(under + 1);
    digits = word.substr(0, under);
    Expression name;
    name.kind = std::isdigit(static_cast<unsigned char>(named[0])) ? Kind::number : Kind::name;
    name.word = named;
    kind = kind_of(name, scope);
  }
  if (digits.find_first_of(".ed") == std::string::npos) {
    if (digits.size() > 18 || digits.find('q') != std::string::npos) return std::nullopt;
    const Constant out = whole(std::atoll(digits.c_str()), kind > 0 ? kind : 4);
    return fits(out.integer, out.type.kind) ? std::optional(out) : std::nullopt;
  }
  if (digits.find('q') != std::string::npos) return std::nullopt;
  if (const std::size_t d = digits.find('d'); d != std::string::npos) {
    digits[d] = 'e';
    kind = 8;
  }
  if (kind == 0) kind = 4;
  if (kind != 4 && kind != 8) return std::nullopt;
  const double value =
      kind == 4 ? static_cast<double>(std::strtof(digits.c_str(), nullptr)) : std::strtod(digits.c_str(), nullptr);
  return std::isfinite(value) ? std::optional(real(value, kind)) : std::nullopt;
}

std::optional<Constant> Semantics::named(const std::string &name, const Unit &scope) {
  if (const auto counter = counters_.find(name); counter != counters_.end()) return whole(counter->second);
  const Meaning meaning = find(scope, name);
  if (meaning.nothing()) {
    std::string original = name;
    for (const Unit *unit = &scope; unit; unit = unit->host)
      for (const Use &use : unit->uses)
        for (const auto &[here, there] : use.names)
          if (here == name && (use.module == "iso_c_binding" || use.module == "iso_fortran_env")) original = there;
    for (const Named &kind : kinds)
      if (kind.name == original) return whole(kind.value);
    return std::nullopt;
  }
  if (!meaning.symbol || !meaning.symbol->parameter || !meaning.symbol->value || meaning.symbol->array)
    return std::nullopt;
  const std::optional<Constant> value = constant(*meaning.symbol->value, *meaning.owner);
  if (!value) return std::nullopt;
  const Type type = type_of(*meaning.symbol, *meaning.owner);
  if ((type.base == Base::logical) != (value->type.base == Base::logical) || type.base == Base::other ||
      type.base == Base::record)
    return std::nullopt;
  return converted(*value, type);
}

std::optional<long> Semantics::integer(const Expression *expression, const Unit &scope) {
  if (!expression) return std::nullopt;
  const std::optional<Constant> value = constant(*expression, scope);
  if (!value || value->type.base != Base::integer) return std::nullopt;
  return static_cast<long>(value->integer);
}

std::optional<Constant> Semantics::constant(const Expression &e, const Unit &scope) {
  if (++depth_ > deepest_constant)
    throw Refusal(text(scope.text->place(scope.file, scope.line),
                       ": a constant that is defined by itself, or nested too deeply"));
  struct Leave {
    int &depth;
    ~Leave() { --depth; }
  } leave{depth_};
  switch (e.kind) {
    case Kind::number:
      return number(e.word, scope);
    case Kind::logical:
      return truth(e.word == ".true.");
    case Kind::name:
      return named(e.word, scope);
    case Kind::grouped:
      return constant(*e.parts[0], scope);
    case Kind::unary: {
      std::optional<Constant> value = constant(*e.parts[0], scope);
      if (!value || (e.word == ".not.") != (value->type.base == Base::logical)) return std::nullopt;
      if (e.word == ".not.") value->truth = !value->truth;
      if (e.word == "-") {
        value->integer = -value->integer;
        value->real = -value->real;
      }
      return value;
    }
    case Kind::binary:
      return binary(e, scope);
    case Kind::reference:
      return call(e, scope);
    default:
      return std::nullopt;
  }
}

std::optional<Constant> Semantics::binary(const Expression &e, const Unit &scope) {
  const std::optional<Constant> left = constant(*e.parts[0], scope);
  if (!left) return std::nullopt;
  const std::optional<Constant> right = constant(*e.parts[1], scope);
  if (!right) return std::nullopt;
  const bool logical = left->type.base == Base::logical;
  if (logical != (right->type.base == Base::logical)) return std::nullopt;
  const std::string &sign = e.word;
  if (logical) {
    if (sign == ".and.") return truth(left->truth && right->truth);
    if (sign == ".or.") return truth(left->truth || right->truth);
    if (sign == ".eqv.") return truth(left->truth == right->truth);
    if (sign == ".neqv.") return truth(left->truth != right->truth);
    return std::nullopt;
  }
  if (sign == "+" || sign == "-" || sign == "*" || sign == "/") return arithmetic(sign, *left, *right);
  if (sign == "**") return power(*left, *right);
  for (const std::string_view one : {"==", "/=", "<", "<=", ">", ">="})
    if (sign == one) return compare(sign, *left, *right);
  return std::nullopt;
}

// Intrinsic functions, and elements of constant arrays.
std::optional<Constant> Semantics::call(const Expression &e, const Unit &scope) {
  const Meaning meaning = find(scope, e.word);
  if (meaning.symbol && meaning.symbol->parameter && meaning.symbol->array) {
    const auto all = elements(*meaning.symbol, *meaning.owner);
    const auto size = extents(*meaning.symbol, *meaning.owner);
    if (!all || !size || size->size() != e.parts.size()) return std::nullopt;
    long at = 0, stride = 1;
    for (std::size_t d = 0; d < size->size(); ++d) {
      const Bound &bound = meaning.symbol->bounds[d];
      const std::optional<long> index = integer(e.parts[d].get(), scope);
      const std::optional<long> lower = bound.lower ? integer(bound.lower.get(), *meaning.owner) : 1;
      if (!index || !lower || *index < *lower || *index - *lower >= (*size)[d]) return std::nullopt;
      at += (*index - *lower) * stride;
      stride *= (*size)[d];
    }
    return (*all)[static_cast<std::size_t>(at)];
  }
  if (!meaning.nothing() || e.parts.empty()) return std::nullopt;
  const std::string &name = e.word;
  if (name == "size" && e.parts.size() == 1 && e.parts[0]->kind == Kind::name) {
    const Meaning array = find(scope, e.parts[0]->word);
    if (!array.symbol || !array.symbol->array) return std::nullopt;
    const auto size = extents(*array.symbol, *array.owner);
    if (!size) return std::nullopt;
    long all = 1;
    for (const long one : *size) all *= one;
    return whole(all);
  }
  const std::size_t nargs = e.parts.size();
  std::vector<Constant> args;
  for (const ExpressionPtr &part : e.parts) {
    const std::optional<Constant> value = constant(part->kind == Kind::keyword ? *part->parts[0] : *part, scope);
    if (!value) {
      // kind(x), epsilon(x) of a variable
      if (nargs == 1 && part->kind == Kind::name &&
          (name == "kind" || name == "epsilon" || name == "tiny" || name == "huge")) {
        const Meaning variable = find(scope, part->word);
        if (!variable.symbol) return std::nullopt;
        Constant any;
        any.type = type_of(*variable.symbol, *variable.owner);
        args.push_back(any);
        continue;
      }
      return std::nullopt;
    }
    args.push_back(*value);
  }
  const Constant &x = args[0];
  const int kind = x.type.kind;
  const bool is_real = x.type.base == Base::real;
  const auto second_kind = [&](int otherwise) {
    return nargs > 1 && args[1].type.base == Base::integer ? static_cast<int>(args[1].integer) : otherwise;
  };
  if (name == "kind") return whole(kind);
  if (name == "selected_real_kind")
    return x.integer <= 6 && (nargs < 2 || args[1].integer <= 37) ? whole(4) : x.integer <= 15 ? whole(8) : whole(16);
  if (name == "selected_int_kind") return whole(x.integer <= 9 ? 4 : 8);
  if (name == "epsilon" && is_real)
    return real(
        kind == 4 ? static_cast<double>(std::numeric_limits<float>::epsilon()) : std::numeric_limits<double>::epsilon(),
        kind);
  if (name == "tiny" && is_real)
    return real(kind == 4 ? static_cast<double>(std::numeric_limits<float>::min()) : std::numeric_limits<double>::min(),
                kind);
  if (name == "huge" && is_real)
    return real(kind == 4 ? static_cast<double>(std::numeric_limits<float>::max()) : std::numeric_limits<double>::max(),
                kind);
  if (name == "huge")
    return whole(kind == 8 ? std::numeric_limits<long long>::max() : std::numeric_limits<int>::max(), kind);
  if (x.type.base == Base::logical) return std::nullopt;
  if (name == "real") return converted(x, {Base::real, second_kind(4), ""});
  if (name == "dble") return converted(x, {Base::real, 8, ""});
  if (name == "float" || name == "sngl") return converted(x, {Base::real, 4, ""});
  if (name == "int" && std::fabs(x.real) < 2e9) return converted(x, {Base::integer, second_kind(4), ""});
  if (name == "abs" && nargs == 1) return is_real ? real(std::fabs(x.real), kind) : whole(std::llabs(x.integer), kind);
  if (!is_real || nargs != 1) return std::nullopt;
  if (name == "sqrt" && x.real >= 0)
    return real(kind == 4 ? static_cast<double>(std::sqrt(static_cast<float>(x.real))) : std::sqrt(x.real), kind);
  for (const NamedFunction &one : wide_functions)
    if (one.name == name) return rounded(one.value(static_cast<long double>(x.real)), kind);
  return std::nullopt;
}

bool Semantics::append(const Expression &value, const Unit &scope, std::vector<Constant> &out) {
  if (out.size() > most_elements) return false;
  if (value.kind == Kind::constructor) {
    return std::all_of(value.parts.begin(), value.parts.end(),
                       [&](const ExpressionPtr &part) { return append(*part, scope, out); });
  }
  if (value.kind == Kind::implied_do) {
    const std::optional<long> from = integer(value.bounds[0].get(), scope),
                              to = integer(value.bounds.size() > 1 ? value.bounds[1].get() : nullptr, scope);
    const std::optional<long> step = value.bounds.size() > 2 ? integer(value.bounds[2].get(), scope) : 1;
    if (!from || !to || !step || *step == 0) return false;
    for (long n = *from; *step > 0 ? n <= *to : n >= *to; n += *step) {
      counters_[value.word] = n;
      const bool good = std::all_of(value.parts.begin(), value.parts.end(),
                                    [&](const ExpressionPtr &part) { return append(*part, scope, out); });
      counters_.erase(value.word);
      if (!good) return false;
    }
    return true;
  }
  if (value.kind == Kind::name) {
    const Meaning array = find(scope, value.word);
    if (array.symbol && array.symbol->array && array.symbol->parameter) {
      const auto all = elements(*array.symbol, *array.owner);
      if (all) out.insert(out.end(), all->begin(), all->end());
      return all.has_value();
    }
  }
  const std::optional<Constant> one = constant(value, scope);
  if (one) out.push_back(*one);
  return one.has_value();
}

std::optional<std::vector<Constant>> Semantics::elements(const Symbol &array, const Unit &owner) {
  if (!array.value || !array.array) return std::nullopt;
  const auto size = extents(array, owner);
  if (!size) return std::nullopt;
  std::size_t wanted = 1;
  for (const long one : *size) wanted *= static_cast<std::size_t>(one);
  const Expression *value = array.value.get();
  if (value->kind == Kind::reference && value->word == "reshape" && value->parts.size() == 2)
    value = value->parts[0].get();
  std::vector<Constant> out;
  if (wanted > most_elements || !append(*value, owner, out)) return std::nullopt;
  if (out.size() == 1 && value->kind != Kind::constructor) out.resize(wanted, out[0]);
  if (out.size() != wanted) return std::nullopt;
  const Type type = type_of(array, owner);
  for (Constant &one : out) one = converted(one, type);
  return out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
