// Which declarations the program's compiler means, where names alone do not tell; see collector.hpp.
#include <algorithm>
#include <array>

#include "jit/text/collector.hpp"
#include "jit/text/names/replaceable.hpp"

namespace op2::core::jit {

namespace {

using Kind = Declaration::Kind;

// The types in a list of parameters, without their names and defaults.
std::vector<std::string> types_of(const Text &text, Range parameters) {
  std::vector<std::string> out, one;
  const auto end_of_one = [&] {
    int types = 0; // words that may be a type
    for (const std::string &word : one)
      types += is_type_specifier(word) || (!is_keyword(word) && word[0] > '9') ? 1 : 0;
    for (std::size_t n = one.size(); n-- > 0;) { // the name is the last word, if a type stands before it
      const bool name = !is_keyword(one[n]) && !is_type_specifier(one[n]) &&
                        (std::isalpha(static_cast<unsigned char>(one[n][0])) || one[n][0] == '_');
      if (name && types > 1 && (n == 0 || one[n - 1] != "::")) {
        one.erase(one.begin() + static_cast<std::ptrdiff_t>(n));
        break;
      }
    }
    if (!(one.size() == 1 && one[0] == "void")) out.insert(out.end(), one.begin(), one.end());
    out.emplace_back(",");
    one.clear();
  };
  for (std::size_t at = parameters.begin; at < parameters.end; ++at) {
    if (text.is(at, ",")) {
      end_of_one();
    } else if (text.is(at, "=")) {
      while (at + 1 < parameters.end && !text.is(at + 1, ",")) {
        ++at;
        if (text.is(at, "(") || text.is(at, "{") || text.is(at, "[")) at = text.partner(at);
      }
    } else if (!is_restrict(text.word(at))) {
      one.push_back(text.word(at));
    }
  }
  end_of_one();
  return out;
}

} // namespace

bool Collector::same_parameters(int declaration, int other) const {
  return types_of(text_, (*this)[declaration].parameters) == types_of(text_, (*this)[other].parameters);
}

bool Collector::may_be_member(const std::string &scope, const std::string &name) const {
  if (scope.empty()) return false;
  for (const Declaration &one : declarations_.all) {
    const bool record = one.kind == Kind::record || (one.kind == Kind::templated && one.parameters.empty());
    if (!record || one.body.empty() || one.name.empty() || joined(one.scope, one.name) != scope) continue;
    for (std::size_t at = one.body.begin; at < one.body.end; ++at)
      if (text_.word(at) == name) return true;
    if (one.based && may_be_of_base(name)) return true;
  }
  return false;
}

// A base may have the members of any class in the text.
bool Collector::may_be_of_base(const std::string &name) const {
  return std::any_of(declarations_.all.begin(), declarations_.all.end(), [&](const Declaration &one) {
    return (one.kind == Kind::record || one.kind == Kind::templated) && !one.body.empty() &&
           declares_name(text_, one.body, name);
  });
}

bool Collector::found_by_arguments(const std::string &name, const std::vector<int> &found) const {
  for (const int other : lookup_.everywhere(name)) {
    const Declaration &one = (*this)[other];
    const bool function = one.kind == Kind::function || one.kind == Kind::prototype || one.kind == Kind::templated;
    if (!function || std::find(found.begin(), found.end(), other) != found.end()) continue;
    for (const Declaration &type : declarations_.all) // arguments of such a type bring its namespace along
      if ((type.kind == Kind::record || type.kind == Kind::enumeration || type.kind == Kind::templated) &&
          type.parameters.empty() && type.scope == one.scope)
        return true;
  }
  for (const Declaration &record : declarations_.all) { // friend double f(Vector v) {...}
    if (record.kind != Kind::record && record.kind != Kind::templated) continue;
    bool friendly = false, named = false;
    for (std::size_t at = record.body.begin; at < record.body.end; ++at) {
      friendly = friendly || text_.is(at, "friend");
      named = named || (text_.word(at) == name && text_.is(at + 1, "("));
    }
    if (friendly && named) return true;
  }
  return false;
}

// Another file may define it, or the program calls another function in its place.
void Collector::refuse_replaceable(const Declaration &function) const {
  const std::string what = replaceable(source_, text_, declarations_, function, result_.c_language);
  if (what.empty()) return;
  if (&function == &declarations_.all[static_cast<std::size_t>(std::max(kernel_declaration_, 0))] &&
      kernel_declaration_ >= 0)
    refuse("is ", what, " (", place(function.name_at), ")");
  refuse("calls '", function.name, "', which is ", what, " (", place(function.name_at), ")");
}

std::string replaceable(const Preprocessed &source, const Text &text, const Declarations &declarations,
                        const Declaration &function, bool c_language) {
  static constexpr std::array words = {"weak",    "__weak__",    "alias",      "__alias__",    "ifunc",    "__ifunc__",
                                       "weakref", "__weakref__", "optimize",   "__optimize__", "asm",      "__asm__",
                                       "__asm",   "target",      "__target__", "noipa",        "selectany"};
  const std::vector<std::string> &weak = source.replaceable;
  if (std::find(weak.begin(), weak.end(), function.name) != weak.end()) return "weak";
  const auto [begin, end] = declarations.by_name.equal_range(function.name);
  bool is_static = false, is_inline = false;
  for (auto entry = begin; entry != end; ++entry) {
    const Declaration &one = declarations.all[static_cast<std::size_t>(entry->second)];
    const bool function_too = one.kind == Kind::function || one.kind == Kind::prototype || &one == &function;
    if (one.scope != function.scope || !function_too) continue;
    std::size_t first = one.all.begin; // attributes may stand before what was read
    while (first > 0 && !text.is(first - 1, ";") && !text.is(first - 1, "}") && !text.is(first - 1, "{")) --first;
    const std::size_t last = one.body.empty() ? one.all.end : one.body.begin;
    std::size_t attributes = 0; // where those end that are being read
    for (std::size_t at = first; at < last; ++at) {
      const bool opens = text.is(at, "__attribute__") || text.is(at, "__attribute");
      if (opens && text.is(at + 1, "(")) attributes = text.partner(at + 1);
      if (text.is(at, "[") && text.is(at + 1, "[")) attributes = text.partner(at);
      const bool named = at < attributes && std::find(words.begin(), words.end(), text.word(at)) != words.end();
      if (named || text.is(at, "asm") || text.is(at, "__asm__") || text.is(at, "__asm"))
        return core::text("declared ", text.word(at));
      is_static = is_static || text.is(at, "static");
      is_inline = is_inline || text.is(at, "inline") || text.is(at, "__inline__") || text.is(at, "__inline");
    }
  }
  if (c_language && is_inline && !is_static) return "inline and not static: in C another file may define it";
  return {};
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
