// What names and expressions of Fortran mean: declarations, types, constants.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jit/fortran/parse/project.hpp"

namespace op2::core::jit::fortran {

inline const Type logical_type{Type::Base::logical, 4, ""};

// The value of a constant expression.
struct Constant {
  Type type;
  long long integer = 0;
  double real = 0; // of kind 4: a value of float
  bool truth = false;
};

struct Meaning {
  const Symbol *symbol = nullptr;                    // a variable or constant
  const Unit *owner = nullptr;                       // whose it is
  const Unit *procedure = nullptr;                   // or a procedure
  const Record *record = nullptr;                    // a derived type; a generic name may be the same
  const std::vector<std::string> *generic = nullptr; // its procedures, as names of `owner`
  bool nothing() const { return !symbol && !procedure && !record && !generic; }
};

class Semantics {
 public:
  explicit Semantics(Project &project) : project_(project) {}

  // In the procedure or module `scope`: its own names, those of the modules it uses, those of its host. Throws Refusal
  // where two modules have the name.
  Meaning find(const Unit &scope, const std::string &name);
  // Why a name that has no text may be a function of the program's, although there is an intrinsic one of the name: "is
  // external", "may be of module 'm', which is not found". "" = it may not.
  std::string may_be_own(const Unit &scope, const std::string &name);
  // The type by declaration, or by the first letter.
  Type type_of(const Symbol &symbol, const Unit &owner);
  Type implicit_type(const std::string &name, const Unit &scope);
  // The derived type of this name; NULL if there is none.
  const Record *record(const std::string &name, const Unit &scope);
  // Where a variable of a common block begins in it, in bytes. Throws Refusal where it is not known.
  long common_offset(const Symbol &symbol, const Unit &owner);
  // A kind parameter of a literal or a conversion.
  int kind_of(const Expression &expression, const Unit &scope);

  // Without a value where it is no constant, or none that is known to the last bit.
  std::optional<Constant> constant(const Expression &expression, const Unit &scope);
  std::optional<long> integer(const Expression *expression, const Unit &scope);
  // The elements of a constant array, or of one with initial values, in their order.
  std::optional<std::vector<Constant>> elements(const Symbol &array, const Unit &owner);
  // Extents of an array whose bounds are constant.
  std::optional<std::vector<long>> extents(const Symbol &array, const Unit &owner);

  Project &project() { return project_; }
  [[noreturn]] static void refuse(const Unit &unit, int file, int line, const std::string &what);

 private:
  using Seen = std::set<std::pair<const Unit *, std::string>>; // modules that were asked, and for what
  Meaning in_module(const Unit &module, const std::string &name, Seen &seen);
  std::string own_in(const Unit &unit, const std::string &name, Seen &seen);
  Meaning used(const Unit &unit, const std::string &name, Seen &seen);
  std::optional<Constant> number(const std::string &word, const Unit &scope);
  std::optional<Constant> named(const std::string &name, const Unit &scope);
  std::optional<Constant> call(const Expression &expression, const Unit &scope);
  std::optional<Constant> binary(const Expression &expression, const Unit &scope);
  bool append(const Expression &value, const Unit &scope, std::vector<Constant> &out);

  Project &project_;
  int depth_ = 0;
  std::map<std::string, long> counters_; // of implied do loops
};

// Modules of libraries that programs rarely have as text, and that define no function with the name of an intrinsic
// one.
bool has_no_mathematics(const std::string &module);

// A constant of another type: as an assignment converts it.
Constant converted(const Constant &value, const Type &type);
// The type of an operation between numbers.
Type common_type(const Type &a, const Type &b);
std::string name_of(const Type &type); // "real(8)"

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
