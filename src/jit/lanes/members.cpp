// members.cpp: see lanes.hpp.
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "jit/lanes/forms.hpp"
#include "jit/lanes/lanes.hpp"
#include "jit/lanes/writer.hpp"
#include "jit/text/known_functions.hpp"

namespace op2::core::jit {

namespace {

constexpr const char *kernel_name = "op2_kernel";

// Names of mathematics are those of the prelude, unless the text has a function of its own with such a name.
Tokens with_prelude_names(const Tokens &tokens, const KernelText &text) {
  Tokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token &token = tokens[i];
    const Token *before = i > 0 ? &tokens[i - 1] : nullptr;
    const Token *behind = i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
    const bool called = behind != nullptr && (behind->is("(") || behind->is("<"));
    const bool member = before != nullptr && (before->is(".") || before->is("->"));
    const bool own = std::any_of(text.helpers.begin(), text.helpers.end(),
                                 [&](const Function &helper) { return helper.name == token.text; });
    if (token.kind == TokenKind::identifier && called && !member && !own && known_function(token.text) != nullptr &&
        !token.text.starts_with("__builtin_")) {
      if (before != nullptr && before->is("::") && (i < 2 || tokens[i - 2].kind != TokenKind::identifier))
        out.pop_back();
      out.push_back(Token{TokenKind::identifier, "op2j", token.line});
      out.push_back(Token{TokenKind::punctuator, "::", token.line});
    }
    out.push_back(token);
  }
  return out;
}

std::string scalar_parameter(const Parameter &parameter) {
  if (!parameter.type.empty()) { // double (*x)[4]: the name stands before the bracket, or the sizes
    const auto sizes = std::find_if(parameter.type.begin(), parameter.type.end(),
                                    [](const Token &t) { return t.is("[") || t.is(")"); });
    return core::text(spell({parameter.type.begin(), sizes}), " ", parameter.name,
                      spell({sizes, parameter.type.end()}));
  }
  std::string out = parameter.is_const ? "const " : "";
  out += spelling_of(parameter.scalar);
  for (int level = 0; level < parameter.pointers; ++level) out += " *";
  if (parameter.reference) out += " &";
  return core::text(out, " ", parameter.name);
}

std::string scalar_function(const Function &function, const std::string &name, const KernelText &text,
                            std::span<const std::string> types = {}) {
  std::string out = name == kernel_name ? "OP2J_KERNEL " : "OP2J_INLINE ";
  out += function.result == Scalar::other ? spell(function.result_type) : spelling_of(function.result);
  out += " " + name + "(";
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    out += (i > 0 ? ", " : "") + (i < types.size() && !types[i].empty()
                                      ? core::text(types[i], " ", function.parameters[i].name)
                                      : scalar_parameter(function.parameters[i]));
  out += ") ";
  out += spell(with_prelude_names(function.body, text)) + "\n";
  return out;
}

std::string shared_members(const KernelText &text) {
  std::string out;
  for (const Tokens &type : text.types) out += spell(type) + "\n";
  for (const NamedConstant &constant : text.constants) {
    const bool is_constexpr = std::any_of(constant.declaration.begin(), constant.declaration.end(),
                                          [](const Token &token) { return token.is("constexpr"); });
    if (!constant.name.empty()) out += is_constexpr ? "static " : "static inline ";
    out += spell(with_prelude_names(constant.declaration, text)) + "\n";
  }
  return out;
}

void collect(const Instance &instance, std::vector<const Instance *> &out);

void collect(const Expression &e, std::vector<const Instance *> &out) {
  for (const ExpressionPtr &part : e.parts) collect(*part, out);
  if (e.kind == Expression::Kind::call && e.instance != nullptr) collect(*e.instance, out);
}

void collect(const Statement &s, std::vector<const Instance *> &out) {
  for (const auto *part : {&s.condition, &s.step})
    if (*part) collect(**part, out);
  if (s.init_statement) collect(*s.init_statement, out);
  for (const Declarator &declarator : s.declarators)
    if (declarator.value) collect(*declarator.value, out);
  for (const StatementPtr &part : s.parts) collect(*part, out);
}

// Forms that are called, callees first.
void collect(const Instance &instance, std::vector<const Instance *> &out) {
  if (std::find(out.begin(), out.end(), &instance) != out.end()) return;
  collect(*instance.definition.body, out);
  out.push_back(&instance);
}

} // namespace

std::string scalar_members(const KernelText &text, std::span<const std::string> types) {
  if (!text.excerpt.empty()) return {}; // which stands in front of everything
  std::string out = shared_members(text);
  for (const Function &helper : text.helpers) out += scalar_function(helper, helper.name, text);
  out += scalar_function(text.kernel, kernel_name, text, types);
  return out;
}

std::string lane_members(const KernelText &text, std::span<const Use> uses) {
  if (uses.size() != text.kernel.parameters.size())
    refuse(text.kernel, text.kernel.line,
           core::text("the kernel has ", text.kernel.parameters.size(), " parameters, the loop gives ", uses.size()));
  std::vector<bool> varying;
  for (const Use use : uses) varying.push_back(use == Use::lanes);
  Forms forms(text);
  std::vector<const Instance *> called;
  collect(forms.kernel(varying), called);
  std::string out = shared_members(text);
  for (const Instance *instance : called) out += Writer(*instance).function();
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
