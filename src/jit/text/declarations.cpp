// declarations.cpp: see declarations.hpp.
#include "jit/text/declarations.hpp"

#include <optional>
#include <utility>

namespace op2::core::jit {

namespace {

using Kind = Declaration::Kind;

constexpr int deepest_namespace = 100;

class Scanner {
 public:
  explicit Scanner(const Text &text) : text_(text) {}

  void scan(std::size_t at, std::size_t end, const std::string &scope, int depth) {
    while (at < end && depth < deepest_namespace) at = item(at, end, scope, depth);
  }

  Declarations take() {
    for (std::size_t n = 0; n < out_.all.size(); ++n) out_.by_name.emplace(out_.all[n].name, static_cast<int>(n));
    return std::move(out_);
  }

 private:
  // One thing; returns the position behind it.
  std::size_t item(std::size_t at, std::size_t end, const std::string &scope, int depth) {
    if (text_.is(at, ";") || text_.word(at).empty()) return at + 1;
    const std::size_t start = text_.behind_attributes(at);
    if (start != at) return start;
    if (text_.is(at, "namespace")) return name_space(at, end, scope, depth);
    if (text_.is(at, "inline") && text_.is(at + 1, "namespace")) return name_space(at + 1, end, scope, depth);
    if (text_.is(at, "extern") && at + 1 < end && text_[at + 1].token.kind == TokenKind::literal) {
      if (!text_.is(at + 2, "{")) return declaration(at, at + 2, end, scope, true);
      scan(at + 3, text_.partner(at + 2), scope, depth + 1);
      return text_.partner(at + 2) + 1;
    }
    if (text_.is(at, "using")) return use(at, end, scope);
    if (text_.is(at, "template")) return templated(at, end, scope);
    if (text_.is(at, "static_assert") || text_.is(at, "_Static_assert") || text_.is(at, "asm") ||
        text_.is(at, "__asm__") || text_.is(at, "concept"))
      return behind(at, end);
    return declaration(at, at, end, scope, false);
  }

  // Behind the next ";" or "{...}".
  std::size_t behind(std::size_t at, std::size_t end) const {
    for (; at < end; ++at) {
      if (text_.is(at, ";")) return at + 1;
      if (text_.is(at, "{")) return text_.partner(at) + 1;
      if (text_.is(at, "(") || text_.is(at, "[")) at = text_.partner(at);
    }
    return end;
  }

  std::size_t name_space(std::size_t at, std::size_t end, const std::string &scope, int depth) {
    std::size_t open = text_.behind_attributes(at + 1);
    std::string inner = scope;
    const bool internal = std::exchange(internal_, internal_ || text_.is(open, "{"));
    for (; open < end && !text_.is(open, "{"); ++open) {
      if (text_.is(open, ";") || text_.is(open, "=")) return behind(open, end); // which no unnamed one has
      if (text_.is_plain_name(open)) inner = joined(inner, text_.word(open));
    }
    if (open >= end) return end;
    scan(open + 1, text_.partner(open), inner, depth + 1);
    internal_ = internal;
    return text_.partner(open) + 1;
  }

  std::vector<std::string> qualified_name(std::size_t &at) const {
    std::vector<std::string> out;
    if (text_.is(at, "::")) ++at;
    while (text_.is_plain_name(at)) {
      out.push_back(text_.word(at++));
      if (!text_.is(at, "::") || !text_.is_plain_name(at + 1)) break;
      ++at;
    }
    return out;
  }

