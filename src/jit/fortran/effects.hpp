// Which names a procedure uses and which of them it changes, with the procedures that it calls.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "jit/fortran/meaning.hpp"

namespace op2::core::jit::fortran {

struct Effects {
  std::set<std::string> used, changed;        // names as the procedure sees them
  std::map<std::string, std::string> pointed; // pointers, and the arrays of addresses that c_f_pointer takes them from
};

// The variable that an element, a section or a component belongs to; "" for other expressions.
std::string root_of(const Expression &e);

class EffectsOf {
 public:
  explicit EffectsOf(Semantics &semantics) : semantics_(semantics) {}

  const Effects &of(const Unit &procedure);
  const StatementList &body(const Unit &procedure); // read once
  // The procedures that a name with arguments may call, several for a generic name; none: an array, a constructor, or
  // an intrinsic function.
  std::vector<const Unit *> called(const Unit &scope, const std::string &name);
  // Whether a call may change the dummy argument at this position.
  bool changes(const Unit &procedure, std::size_t dummy);

 private:
  void statements(const Unit &unit, const StatementList &list, Effects &out);
  void expression(const Unit &unit, const Expression *e, Effects &out);
  void call(const Unit &callee, const Expression &e, Effects &out);
  void call_any(const Unit &unit, const Expression &e, Effects &out);
  void associate(const Unit &unit, const Statement &s, Effects &out);

  Semantics &semantics_;
  std::map<const Unit *, Effects> known_;
  std::map<const Unit *, StatementList> bodies_;
  std::set<const Unit *> reading_;
};

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
