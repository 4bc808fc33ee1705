// writer.cpp: functions and declarations; see writer.hpp.
#include "jit/lanes/writer.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"

namespace op2::core::jit {

std::string lanes_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean:
      return "op2_mask";
    case Scalar::int32:
      return "op2_int";
    case Scalar::uint32:
      return "op2_uint";
    case Scalar::int64:
      return "op2_ll";
    case Scalar::uint64:
      return "op2_ull";
    case Scalar::float32:
      return "op2_float";
    case Scalar::float64:
      return "op2_double";
    case Scalar::none:
    case Scalar::other:
      break;
  }
  return "";
}

void Writer::line(const std::string &text) {
  out_.append(static_cast<std::size_t>(2 * indent_), ' ');
  out_ += text;
  out_ += '\n';
}

void Writer::open(const std::string &text) {
  line(text);
  ++indent_;
}

void Writer::close(const std::string &text) {
  --indent_;
  line(text);
}

namespace {

std::string parameter_text(const Parameter &parameter, Variable &variable) {
  const bool varying = leader(&variable)->varying;
  const Tokens &type = parameter.type;
  const auto bracket = std::find_if(type.begin(), type.end(), [](const Token &t) { return t.is("("); });
  if (bracket != type.end()) { // double (*x)[4]: the name stands within the brackets
    const auto sizes = std::find_if(bracket, type.end(), [](const Token &t) { return t.is(")"); });
    const std::string element = text(parameter.is_const ? "const " : "", lanes_of(variable.type.scalar), " ");
    return text(varying ? element : spell({type.begin(), bracket}), spell({bracket, sizes}), " ", parameter.name,
                spell({sizes, type.end()}));
  }
  const bool as_written = std::none_of(type.begin(), type.end(), [](const Token &t) { return t.is("["); });
  if (!varying && (parameter.scalar == Scalar::other || (as_written && !type.empty())))
    return text(spell(type), " ", parameter.name);
  std::string out = parameter.is_const ? "const " : "";
  out += varying ? lanes_of(parameter.scalar) : spelling_of(parameter.scalar);
  // What lies between the numbers and the pointer to them is never written here.
  for (int level = 0; level < parameter.pointers; ++level) out += level + 1 < parameter.pointers ? " *const" : " *";
  if (parameter.reference) out += " &";
  return text(out, " ", parameter.name);
}

} // namespace

std::string Writer::head() const {
  const Function &source = *instance_.source;
  std::string result = source.result == Scalar::other ? spell(source.result_type) : spelling_of(source.result);
  if (instance_.result_varying && source.result != Scalar::none) {
    result = lanes_of(source.result);
    if (result.empty())
      refuse_at(source.line, text("a result of type '", spell(source.result_type), "' that differs between elements"));
  }
  std::string out =
      text("OP2J_INLINE ", result, " ", instance_.name, "(", instance_.masked ? "const op2_mask op2_outer" : "");
  for (std::size_t i = 0; i < source.parameters.size(); ++i) {
    if (i > 0 || instance_.masked) out += ", ";
    out += parameter_text(source.parameters[i], *instance_.definition.parameters[i]);
  }
  out += ") {";
  return out;
}

std::string Writer::function() {
  const Function &source = *instance_.source;
  mask_ = base_mask_ = instance_.masked ? "op2_outer" : "";
  for (Variable *parameter : instance_.definition.parameters) parameter->mask = mask_;
  open(head());
  const bool late_result = instance_.returns_apart && source.result != Scalar::none;
  if (instance_.returns_apart) line("op2_mask op2_left = false;");
  if (late_result) line(lanes_of(source.result) + " op2_result{};");
  put_list(instance_.definition.body->parts, 0);
  if (late_result) line("return op2_result;");
  close();
  return out_;
}

std::string Writer::declaration(const Declarator &declarator) {
  Variable &variable = *declarator.variable;
  const bool varying = leader(&variable)->varying;
  variable.mask = mask_;
  std::string out = variable.type.is_const ? "const " : "";
  if (variable.type.is_constexpr && !varying) out = "constexpr ";
  const bool named = lanes_of(variable.type.scalar) != "" && !variable.type.narrow;
  if (varying && named)
    out += lanes_of(variable.type.scalar);
  else if (varying && !(variable.type.is_auto && declarator.value && is_varying(*declarator.value)))
    refuse_at(variable.type.spelled[0].line, "the type of '" + variable.name + "', which differs between elements");
  else if (!varying && variable.type.spelled.size() == 1 && named && !variable.type.is_auto)
    out += spelling_of(variable.type.scalar); // int32_t, which no header declares
  else
    out += spell(variable.type.spelled);
  out += ' ';
  out.append(static_cast<std::size_t>(variable.pointers), '*');
  if (variable.const_pointer) out += " const ";
  if (variable.reference) out += "&";
  out += variable.name;
  for (const ExpressionPtr &extent : declarator.extents) out += extent ? text("[", value(*extent), "]") : "[]";
  if (declarator.value) out += text(" = ", value(*declarator.value));
  return out;
}

void Writer::declare(const Declarator &declarator) { line(declaration(declarator) + ";"); }

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