  std::size_t use(std::size_t at, std::size_t end, const std::string &scope) {
    std::size_t next = at + 1;
    if (text_.is(next, "namespace")) {
      Using directive{qualified_name(++next), scope, {at, behind(next, end)}, true};
      next = directive.all.end;
      out_.uses.push_back(std::move(directive));
      return next;
    }
    std::size_t equals = text_.behind_attributes(next + 1);
    if (text_.is_plain_name(next) && text_.is(equals, "=")) {
      Declaration alias;
      alias.kind = Kind::alias;
      alias.name = text_.word(next);
      alias.scope = scope;
      alias.name_at = next;
      alias.type.begin = equals + 1;
      for (alias.type.end = equals + 1; alias.type.end < end && !text_.is(alias.type.end, ";");) {
        if (text_.is(alias.type.end, "(") || text_.is(alias.type.end, "[") || text_.is(alias.type.end, "{"))
          alias.type.end = text_.partner(alias.type.end);
        ++alias.type.end;
      }
      alias.all = {at, alias.type.end};
      out_.all.push_back(alias);
      return alias.type.end;
    }
    const std::vector<std::string> parts = qualified_name(next);
    const std::size_t out = behind(next, end);
    if (parts.size() > 1) out_.uses.push_back({parts, scope, {at, out}});
    return out;
  }

  std::size_t templated(std::size_t at, std::size_t end, const std::string &scope) {
    std::size_t begin = text_.behind_angles(at + 1);
    const Range parameters{at + 2, begin - 1};
    const bool one_list = !text_.is(begin, "template");
    while (text_.is(begin, "template") && text_.is(begin + 1, "<")) begin = text_.behind_angles(begin + 1);
    if (begin == at + 1 || text_.is(begin, "template")) return behind(at, end); // an explicit instantiation
    if (begin >= end) return end;
    begin = text_.behind_attributes(begin);
    const std::size_t known = out_.all.size();
    const std::size_t out = item(begin, end, scope, deepest_namespace - 1);
    if (one_list && known + 1 == out_.all.size() && out_.all[known].kind == Kind::function)
      out_.all[known].template_parameters = parameters;
    for (std::size_t n = known; n < out_.all.size(); ++n) out_.all[n].kind = Kind::templated;
    return out == begin ? begin + 1 : out;
  }

  // What is known of a declaration before its declarators.
  struct Front {
    Declaration common; // scope, all.begin, type, is_const, is_extern
    bool is_typedef = false, has_type = false;
    int defined = -1; // record or enumeration
  };

  std::size_t declaration(std::size_t begin, std::size_t at, std::size_t end, const std::string &scope, bool external) {
    const std::size_t known = out_.all.size();
    Front front;
    front.common.scope = scope;
    front.common.all.begin = begin;
    front.common.is_extern = external;
    front.common.internal = internal_;
    if (const std::optional<std::size_t> behind_front = specifiers(at, end, front))
      if (const std::optional<std::size_t> out = declarators(*behind_front, end, front)) return *out;
    out_.all.resize(known);
    // MACRO(...) without ";", as long as no body follows
    if (text_.is_plain_name(begin) && text_.is(begin + 1, "(")) {
      const std::size_t next = text_.partner(begin + 1) + 1;
      if (text_.is_name(next) && next < end) return next;
    }
    return behind(begin, end);
  }

  std::optional<std::size_t> specifiers(std::size_t at, std::size_t end, Front &front) {
    front.common.type.begin = at;
    while (at < end) {
      const std::size_t next = text_.behind_attributes(at);
      if (next != at) {
        at = next;
        continue;
      }
      const std::string &word = text_.word(at);
      if (!text_.is_name(at) && !text_.is(at, "::")) break;
      if (is_storage_specifier(word) || is_qualifier(word)) {
        front.is_typedef = front.is_typedef || word == "typedef";
        front.common.is_extern = front.common.is_extern || word == "extern";
        front.common.internal = front.common.internal || word == "static";
        front.common.is_const = front.common.is_const || word == "const" || word == "constexpr" || word == "__const";
        front.common.thread_local_ =
            front.common.thread_local_ || word == "thread_local" || word == "_Thread_local" || word == "__thread";
        ++at;
      } else if (is_type_specifier(word)) {
        front.has_type = true;
        ++at;
      } else if (word == "struct" || word == "class" || word == "union") {
        at = record(at, end, front);
      } else if (word == "enum") {
        at = enumeration(at, end, front);
      } else if (word == "decltype" && text_.is(at + 1, "(")) {
        front.has_type = true;
        at = text_.partner(at + 1) + 1;
      } else if (!front.has_type && (text_.is_plain_name(at) || word == "::" || word == "typename")) {
        std::size_t behind_name = at + (word == "typename" ? 1 : 0);
        if (qualified_name(behind_name).empty()) return {};
        behind_name = text_.behind_angles(behind_name);
        if (text_.is(behind_name, "::") && text_.is_plain_name(behind_name + 1))
          ++behind_name, qualified_name(behind_name);
        if (text_.is(behind_name, "(")) break; // the name of a constructor or macro
        front.has_type = true;
        at = behind_name;
      } else {
        break;
      }
    }
    front.common.type.end = at;
    return at;
  }

