// Writes one procedure; see kernel_writer.hpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jit/fortran/kernel_writer.hpp"

namespace op2::core::jit::fortran {

class ProcedureWriter {
 public:
  // as_kernel: all dummy arguments are pointers.
  ProcedureWriter(KernelWriter &kernel, const Unit &unit, bool as_kernel, std::map<std::string, Variable> *host);

  // Parameters, result and body.
  Function write(const std::string &name, Helper *helper);

 private:
  struct Value {
    std::string code;
    Type type;
  };
  // A position in one dimension of an array expression, from 0.
  struct Index {
    std::optional<long> number;
    std::string code;
  };
  using Indices = std::vector<Index>;
  using Shape = std::vector<long>; // extents; empty: a scalar

  // procedure_writer.cpp: the head, declarations
  void dummies(Function &out, Helper *helper);
  void captures(Function &out, Helper &helper);
  void locals(Function &out);
  Variable variable_of(const Symbol &symbol, const Unit &owner);
  Parameter parameter(const Variable &variable, bool pointer, bool reference, bool changed) const;
  Variable &variable(const std::string &name);
  bool is_variable(const std::string &name);

  // write_statement.cpp
  void put(const StatementList &list);
  void put(const Statement &s);
  void put_assignment(const Statement &s);
  void put_array_assignment(const Expression &left, const Expression &right);
  void put_masked(const Expression &left, const Expression &right, const std::vector<std::string> &masks);
  void put_choice(const Statement &s, std::size_t branch);
  void put_select(const Statement &s);
  void put_count(const Statement &s);
  void put_repeat(const Statement &s);
  void put_where(const Statement &s);
  void put_call(const Expression &e);
  void put_jump(const Statement &s);
  bool reads(const Expression &e, const std::string &name);
  std::vector<Indices> all_indices(const Shape &shape) const;
  std::string case_condition(const std::vector<ExpressionPtr> &cases, const Value &selector);
  void store(const Expression &left, const Indices &at, const Value &value);

  // write_value.cpp: elements of expressions
  Value scalar(const Expression &e);
  std::string condition(const Expression &e);
  Value element(const Expression &e, const Indices &at);
  Value unary(const Expression &e, const Indices &at);
  Value binary(const Expression &e, const Indices &at);
  Value power(const Value &base, const Expression &exponent, const Indices &at);
  Value constructed(const Expression &e, const Index &at);
  std::string place(const Expression &e, const Indices &at); // of a variable, or an element of one
  std::string subscripted(const Variable &variable, const Indices &at);
  Index position(const Dimension &dimension, const Value &subscript, const std::optional<long> &number);
  Value call(const Unit &callee, const Expression &e, const Indices &at);
  std::string arguments(const Unit &callee, const Expression &e, const Helper &helper, const Indices &at);
  std::string array_argument(const Expression &e, const Helper::Argument &parameter);
  std::string converted_to(const Value &value, const Type &type) const;
  std::string named(const Value &value); // its code if that is short, or a constant that is given the value
  std::string kept(const Value &value);  // such a constant

  // write_shape.cpp: shapes and types
  Shape shape(const Expression &e);
  Shape shape_of(const Variable &variable, const std::string &name);
  Shape shape_of_call(const Expression &e);
  long length_of(const Expression &range, const Dimension &dimension);
  Type type(const Expression &e);
  Type type_of_call(const Expression &e);

  // write_intrinsic.cpp
  bool is_intrinsic(const std::string &name) const;
  Value intrinsic(const Expression &e, const Indices &at);
  Value mathematics(const std::string &name, const Expression &e, const Indices &at);
  Value extreme(const Expression &e, const Indices &at);
  Value reduction(const Expression &e, const Indices &at);
  Value product(const Expression &e, const Indices &at);
  int kind_argument(const Expression &e, std::size_t position, int otherwise);

  void emit_text(const std::string &text);
  std::string new_name(const char *what);
  [[noreturn]] void refuse(const std::string &what) const; // at the statement that is being written
  void check_doubt(const Statement &s) const;

  KernelWriter &kernel_;
  Semantics &semantics_;
  const Unit &unit_;
  bool as_kernel_;
  std::map<std::string, Variable> *host_;
  std::map<std::string, Variable> variables_;
  Effects effects_;
  Tokens out_;
  std::string result_;             // the code of the result; "" in a subroutine
  std::vector<std::string> loops_; // names of the constructs around
  int line_ = 0, file_ = 0, names_ = 0, depth_ = 0;
};

} // namespace op2::core::jit::fortran
