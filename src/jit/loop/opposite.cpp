#include "jit/loop/opposite.hpp"

#include <algorithm>
#include <optional>

#include "jit/text/known_functions.hpp"
#include "jit/text/words.hpp"

namespace op2::core::jit {

namespace {

using TokenIndex = std::size_t;

// name[3] += expression;   or   *name -= expression;
struct Increment {
  std::string name;
  int component;
  bool subtracts;
  std::span<const Token> expression;
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
    if (!is(at, "+=") && !is(at, "-=")) return std::nullopt;
    out.subtracts = is(at, "-=");
    const TokenIndex begin = at + 1;
    TokenIndex end = begin;
    while (end < body_.size() && !is(end, ";")) ++end;
    if (end == body_.size() || end == begin) return std::nullopt;
    out.expression = std::span(body_).subspan(begin, end - begin);
    out.behind = end + 1;
    return out;
  }

 private:
  bool is(TokenIndex at, std::string_view text) const { return at < body_.size() && body_[at].is(text); }
  bool name_at(TokenIndex at) const { return at < body_.size() && body_[at].kind == TokenKind::identifier; }
  const Tokens &body_;
};

// Whether a second evaluation gives the same value. Functions of the program may change what their arguments point to.
bool pure(std::span<const Token> expression, const std::string &a, const std::string &b) {
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

bool same_tokens(std::span<const Token> x, std::span<const Token> y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Token &p, const Token &q) { return p.kind == q.kind && p.text == q.text; });
}

} // namespace

bool opposite_increments(const Function &kernel, const Parameter &a, const Parameter &b, int dim) {
  const Tokens &body = kernel.body;
  const IncrementReader reader(body);
  std::vector<bool> seen(static_cast<std::size_t>(dim), false);
  int depth = 0;
  for (TokenIndex at = 0; at < body.size();) {
    if (body[at].is("{")) ++depth;
    if (body[at].is("}")) --depth;
    const bool starts_statement =
        depth == 1 && at > 0 && (body[at - 1].is(";") || body[at - 1].is("{") || body[at - 1].is("}"));
    const std::optional<Increment> one = starts_statement ? reader.increment_at(at) : std::nullopt;
    if (one && (one->name == a.name || one->name == b.name)) {
      const std::optional<Increment> two = reader.increment_at(one->behind);
      const bool pair = two && one->name != two->name && (two->name == a.name || two->name == b.name) &&
                        one->component == two->component && one->subtracts != two->subtracts &&
                        one->subtracts == (one->name == b.name) && one->component < dim &&
                        same_tokens(one->expression, two->expression) && pure(one->expression, a.name, b.name);
      if (!pair) return false;
      seen[static_cast<std::size_t>(one->component)] = true;
      at = two->behind;
      continue;
    }
    if (body[at].is(a.name) || body[at].is(b.name)) return false;
    if (body[at].is("return") || body[at].is("goto")) return false; // what follows may not be reached
    ++at;
  }
  return std::find(seen.begin(), seen.end(), false) == seen.end();
}

} // namespace op2::core::jit
