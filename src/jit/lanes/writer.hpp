// Writes one form of a function as C++, from its tree and the results of the analysis.
//
// Where lanes take different branches, the code executes all branches. mask_ names the mask of the active lanes; a
// branch changes outer variables and memory in these lanes only.
#pragma once

#include <string>
#include <vector>

#include "base/text.hpp"
#include "jit/lanes/forms.hpp"
#include "jit/lanes/known_memory.hpp"

namespace op2::core::jit {

class Writer {
 public:
  explicit Writer(const Instance &instance) : instance_(instance) {}

  std::string function();

 private:
  struct Loop {
    std::string staying,
        running; // masks: lanes that have not left the loop; lanes that have not skipped the rest of its body
    int breaks = 0, continues = 0; // number of written statements that deactivate lanes
  };

  // writer.cpp: functions, declarations
  std::string head() const;
  void declare(const Declarator &declarator);
  std::string declaration(const Declarator &declarator);

  // write_statement.cpp
  void put(const Statement &statement);
  void put_list(const std::vector<StatementPtr> &parts, std::size_t from);
  void put_rest(const std::vector<StatementPtr> &parts, std::size_t from, const std::string &mask);
  void put_body(const Statement &statement); // the body of an if or a loop, without its braces
  void put_if(const Statement &statement);
  void put_way(const Statement &statement, const std::string &mask);
  void put_switch(const Statement &statement);
  void put_jump(const Statement &statement);
  void put_return(const Statement &statement);
  std::string effect(const Expression &expression); // an expression as a statement
  std::string assignment(const Expression &expression);
  std::string scattered(const Expression &left, const std::string &value_text);
  std::string masked(const Expression &left, const std::string &value);

  // write_loop.cpp
  void put_loop(const Statement &statement);
  void put_plain_loop(const Statement &statement);
  void put_masked_loop(const Statement &statement);
  bool open_for(const Statement &statement); // writes declarations before it; true: opened a block for them
  std::string for_init(const Statement &statement);

  // write_expression.cpp
  std::string value(const Expression &expression);
  std::string unary(const Expression &expression);
  std::string binary(const Expression &expression);
  std::string conditional(const Expression &expression);
  std::string gather(const Expression &e);
  std::string access(const Expression &expression);
  std::string call(const Expression &expression);
  std::string cast(const Expression &expression);
  std::string lazily(const Expression &expression); // a lambda
  void check_effect(const Expression &left);
  void check_order(const Expression &expression) const;
  void check_operands(const Expression &expression) const;

  bool needs_mask(const Expression &left) const;
  std::string with(const std::string &condition) const; // the condition in the active lanes
  std::string new_name(const char *stem) { return text("op2_", stem, ++names_); }
  void line(const std::string &text);
  void open(const std::string &text);
  void close(const std::string &text = "}");
  [[noreturn]] void refuse_at(int line, const std::string &what) const { refuse(*instance_.source, line, what); }

  const Instance &instance_;
  std::string out_;
  int indent_ = 0, names_ = 0, returns_ = 0;
  int arms_ = 0; // number of enclosing expressions that only some lanes evaluate
  std::string mask_, base_mask_;
  std::vector<Loop> loops_;
  KnownMemory known_;
};

// op2_double for float64.
std::string lanes_of(Scalar scalar);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
