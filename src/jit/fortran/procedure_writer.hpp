// Writes one procedure; see kernel_writer.hpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jit/fortran/kernel_writer.hpp"

namespace op2::core::jit::fortran {

class ProcedureWriter {
 public:
  // signature: NULL for a kernel, all of whose dummy arguments are pointers.
  ProcedureWriter(KernelWriter &kernel, const Unit &unit, const Signature *signature,
                  std::map<std::string, Variable> *host);

  // Parameters, result and body.
  Function write(const std::string &name, Helper *helper);

 private:
  struct Value {
    std::string code;
    Type type;
  };
  using Indices = std::vector<Amount>; // positions in the dimensions of an array expression, from 0
  using Shape = std::vector<Amount>;   // extents; empty: a scalar

  // procedure_writer.cpp: the head
  void dummies(Function &out, Helper *helper);
  void dummy_parameters(Function &out, Helper &helper);
  void kernel_parameters(Function &out);
  void row_as_record(Variable &record, const Symbol &symbol) const;
  void addresses(Function &out, const std::string &name);
  void captures(Function &out, Helper &helper);
  Parameter parameter(const Variable &variable, bool pointer, bool reference, bool changed) const;

  // declare.cpp: variables
  void locals();
  void local(const std::string &name, const Symbol &symbol);
  void constant_record(const std::string &name, const Symbol &symbol, const Unit &owner);
  void result(Function &out, Helper &helper);
  void declare(const Variable &variable, const std::string &name);
  void initialise(const Variable &record);
  Variable variable_of(const Symbol &symbol, const Unit &owner, const std::string &code, const Given *given = nullptr);
  void set_bounds(Variable &variable, const Symbol &symbol, const Unit &owner, const Given *given);
  void add_parts(Variable &record, const Unit &owner);
  bool is_fixed(const std::string &name, const Meaning &meaning);
  Variable &variable(const std::string &name);
  bool is_variable(const std::string &name);

  // reference.cpp: whole variables, elements, sections, components
  bool is_designator(const Expression &e);
  Variable view(const Expression &e);
  Variable subscripted(Variable variable, const std::vector<ExpressionPtr> &subscripts, std::size_t first,
                       const std::string &name);
  Amount position(const Dimension &dimension, const Expression &subscript, const std::string &name);
  Dimension section(const Dimension &dimension, const Expression &range, const std::string &name, Amount *first);
  std::string place(const Variable &view, const Indices &at) const;
  Amount amount(const Expression &e);
  std::optional<long> known_number(const Expression *e);
  std::optional<Amount> inquiry(const Expression &e);

  // write_statement.cpp
  void put(const StatementList &list);
  void put(const Statement &s);
  void put_assignment(const Statement &s);
  void put_choice(const Statement &s, std::size_t branch);
  void put_select(const Statement &s);
  void put_count(const Statement &s);
  void put_repeat(const Statement &s);
  void put_body(const Statement &s, const std::string &head, const std::string &first);
  void put_jump(const Statement &s);
  void put_associate(const Statement &s);
  void put_pointer(const Expression &e);
  std::string case_condition(const std::vector<ExpressionPtr> &cases, const Value &selector);

  // write_array.cpp: assignments to arrays and to values of derived types
  void store(const Variable &left, const Indices &at, const Value &value);
  void put_array_assignment(const Variable &left, const Expression &right, const std::string &name);
  void put_record_assignment(const Variable &left, const Expression &right, const std::string &name);
  Variable copy_of(const Variable &record, const std::string &name);
  void put_leaves(const Variable &left, const Variable &right);
  void put_each(const Shape &shape, const std::function<void(const Indices &)> &put);
  void put_through_copy(const Variable &left, const Expression &right);
  void put_masked(const Variable &left, const Expression &right, const std::vector<std::string> &masks);
  void put_where(const Statement &s);
  bool mixes(const Expression &e, const Variable &left);
  bool reads(const Expression &e, const std::string &name) const;
  std::vector<Indices> all_indices(const Shape &shape) const;

