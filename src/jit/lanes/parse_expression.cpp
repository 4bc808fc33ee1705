// parse_expression.cpp: expressions; see parser.hpp.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/lanes/parser.hpp"
#include "jit/text/known_functions.hpp"

namespace op2::core::jit {

ExpressionPtr make(Expression::Kind kind, const Token &op) {
  auto out = std::make_unique<Expression>();
  out->kind = kind;
  out->op = op;
  return out;
}

namespace {

struct Level {
  std::string_view op;
  int level;
};
constexpr std::array levels = {Level{"*", 10}, Level{"/", 10}, Level{"%", 10}, Level{"+", 9},  Level{"-", 9},
                               Level{"<<", 8}, Level{">>", 8}, Level{"<", 7},  Level{"<=", 7}, Level{">", 7},
                               Level{">=", 7}, Level{"==", 6}, Level{"!=", 6}, Level{"&", 5},  Level{"^", 4},
                               Level{"|", 3},  Level{"&&", 2}, Level{"||", 1}};

int level_of(const Token &token) {
  for (const Level &level : levels)
    if (token.is(level.op)) return level.level;
  return 0;
}

// The words that C++ has for signs, as signs.
Token sign_of(Token token) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> spelled = {
      std::pair{"and", "&&"}, {"or", "||"}, {"not", "!"}, {"not_eq", "!="}};
  for (const auto &[word, sign] : spelled)
    if (token.kind == TokenKind::identifier && token.text == word) {
      token.kind = TokenKind::punctuator;
      token.text = sign;
    }
  return token;
}

template <class... Parts>
ExpressionPtr with_parts(Expression::Kind kind, const Token &op, Parts... parts) {
  ExpressionPtr out = make(kind, op);
  (out->parts.push_back(std::move(parts)), ...);
  return out;
}

} // namespace

ExpressionPtr Parser::expression() {
  ExpressionPtr out = assignment();
  while (at(",")) {
    const Token comma = take();
    ExpressionPtr right = assignment();
    out = with_parts(Expression::Kind::binary, comma, std::move(out), std::move(right));
  }
  return out;
}

