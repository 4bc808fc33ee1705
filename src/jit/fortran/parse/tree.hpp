// Fortran program units as trees: what a kernel and the procedures that it calls are made of.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "jit/fortran/parse/lines.hpp"

namespace op2::core::jit::fortran {

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Expression {
  enum class Kind {
    number,      // word
    logical,     // word: .true. or .false.
    text,        // word
    name,        // word
    reference,   // word(parts): an element, a section, or a call
    component,   // 0%word(other parts)
    unary,       // word 0
    binary,      // 0 word 1
    grouped,     // (0)
    range,       // 0:1:2, each may be NULL
    constructor, // [parts]
    implied_do,  // (parts..., word = bounds)
    keyword,     // word = 0, among arguments
    other,       // word: what is not read
  };
  Kind kind = Kind::number;
  std::string word;
  std::vector<ExpressionPtr> parts, bounds;
};

struct Statement;
using StatementList = std::vector<Statement>;

// Of if and select case, in order; the body of a loop.
struct Branch {
  ExpressionPtr condition;          // NULL: else
  std::vector<ExpressionPtr> cases; // values and ranges; none: default
  StatementList body;
  int line = 0;
};

struct Statement {
  enum class Kind {
    assignment, // left = right
    call,       // left: a reference or name
    choice,     // if
    select,     // right: the selector
    count,      // do left = bounds[0], bounds[1], bounds[2]
    repeat,     // do while (right); do without an end: right is NULL
    where,      // branches
    associate,  // names within the only branch
    leave,      // return
    exit,
    cycle,
    nothing,
    other, // name: what is not read
  };
  Kind kind = Kind::nothing;
  int line = 0, file = 0;
  std::string name; // of the construct; of the loop that exit and cycle mean; "do concurrent" of its mask
  ExpressionPtr left, right;
  std::vector<ExpressionPtr> bounds;
  std::vector<Branch> branches;
  std::vector<std::pair<std::string, ExpressionPtr>> names; // of associate
};

using Action = Statement::Kind;

struct Record;

struct Type {
  enum class Base { integer, real, logical, record, other };
  Base base = Base::other;
  int kind = 0;                   // bytes
  std::string called;             // record and other: "type(state)"
  const Record *record = nullptr; // its components
  bool operator==(const Type &) const = default;
};

struct Bound {
  ExpressionPtr lower, upper; // NULL: 1; unknown
  bool assumed = false;       // (*)
  bool deferred = false;      // (:)
};

// A declared name.
struct Symbol {
  enum class Intent { none, in, out, inout };
  std::string name;
  bool typed = false;
  Type::Base base = Type::Base::other;
  ExpressionPtr kind; // NULL: the default
  int bytes = 0;      // of real*8 and double precision; 0: `kind` says
  std::string called; // of other types
  bool array = false;
  std::vector<Bound> bounds;
  bool parameter = false, dummy = false, by_value = false, saved = false;
  Intent intent = Intent::none;
  ExpressionPtr value;
  std::string unusable; // "is allocatable"
  std::string common;   // the block that it lies in; "/" the one without a name
  int position = 0;     // among the names of its unit, in the order of the text
  int line = 0, file = 0;
};

struct Unit;

// A derived type.
struct Record {
  std::string name;
  std::vector<Symbol> parts;      // in the order of the text
  std::vector<std::string> bound; // its procedures
  std::string unusable;           // "extends another type"
  const Unit *owner = nullptr;
  int line = 0, file = 0;
};

struct Use {
  std::string module;
  bool only = false, intrinsic = false;
  std::vector<std::pair<std::string, std::string>> names; // here, there
  int line = 0, file = 0;
};

// The text of a file, parsed once.
struct SourceText;

struct Unit {
  enum class Kind { module, program, subroutine, function, other };
  Kind kind = Kind::other;
  std::string name, result; // the name of a function's result
  std::vector<std::string> dummies;
  std::vector<Use> uses;
  std::map<std::string, Symbol> symbols;
  std::vector<std::pair<std::string, std::string>> unread; // names in declarations that are not read, and why
  bool implicit_none = false;
  bool saves = false;              // a bare `save`
  bool elemental = false;          // for each element of arrays
  std::map<char, Symbol> implicit; // by first letter: only the type counts
  std::vector<std::unique_ptr<Unit>> inside;
  std::map<std::string, std::vector<std::string>> generics; // names of interface blocks: their procedures
  std::set<std::string> outside;                            // external procedures with their heads in interface blocks
  std::map<std::string, Record> records;
  std::map<std::string, std::vector<std::string>> commons; // the names in each block, in order
  ExpressionPtr formula;                                   // the body of a statement function
  bool hidden = false;                                     // a bare `private`
  std::map<std::string, bool> shown;                       // names with `public` or `private` of their own
  std::size_t body_begin = 0, body_end = 0;                // its statements, in the lines of the text
  std::size_t begin = 0, end = 0;                          // all of it, in the same
  std::vector<Line> body; // the same as they are read, where constructs have names of their own
  int line = 0, file = 0;
  const Unit *host = nullptr;
  const SourceText *text = nullptr;

  bool is_procedure() const { return kind == Kind::subroutine || kind == Kind::function; }
};

struct SourceText {
  std::string path;
  Statements statements;
  std::vector<std::unique_ptr<Unit>> units;
  std::string place(int file, int line) const;
};

// Its program units, with their declarations. Bodies are read by read_body().
std::unique_ptr<SourceText> read_units(const FortranUnit &unit);

StatementList read_body(const Unit &procedure);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
