// Program text as tokens of C and C++.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core::jit {

// Why a kernel's text cannot be used: the loop then runs in the form compiled with the program. The message has the
// construct, its place, and a remedy if there is one.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class TokenKind {
  identifier, // keywords, too
  number,     // as spelled: 1.0f, 0x10, 1'000
  literal,    // string or character literal, with its quotes
  punctuator, // operators and punctuation, longest first: "+=", "->", "::", "("
};

struct Token {
  TokenKind kind = TokenKind::punctuator;
  std::string text;
  int line = 0; // in its file, from 1

  bool is(std::string_view spelling) const { return text == spelling && kind != TokenKind::literal; }
};
using Tokens = std::vector<Token>;

// Tokens without comments and preprocessing directives (with their continued lines). Throws Refusal for an unterminated
// literal or comment.
Tokens tokenize(std::string_view source, int first_line = 1);

// A token as the preprocessor sees it.
struct Lexeme {
  Token token;
  bool starts_line = false; // no other token before it on its line (continued lines are one)
  bool after_blank = false;
};

// All tokens, with those of directives. An unterminated quote is a separate token, so that skipped text may have
// "don't". Throws Refusal for an unterminated comment or raw string.
std::vector<Lexeme> lex(std::string_view source, int first_line = 1);

// Text of the tokens, with blanks where they are needed and short lines.
std::string spell(std::span<const Token> tokens);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
