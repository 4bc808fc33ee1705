// write_value.cpp: values of expressions; see procedure_writer.hpp. Everything is in brackets: the order of C++ and
// that of Fortran do not matter.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;
using Base = Type::Base;

namespace {

constexpr std::size_t most_code = 20'000; // characters of one expression

// x ** n is x ** split(n) * x ** (n - split(n)) to gfortran, for n from 2.
constexpr std::array<int, 17> splits = {0, 0, 1, 1, 2, 2, 3, 3, 4, 3, 5, 5, 6, 3, 7, 6, 8};

std::string product_of(const std::string &x, long n) {
  if (n == 1) return x;
  const long first = splits[static_cast<std::size_t>(n)];
  return text("(", product_of(x, first), " * ", product_of(x, n - first), ")");
}

bool is_plain(const std::string &code) {
  return std::all_of(code.begin(), code.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '[' || c == ']';
  });
}

} // namespace

ProcedureWriter::Value ProcedureWriter::scalar(const Expression &e) {
  if (!shape(e).empty()) refuse("an array where a single value is expected");
  return element(e, {});
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

std::string ProcedureWriter::kept(const Value &value) {
  const std::string name = new_name("T");
  emit_text(text("const ", spelling(value.type), " ", name, " = ", value.code, ";"));
  return name;
}

// Element `at` of an array expression; a scalar is the same for every element.
ProcedureWriter::Value ProcedureWriter::element(const Expression &e, const Indices &at) {
  if (const auto constant = semantics_.constant(e, unit_)) return {literal(*constant), constant->type};
  Value out;
  switch (e.kind) {
    case Kind::name: {
      const Variable &variable = this->variable(e.word);
      const std::string code = place(e, at);
      return {variable.as_int ? text("(", code, " != 0)") : code, variable.type};
    }
    case Kind::reference: {
      if (is_variable(e.word) && variable(e.word).array) {
        const Variable &array = variable(e.word);
        const std::string code = place(e, at);
        return {array.as_int ? text("(", code, " != 0)") : code, array.type};
      }
      const Unit *callee = kernel_.effects().called(unit_, e.word);
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
  if (whole) {
    const long n = *whole < 0 ? -*whole : *whole;
    const bool is_real = base.type.base == Base::real;
    if (n >= static_cast<long>(splits.size()))
      refuse(text("the power ", *whole, "; those up to ", splits.size() - 1, " are known"));
    if (*whole < 0 && !is_real) refuse("a negative power of an integer");
    const std::string one = is_real ? (base.type.kind == 4 ? "1.0f" : "1.0") : "1";
    if (n == 0) return {one, base.type};
    const std::string product = product_of(n > 1 ? named(base) : base.code, n);
    return {*whole < 0 ? text("(", one, " / ", product, ")") : product, base.type};
  }
  const Value to = element(exponent, at);
  if (to.type.base == Base::integer) refuse("a power whose exponent is a variable integer");
  const Type common = common_type(base.type, to.type);
  if (common.base != Base::real || to.type.base != Base::real) refuse("a power of these types");
  return {text(common.kind == 4 ? "powf(" : "pow(", converted_to(base, common), ", ", converted_to(to, common), ")"),
          common};
}

ProcedureWriter::Value ProcedureWriter::constructed(const Expression &e, const Index &at) {
  if (!at.number) refuse("an array constructor in a long array");
  long left = *at.number;
  const Type whole = type(e);
  for (const ExpressionPtr &part : e.parts) {
    const Shape of = shape(*part);
    long size = 1;
    for (const long extent : of) size *= extent;
    if (left >= size) {
      left -= size;
      continue;
    }
    Indices inside;
    for (const long extent : of) {
      inside.push_back({left % extent, ""});
      left /= extent;
    }
    return {converted_to(element(*part, inside), whole), whole};
  }
  refuse("an array constructor that is too short");
}

// From 0, in one dimension of a declared array.
ProcedureWriter::Index ProcedureWriter::position(const Dimension &dimension, const Value &subscript,
                                                 const std::optional<long> &number) {
  if (number && dimension.lower) {
    if (*number < *dimension.lower || (dimension.extent && *number - *dimension.lower >= *dimension.extent))
      refuse(text("the subscript ", *number, " beside the array"));
    return {*number - *dimension.lower, ""};
  }
  const std::string lower = dimension.lower
                                ? text(*dimension.lower < 0 ? text("(", *dimension.lower, ")") : text(*dimension.lower))
                                : dimension.lower_code;
  if (dimension.lower && *dimension.lower == 0) return {std::nullopt, subscript.code};
  return {std::nullopt, text("(", subscript.code, " - ", lower, ")")};
}

std::string ProcedureWriter::subscripted(const Variable &variable, const Indices &at) {
  std::string sum;
  long known = 0, stride = 1;
  std::string factors;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d].number && factors.empty()) {
      known += *at[d].number * stride;
    } else {
      std::string term = at[d].number ? text(*at[d].number) : at[d].code;
      if (stride != 1) term = text(stride, " * ", term);
      if (!factors.empty()) term = text(factors, term);
      sum += text(sum.empty() ? "" : " + ", term);
    }
    const Dimension &dimension = variable.dimensions[d];
    if (d + 1 == at.size()) break;
    if (dimension.extent)
      stride *= *dimension.extent;
    else
      factors += text(dimension.extent_code, " * ");
  }
  if (known != 0 || sum.empty()) sum += text(sum.empty() ? "" : " + ", known);
  return text(variable.code, "[", sum, "]");
}

