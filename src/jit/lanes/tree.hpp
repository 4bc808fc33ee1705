// The statements of a function as a tree, from which the forms for lanes are derived.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

struct Instance;

// The decl-specifiers of a declaration: a type without its pointers.
struct Type {
  Scalar scalar = Scalar::other;
  bool is_const = false;
  bool is_constexpr = false;
  bool is_auto = false;
  bool narrow = false; // char or short: promoted to int in computations
  Tokens spelled;      // without const
};

struct Variable {
  std::string name;
  Type type;
  int pointers = 0; // levels
  int arrays = 0;   // dimensions
  bool reference = false;
  bool const_pointer = false; // the pointer itself is const
  bool parameter = false;
  bool global = false; // of the program, or a constant: never written
  int extent = -1;     // elements of a local one-dimensional array, if given by a literal

  // Results of the analysis. A pointer itself is the same for all lanes; `varying` is about the values that it points
  // to.
  bool varying = false;
  Variable *alias = nullptr; // refers to the same values: its results apply to both
  int depth = 0;             // conditions varying between lanes around its declaration
  bool fixed = false;        // must be the same for all lanes; read-only
  bool assigned = false;     // a pointer: outside its declaration
  bool changed = false;      // its values: outside its declaration and the step of its own loop
  long bound = -1;           // a loop's counter is always below this and never negative

  std::string mask; // for Writer: the mask at its declaration

  std::size_t touched = 0, moved = 0; // for Parser: the last place where it, or a pointer itself, may be changed
  // Not a variable, but the name of a lambda: its function, and what its calls pass behind their arguments.
  const Function *lambda = nullptr;
  std::vector<Variable *> captured;

  bool is_value() const { return pointers == 0 && arrays == 0; }
};

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind {
    id,               // variable
    literal,          // op
    parenthesized,    // (0)
    unary,            // op 0
    postfix,          // 0 op
    binary,           // 0 op 1; also the comma
    assignment,       // 0 op 1
    conditional,      // 0 ? 1 : 2
    call,             // op(0, 1, ...)
    subscript,        // 0[1]
    member_access,    // 0.op or 0->op
    cast,             // (type)0
    braced_init_list, // {0, 1, ...}
  };
  Kind kind = Kind::literal;
  Token op;
  std::vector<ExpressionPtr> parts;
  Variable *variable = nullptr;
  Type type;        // of a cast; of min<double>; of the result of a mathematical function, if it is known
  int pointers = 0; // of a cast
  bool arrow = false;
  bool templated = false;           // a call with a type in <>
  const Function *helper = nullptr; // of a call; NULL: a mathematical function
  Instance *instance = nullptr;     // the form of the helper that is called

  const Expression &operator[](std::size_t i) const { return *parts[i]; }
  Expression &operator[](std::size_t i) { return *parts[i]; }
};

struct Declarator {
  Variable *variable = nullptr;
  std::vector<ExpressionPtr> extents;
  ExpressionPtr value;
  bool direct = false; // (value) or {value} without '='
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

struct Statement {
  enum class Kind {
    compound,         // parts
    declaration,      // declarators
    expression,       // condition is the expression
    selection_if,     // if (condition) 0 else 1
    selection_switch, // switch (condition) 0
    iteration_for,    // for (init_statement condition; step) 0
    iteration_while,  // while (condition) 0
    iteration_do,     // do 0 while (condition)
    labeled,          // case condition: or default:
    jump_break,
    jump_continue,
    jump_return, // return condition
    null,
  };
  Kind kind = Kind::null;
  int line = 0;
  ExpressionPtr condition, step;
  StatementPtr init_statement;
  std::vector<StatementPtr> parts;
  std::vector<Declarator> declarators;
  bool is_constexpr = false;

  // Results of the analysis for a loop: some lanes may end it before others (by its condition or by `break`), may skip
  // the rest of its body (`continue`), or may return within it.
  bool diverges = false, skips = false, returns = false;
  bool apart = false; // a jump: not taken by all active lanes

  bool is_iteration() const {
    return kind == Kind::iteration_for || kind == Kind::iteration_while || kind == Kind::iteration_do;
  }
  const Statement &operator[](std::size_t i) const { return *parts[i]; }
  Statement &operator[](std::size_t i) { return *parts[i]; }
};

struct FunctionDefinition {
  const Function *source = nullptr;
  std::deque<Variable> variables; // addresses stay
  std::vector<Variable *> parameters;
  StatementPtr body;
};

// A lambda, as a function with a parameter for each captured variable behind its own parameters.
struct Lambda {
  Function function;
  std::vector<Variable *> captured;
  std::map<std::string, Variable *> names; // that its body uses of what is around it
};

// All names of the text at namespace scope, and the lambdas that have been read.
struct Globals {
  std::deque<Variable> variables; // constants and enumerators
  std::vector<const Function *> helpers;
  std::vector<std::string> types; // of structs
  bool c_language = false;
  std::deque<Lambda> lambdas;
  int made = 0; // number of names for lambdas and copies
  Variable *variable(const std::string &name);
  const Function *helper(const std::string &name) const;
};
Globals globals_of(const KernelText &text);

// Throws Refusal for unsupported constructs.
FunctionDefinition parse(const Function &function, Globals &globals);

// A `switch` in which no case falls through to another one, as a chain of `if`: what to do may differ between elements
// then. Any other one as it is.
StatementPtr as_choice(StatementPtr whole);

// Throws Refusal("file:line: what").
[[noreturn]] void refuse(const Function &function, int line, const std::string &what);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
