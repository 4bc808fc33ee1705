// words.cpp: see words.hpp.
#include "jit/text/words.hpp"

#include <algorithm>
#include <array>

namespace op2::core::jit {

namespace {

template <class List>
bool among(const List &list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

constexpr std::array<std::string_view, 21> types = {
    "void",     "bool",     "_Bool",    "char",     "short",      "int",      "long",
    "float",    "double",   "signed",   "unsigned", "auto",       "wchar_t",  "char8_t",
    "char16_t", "char32_t", "__int128", "_Complex", "__float128", "_Float16", "__signed__"};
constexpr std::array<std::string_view, 3> restricts = {"restrict", "__restrict", "__restrict__"};
constexpr std::array<std::string_view, 17> storages = {
    "static",    "inline",    "__inline",     "__inline__", "extern",        "constexpr",
    "consteval", "constinit", "thread_local", "register",   "_Thread_local", "__thread",
    "typedef",   "friend",    "virtual",      "explicit",   "_Noreturn"};
constexpr std::array<std::string_view, 72> others = {"alignas",       "alignof",     "and",          "and_eq",
                                                     "asm",           "bitand",      "bitor",        "break",
                                                     "case",          "catch",       "class",        "co_await",
                                                     "co_return",     "co_yield",    "compl",        "concept",
                                                     "const_cast",    "continue",    "decltype",     "default",
                                                     "delete",        "do",          "dynamic_cast", "else",
                                                     "enum",          "export",      "false",        "for",
                                                     "goto",          "if",          "mutable",      "namespace",
                                                     "new",           "noexcept",    "not",          "not_eq",
                                                     "nullptr",       "operator",    "or",           "or_eq",
                                                     "private",       "protected",   "public",       "reinterpret_cast",
                                                     "requires",      "return",      "sizeof",       "static_assert",
                                                     "static_cast",   "struct",      "switch",       "template",
                                                     "this",          "throw",       "true",         "try",
                                                     "typeid",        "typename",    "union",        "using",
                                                     "while",         "xor",         "xor_eq",       "__asm__",
                                                     "__asm",         "_Alignas",    "_Alignof",     "_Static_assert",
                                                     "__attribute__", "__attribute", "typeof",       "__typeof__"};

} // namespace

bool is_type_specifier(std::string_view word) { return among(types, word); }
bool is_restrict(std::string_view word) { return among(restricts, word); }
bool is_qualifier(std::string_view word) {
  return word == "const" || word == "volatile" || word == "__const" || word == "__volatile__" || is_restrict(word);
}
bool is_storage_specifier(std::string_view word) { return among(storages, word); }
bool is_keyword(std::string_view word) {
  return is_type_specifier(word) || is_qualifier(word) || is_storage_specifier(word) || among(others, word);
}
bool is_assignment(std::string_view sign) {
  constexpr std::array<std::string_view, 11> signs = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return among(signs, sign);
}

Scalar scalar_of(std::span<const Token> words) {
  int longs = 0, ints = 0, unsigneds = 0, others_seen = 0;
  std::string_view main;
  for (const Token &token : words) {
    if (is_qualifier(token.text)) continue;
    if (token.text == "long")
      ++longs;
    else if (token.text == "int")
      ++ints;
    else if (token.text == "unsigned" || token.text == "signed")
      token.text == "unsigned" ? ++unsigneds : ++ints;
    else if (main.empty())
      main = token.text;
    else
      ++others_seen;
  }
  if (words.empty() || others_seen > 0) return Scalar::other;
  if (main.empty()) {
    const bool wide = longs > 1 || (longs == 1 && sizeof(long) == 8);
    if (wide) return unsigneds > 0 ? Scalar::uint64 : Scalar::int64;
    return unsigneds > 0 ? Scalar::uint32 : Scalar::int32;
  }
  if (longs + ints + unsigneds > 0) return Scalar::other;
  if (main == "void") return Scalar::none;
  if (main == "bool" || main == "_Bool") return Scalar::boolean;
  return main == "float" ? Scalar::float32 : main == "double" ? Scalar::float64 : Scalar::other;
}

std::string_view standard_type(std::string_view name) {
  constexpr bool long_is_wide = sizeof(long) == 8;
  constexpr std::string_view wide = long_is_wide ? "long" : "long long";
  constexpr std::string_view unsigned_wide = long_is_wide ? "unsigned long" : "unsigned long long";
  if (name == "int8_t") return "signed char";
  if (name == "uint8_t") return "unsigned char";
  if (name == "int16_t") return "short";
  if (name == "uint16_t") return "unsigned short";
  if (name == "int32_t") return "int";
  if (name == "uint32_t") return "unsigned int";
  if (name == "int64_t") return wide;
  if (name == "uint64_t") return unsigned_wide;
  if (name == "size_t" || name == "uintptr_t") return long_is_wide ? "unsigned long" : "unsigned int";
  if (name == "ptrdiff_t" || name == "intptr_t") return long_is_wide ? "long" : "int";
  return "";
}

std::size_t Text::pair_up() {
  std::vector<std::size_t> open;
  std::size_t at = partners_.size();
  partners_.resize(tokens_.size(), none);
  for (; at < tokens_.size(); ++at) {
    if (is(at, "(") || is(at, "[") || is(at, "{")) open.push_back(at);
    if (!is(at, ")") && !is(at, "]") && !is(at, "}")) continue;
    const char left = is(at, ")") ? '(' : is(at, "]") ? '[' : '{';
    if (open.empty() || word(open.back())[0] != left) return open.empty() ? at : open.back();
    partners_[open.back()] = at;
    partners_[at] = open.back();
    open.pop_back();
  }
  return open.empty() ? none : open.back();
}

std::size_t Text::behind_attributes(std::size_t at) const {
  while (at < size()) {
    if (is(at, "[") && is(at + 1, "[")) {
      at = partner(at) + 1;
    } else if ((is(at, "__attribute__") || is(at, "__attribute") || is(at, "alignas") || is(at, "_Alignas") ||
                is(at, "__declspec")) &&
               is(at + 1, "(")) {
      at = partner(at + 1) + 1;
    } else if (is(at, "__extension__")) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t Text::behind_angles(std::size_t at) const {
  if (!is(at, "<")) return at;
  int depth = 0;
  for (std::size_t n = at; n < size(); ++n) {
    if (is(n, "(") || is(n, "[") || is(n, "{")) n = partner(n);
    if (is(n, ";")) break;
    depth += is(n, "<") ? 1 : is(n, ">") ? -1 : is(n, ">>") ? -2 : 0;
    if (depth <= 0) return n + 1;
  }
  return at;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
