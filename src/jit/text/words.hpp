// Classes of words of C and C++ in declarations, and matching brackets.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "jit/text/kernel_text.hpp"
#include "jit/unit/preprocessed.hpp"

namespace op2::core::jit {

bool is_type_specifier(std::string_view word); // double, unsigned, auto, ...
bool is_qualifier(std::string_view word);      // const, volatile, restrict and its spellings
bool is_restrict(std::string_view word);
bool is_storage_specifier(std::string_view word); // static, inline, register, ... also typedef
bool is_keyword(std::string_view word);           // of C++; never a name
bool is_assignment(std::string_view sign);        // =, +=, ...

// The type of words such as "unsigned long"; ignores qualifiers.
Scalar scalar_of(std::span<const Token> words);
// The built-in type that a type of the standard headers names: "unsigned long" for size_t; "" for other names.
std::string_view standard_type(std::string_view name);

// Tokens with matching brackets. Tokens can be appended.
class Text {
 public:
  explicit Text(const SourceTokens &tokens) : tokens_(tokens) {}

  // Matches brackets of tokens added since the last call. Returns the position of an unmatched bracket, or none.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t pair_up();

  std::size_t size() const { return tokens_.size(); }
  const SourceToken &operator[](std::size_t at) const { return tokens_[at]; }
  const std::string &word(std::size_t at) const { return at < size() ? tokens_[at].token.text : nothing_; }
  bool is(std::size_t at, std::string_view word) const { return at < size() && tokens_[at].token.is(word); }
  bool is_name(std::size_t at) const { return at < size() && tokens_[at].token.kind == TokenKind::identifier; }
  bool is_plain_name(std::size_t at) const { return is_name(at) && !is_keyword(word(at)); }
  std::size_t partner(std::size_t at) const { return partners_[at]; } // of an opening bracket

  // Behind the attributes that begin at `at`, if any: [[...]], __attribute__((...)), alignas(...).
  std::size_t behind_attributes(std::size_t at) const;
  // Behind the "<...>" that begins at `at`; `at` itself if there is none or it does not end.
  std::size_t behind_angles(std::size_t at) const;

 private:
  const SourceTokens &tokens_;
  std::vector<std::size_t> partners_;
  std::string nothing_;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