ExpressionPtr Parser::assignment() {
  ExpressionPtr left = conditional();
  for (const char *op : {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
    if (at(op)) {
      const Token sign = take();
      if (at("{")) refuse_here("a list behind '='");
      ExpressionPtr right = assignment();
      touch(*left, true);
      if (pointer_levels(*left) > 0) touch(*right, false);
      return with_parts(Expression::Kind::assignment, sign, std::move(left), std::move(right));
    }
  return left;
}

ExpressionPtr Parser::conditional() {
  ExpressionPtr condition = binary(1);
  if (!at("?")) return condition;
  const Token sign = take();
  if (at(":")) refuse_here("'?:' without a middle");
  ExpressionPtr yes = expression();
  expect(":");
  ExpressionPtr no = assignment();
  return with_parts(Expression::Kind::conditional, sign, std::move(condition), std::move(yes), std::move(no));
}

ExpressionPtr Parser::binary(int lowest) {
  ExpressionPtr left = unary();
  while (true) {
    const Token sign = sign_of(token());
    const int level = level_of(sign);
    if (level == 0 || level < lowest) return left;
    take();
    ExpressionPtr right = binary(level + 1);
    left = with_parts(Expression::Kind::binary, sign, std::move(left), std::move(right));
  }
}

ExpressionPtr Parser::unary() {
  const Token sign = sign_of(token());
  for (const char *op : {"+", "-", "!", "~", "*", "&", "++", "--"})
    if (sign.is(op)) {
      take();
      ExpressionPtr operand = unary();
      if (sign.is("&") || sign.is("++") || sign.is("--")) touch(*operand, true);
      return with_parts(Expression::Kind::unary, sign, std::move(operand));
    }
  for (const char *word : {"sizeof", "alignof", "_Alignof", "new", "delete", "throw", "typeid", "const_cast",
                           "reinterpret_cast", "dynamic_cast", "__extension__", "this"})
    if (at(word)) refuse_here(text("'", word, "' in a kernel"));
  if (at("(") && at_type(1)) {
    const Token open = take();
    Type type = this->type();
    const int pointers = ptr_operators();
    if (!at(")")) refuse_here("the cast at '" + token().text + "'");
    expect(")");
    if (at("{")) refuse_here("a list with a type in front of it");
    return cast_of(std::move(type), pointers, unary(), open);
  }
  return postfix();
}

ExpressionPtr Parser::cast_of(Type type, int pointers, ExpressionPtr operand, const Token &at) {
  ExpressionPtr out = with_parts(Expression::Kind::cast, at, std::move(operand));
  out->type = std::move(type);
  out->pointers = pointers;
  if (pointers > 0) refuse(function_, at.line, "a cast to a pointer");
  return out;
}

ExpressionPtr Parser::postfix() {
  ExpressionPtr out = primary_expression();
  while (true) {
    if (at("[")) {
      const Token open = take();
      ExpressionPtr index = expression();
      expect("]");
      out = with_parts(Expression::Kind::subscript, open, std::move(out), std::move(index));
    } else if (at(".") || at("->")) {
      const bool arrow = take().is("->");
      if (token().kind != TokenKind::identifier) refuse_here("a member is expected before '" + token().text + "'");
      out = with_parts(Expression::Kind::member_access, take(), std::move(out));
      out->arrow = arrow;
      if (at("(")) refuse_here("a call of the member function '" + out->op.text + "'");
    } else if (at("++") || at("--")) {
      const Token sign = take();
      touch(*out, true);
      out = with_parts(Expression::Kind::postfix, sign, std::move(out));
    } else if (at("(")) {
      refuse_here("a call through a value");
    } else {
      return out;
    }
  }
}

ExpressionPtr Parser::primary_expression() {
  const Token first = token();
  if (first.is("(")) {
    take();
    if (at("{")) refuse_here("statements within an expression");
    ExpressionPtr inner = expression();
    expect(")");
    return with_parts(Expression::Kind::parenthesized, first, std::move(inner));
  }
  if (first.is("[")) return called_lambda();
  if (first.kind == TokenKind::number) return make(Expression::Kind::literal, take());
  if (first.kind == TokenKind::literal) {
    if (!first.text.starts_with('\'')) refuse_here("the string " + first.text);
    return make(Expression::Kind::literal, take());
  }
  if (first.is("true") || first.is("false") || first.is("nullptr")) return make(Expression::Kind::literal, take());
  if (first.is("NULL")) {
    Token null = take();
    null.text = "nullptr";
    return make(Expression::Kind::literal, null);
  }
  if (first.is("static_cast")) return named_cast();
  if (at_type()) { // double(x)
    Type type = this->type();
    expect("(");
    if (at(")")) refuse_here("a value of a type without an argument");
    ExpressionPtr operand = assignment();
    expect(")");
    return cast_of(std::move(type), 0, with_parts(Expression::Kind::parenthesized, first, std::move(operand)), first);
  }
  if (first.is("::") || first.kind == TokenKind::identifier) return id_expression();
  refuse_here("'" + first.text + "' where a value is expected");
}

ExpressionPtr Parser::named_cast() {
  const Token word = take();
  expect("<");
  Type type = this->type();
  const int pointers = ptr_operators();
  expect(">");
  const Token open = token();
  expect("(");
  ExpressionPtr operand = expression();
  expect(")");
  return cast_of(std::move(type), pointers, with_parts(Expression::Kind::parenthesized, open, std::move(operand)),
                 word);
}

ExpressionPtr Parser::id_expression() {
  accept("::");
  const Token name = take();
  if (name.kind != TokenKind::identifier) refuse_here("'" + name.text + "' where a name is expected");
  if (at("::")) refuse_here("the qualified name '" + name.text + "::" + token(1).text + "'");
  Variable *variable = find(name.text);
  if (variable == nullptr) {
    if (at("(") || (at("<") && (name.is("min") || name.is("max")))) return call(name);
    refuse(function_, name.line, "'" + name.text + "', of which nothing is known");
  }
  if (variable->lambda != nullptr && at("(") && !constant_) return call(name, variable);
  if (variable->lambda != nullptr) refuse_here("the lambda '" + name.text + "', which is not called here");
  if (at("(")) refuse_here("a call of '" + name.text + "', which is no function");
  ExpressionPtr out = make(Expression::Kind::id, name);
  out->variable = variable;
  return out;
}

namespace {

// The type of a mathematical function's result; Scalar::other if it is not certain.
Scalar result_of(const KnownFunction &function, const Expression &call, bool c_language) {
  if (function.single) return Scalar::float32;
  const bool real = function.twin != "";
  const bool same = function.name == "min" || function.name == "max" || function.name == "abs";
  if (!(real || same) || c_language) return Scalar::other;
  Scalar out = Scalar::other;
  for (const ExpressionPtr &part : call.parts) {
    const Scalar one = type_of(*part);
    if (real && one == Scalar::int32 && out == Scalar::float64) continue; // pow(x, 2)
    if (part != call.parts[0] && one != out) return Scalar::other;
    out = one;
  }
  return is_real(out) || (same && out == Scalar::int32) ? out : Scalar::other;
}

} // namespace

ExpressionPtr Parser::call(const Token &name, const Variable *lambda) {
  ExpressionPtr out = make(Expression::Kind::call, name);
  if (accept("<")) {
    out->templated = true;
    out->type = type();
    expect(">");
  }
  expect("(");
  if (!at(")")) {
    do {
      if (at("{")) refuse_here("a list as an argument");
      if (token().kind == TokenKind::literal && name.text.starts_with("__builtin_nan")) {
        out->parts.push_back(make(Expression::Kind::literal, take()));
        continue;
      }
      out->parts.push_back(assignment());
    } while (accept(","));
  }
  expect(")");
  out->helper = lambda != nullptr ? lambda->lambda : globals_.helper(name.text);
  if (lambda != nullptr) pass_captured(*out, *lambda);
  if (out->helper == nullptr) {
    const KnownFunction *known = known_function(name.text);
    if (known == nullptr || known->arguments != static_cast<int>(out->parts.size()))
      refuse(function_, name.line, "a call of '" + name.text + "', of which nothing is known");
    if (!out->templated) out->type.scalar = result_of(*known, *out, globals_.c_language);
  } else if (out->helper->parameters.size() != out->parts.size() || out->templated) {
    refuse(function_, name.line, "a call of '" + name.text + "' whose arguments are not its parameters");
  }
  if (out->helper != nullptr) touch_arguments(*out);
  return out;
}

ExpressionPtr Parser::initializer_clause() {
  if (!at("{")) return assignment();
  const Token open = take();
  ExpressionPtr out = make(Expression::Kind::braced_init_list, open);
  while (!at("}")) {
    if (at(".") || at("[")) refuse_here("an initialiser with names of members");
    out->parts.push_back(initializer_clause());
    if (!accept(",")) break;
  }
  expect("}");
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