  std::size_t record(std::size_t begin, std::size_t end, Front &front) {
    front.has_type = true;
    std::size_t at = text_.behind_attributes(begin + 1);
    Declaration record = front.common;
    record.kind = Kind::record;
    record.name_at = at;
    for (const std::string &part : qualified_name(at)) {
      if (!record.name.empty()) record.scope = joined(record.scope, record.name);
      record.name = part;
    }
    const std::size_t behind_name = at;
    if (text_.is(at, "final")) ++at;
    if (text_.is(at, ":")) {
      record.based = true;
      while (at < end && !text_.is(at, "{") && !text_.is(at, ";")) ++at;
    }
    if (!text_.is(at, "{")) return behind_name;
    record.body = {at, text_.partner(at) + 1};
    record.all = {begin, record.body.end};
    front.defined = static_cast<int>(out_.all.size());
    out_.all.push_back(record);
    return record.body.end;
  }

  std::size_t enumeration(std::size_t begin, std::size_t end, Front &front) {
    front.has_type = true;
    Declaration all = front.common;
    all.kind = Kind::enumeration;
    std::size_t at = begin + 1;
    if (text_.is(at, "class") || text_.is(at, "struct")) {
      all.scoped = true;
      ++at;
    }
    at = text_.behind_attributes(at);
    all.name_at = at;
    if (text_.is_plain_name(at)) all.name = text_.word(at++);
    const std::size_t behind_name = at;
    if (text_.is(at, ":"))
      while (at < end && !text_.is(at, "{") && !text_.is(at, ";")) ++at;
    if (!text_.is(at, "{")) return behind_name;
    all.body = {at, text_.partner(at) + 1};
    all.all = {begin, all.body.end};
    front.defined = static_cast<int>(out_.all.size());
    out_.all.push_back(all);
    enumerators(all, front.defined);
    return all.body.end;
  }

  void enumerators(const Declaration &all, int parent) {
    std::size_t at = all.body.begin + 1;
    const std::size_t end = all.body.end - 1;
    while (at < end && text_.is_plain_name(at)) {
      Declaration one;
      one.kind = Kind::enumerator;
      one.name = text_.word(at);
      one.scope = all.scoped ? joined(all.scope, all.name) : all.scope;
      one.parent = parent;
      one.name_at = at;
      one.all = all.all;
      at = text_.behind_attributes(at + 1);
      if (text_.is(at, "=")) one.initialiser.begin = at + 1;
      for (; at < end && !text_.is(at, ","); ++at)
        if (text_.is(at, "(") || text_.is(at, "{") || text_.is(at, "[")) at = text_.partner(at);
      if (one.initialiser.begin != 0) one.initialiser.end = at;
      out_.all.push_back(one);
      ++at;
    }
  }

