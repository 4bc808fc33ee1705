// Program text as tokens of C and C++.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core::jit {

// Why a kernel's text cannot be used: the loop then runs in the form compiled with the program. The text says what was
// found where, and the way out if there is one.
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

// Tokens without comments and without lines of the preprocessor ('#' at the start of a line, continued lines
// included). Throws Refusal for a literal or comment that does not end.
Tokens tokenize(std::string_view source, int first_line = 1);

// A token as the preprocessor sees it.
struct Lexeme {
  Token token;
  bool starts_line = false; // no other token before it on its line (continued lines are one)
  bool after_blank = false;
};

// All tokens, those of preprocessor lines too. A quote that does not end on its line is a sign of its own, so that
// "don't" in text that is switched off harms nobody. Throws Refusal for a comment or raw string that does not end.
std::vector<Lexeme> lex(std::string_view source, int first_line = 1);

// Text that compiles to the same tokens: a blank where one is needed, lines kept short.
std::string spell(std::span<const Token> tokens);

} // namespace op2::core::jit
