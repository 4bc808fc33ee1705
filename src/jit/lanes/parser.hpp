// Parses tokens to the tree of tree.hpp: one object per function.
#pragma once

#include <map>
#include <string_view>
#include <utility>

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

class Parser {
 public:
  Parser(const Function &function, Globals &globals) : function_(function), tokens_(function.body), globals_(globals) {}

  FunctionDefinition function_definition();

 private:
  void note_sizes(const Parameter &parameter, Variable &variable);

  // parser.cpp: statements
  StatementPtr statement();
  StatementPtr compound_statement();
  StatementPtr if_statement();
  StatementPtr for_statement();
  StatementPtr while_statement();
  StatementPtr do_statement();
  StatementPtr labeled_statement();
  StatementPtr return_statement();
  StatementPtr declaration_statement();
  Declarator declarator(const Type &type);
  StatementPtr substatement(); // a branch or a body: its own scope even without braces

  // parse_lambda.cpp
  // What a lambda that is being read uses of what is around it: names in its body, variables for lambdas that it calls.
  struct Inside {
    std::size_t around; // number of scopes
    std::map<std::string, Variable *> names;
    std::vector<Variable *> passed;
    Scalar result = Scalar::none; // by its `return`
  };
  bool lambda_definition(Statement &out);
  ExpressionPtr called_lambda();
  void pass_captured(Expression &call, const Variable &lambda);
  Variable lambda(std::vector<Declarator> *copies);
  void lambda_head(Function &function);
  std::map<std::string, char> captures();
  void name_captures(const Lambda &lambda);
  void touch(Expression &expression, bool moves);
  void touch_arguments(Expression &call);
  void check_kept() const;

  // parse_type.cpp
  bool at_type(std::size_t ahead = 0) const;
  Type type();
  int ptr_operators(bool *last_is_const = nullptr);

  // parse_expression.cpp
  ExpressionPtr expression(); // with commas
  ExpressionPtr assignment();
  ExpressionPtr conditional();
  ExpressionPtr binary(int lowest);
  ExpressionPtr unary();
  ExpressionPtr postfix();
  ExpressionPtr primary_expression();
  ExpressionPtr id_expression();
  ExpressionPtr call(const Token &name, const Variable *lambda = nullptr);
  ExpressionPtr named_cast();
  ExpressionPtr cast_of(Type type, int pointers, ExpressionPtr operand, const Token &at);
  ExpressionPtr initializer_clause(); // an expression or a list

  // the tokens
  const Token &token(std::size_t ahead = 0) const;
  bool at(std::string_view spelling) const { return token().is(spelling); }
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling);
  Token take();
  [[noreturn]] void refuse_here(const std::string &what) const { refuse(function_, token().line, what); }

  // names
  Variable *declare(Variable variable, bool generated = false);
  Variable *find(const std::string &name);

  const Function &function_;
  const Tokens &tokens_;
  Globals &globals_;
  FunctionDefinition out_;
  std::vector<std::map<std::string, Variable *>> scopes_;
  std::vector<Inside> inside_;                         // lambdas that are being read
  std::vector<std::pair<const Variable *, int>> kept_; // pointers and arrays that lambdas capture by value, and lines
  bool constant_ = false;                              // what is read must be a constant of the language
  std::size_t next_ = 0;
};

// Moves declarations of counters that only their loops use into the loops.
void make_counters_private(FunctionDefinition &definition);

ExpressionPtr make(Expression::Kind kind, const Token &op);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
