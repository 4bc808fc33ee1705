// condition.cpp: see condition.hpp.
#include "jit/preprocess/condition.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace op2::core::jit {

namespace {

using Value = std::optional<std::int64_t>; // none: uncertain

constexpr int deepest_condition = 200;

// Binary operators by rising precedence.
constexpr std::array<std::array<std::string_view, 4>, 10> levels = {{{"||"},
                                                                     {"&&"},
                                                                     {"|"},
                                                                     {"^"},
                                                                     {"&"},
                                                                     {"==", "!="},
                                                                     {"<", ">", "<=", ">="},
                                                                     {"<<", ">>"},
                                                                     {"+", "-"},
                                                                     {"*", "/", "%"}}};

std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

Value shift(std::string_view sign, std::int64_t a, std::int64_t b) {
  if (a < 0 || b < 0 || b > 62) return {};
  return sign == "<<" ? wrap(bits(a) << b) : a >> b;
}

Value apply(std::string_view sign, const Value &left, const Value &right) {
  // One side can be enough.
  if (sign == "&&" && ((left && !*left) || (right && !*right))) return 0;
  if (sign == "||" && ((left && *left) || (right && *right))) return 1;
  if (!left || !right) return {};
  const std::int64_t a = *left, b = *right;
  if (sign == "&&" || sign == "||") return sign == "&&" ? a && b : a || b;
  if (sign == "|") return a | b;
  if (sign == "^") return a ^ b;
  if (sign == "&") return a & b;
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == ">") return a > b;
  if (sign == "<=") return a <= b;
  if (sign == ">=") return a >= b;
  if (sign == "+") return wrap(bits(a) + bits(b));
  if (sign == "-") return wrap(bits(a) - bits(b));
  if (sign == "*") return wrap(bits(a) * bits(b));
  if (sign == "<<" || sign == ">>") return shift(sign, a, b);
  if (b == 0 || b == -1) return {};
  return sign == "/" ? a / b : a % b;
}

class Condition {
 public:
  Condition(const SourceTokens &tokens, const Macros &macros, bool cpp) : tokens_(tokens), macros_(macros), cpp_(cpp) {}

  Value value() {
    Value out = ternary(0);
    return broken_ || at_ != tokens_.size() ? Value() : out;
  }

 private:
  bool take(std::string_view sign) {
    if (at_ >= tokens_.size() || !tokens_[at_].token.is(sign)) return false;
    ++at_;
    return true;
  }
  Value fail() {
    broken_ = true;
    at_ = tokens_.size();
    return {};
  }

  Value ternary(int depth) {
    if (depth > deepest_condition) return fail();
    const Value condition = binary(0, depth);
    if (!take("?")) return condition;
    const Value yes = ternary(depth + 1);
    if (!take(":")) return fail();
    const Value no = ternary(depth + 1);
    return !condition ? Value() : *condition ? yes : no;
  }

  Value binary(std::size_t level, int depth) {
    if (level == levels.size()) return unary(depth);
    Value left = binary(level + 1, depth);
    while (true) {
      std::string_view found;
      for (std::string_view sign : levels[level])
        if (!sign.empty() && take(sign)) {
          found = sign;
          break;
        }
      if (found.empty()) return left;
      left = apply(found, left, binary(level + 1, depth));
    }
  }

  Value unary(int depth) {
    if (depth > deepest_condition) return fail();
    if (take("!")) {
      const Value value = unary(depth + 1);
      return value ? Value(!*value) : Value();
    }
    if (take("-")) {
      const Value value = unary(depth + 1);
      return value ? Value(wrap(0 - bits(*value))) : Value();
    }
    if (take("+")) return unary(depth + 1);
    if (take("~")) {
      const Value value = unary(depth + 1);
      return value ? Value(~*value) : Value();
    }
    if (take("(")) {
      const Value value = ternary(depth + 1);
      return take(")") ? value : fail();
    }
    return primary();
  }

  Value primary() {
    if (at_ >= tokens_.size()) return fail();
    const SourceToken &token = tokens_[at_++];
    if (token.token.kind == TokenKind::number) return number(token.token.text);
    if (token.token.kind != TokenKind::identifier) return fail();
    skip_arguments();
    if (token.doubt >= 0) return {};
    if (cpp_ && token.token.text == "true") return 1;
    if (cpp_ && token.token.text == "false") return 0;
    return macros_.defined(token.token.text) == Truth::no ? Value(0) : Value();
  }

  void skip_arguments() { // as of __has_include(...)
    if (at_ >= tokens_.size() || !tokens_[at_].token.is("(")) return;
    int depth = 0;
    do {
      depth += tokens_[at_].token.is("(") ? 1 : tokens_[at_].token.is(")") ? -1 : 0;
      ++at_;
    } while (depth > 0 && at_ < tokens_.size());
  }

  static Value number(std::string digits) {
    std::erase(digits, '\'');
    while (!digits.empty() && (digits.back() == 'l' || digits.back() == 'L')) digits.pop_back();
    if (digits.empty() || digits.size() > 18) return {};
    if (digits.starts_with("0b") || digits.starts_with("0B")) return {};
    char *end = nullptr;
    const long long value = std::strtoll(digits.c_str(), &end, 0);
    return *end == '\0' ? Value(value) : Value();
  }

  const SourceTokens &tokens_;
  const Macros &macros_;
  bool cpp_;
  std::size_t at_ = 0;
  bool broken_ = false;
};

// Puts 1, 0 or an uncertain name in place of "defined X" and "defined(X)".
SourceTokens without_defined(std::span<const SourceToken> in, const Macros &macros, bool cpp) {
  SourceTokens out;
  for (std::size_t n = 0; n < in.size(); ++n) {
    out.push_back(in[n]);
    if (!in[n].token.is("defined")) continue;
    const bool bracket = n + 3 < in.size() + 0 && in[n + 1].token.is("(") && in[n + 3].token.is(")");
    const std::size_t at = n + (bracket ? 2 : 1);
    if (at >= in.size() || in[at].token.kind != TokenKind::identifier) continue; // stays, which nothing settles
    const Truth defined = is_defined(in[at].token.text, macros, cpp);
    if (defined != Truth::uncertain) {
      out.back().token.kind = TokenKind::number;
      out.back().token.text = std::string(1, defined == Truth::yes ? '1' : '0');
    }
    n = at + (bracket ? 1 : 0);
  }
  return out;
}

} // namespace

Truth is_defined(const std::string &name, const Macros &macros, bool cpp) {
  if (name == "__cplusplus") return cpp ? Truth::yes : Truth::no;
  if (name == "__CUDA_ARCH__") return Truth::no; // kernels run on the host's side of the program
  return macros.defined(name);
}

Truth evaluate(std::span<const SourceToken> condition, const Macros &macros, bool cpp) {
  const SourceTokens tokens = macros.expand(without_defined(condition, macros, cpp));
  const Value value = Condition(tokens, macros, cpp).value();
  return !value ? Truth::uncertain : *value ? Truth::yes : Truth::no;
}

} // namespace op2::core::jit
