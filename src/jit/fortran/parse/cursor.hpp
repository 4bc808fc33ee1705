// Reads the words of one statement, and expressions among them.
#pragma once

#include <string>
#include <string_view>

#include "jit/fortran/parse/tree.hpp"

namespace op2::core::jit::fortran {

class Cursor {
 public:
  Cursor(const Line &line, const SourceText &text) : line_(line), text_(text) {}

  bool at_end() const { return at_ >= line_.words.size(); }
  const Word &word(std::size_t ahead = 0) const;
  bool is(std::string_view spelling) const { return word().is(spelling) && !at_end(); }
  bool is_name(std::size_t ahead = 0) const { return word(ahead).kind == WordKind::name; }
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling);
  std::string name(); // takes a name
  void skip() { ++at_; }
  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }
  // Behind the bracket that closes the one at `at`; the end of the line if none does.
  std::size_t behind_brackets(std::size_t at) const;
  const Line &line() const { return line_; }

  ExpressionPtr expression();
  std::vector<ExpressionPtr> arguments(); // behind "(", to ")"

  [[noreturn]] void refuse(const std::string &what) const; // "k.f90:3: what"

 private:
  ExpressionPtr level(int lowest);
  ExpressionPtr operand();
  ExpressionPtr primary();
  ExpressionPtr constructor(std::string_view end);
  ExpressionPtr argument();

  const Line &line_;
  const SourceText &text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