  // Names and what follows them, up to ";" or a function's body. None when it is nothing that is understood.
  std::optional<std::size_t> declarators(std::size_t at, std::size_t end, Front &front) {
    if (text_.is(at, ";")) return front.has_type ? std::optional(at + 1) : std::nullopt;
    while (at < end) {
      Declaration one = front.common;
      one.declarator.begin = at;
      at = behind_pointers(at);
      bool bracketed = false;
      if (text_.is(at, "(") && (text_.is(at + 1, "*") || text_.is(at + 1, "&"))) { // double (*name)[3]
        one.name_at = behind_pointers(at + 1);
        if (!text_.is_plain_name(one.name_at)) return {};
        one.name = text_.word(one.name_at);
        at = text_.partner(at) + 1;
        bracketed = true;
        if (text_.is(at, "(")) at = text_.partner(at) + 1;
      } else if (!name(at, one)) {
        return {};
      }
      at = text_.behind_attributes(at);
      if (text_.is(at, "(") && !bracketed) {
        const std::optional<std::size_t> out = function(at, end, one, front);
        if (!out) return {};
        if (one.kind == Kind::function) return out;
        at = *out;
      } else {
        if (!front.has_type) return {};
        at = variable(at, end, one, front);
      }
      if (text_.is(at, ";")) {
        for (std::size_t n = static_cast<std::size_t>(first_of(front)); n < out_.all.size(); ++n)
          if (out_.all[n].all.end == 0) out_.all[n].all.end = at + 1;
        return at + 1;
      }
      if (!text_.is(at, ",")) return {};
      ++at;
    }
    return {};
  }
  int first_of(const Front &front) const {
    int n = static_cast<int>(out_.all.size());
    while (n > 0 && out_.all[static_cast<std::size_t>(n - 1)].all.begin == front.common.all.begin &&
           out_.all[static_cast<std::size_t>(n - 1)].all.end == 0)
      --n;
    return n;
  }

  std::size_t behind_pointers(std::size_t at) const {
    while (text_.is(at, "*") || text_.is(at, "&") || text_.is(at, "&&") ||
           (text_.is_name(at) && is_qualifier(text_.word(at))))
      at = text_.behind_attributes(at + 1);
    return at;
  }

  bool name(std::size_t &at, Declaration &one) {
    std::vector<std::string> parts = qualified_name(at);
    if (text_.is(at, "::") && (text_.is(at + 1, "operator") || text_.is(at + 1, "~"))) ++at;
    one.name_at = at;
    if (text_.is(at, "operator")) {
      std::string whole = "operator";
      if (text_.is(at + 1, "(") && text_.is(at + 2, ")")) whole += "()", at += 2;
      for (++at; at < text_.size() && !text_.is(at, "(") && !text_.is(at, ";"); ++at) whole += text_.word(at);
      parts.push_back(whole);
    } else if (text_.is(at, "~") && text_.is_plain_name(at + 1)) {
      parts.push_back("~" + text_.word(at + 1));
      at += 2;
    } else {
      one.name_at = at - 1;
    }
    if (parts.empty()) return false;
    one.name = parts.back();
    for (std::size_t n = 0; n + 1 < parts.size(); ++n) one.scope = joined(one.scope, parts[n]);
    return true;
  }

  // "(...)" and what follows: a body, or the end of a prototype.
  std::optional<std::size_t> function(std::size_t at, std::size_t end, Declaration &one, const Front &front) {
    one.declarator.end = at;
    one.parameters = {at + 1, text_.partner(at)};
    const bool value = at + 1 < end && (text_[at + 1].token.kind == TokenKind::number || text_.is(at + 1, "-"));
    at = text_.partner(at) + 1;
    one.kind = front.is_typedef ? Kind::alias : value ? Kind::variable : Kind::prototype;
    while (at < end) {
      const std::size_t next = text_.behind_attributes(at);
      if (next != at) {
        at = next;
      } else if (text_.is(at, "const") || text_.is(at, "override") || text_.is(at, "final") || text_.is(at, "&") ||
                 text_.is(at, "&&")) {
        ++at;
      } else if (text_.is(at, "noexcept") || text_.is(at, "throw") || text_.is(at, "__asm__") || text_.is(at, "asm")) {
        at = text_.is(at + 1, "(") ? text_.partner(at + 1) + 1 : at + 1;
      } else if (text_.is(at, "->")) {
        one.result.begin = ++at;
        while (at < end && !text_.is(at, "{") && !text_.is(at, ";") && !text_.is(at, "=")) ++at;
        one.result.end = at;
      } else {
        break;
      }
    }
    if (text_.is(at, ":")) at = behind_member_initialisers(at + 1, end);
    if (text_.is(at, "=")) { // = default, = delete, = 0
      one.kind = Kind::templated;
      at += 2;
    }
    if (text_.is(at, "{")) {
      one.kind = Kind::function;
      one.body = {at, text_.partner(at) + 1};
      one.all.end = one.body.end;
      out_.all.push_back(one);
      return one.body.end;
    }
    if (!text_.is(at, ";") && !text_.is(at, ",")) return {};
    if (!front.has_type) return {}; // MACRO(...);
    out_.all.push_back(one);
    return at;
  }

