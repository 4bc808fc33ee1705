// Finds the variables of one form of a function that vary between lanes: a fixpoint over assignments and conditions.
#pragma once

#include "jit/lanes/forms.hpp"

namespace op2::core::jit {

class Analysis {
 public:
  Analysis(Instance &instance, Forms &forms) : instance_(instance), forms_(forms), base_(instance.masked ? 1 : 0) {}

  void run();

 private:
  struct Loop {
    Statement *statement;  // a loop or a switch
    int breaks, continues; // depths up to which `break` and `continue` apply to all active lanes
  };

  void walk(Statement &statement);
  void walk_loop(Statement &statement);
  void walk_parts(Statement &statement);
  void declare(const Declarator &declarator, int line);
  void jump(Statement &statement);
  void return_statement(Statement &statement);

  void visit(Expression &expression);
  void visit_condition(Expression &expression, std::size_t first); // parts from `first` on are conditional on part 0
  void need_one_place(const Expression &e, int line, const char *use) const;
  void write(const Expression &left, const Expression *value, int line);
  void call(Expression &expression);
  std::vector<bool> arguments(const Expression &expression) const;

  void mark(Variable *variable, int line);
  void unite(Variable *a, Variable *b, int line);
  void set(bool &flag) {
    changed_ = changed_ || !flag;
    flag = true;
  }
  [[noreturn]] void refuse_at(int line, const std::string &what) const { refuse(*instance_.source, line, what); }

  Instance &instance_;
  Forms &forms_;
  const int base_; // depth outside of all conditions
  int depth_ = 0;  // number of enclosing conditions that vary between lanes
  bool changed_ = false;
  std::vector<Loop> loops_;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