// The place of a variable or of an element; `at` are positions in the dimensions that are whole or a section.
std::string ProcedureWriter::place(const Expression &e, const Indices &at) {
  const Variable &variable = this->variable(e.word);
  if (!variable.array) return variable.indirect ? text(variable.code, "[0]") : variable.code;
  if (e.kind == Kind::name) {
    if (at.size() != variable.dimensions.size())
      refuse(text("the array '", e.word, "' where a single value is expected"));
    return subscripted(variable, at);
  }
  if (e.parts.size() != variable.dimensions.size())
    refuse(text("'", e.word, "' has ", variable.dimensions.size(), " dimensions, not ", e.parts.size()));
  Indices whole;
  std::size_t next = 0;
  for (std::size_t d = 0; d < e.parts.size(); ++d) {
    const Expression &part = *e.parts[d];
    const Dimension &dimension = variable.dimensions[d];
    if (part.kind != Kind::range) {
      if (part.kind == Kind::keyword) refuse(text("'", part.word, "=' as a subscript"));
      const Value subscript = scalar(part);
      if (subscript.type.base != Base::integer) refuse(text("a subscript of '", e.word, "' that is no integer"));
      whole.push_back(position(dimension, subscript, semantics_.integer(&part, unit_)));
      continue;
    }
    const Index &index = at.at(next++);
    const long step = part.parts[2] ? *semantics_.integer(part.parts[2].get(), unit_) : 1;
    long first = 0;
    if (part.parts[0]) first = *semantics_.integer(part.parts[0].get(), unit_) - dimension.lower.value_or(1);
    if (part.parts[0] && !dimension.lower) refuse("a section of an array whose bounds are no constants");
    const long last = first + (length_of(part, dimension) - 1) * step;
    if (std::min(first, last) < 0 || (dimension.extent && std::max(first, last) >= *dimension.extent))
      refuse(text("a section beside the array '", e.word, "'"));
    if (index.number)
      whole.push_back({first + *index.number * step, ""});
    else
      whole.push_back(
          {std::nullopt, step == 1 && first == 0 ? index.code : text("(", first, " + ", step, " * ", index.code, ")")});
  }
  return subscripted(variable, whole);
}

/* --- calls */

ProcedureWriter::Value ProcedureWriter::call(const Unit &callee, const Expression &e, const Indices &at) {
  if (callee.kind != Unit::Kind::function) refuse(text("the subroutine '", e.word, "' in place of a function"));
  const Helper &helper = kernel_.helper(callee, variables_);
  return {text(helper.name, "(", arguments(callee, e, helper, at), ")"), helper.result};
}

