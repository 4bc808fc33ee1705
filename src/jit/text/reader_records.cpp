// reader_records.cpp: structures and aliases of types that are not built in; see reader.hpp.
#include "base/text.hpp"
#include "jit/text/reader.hpp"
#include "jit/text/reader_depth.hpp"

namespace op2::core::jit {

// struct name {...};  typedef struct {...} alias;
Tokens Reader::record(const Declaration &declaration, std::vector<std::string> &member_functions) {
  if (declaration.based) refuse("has base classes", declaration.all.begin);
  if (text_.is(declaration.all.begin, "union")) refuse("is a union", declaration.all.begin);
  if (collector_.source().packed) refuse("may be laid out by #pragma pack", declaration.all.begin);
  const Declaration *owner = declaration.owner >= 0 ? &collector_[declaration.owner] : nullptr;
  in_record_ = true;
  scopes_.emplace_back();
  Tokens out;
  for (const bool known : {false, true}) { // the second time the names of all members are known
    start({declaration.all.begin, declaration.body.end});
    if (owner) emit(TokenKind::identifier, "typedef");
    take();
    const std::size_t attributes = at_;
    skip_attributes();
    if (at_ != attributes) refuse("has attributes");
    if (text_.is_plain_name(at_)) take();
    if (is("final")) drop();
    expect("{");
    members_known_ = known;
    member_functions.clear();
    while (!is("}")) member_declaration(declaration, member_functions);
    take();
    if (owner) {
      if (owner->declarator.end != owner->declarator.begin + 1) refuse("is not understood");
      emit(TokenKind::identifier, owner->name);
    }
    emit(TokenKind::punctuator, ";");
    out = std::move(out_);
  }
  return out;
}

void Reader::member_declaration(const Declaration &record, std::vector<std::string> &member_functions) {
  skip_attributes();
  look();
  if (is(";")) return take();
  if (is("public") || is("private") || is("protected")) {
    take();
    return expect(":");
  }
  if (is("static_assert")) {
    while (!is(";")) drop();
    return drop();
  }
  std::size_t first = at_;
  while (text_.is(first, "constexpr") || text_.is(first, "inline") || text_.is(first, "explicit")) ++first;
  if (text_.is_plain_name(first) && text_.word(first) == record.name && text_.is(first + 1, "(")) { // constructor
    while (at_ < first) is("inline") ? drop() : take();
    take();
    return member_function();
  }
  if (decl_specifiers(end_).is_static) refuse("has a static member");
  while (true) {
    ptr_operators();
    look();
    if (is("operator")) {
      std::string name;
      while (!is("(") || text_.is(at_ + 1, ")")) {
        name += word();
        const bool call = is("(");
        take();
        if (call) name += ")", take();
        if (is("(") && name != "operator") break;
      }
      member_functions.push_back(name);
      return member_function();
    }
    if (!text_.is_plain_name(at_)) refuse(text("has a member that is not understood, at '", word(), "'"));
    declare(word(), {Local::member, {}});
    if (text_.is(at_ + 1, "(")) {
      member_functions.push_back(word());
      take();
      return member_function();
    }
    take();
    if (is(":")) refuse("has a bit field");
    while (is("[")) group();
    if (is("=")) {
      take();
      expression(",;");
    } else if (is("{")) {
      group();
    }
    if (!is(",")) break;
    take();
  }
  expect(";");
}

// "(...) const {...}", taken as it is.
void Reader::member_function() {
  scopes_.emplace_back();
  expect("(");
  while (!is(")")) {
    if (is("...")) refuse("has a member function that takes any number of arguments");
    decl_specifiers(end_);
    ptr_operators();
    if (text_.is_plain_name(at_)) {
      declare(word());
      take();
    }
    while (is("[")) group();
    if (is("=")) {
      take();
      expression(",)");
    }
    if (is(","))
      take();
    else if (!is(")"))
      refuse("has a parameter that is not understood");
  }
  take();
  while (is("const") || is("noexcept") || is("&") || is("&&")) take();
  if (is("->")) refuse("has a member function that is not understood");
  if (is(":")) {
    do {
      take();
      look();
      if (!text_.is_plain_name(at_)) refuse("has a constructor that is not understood");
      take();
      if (!is("(") && !is("{")) refuse("has a constructor that is not understood");
      group();
    } while (is(","));
  }
  const bool returned = returns_value_;
  if (is("=") && (text_.is(at_ + 1, "default") || text_.is(at_ + 1, "delete"))) {
    take();
    take();
    expect(";");
  } else if (!is("{")) {
    refuse("has a member function that is defined elsewhere");
  } else if (members_known_) {
    compound_statement();
  } else {
    const std::size_t behind = text_.partner(at_) + 1;
    while (at_ < behind) take();
  }
  returns_value_ = returned;
  scopes_.pop_back();
}

// typedef double vec[3];  using table = double[3];
Tokens Reader::alias(const Declaration &declaration) {
  start(declaration.type);
  while (is("typedef")) drop();
  decl_specifiers(declaration.type.end);
  if (declaration.declarator.empty()) { // using: turned into the same thing
    ptr_operators();
    if (at_ != end_) refuse("is not understood");
    emit(TokenKind::identifier, declaration.name);
  } else {
    if (at_ != end_) refuse("is not understood");
    at_ = declaration.declarator.begin;
    end_ = declaration.declarator.end;
    ptr_operators();
    if (!text_.is_plain_name(at_)) refuse("is not understood");
    take();
    while (at_ < end_ && is("[")) group();
    if (at_ != end_) refuse("is not understood");
  }
  Tokens out = std::move(out_);
  out.insert(out.begin(), Token{TokenKind::identifier, "typedef", text_[declaration.all.begin].token.line});
  out.push_back({TokenKind::punctuator, ";", 0});
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