  std::size_t behind_member_initialisers(std::size_t at, std::size_t end) const {
    while (at < end) {
      std::size_t next = at;
      if (qualified_name(next).empty()) return at;
      next = text_.behind_angles(next);
      if (!text_.is(next, "(") && !text_.is(next, "{")) return at;
      at = text_.partner(next) + 1;
      if (!text_.is(at, ",")) return at;
      ++at;
    }
    return at;
  }

  std::size_t variable(std::size_t at, std::size_t end, Declaration &one, const Front &front) {
    while (text_.is(at, "[")) at = text_.partner(at) + 1;
    at = text_.behind_attributes(at);
    one.declarator.end = at;
    if (text_.is(at, "=") || text_.is(at, "{")) {
      if (text_.is(at, "=")) ++at;
      one.initialiser.begin = at;
      for (; at < end && !text_.is(at, ",") && !text_.is(at, ";"); ++at)
        if (text_.is(at, "(") || text_.is(at, "{") || text_.is(at, "[")) at = text_.partner(at);
      one.initialiser.end = at;
    }
    one.kind = front.is_typedef ? Kind::alias : Kind::variable;
    if (one.kind == Kind::alias && front.defined >= 0) {
      one.parent = front.defined;
      int &owner = out_.all[static_cast<std::size_t>(front.defined)].owner;
      if (owner < 0) owner = static_cast<int>(out_.all.size());
    }
    out_.all.push_back(one);
    return at;
  }

  const Text &text_;
  Declarations out_;
  bool internal_ = false; // within an unnamed namespace
};

} // namespace

bool declares_name(const Text &text, Range range, const std::string &name) {
  for (std::size_t at = range.begin + 1; at < range.end; ++at) {
    if (text.word(at) != name || !text.is_name(at)) continue;
    const std::string &behind = text.word(at + 1);
    if (behind.size() != 1 || std::string_view("=;,[{():").find(behind[0]) == std::string_view::npos) continue;
    std::size_t before = at - 1;
    while (before > range.begin && (text.is(before, "*") || text.is(before, "&") || text.is(before, "&&"))) --before;
    const std::string &word = text.word(before);
    const bool type = (text.is_name(before) && (!is_keyword(word) || is_type_specifier(word) || is_qualifier(word))) ||
                      text.is(before, ">");
    const bool pointer = text.is(at - 1, "*") && text.is(at - 2, "(") && text.is(at + 1, ")"); // (*name)(...)
    const bool listed = (text.is(at - 1, ",") || text.is(at - 1, "[")) && text.is(at + 1, "=");
    if (type || pointer || listed) return true;
  }
  return false;
}

std::string joined(const std::string &scope, const std::string &name) {
  if (scope.empty()) return name;
  std::string out = scope;
  out += "::";
  out += name;
  return out;
}

Declarations scan_declarations(const Text &text) {
  Scanner scanner(text);
  scanner.scan(0, text.size(), "", 0);
  return scanner.take();
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
