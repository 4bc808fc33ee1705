// parse_type.cpp: the beginning of declarations; see parser.hpp.
#include <algorithm>
#include <array>

#include "jit/lanes/parser.hpp"

namespace op2::core::jit {

namespace {

constexpr std::array words = {"const",   "constexpr",    "unsigned", "signed",   "int",       "long",
                              "short",   "char",         "float",    "double",   "bool",      "_Bool",
                              "auto",    "void",         "struct",   "class",    "union",     "enum",
                              "static",  "extern",       "volatile", "register", "typename",  "decltype",
                              "mutable", "thread_local", "inline",   "restrict", "__restrict"};

struct Alias {
  std::string_view name;
  Scalar scalar;
};
constexpr std::array aliases = {Alias{"int32_t", Scalar::int32}, Alias{"uint32_t", Scalar::uint32},
                                Alias{"int64_t", Scalar::int64}, Alias{"uint64_t", Scalar::uint64},
                                Alias{"size_t", Scalar::uint64}, Alias{"ptrdiff_t", Scalar::int64},
                                Alias{"ssize_t", Scalar::int64}};

const Alias *alias(std::string_view name) {
  const auto found = std::find_if(aliases.begin(), aliases.end(), [&](const Alias &a) { return a.name == name; });
  return found == aliases.end() ? nullptr : &*found;
}

bool has(const Type &type, std::string_view word) {
  return std::any_of(type.spelled.begin(), type.spelled.end(), [&](const Token &token) { return token.is(word); });
}

void find_scalar(Type &type) {
  const auto longs =
      std::count_if(type.spelled.begin(), type.spelled.end(), [](const Token &t) { return t.is("long"); });
  const bool is_unsigned = has(type, "unsigned");
  if (type.spelled.size() == 1 && alias(type.spelled[0].text) != nullptr) {
    type.scalar = alias(type.spelled[0].text)->scalar;
  } else if (has(type, "double")) {
    type.scalar = longs > 0 ? Scalar::other : Scalar::float64;
  } else if (has(type, "float")) {
    type.scalar = Scalar::float32;
  } else if (has(type, "bool") || has(type, "_Bool")) {
    type.scalar = Scalar::boolean;
  } else if (has(type, "char") || has(type, "short")) {
    type.scalar = Scalar::int32; // what it is computed with
    type.narrow = true;
  } else if (longs > 0) {
    type.scalar = is_unsigned ? Scalar::uint64 : Scalar::int64;
  } else if (has(type, "int") || is_unsigned || has(type, "signed")) {
    type.scalar = is_unsigned ? Scalar::uint32 : Scalar::int32;
  } else if (has(type, "void")) {
    type.scalar = Scalar::none;
  }
}

} // namespace

bool Parser::at_type(std::size_t ahead) const {
  const Token &first = token(ahead);
  if (first.kind != TokenKind::identifier) return false;
  if (std::find(words.begin(), words.end(), first.text) != words.end()) return true;
  for (const auto &scope : scopes_)
    if (scope.contains(first.text)) return false;
  return alias(first.text) != nullptr ||
         std::find(globals_.types.begin(), globals_.types.end(), first.text) != globals_.types.end();
}

Type Parser::type() {
  Type out;
  while (true) {
    const Token &word = token();
    for (const char *no :
         {"static", "extern", "thread_local", "volatile", "union", "class", "enum", "typename", "decltype", "mutable"})
      if (word.is(no)) refuse_here("'" + word.text + "' within a kernel");
    if (word.is("const") || word.is("constexpr")) {
      out.is_const = true;
      out.is_constexpr = out.is_constexpr || word.is("constexpr");
      take();
    } else if (word.is("register") || word.is("inline")) {
      take();
    } else if (word.is("struct")) {
      take();
      if (token().kind != TokenKind::identifier || token(1).is("{")) refuse_here("a struct within a kernel");
      out.spelled.push_back(take());
    } else if (word.is("auto")) {
      out.is_auto = true;
      out.spelled.push_back(take());
    } else if (word.kind == TokenKind::identifier && at_type() && !word.is("restrict") && !word.is("__restrict")) {
      const bool built_in = std::find(words.begin(), words.end(), word.text) != words.end();
      if (!built_in && !out.spelled.empty()) break; // a variable that hides a type's name
      out.spelled.push_back(take());
    } else {
      break;
    }
  }
  if (out.spelled.empty()) refuse_here("the type at '" + token().text + "'");
  find_scalar(out);
  return out;
}

int Parser::ptr_operators(bool *last_is_const) {
  int out = 0;
  while (at("*")) {
    take();
    ++out;
    if (last_is_const != nullptr) *last_is_const = false;
    while (at("const") || at("restrict") || at("__restrict") || at("__restrict__"))
      if (take().is("const") && last_is_const != nullptr) *last_is_const = true;
  }
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
