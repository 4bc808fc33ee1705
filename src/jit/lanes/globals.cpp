// globals.cpp: the names that a kernel's text defines outside of its functions; see tree.hpp.
#include <algorithm>

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

namespace {

Variable constant(const std::string &name, Scalar scalar) {
  Variable out;
  out.name = name;
  out.type.scalar = scalar;
  out.type.is_const = true;
  out.global = true;
  out.fixed = true;
  return out;
}

void add_enumerators(const NamedConstant &whole, Globals &out) {
  const Tokens &tokens = whole.declaration;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is("{") || tokens[i].is("(")) ++depth;
    if (tokens[i].is("}") || tokens[i].is(")")) --depth;
    const bool before_name = (tokens[i].is("{") || tokens[i].is(",")) && depth == 1;
    if (before_name && tokens[i + 1].kind == TokenKind::identifier)
      out.variables.push_back(constant(tokens[i + 1].text, Scalar::int32));
  }
}

} // namespace

Variable *Globals::variable(const std::string &name) {
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const Variable &v) { return v.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

const Function *Globals::helper(const std::string &name) const {
  const auto found = std::find_if(helpers.begin(), helpers.end(), [&](const Function *f) { return f->name == name; });
  return found == helpers.end() ? nullptr : *found;
}

Globals globals_of(const KernelText &text) {
  Globals out;
  out.c_language = text.c_language;
  for (const Function &helper : text.helpers) out.helpers.push_back(&helper);
  for (const std::string &name : text.declared) out.variables.push_back(constant(name, Scalar::other));
  for (const NamedConstant &named : text.constants) {
    if (named.name.empty()) {
      add_enumerators(named, out);
      continue;
    }
    out.variables.push_back(constant(named.name, named.scalar));
    out.variables.back().arrays = named.array ? 1 : 0;
  }
  for (const Tokens &type : text.types)
    for (std::size_t i = 0; i + 1 < type.size(); ++i)
      if ((type[i].is("struct") || type[i].is("using")) && type[i + 1].kind == TokenKind::identifier)
        out.types.push_back(type[i + 1].text);
      else if (type[0].is("typedef") && type[i].kind == TokenKind::identifier && type[i + 1].is(";"))
        out.types.push_back(type[i].text);
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