  // write_value.cpp: elements of expressions
  Value scalar(const Expression &e);
  std::string condition(const Expression &e);
  Value element(const Expression &e, const Indices &at);
  Value unary(const Expression &e, const Indices &at);
  Value binary(const Expression &e, const Indices &at);
  Value power(const Value &base, const Expression &exponent, const Indices &at);
  Value whole_power(const Value &base, long exponent);
  Value constructed(const Expression &e, const Amount &at);
  std::string converted_to(const Value &value, const Type &type) const;
  std::string named(const Value &value); // its code if that is short, or a constant that is given the value
  std::string kept(const Value &value);  // such a constant
  Amount kept(const Amount &amount);

  // write_call.cpp: procedures
  const Unit *callee_of(const Expression &e); // NULL: none whose text is known
  bool fits(const Unit &procedure, const Expression &e);
  const Expression &argument_of(const Unit &callee, const Expression &e, std::size_t dummy);
  Signature signature_of(const Unit &callee, const Expression &e);
  void put_call(const Expression &e);
  Value call(const Unit &callee, const Expression &e, const Indices &at);
  std::string arguments(const Unit &callee, const Expression &e, const Helper &helper, const Indices &at);
  void pass(const Helper::Dummy &dummy, const Expression &e, const Indices &at, const std::string &whose,
            std::vector<std::string> &out);
  void pass_leaf(const Variable &to, const Variable &from, const Helper::Dummy &dummy, std::vector<std::string> &out);
  Variable value_in_memory(const Expression &e, const Type &type, const std::string &whose);
  Variable packed(const Variable &view, bool changed);
  ExpressionPtr settled(const ExpressionPtr &e, bool all_calls = false);
  ExpressionPtr large_result(const Unit &callee, const Expression &e);
  ExpressionPtr temporary(Variable variable);

  // write_shape.cpp: shapes and types
  Shape shape(const Expression &e);
  Shape shape_of_view(const Variable &view, const std::string &name) const;
  Shape shape_of_call(const Expression &e);
  Shape common_shape(const Shape &a, const Shape &b, const std::string &around) const;
  std::optional<long> size_of(const Shape &shape) const;
  Type type(const Expression &e);
  Type type_of_call(const Expression &e);

  // write_intrinsic.cpp
  bool is_intrinsic(const std::string &name) const;
  Value intrinsic(const Expression &e, const Indices &at);
  Value converting(const Expression &e, const Value &x);
  Value mathematics(const std::string &name, const Expression &e, const Indices &at);
  Value extreme(const Expression &e, const Indices &at);
  Value product(const Expression &e, const Indices &at);
  int kind_argument(const Expression &e, std::size_t position, int otherwise);

  // write_reduction.cpp
  struct Reduction {
    const Expression *array = nullptr, *other = nullptr, *mask = nullptr; // other: of dot_product
    std::optional<long> dimension;
  };
  static bool is_reduction(const std::string &name);
  Reduction reduction_of(const Expression &e);
  Value reduction(const Expression &e, const Indices &at);
  Value reduced_by_loop(const Expression &e, const Reduction &r, const Shape &of);
  static std::string started(const std::string &name, const Type &type);
  std::string joined(const std::string &name, const std::string &so_far, const Reduction &r, const Indices &at,
                     const Type &type);
  std::string condition_at(const Expression &e, const Indices &at, const std::string &whose);
  bool is_large(const Expression &e);

  void emit_text(const std::string &text);
  std::string new_name(const char *what);
  [[noreturn]] void refuse(const std::string &what) const; // at the statement that is being written

  KernelWriter &kernel_;
  Semantics &semantics_;
  const Unit &unit_;
  const Signature *signature_;
  std::map<std::string, Variable> *host_;
  std::map<std::string, Variable> variables_;
  std::map<std::string, long> known_; // dummies whose value is known
  Effects effects_;
  Tokens out_;
  std::string name_;   // of its code
  std::string result_; // the code of the result; "" where nothing is returned
  struct Loop {
    std::string name, leaves, goes_on; // variables that say how inner loops ended
  };
  std::vector<Loop> loops_;
  std::vector<std::pair<Variable, Variable>> packed_; // sections and copies of them, which a call changes
  int line_ = 0, file_ = 0, names_ = 0, depth_ = 0, choices_ = 0;
};

constexpr long most_unrolled = 64;  // elements of an array that are written one by one
constexpr long largest_copy = 4096; // elements of an array that code makes for itself

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
