#include "jit/loop/antisymmetric.hpp"

#include <algorithm>
#include <optional>

#include "jit/text/known_functions.hpp"
#include "jit/text/words.hpp"

namespace op2::core::jit {

namespace {

using TokenIndex = std::size_t;

using Span = std::span<const Token>;

bool same_tokens(Span x, Span y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Token &p, const Token &q) { return p.kind == q.kind && p.text == q.text; });
}

// The token behind the bracket that closes the one at the beginning; the size if there is none.
TokenIndex behind_brackets(Span tokens) {
  int depth = 0;
  for (TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].is("(") || tokens[at].is("[")) ++depth;
    if ((tokens[at].is(")") || tokens[at].is("]")) && --depth == 0) return at + 1;
  }
  return tokens.size();
}

// Without the brackets around all of it.
Span unbracketed(Span tokens) {
  if (tokens.size() < 2 || !tokens.front().is("(") || !tokens.back().is(")")) return tokens;
  return behind_brackets(tokens) == tokens.size() ? tokens.subspan(1, tokens.size() - 2) : tokens;
}

// Whether it is a single term, so that x + term is x += term.
bool is_term(Span tokens) {
  if (tokens.empty()) return false;
  for (TokenIndex at = 0; at < tokens.size();) {
    const Token &token = tokens[at];
    if (token.is("(") || token.is("["))
      at += behind_brackets(tokens.subspan(at));
    else if (token.is("*") || token.is("/") || token.kind == TokenKind::identifier || token.kind == TokenKind::number)
      ++at;
    else
      return false;
  }
  return true;
}

// name[3] += expression;   or   *name -= expression;   or   name[3] = (name[3] + term);
struct Increment {
  std::string name;
  int component;
  bool subtracts;
  Span expression;
  TokenIndex behind; // the token after the ';'
};

bool is_digit_string(const std::string &text) {
  return !text.empty() && text.size() <= 4 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class IncrementReader {
 public:
  explicit IncrementReader(const Tokens &body) : body_(body) {}

  std::optional<Increment> increment_at(TokenIndex at) const {
    Increment out;
    const TokenIndex start = at;
    if (is(at, "*")) {
      out.component = 0;
      if (!name_at(at + 1)) return std::nullopt;
      out.name = body_[at + 1].text;
      at += 2;
    } else {
      if (!name_at(at) || !is(at + 1, "[") || at + 3 >= body_.size() || !is_digit_string(body_[at + 2].text) ||
          !is(at + 3, "]"))
        return std::nullopt;
      out.name = body_[at].text;
      out.component = std::stoi(body_[at + 2].text);
      at += 4;
    }
    TokenIndex end = at;
    while (end < body_.size() && !is(end, ";")) ++end;
    if (end == body_.size() || end <= at + 1) return std::nullopt;
    out.behind = end + 1;
    const Span target = Span(body_).subspan(start, at - start), value = Span(body_).subspan(at + 1, end - at - 1);
    if (is(at, "+=") || is(at, "-=")) {
      out.subtracts = is(at, "-=");
      out.expression = value;
      return out;
    }
    return is(at, "=") && added_to(target, unbracketed(value), out) ? std::optional(out) : std::nullopt;
  }

 private:
  // Whether the value is target + term, or target - term.
  static bool added_to(Span target, Span value, Increment &out) {
    if (value.size() < target.size() + 2 || !same_tokens(value.first(target.size()), target)) return false;
    const Token &sign = value[target.size()];
    if (!sign.is("+") && !sign.is("-")) return false;
    out.subtracts = sign.is("-");
    out.expression = value.subspan(target.size() + 1);
    return is_term(out.expression);
  }
  bool is(TokenIndex at, std::string_view text) const { return at < body_.size() && body_[at].is(text); }
  bool name_at(TokenIndex at) const { return at < body_.size() && body_[at].kind == TokenKind::identifier; }
  const Tokens &body_;
};

// Whether a second evaluation gives the same value. Functions of the program may change what their arguments point to.
bool pure(Span expression, const std::string &a, const std::string &b) {
  for (TokenIndex at = 0; at + 1 < expression.size(); ++at)
    if (expression[at].kind == TokenKind::identifier && expression[at + 1].is("(") &&
        !is_type_specifier(expression[at].text) && !known_function(expression[at].text))
      return false;
  return std::none_of(expression.begin(), expression.end(), [&](const Token &token) {
    return token.is(a) || token.is(b) || token.is("++") || token.is("--") || token.is("{") ||
           (token.kind == TokenKind::punctuator && token.text.ends_with("=") && token.text != "==" &&
            token.text != "!=" && token.text != "<=" && token.text != ">=");
  });
}

// Statements one after another that do nothing but add to a and b. Whether each that adds to a has one that subtracts
// the same from b, in this order for each component; notes which components there are.
bool antisymmetric_pairs(const std::vector<Increment> &all, const std::string &a, const std::string &b,
                         std::vector<bool> &seen) {
  std::vector<Increment> of_a, of_b;
  for (const Increment &one : all) {
    if (one.subtracts != (one.name == b) || static_cast<std::size_t>(one.component) >= seen.size()) return false;
    if (!pure(one.expression, a, b)) return false;
    (one.name == a ? of_a : of_b).push_back(one);
    seen[static_cast<std::size_t>(one.component)] = true;
  }
  const auto by_component = [](const Increment &x, const Increment &y) { return x.component < y.component; };
  std::stable_sort(of_a.begin(), of_a.end(), by_component);
  std::stable_sort(of_b.begin(), of_b.end(), by_component);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), [](const Increment &x, const Increment &y) {
    return x.component == y.component && same_tokens(unbracketed(x.expression), unbracketed(y.expression));
  });
}

} // namespace

bool antisymmetric_increments(const Function &kernel, const Parameter &a, const Parameter &b, int dim) {
  const Tokens &body = kernel.body;
  const IncrementReader reader(body);
  std::vector<bool> seen(static_cast<std::size_t>(dim), false);
  int depth = 0;
  for (TokenIndex at = 0; at < body.size();) {
    if (body[at].is("{")) ++depth;
    if (body[at].is("}")) --depth;
    const bool starts_statement =
        depth == 1 && at > 0 && (body[at - 1].is(";") || body[at - 1].is("{") || body[at - 1].is("}"));
    std::vector<Increment> increments;
    for (TokenIndex next = at; starts_statement; next = increments.back().behind) {
      const std::optional<Increment> one = reader.increment_at(next);
      if (!one || (one->name != a.name && one->name != b.name)) break;
      increments.push_back(*one);
    }
    if (!increments.empty()) {
      if (!antisymmetric_pairs(increments, a.name, b.name, seen)) return false;
      at = increments.back().behind;
      continue;
    }
    if (body[at].is(a.name) || body[at].is(b.name)) return false;
    if (body[at].is("return") || body[at].is("goto")) return false; // what follows may not be reached
    ++at;
  }
  return std::find(seen.begin(), seen.end(), false) == seen.end();
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