std::string ProcedureWriter::arguments(const Unit &callee, const Expression &e, const Helper &helper,
                                       const Indices &at) {
  if (e.parts.size() != callee.dummies.size())
    refuse(text("a call of '", e.word, "' with ", e.parts.size(), " arguments; it has ", callee.dummies.size()));
  std::string out;
  for (std::size_t i = 0; i < helper.arguments.size(); ++i) {
    const Helper::Argument &parameter = helper.arguments[i];
    std::string code;
    if (parameter.captured) {
      code = variable(parameter.name).code;
      const Variable &own = variable(parameter.name);
      if (own.as_int && !own.indirect) code = text(code, " != 0");
    } else {
      const Expression *argument = e.parts[i].get();
      if (argument->kind == Kind::keyword) { // in another order
        argument = nullptr;
        for (const ExpressionPtr &part : e.parts)
          if (part->kind == Kind::keyword && part->word == parameter.name) argument = part->parts[0].get();
        if (!argument) refuse(text("the arguments of '", e.word, "'"));
      }
      if (argument->kind == Kind::range) refuse(text("the arguments of '", e.word, "'"));
      if (parameter.array) {
        code = array_argument(*argument, parameter);
      } else if (parameter.reference) {
        const bool whole =
            (argument->kind == Kind::name || argument->kind == Kind::reference) && is_variable(argument->word);
        if (!whole || !shape(*argument).empty())
          refuse(text("the argument '", parameter.name, "' of '", e.word, "' is changed and must be a variable"));
        if (!variable(argument->word).changeable)
          refuse(text("'", argument->word, "' is only read here, and changed by '", e.word, "'"));
        if (!(variable(argument->word).type == parameter.type))
          refuse(text("the argument '", parameter.name, "' of '", e.word, "' has another type"));
        code = place(*argument, {});
      } else {
        const Value value = element(*argument, shape(*argument).empty() ? Indices{} : at);
        if (value.type.base != parameter.type.base ||
            (value.type.kind != parameter.type.kind && value.type.base != Base::logical))
          refuse(text("the argument '", parameter.name, "' of '", e.word, "' is a ", name_of(value.type), ", not a ",
                      name_of(parameter.type)));
        code = value.code;
      }
    }
    out += text(i > 0 ? ", " : "", code);
  }
  return out;
}

// Where an array begins that is passed on: a whole one, an element and all behind it, or a section without gaps.
std::string ProcedureWriter::array_argument(const Expression &e, const Helper::Argument &parameter) {
  const bool known = (e.kind == Kind::name || e.kind == Kind::reference) && is_variable(e.word);
  if (known && !(variable(e.word).type == parameter.type))
    refuse(text("the argument '", parameter.name, "' has another type"));
  if (known && e.kind == Kind::name && variable(e.word).array) return variable(e.word).code;
  if (known && e.kind == Kind::reference) {
    const Variable &array = variable(e.word);
    const Shape of = shape(e);
    bool open = true; // all dimensions so far are whole
    for (std::size_t d = 0; d < e.parts.size(); ++d) {
      if (e.parts[d]->kind != Kind::range) {
        open = false;
        continue;
      }
      if (!open || e.parts[d]->parts[2]) refuse(text("a section of '", e.word, "' with gaps as an argument"));
      open = array.dimensions[d].extent && length_of(*e.parts[d], array.dimensions[d]) == *array.dimensions[d].extent;
    }
    Indices first(of.size(), Index{0, ""});
    return text("&", place(e, first));
  }
  // A value of its own.
  const Shape of = shape(e);
  if (of.empty()) refuse(text("a single value for the array '", parameter.name, "'"));
  long size = 1;
  for (const long extent : of) size *= extent;
  if (size > 64) refuse("a long array expression as an argument");
  if (!(type(e) == parameter.type)) refuse(text("the argument '", parameter.name, "' has another type"));
  std::vector<std::string> values;
  for (long n = 0; n < size; ++n) {
    Indices at;
    long rest = n;
    for (const long extent : of) {
      at.push_back({rest % extent, ""});
      rest /= extent;
    }
    values.push_back(element(e, at).code);
  }
  const std::string name = new_name("A");
  emit_text(text(spelling(parameter.type), " ", name, "[", size, "];"));
  for (std::size_t n = 0; n < values.size(); ++n) emit_text(text(name, "[", n, "] = ", values[n], ";"));
  return name;
}

} // namespace op2::core::jit::fortran
