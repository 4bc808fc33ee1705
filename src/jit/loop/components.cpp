// components.cpp: see components.hpp.
#include "jit/loop/components.hpp"

#include <algorithm>

#include "jit/lanes/facts.hpp"
#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

namespace {

using Kind = Expression::Kind;

constexpr int often = 1000; // additions: in a loop

// Measured (AMD EPYC, doubles, gcc 12): with a row of zeros in memory an element takes 5 to 15 ns more than when it
// adds to the mesh's row, whether the row is read in vectors or value by value; with a comparison per component and
// addition, up to 0.25 ns for each of these. Rows of up to four values fit one vector.
constexpr int most_comparisons = 16, shortest_row = 4;

bool mentions(const Expression &e, const Variable *row) {
  return (e.kind == Kind::id && e.variable == row) ||
         std::any_of(e.parts.begin(), e.parts.end(), [&](const ExpressionPtr &part) { return mentions(*part, row); });
}

class Additions {
 public:
  explicit Additions(const Variable *row) : row_(row) {}

  void look_at(const Statement &statement);

  bool others = false;    // the kernel does something else with the row
  bool own_index = false; // some index is neither a literal nor a counter
  int most = 0;           // additions of an element

 private:
  void mentioned_in(const Statement &statement);
  bool adds(const Expression &e);
  bool known(const Expression &index) const;

  const Variable *row_;
  std::vector<const Variable *> counters_; // of the loops around
  bool in_loop_ = false;
};

// A loop with such indices is unrolled, and its rows are registers. What op_decl_const() declared has no value here.
bool Additions::known(const Expression &index) const {
  if (index.kind == Kind::id) {
    const Variable &variable = *index.variable;
    return std::find(counters_.begin(), counters_.end(), &variable) != counters_.end() || variable.type.is_constexpr ||
           (variable.global && variable.type.scalar != Scalar::other);
  }
  if (index.kind == Kind::subscript || index.kind == Kind::call || index.kind == Kind::member_access) return false;
  return std::all_of(index.parts.begin(), index.parts.end(), [&](const ExpressionPtr &part) { return known(*part); });
}

// row[index] += value; or row[index]++;
bool Additions::adds(const Expression &e) {
  const bool counts = is_increment_or_decrement(e);
  if (!counts && (e.kind != Kind::assignment || !(e.op.is("+=") || e.op.is("-=")))) return false;
  const Expression &place = without_parentheses(e[0]);
  const bool first = place.kind == Kind::unary && place.op.is("*"); // *row
  if (!first && place.kind != Kind::subscript) return false;
  if (place[0].kind != Kind::id || place[0].variable != row_) return false;
  if (!first && mentions(place[1], row_)) return false;
  if (!counts && (mentions(e[1], row_) || e[1].kind == Kind::braced_init_list)) return false;
  own_index = own_index || (!first && !known(place[1]));
  return true;
}

void Additions::mentioned_in(const Statement &statement) {
  for (const auto *part : {&statement.condition, &statement.step}) others = others || (*part && mentions(**part, row_));
  for (const Declarator &declarator : statement.declarators) {
    others = others || (declarator.value && mentions(*declarator.value, row_));
    for (const ExpressionPtr &extent : declarator.extents) others = others || (extent && mentions(*extent, row_));
  }
}

void Additions::look_at(const Statement &statement) {
  if (statement.kind == Statement::Kind::expression && adds(*statement.condition)) {
    most += in_loop_ ? often : 1;
    return;
  }
  mentioned_in(statement);
  if (statement.kind == Statement::Kind::selection_if) { // one side of it
    const int before = most;
    int longest = before;
    for (const StatementPtr &part : statement.parts) {
      most = before;
      look_at(*part);
      longest = std::max(longest, most);
    }
    most = longest;
    return;
  }
  const bool around = in_loop_;
  const std::size_t counters = counters_.size();
  in_loop_ = in_loop_ || statement.is_iteration();
  if (statement.init_statement) {
    for (const Declarator &declarator : statement.init_statement->declarators) counters_.push_back(declarator.variable);
    look_at(*statement.init_statement);
  }
  for (const StatementPtr &part : statement.parts) look_at(*part);
  counters_.resize(counters);
  in_loop_ = around;
}

} // namespace

Components added_components(const KernelText &kernel, std::size_t position, int dim) {
  if (!kernel.excerpt.empty() || dim < 2) return Components::any;
  const Parameter &parameter = kernel.kernel.parameters[position];
  if (parameter.pointers != 1 || parameter.reference) return Components::any;
  try {
    Globals globals = globals_of(kernel);
    const FunctionDefinition definition = parse(kernel.kernel, globals);
    Additions found(definition.parameters[position]);
    found.look_at(*definition.body);
    if (found.others || !found.own_index) return Components::any;
    if (found.most == 1) return Components::once;
    return dim <= shortest_row || found.most * dim <= most_comparisons ? Components::few : Components::any;
  } catch (const Refusal &) { // constructs that are not understood
    return Components::any;
  }
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
