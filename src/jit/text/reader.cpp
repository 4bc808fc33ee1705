// reader.cpp: see reader.hpp. Statements and declarations of locals.
#include "jit/text/reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "jit/text/reader_depth.hpp"

namespace op2::core::jit {

namespace {

// Statements that generated code must not contain, and how messages call them.
struct Refused {
  std::string_view word, called;
};
constexpr std::array refused = {Refused{"goto", "uses goto"},
                                Refused{"asm", "contains assembler"},
                                Refused{"__asm__", "contains assembler"},
                                Refused{"__asm", "contains assembler"},
                                Refused{"try", "uses exceptions"},
                                Refused{"throw", "throws exceptions"},
                                Refused{"class", "defines a type of its own"},
                                Refused{"union", "uses a union"},
                                Refused{"template", "contains a template"},
                                Refused{"namespace", "contains a namespace"}};

} // namespace

Reader::Reader(Collector &collector, std::string who, std::string scope, Range around)
    : collector_(collector),
      text_(collector.tokens()),
      who_(std::move(who)),
      scope_(std::move(scope)),
      around_(around) {
  scopes_.emplace_back();
}

void Reader::start(Range range) {
  at_ = range.begin;
  end_ = range.end;
  out_.clear();
}

Tokens Reader::body(Range range) {
  start(range);
  compound_statement();
  if (at_ != end_) refuse("is not understood");
  rename_locals();
  return std::move(out_);
}

// What is written down has no "std::", so that locals make way for functions.
void Reader::rename_locals() {
  const auto is_member = [&](std::size_t n) { return n > 0 && (out_[n - 1].is(".") || out_[n - 1].is("->")); };
  for (auto &[name, other] : new_names_) {
    const auto taken = [&](const std::string &word) {
      return local(word) || std::any_of(out_.begin(), out_.end(), [&](const Token &token) { return token.is(word); });
    };
    for (other = text(name, "_"); taken(other);) other += "_";
    int calls = 0;
    for (std::size_t n = 0; n < out_.size(); ++n) {
      if (!out_[n].is(name) || is_member(n)) continue;
      if (n + 1 < out_.size() && out_[n + 1].is("("))
        ++calls;
      else
        out_[n].text = other;
    }
    if (calls != known_calls_[name])
      refuse(text("uses both 'std::", name, "' and a local '", name, "' with brackets behind it"), end_ - 1);
  }
}

void Reader::rename(std::vector<Parameter> &parameters) const {
  for (Parameter &parameter : parameters)
    if (const auto found = new_names_.find(parameter.name); found != new_names_.end()) parameter.name = found->second;
}

void Reader::compound_statement() {
  const Depth depth(*this);
  expect("{");
  scopes_.emplace_back();
  while (!is("}")) statement();
  scopes_.pop_back();
  take();
}

void Reader::statement() {
  const Depth depth(*this);
  skip_attributes();
  const SourceToken &next = look();
  if (next.token.is("{")) return compound_statement();
  if (next.token.is(";")) return take();
  if (next.token.kind == TokenKind::identifier) {
    for (const Refused &one : refused)
      if (one.word == next.token.text) refuse(std::string(one.called));
    static constexpr std::array<std::string_view, 11> words = {
        "if", "for", "while", "do", "switch", "case", "default", "return", "break", "continue", "using"};
    for (std::string_view word : words)
      if (word == next.token.text) return keyword_statement(next.token.text);
    if (is("static_assert") || is("_Static_assert")) {
      while (!is(";")) drop();
      return drop();
    }
    if (is("typedef")) return alias_declaration();
    if (text_.is_plain_name(at_) && text_.is(at_ + 1, ":")) refuse("contains a label for goto");
  }
  declaration_or_expression(";");
  expect(";");
}

void Reader::keyword_statement(const std::string &word) {
  if (word == "for") return for_statement();
  if (word == "using") return alias_declaration();
  if (word == "if" || word == "switch" || word == "while") {
    take();
    if (word == "if" && is("constexpr")) take();
    scopes_.emplace_back();
    condition();
    statement();
    if (word == "if" && is("else")) {
      take();
      statement();
    }
    scopes_.pop_back();
  } else if (word == "do") {
    take();
    statement();
    expect("while");
    condition();
    expect(";");
  } else if (word == "case" || word == "default") {
    take();
    if (word == "case") expression(":");
    expect(":");
  } else if (word == "return") {
    take();
    if (!is(";") && lambdas_ == 0) returns_value_ = true;
    expression(";");
    expect(";");
  } else { // break, continue
    take();
    expect(";");
  }
}

// "(...)" of if, while, switch, which may declare something.
void Reader::condition() {
  expect("(");
  declaration_or_expression(";)");
  if (is(";")) {
    take();
    declaration_or_expression(")");
  }
  expect(")");
}

void Reader::for_statement() {
  take();
  expect("(");
  scopes_.emplace_back();
  if (!is(";")) declaration_or_expression(";:");
  if (is(":")) { // for (double v : values)
    take();
    if (is("{")) refuse("goes over a list, whose type is one of the standard library");
    expression(")");
  } else {
    expect(";");
    if (!is(";")) declaration_or_expression(";");
    expect(";");
    expression(")");
  }
  expect(")");
  statement();
  scopes_.pop_back();
}

void Reader::declaration_or_expression(const char *stop) {
  if (declares(at_)) return declaration(stop);
  expression(stop);
}

// Whether a declaration begins here and not an expression.
bool Reader::declares(std::size_t at) const {
  at = text_.behind_attributes(at);
  if (is_storage_specifier(text_.word(at)) || is_qualifier(text_.word(at))) return text_.is_name(at);
  const std::size_t behind = behind_type(at);
  if (behind == at) return false;
  if (text_.is(behind, "(")) return text_.is(behind + 1, "*") || text_.is(behind + 1, "&");
  return text_.is_plain_name(behind) || text_.is(behind, "*") || text_.is(behind, "&") || text_.is(behind, "&&") ||
         (text_.is(behind, "[") && text_.is(behind - 1, "auto")) ||
         (text_.is_name(behind) && is_qualifier(text_.word(behind)));
}

// Behind the type that begins here; the same place if none does.
std::size_t Reader::behind_type(std::size_t at) const {
  const std::size_t begin = at;
  bool has_type = false;
  while (at < end_) {
    const std::string &word = text_.word(at);
    if (text_.is_name(at) && (is_qualifier(word) || is_storage_specifier(word))) {
      ++at;
    } else if (text_.is_name(at) && is_type_specifier(word)) {
      has_type = true;
      ++at;
    } else if (!has_type && (text_.is(at, "struct") || text_.is(at, "enum")) && text_.is_plain_name(at + 1)) {
      has_type = true;
      at += 2;
    } else if (!has_type && names_type(at)) {
      has_type = true;
    } else {
      break;
    }
  }
  return has_type ? at : begin;
}

// Steps behind a name if it is the name of a type.
bool Reader::names_type(std::size_t &at) const {
  std::size_t next = at;
  QualifiedName qualified_name;
  const bool global = text_.is(next, "::");
  if (global) ++next;
  while (text_.is_plain_name(next)) {
    qualified_name.push_back(text_.word(next++));
    if (!text_.is(next, "::")) break;
    ++next;
  }
  if (qualified_name.empty() || text_.is(next - 1, "::")) return false;
  bool type = false;
  if (const Meaning *meaning = qualified_name.size() == 1 && !global ? local(qualified_name[0]) : nullptr) {
    type = meaning->kind == Local::alias;
  } else {
    const std::vector<int> found =
        collector_.lookup().find(qualified_name, global ? "" : scope_, collector_.seen_at(at));
    for (const int one : found) {
      const Declaration::Kind kind = collector_[one].kind;
      type = kind == Declaration::Kind::record || kind == Declaration::Kind::enumeration ||
             kind == Declaration::Kind::alias;
      if (!type) return false;
    }
    const bool standard = qualified_name.size() == 1 || (qualified_name.size() == 2 && qualified_name[0] == "std");
    if (found.empty() && standard) type = !standard_type(qualified_name.back()).empty();
  }
  if (type) at = next;
  return type;
}

void Reader::declaration(const char *stop) {
  skip_attributes();
  const Specifiers front = decl_specifiers(end_);
  if (is(";")) refuse("declares nothing, or a type of its own");
  const std::string_view stops = stop;
  if (is("[")) { // auto [a, b] = pair;
    take();
    while (!is("]")) {
      if (text_.is_plain_name(at_)) declare(word());
      take();
    }
    take();
    expect("=");
    return expression(stop);
  }
  while (true) {
    const std::size_t begin = out_.size();
    declarator(front.is_static, stop);
    if (front.is_static && (!front.is_const || (begin < out_.size() && out_[begin].is("*"))))
      refuse("keeps a static local variable between calls", at_ - 1);
    if (stops.find(':') != std::string_view::npos && is(":")) return;
    if (!is(",")) return;
    take();
  }
}

// *name[3] = {...}
void Reader::declarator(bool is_static, const char *stop) {
  ptr_operators();
  const bool bracketed = is("(");
  if (bracketed) { // double (*name)[3]
    take();
    ptr_operators();
  }
  look();
  if (!text_.is_plain_name(at_)) refuse(text("has a declaration that is not understood, at '", word(), "'"));
  const std::string name = word();
  declare(name, {is_static ? Local::constant : Local::variable, {}});
  take();
  if (bracketed) {
    expect(")");
    if (is("(")) refuse(text("declares a pointer to a function, '", name, "'"));
  }
  skip_attributes();
  while (is("[")) group();
  const bool was_constant = std::exchange(constant_only_, is_static || constant_only_);
  if (is("(")) {
    const std::size_t behind = behind_type(at_ + 1);
    const bool type = behind != at_ + 1 && !text_.is(behind, "(") && !text_.is(behind, "{");
    if (type || text_.is(at_ + 1, ")")) refuse(text("declares the function '", name, "' inside"));
    group();
  } else if (is("{")) {
    group();
  } else if (is("=")) {
    take();
    expression(text(",", stop));
  } else if (is_static) {
    refuse(text("keeps the static local variable '", name, "' between calls"), at_ - 1);
  }
  constant_only_ = was_constant;
}

// typedef double real;  using real = double;  using namespace std;
void Reader::alias_declaration() {
  const std::size_t begin = at_;
  std::size_t end = at_;
  while (end < end_ && !text_.is(end, ";")) ++end;
  std::string name;
  Range type;
  if (is("typedef")) {
    name = text_.word(end - 1);
    type = {at_ + 1, end - 1};
  } else if (text_.is(at_ + 2, "=")) {
    name = text_.word(at_ + 1);
    type = {at_ + 3, end};
  } else if ((text_.is(at_ + 1, "namespace") && text_.is(at_ + 2, "std")) || text_.is(at_ + 1, "std")) {
    while (!is(";")) drop();
    return drop();
  } else if (using_declaration(end)) {
    return;
  }
  if (type.empty() || end == end_) refuse("contains a declaration with 'using' or 'typedef' that is not understood");
  const std::size_t known = out_.size();
  at_ = type.begin;
  decl_specifiers(type.end);
  const Tokens words(out_.begin() + static_cast<std::ptrdiff_t>(known), out_.end());
  if (at_ != type.end || scalar_of(words) == Scalar::other)
    refuse(text("declares a type of its own, '", name, "'"), begin);
  out_.resize(known);
  at_ = end;
  expect(";");
  out_.pop_back();
  declare(name, {Local::alias, words});
}

// using ns::f;, up to `end`: from here on f is that function, unless the types of its arguments may tell of another
// one.
bool Reader::using_declaration(std::size_t end) {
  QualifiedName name;
  std::size_t at = at_ + 1;
  for (; text_.is_plain_name(at); at += 2) {
    name.push_back(text_.word(at));
    if (!text_.is(at + 1, "::")) break;
  }
  if (at + 1 != end || name.size() < 2 || scopes_.back().contains(name.back())) return false;
  const std::vector<int> found = collector_.lookup().find(name, scope_, collector_.seen_at(at_));
  const bool functions = std::all_of(found.begin(), found.end(), [&](int one) {
    return collector_[one].kind == Declaration::Kind::function || collector_[one].kind == Declaration::Kind::prototype;
  });
  if (found.empty() || !functions || collector_.found_by_arguments(name.back(), found)) return false;
  while (!is(";")) drop();
  drop();
  declare(name.back(), {Local::function, {}, name});
  return true;
}

const Reader::Meaning *Reader::local(const std::string &name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  return nullptr;
}

void Reader::declare(const std::string &name, Meaning meaning) { scopes_.back()[name] = std::move(meaning); }

const SourceToken &Reader::look() {
  if (at_ >= end_) refuse("ends early", end_ > 0 ? end_ - 1 : 0);
  return text_[at_];
}

void Reader::take() {
  out_.push_back(look().token);
  ++at_;
}

void Reader::drop() {
  look();
  ++at_;
}

void Reader::expect(std::string_view wanted) {
  look();
  if (!is(wanted)) refuse(text("has '", word(), "' where '", wanted, "' is expected"));
  take();
}

void Reader::skip_attributes() {
  const std::size_t behind = text_.behind_attributes(at_);
  while (at_ < behind) drop();
}

void Reader::emit(TokenKind kind, std::string_view spelling) {
  const int line = at_ > 0 && at_ <= text_.size() ? text_[at_ - 1].token.line : 0;
  out_.push_back({kind, std::string(spelling), line});
}

void Reader::refuse(const std::string &what, std::size_t at) const {
  std::string message = who_;
  message += " ";
  message += what;
  if (at < text_.size()) message += text(" (", collector_.place(at), ")");
  throw Refusal(message);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
