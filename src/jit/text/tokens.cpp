// tokens.cpp: see tokens.hpp.
#include "jit/text/tokens.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace op2::core::jit {

namespace {

constexpr std::array<std::string_view, 5> three = {"<<=", ">>=", "...", "->*", "<=>"};
constexpr std::array<std::string_view, 22> two = {"::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
                                                  "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", ".*"};
constexpr std::array<std::string_view, 9> prefixes = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) > 127;
}
bool is_word(char c) { return is_word_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0'; }

// The characters of a text with continued lines joined: "\" and the end of the line are never seen.
class Characters {
 public:
  Characters(std::string_view source, int line) : source_(source), line_(line) {
    if (source_.starts_with("\xef\xbb\xbf")) at_ = 3; // byte order mark
    join();
  }

  bool ended() const { return at_ >= source_.size(); }
  int line() const { return line_; }
  char peek() const { return ended() ? '\0' : source_[at_]; }
  char peek(int ahead) const {
    Characters copy = *this;
    for (int n = 0; n < ahead && !copy.ended(); ++n) copy.next();
    return copy.peek();
  }
  char next() {
    const char c = bare_next();
    join();
    return c;
  }
  // Without joining lines, as inside of raw strings.
  char bare_next() {
    if (ended()) return '\0';
    if (source_[at_] == '\n') ++line_;
    return source_[at_++];
  }
  bool starts_with(std::string_view word) const {
    Characters copy = *this;
    return std::all_of(word.begin(), word.end(), [&](char c) { return !copy.ended() && copy.next() == c; });
  }

 private:
  void join() {
    while (at_ < source_.size() && source_[at_] == '\\') {
      std::size_t end = at_ + 1;
      while (end < source_.size() && (source_[end] == ' ' || source_[end] == '\t' || source_[end] == '\r')) ++end;
      if (end >= source_.size() || source_[end] != '\n') return;
      at_ = end + 1;
      ++line_;
    }
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_;
};

class Lexer {
 public:
  Lexer(std::string_view source, int line) : in_(source, line) {}

  std::vector<Lexeme> all() {
    for (skip(); !in_.ended(); skip()) {
      out_.push_back({{TokenKind::punctuator, "", in_.line()}, starts_line_, after_blank_});
      starts_line_ = after_blank_ = false;
      read(out_.back().token);
    }
    return std::move(out_);
  }

 private:
  // Blanks, ends of lines and comments.
  void skip() {
    while (!in_.ended()) {
      if (in_.peek() == '\n') {
        starts_line_ = true;
        lone_.clear();
        in_.next();
      } else if (is_blank(in_.peek())) {
        after_blank_ = true;
        in_.next();
      } else if (in_.starts_with("//")) {
        while (!in_.ended() && in_.peek() != '\n') in_.next();
      } else if (in_.starts_with("/*")) {
        comment();
      } else {
        return;
      }
    }
  }

  void comment() {
    const int line = in_.line();
    in_.next();
    in_.next();
    while (!in_.starts_with("*/")) {
      if (in_.ended()) throw Refusal(text("the comment that begins in line ", line, " does not end"));
      in_.next();
    }
    in_.next();
    in_.next();
    after_blank_ = true;
  }

  void read(Token &token) {
    const char c = in_.peek();
    if (is_word_start(c)) return word(token);
    if (is_digit(c) || (c == '.' && is_digit(in_.peek(1)))) return number(token);
    if (c == '"' || c == '\'') return quoted_text(token);
    sign(token);
  }

  void word(Token &token) {
    token.kind = TokenKind::identifier;
    while (is_word(in_.peek())) token.text += in_.next();
    const char c = in_.peek();
    if ((c != '"' && c != '\'') || std::find(prefixes.begin(), prefixes.end(), token.text) == prefixes.end()) return;
    if (token.text.back() != 'R') return quoted_text(token);
    if (c == '"') raw_text(token);
  }

  void number(Token &token) {
    token.kind = TokenKind::number;
    while (true) {
      const char c = in_.peek(), last = token.text.empty() ? '\0' : token.text.back();
      const bool exponent = last == 'e' || last == 'E' || last == 'p' || last == 'P';
      const bool hex = token.text.starts_with("0x") || token.text.starts_with("0X");
      const bool sign_of_exponent = (c == '+' || c == '-') && exponent && (!hex || last == 'p' || last == 'P');
      if (!is_word(c) && c != '.' && !sign_of_exponent && !(c == '\'' && is_word(in_.peek(1)))) return;
      token.text += in_.next();
    }
  }

  // A prefix may have been read already. Without an end on this line only the first sign is taken.
  void quoted_text(Token &token) {
    const char quote = in_.peek();
    if (lone_.find(quote) != std::string::npos) { // looking once per line is enough, however many there are
      if (token.text.empty()) token.text = in_.next();
      return;
    }
    Characters behind = in_;
    std::string whole(1, behind.next());
    while (!behind.ended() && behind.peek() != '\n' && behind.peek() != quote) {
      if (behind.peek() == '\\') whole += behind.next();
      if (!behind.ended() && behind.peek() != '\n') whole += behind.next();
    }
    if (behind.peek() != quote || behind.ended()) {
      lone_ += quote;
      if (token.text.empty()) token.text = in_.next();
      return;
    }
    whole += behind.next();
    in_ = behind;
    token.kind = TokenKind::literal;
    token.text += whole;
  }

  void raw_text(Token &token) {
    token.kind = TokenKind::literal;
    std::string end = ")";
    token.text += in_.bare_next();
    while (in_.peek() != '(' && end.size() < 18 && !in_.ended()) {
      end += in_.peek();
      token.text += in_.bare_next();
    }
    end += '"';
    while (!in_.ended()) {
      token.text += in_.bare_next();
      if (token.text.ends_with(end)) break;
    }
    if (!token.text.ends_with(end) || token.text.size() < 2 * end.size())
      throw Refusal(text("the raw string that begins in line ", token.line, " does not end"));
  }

  void sign(Token &token) {
    for (std::string_view candidate : three)
      if (in_.starts_with(candidate)) return take(token, candidate);
    for (std::string_view candidate : two)
      if (in_.starts_with(candidate)) return take(token, candidate);
    token.text = in_.next();
  }
  void take(Token &token, std::string_view sign) {
    token.text = sign;
    for (std::size_t n = 0; n < sign.size(); ++n) in_.next();
  }

  Characters in_;
  std::vector<Lexeme> out_;
  std::string lone_; // kinds of quotes known not to end on this line
  bool starts_line_ = true, after_blank_ = false;
};

bool is_operand(const Token &token) {
  return token.kind != TokenKind::punctuator ? !token.is("return") && !token.is("case")
                                             : token.is(")") || token.is("]") || token.is("}");
}

// Is the sign at `at` one that stands before its only operand, with nothing on its left?
bool is_prefix(std::span<const Token> tokens, std::size_t at) {
  constexpr std::array<std::string_view, 8> signs = {"*", "&", "-", "+", "!", "~", "++", "--"};
  return tokens[at].kind == TokenKind::punctuator && (at == 0 || !is_operand(tokens[at - 1])) &&
         std::find(signs.begin(), signs.end(), tokens[at].text) != signs.end();
}

bool blank_between(std::span<const Token> tokens, std::size_t at) {
  const Token &left = tokens[at - 1], &right = tokens[at];
  if (is_prefix(tokens, at - 1) && (right.kind == TokenKind::identifier || right.is("("))) return false;
  if (right.is(";") || right.is(",") || right.is(")") || right.is("]")) return false;
  if (left.is("(") || left.is("[")) return false;
  if ((left.is(".") || left.is("->") || left.is("::")) && right.kind == TokenKind::identifier) return false;
  if (left.kind == TokenKind::identifier || left.is(")") || left.is("]"))
    return !(right.is("(") || right.is("[") || right.is(".") || right.is("->") || right.is("::")) ||
           (left.kind == TokenKind::identifier && right.is("(") &&
            (left.text == "if" || left.text == "for" || left.text == "while" || left.text == "switch" ||
             left.text == "return"));
  return true;
}

class Speller {
 public:
  explicit Speller(std::span<const Token> tokens) : tokens_(tokens) {}

  std::string all() {
    for (std::size_t n = 0; n < tokens_.size(); ++n) put(n);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t wide = 100;

  void put(std::size_t n) {
    const Token &token = tokens_[n];
    const bool closes = token.is("}") && !braces_.empty();
    const bool closes_values = closes && braces_.back() == values;
    const bool tight =
        n == 0 || closes_values || (tokens_[n - 1].is("{") && within(values)) || !blank_between(tokens_, n);
    if (token.is(")") || token.is("]")) --depth_;
    if (closes) braces_.pop_back();
    if (!fresh_ && ((closes && !closes_values) || (!tight && out_.size() - line_ + token.text.size() > wide)))
      new_line();
    if (fresh_)
      out_.append(2 * std::min<std::size_t>(braces_.size(), 20), ' ');
    else if (!tight)
      out_ += ' ';
    out_ += token.text;
    fresh_ = false;
    if (token.is("(") || token.is("[")) ++depth_;
    const bool opens = token.is("{");
    if (opens) braces_.push_back(holds_values(n) ? values : statements);
    const bool ends = (token.is(";") && depth_ <= 0) || (opens && !within(values)) || (closes && !closes_values);
    if (ends && n + 1 < tokens_.size() && !(closes && goes_on(n + 1))) new_line();
  }

  enum Brace { statements, values };
  bool within(Brace kind) const { return !braces_.empty() && braces_.back() == kind; }
  // {1, 2} and not {a = b;}
  bool holds_values(std::size_t n) const {
    if (n == 0) return false;
    const Token &before = tokens_[n - 1];
    return within(values) || before.is("=") || before.is(",") || before.is("(") || before.is("return");
  }
  // else, while, the name behind "typedef struct {...}"
  bool goes_on(std::size_t n) const {
    const Token &next = tokens_[n];
    return next.is(";") || next.is(",") || next.is(")") || next.is("else") || tokens_[0].is("typedef");
  }
  void new_line() {
    out_ += '\n';
    line_ = out_.size();
    fresh_ = true;
  }

  std::span<const Token> tokens_;
  std::string out_;
  std::vector<Brace> braces_;
  std::size_t line_ = 0;
  int depth_ = 0;
  bool fresh_ = true; // at the start of a line
};

} // namespace

std::vector<Lexeme> lex(std::string_view source, int first_line) { return Lexer(source, first_line).all(); }

Tokens tokenize(std::string_view source, int first_line) {
  Tokens out;
  bool directive = false;
  for (Lexeme &lexeme : lex(source, first_line)) {
    if (lexeme.starts_line) directive = lexeme.token.is("#");
    if (directive) continue;
    if (lexeme.token.kind == TokenKind::punctuator && (lexeme.token.text == "\"" || lexeme.token.text == "'"))
      throw Refusal(text("the literal that begins in line ", lexeme.token.line, " does not end"));
    out.push_back(std::move(lexeme.token));
  }
  return out;
}

std::string spell(std::span<const Token> tokens) { return Speller(tokens).all(); }

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
