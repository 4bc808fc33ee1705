// cursor.cpp: see cursor.hpp.
#include "jit/fortran/parse/cursor.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"
#include "jit/text/tokens.hpp"

namespace op2::core::jit::fortran {

using Kind = Expression::Kind;

namespace {

constexpr int deepest_expression = 200; // expressions in expressions

struct Level {
  std::string_view sign;
  int level;
};
constexpr std::array operator_levels = {Level{".eqv.", 1}, Level{".neqv.", 1}, Level{".or.", 2}, Level{".and.", 3},
                                        Level{"==", 5},    Level{"/=", 5},     Level{"<", 5},    Level{"<=", 5},
                                        Level{">", 5},     Level{">=", 5},     Level{"//", 6},   Level{"+", 7},
                                        Level{"-", 7},     Level{"*", 8},      Level{"/", 8},    Level{"**", 9}};
constexpr int of_not = 4, of_sum = 7, of_product = 8, of_power = 9;

int level_of(const Word &word) {
  for (const Level &one : operator_levels)
    if (word.is(one.sign)) return one.level;
  return 0;
}

ExpressionPtr make(Kind kind, std::string word, std::vector<ExpressionPtr> parts = {}) {
  auto out = std::make_shared<Expression>();
  out->kind = kind;
  out->word = std::move(word);
  out->parts = std::move(parts);
  return out;
}

} // namespace

const Word &Cursor::word(std::size_t ahead) const {
  static const Word nothing{WordKind::sign, ""};
  return at_ + ahead < line_.words.size() ? line_.words[at_ + ahead] : nothing;
}

bool Cursor::accept(std::string_view spelling) {
  if (!is(spelling)) return false;
  ++at_;
  return true;
}

void Cursor::expect(std::string_view spelling) {
  if (!accept(spelling)) refuse(text("'", spelling, "' is expected before '", word().text, "'"));
}

std::string Cursor::name() {
  if (!is_name()) refuse(text("a name is expected before '", word().text, "'"));
  return line_.words[at_++].text;
}

std::size_t Cursor::behind_brackets(std::size_t at) const {
  int depth = 0;
  for (; at < line_.words.size(); ++at) {
    const Word &word = line_.words[at];
    if (word.is("(") || word.is("[") || word.is("(/")) ++depth;
    if ((word.is(")") || word.is("]") || word.is("/)")) && --depth == 0) return at + 1;
  }
  return at;
}

void Cursor::refuse(const std::string &what) const {
  throw Refusal(text(text_.place(line_.file, line_.line), ": ", what));
}

ExpressionPtr Cursor::expression() {
  if (++depth_ > deepest_expression) refuse("an expression nested too deeply");
  ExpressionPtr out = level(1);
  --depth_;
  return out;
}

// Operators from left to right; ** from right to left, before a sign in front of it.
ExpressionPtr Cursor::level(int lowest) {
  ExpressionPtr left;
  if (is(".not.") && lowest <= of_not) {
    ++at_;
    left = make(Kind::unary, ".not.", {level(of_not + 1)});
  } else if ((is("-") || is("+")) && lowest <= of_sum) {
    const std::string sign = word().text;
    ++at_;
    left = make(Kind::unary, sign, {level(of_product)});
  } else {
    left = operand();
  }
  while (!at_end()) {
    const int found = level_of(word());
    if (found == 0 || found < lowest) return left;
    const std::string sign = word().text;
    ++at_;
    // a ** -b, which compilers take, too
    const bool signed_power = found == of_power && (is("-") || is("+"));
    ExpressionPtr right = level(found == of_power ? (signed_power ? of_sum : of_power) : found + 1);
    left = make(Kind::binary, sign, {std::move(left), std::move(right)});
  }
  return left;
}

ExpressionPtr Cursor::operand() {
  ExpressionPtr out = primary();
  for (int length = 0; accept("%"); ++length) {
    if (length > deepest_expression) refuse("components nested too deeply");
    std::vector<ExpressionPtr> parts = {std::move(out)};
    std::string part = name();
    if (accept("("))
      for (const ExpressionPtr &one : arguments()) parts.push_back(one);
    out = make(Kind::component, std::move(part), std::move(parts));
  }
  return out;
}

ExpressionPtr Cursor::primary() {
  const Word &first = word();
  if (at_end()) refuse("an expression ends early");
  if (first.kind == WordKind::number) {
    ++at_;
    return make(Kind::number, first.text);
  }
  if (first.kind == WordKind::text) {
    ++at_;
    return make(Kind::text, first.text);
  }
  if (first.is(".true.") || first.is(".false.")) {
    ++at_;
    return make(Kind::logical, first.text);
  }
  if (accept("[")) return constructor("]");
  if (accept("(/")) return constructor("/)");
  if (accept("(")) {
    ExpressionPtr inner = expression();
    if (is(",")) { // (expression, i = 1, 3), or a complex number
      std::vector<ExpressionPtr> parts = {inner};
      while (accept(",")) {
        if (is_name() && word(1).is("=")) {
          auto out = std::make_shared<Expression>();
          out->kind = Kind::implied_do;
          out->word = name();
          expect("=");
          out->parts = std::move(parts);
          do out->bounds.push_back(expression());
          while (accept(","));
          expect(")");
          return out;
        }
        parts.push_back(expression());
      }
      expect(")");
      return make(Kind::other, "a complex number");
    }
    expect(")");
    return make(Kind::grouped, "(", {inner});
  }
  if (first.kind != WordKind::name) refuse(text("'", first.text, "' where a value is expected"));
  ++at_;
  if (!accept("(")) return make(Kind::name, first.text);
  ExpressionPtr out = make(Kind::reference, first.text, arguments());
  if (is("(")) refuse("a part of a character variable");
  return out;
}

ExpressionPtr Cursor::constructor(std::string_view end) {
  std::vector<ExpressionPtr> parts;
  const std::size_t begin = at_;
  if (is_name()) { // [real(8) :: 1, 2]
    std::size_t at = begin + 1;
    if (word(1).is("(")) at = behind_brackets(begin + 1);
    if (at < line_.words.size() && line_.words[at].is("::")) refuse("an array constructor with a type");
  }
  while (!is(end)) {
    parts.push_back(expression());
    if (!accept(",")) break;
  }
  expect(end);
  return make(Kind::constructor, "[", std::move(parts));
}

ExpressionPtr Cursor::argument() {
  if (is_name() && word(1).is("=")) {
    const std::string keyword = name();
    expect("=");
    return make(Kind::keyword, keyword, {expression()});
  }
  ExpressionPtr first;
  if (!is(":") && !is("::")) first = expression();
  if (!is(":") && !is("::")) return first;
  ExpressionPtr second, third;
  if (accept("::")) {
    third = expression();
  } else {
    expect(":");
    if (!is(",") && !is(")") && !is(":")) second = expression();
    if (accept(":")) third = expression();
  }
  return make(Kind::range, ":", {first, second, third});
}

std::vector<ExpressionPtr> Cursor::arguments() {
  std::vector<ExpressionPtr> out;
  if (accept(")")) return out;
  do out.push_back(argument());
  while (accept(","));
  expect(")");
  return out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
