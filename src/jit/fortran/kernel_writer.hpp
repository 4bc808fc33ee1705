// Writes a kernel of Fortran, and the procedures that it calls, in the words of C++ that generated code is made of.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "jit/fortran/effects.hpp"
#include "jit/fortran/variable.hpp"
#include "jit/text/kernel_text.hpp"

namespace op2::core::jit::fortran {

// What a call says of an argument: procedures with arrays of assumed shape, and with arrays whose size an
// argument tells, are written once for each.
struct Given {
  std::vector<std::optional<long>> extents; // of an array of assumed shape
  std::vector<long> strides;
  bool as_int = false;       // logical values are those of the program
  bool shifted = false;      // an array that begins at an index which code computes
  std::optional<long> value; // of an integer that bounds depend on
};
using Signature = std::vector<Given>; // one for each dummy argument

// A procedure that has been written. Its parameters are, in this order: those of the dummies, each with the extents and
// the first index that are not known; the variables of the host; the result, unless it is a number.
struct Helper {
  std::string name;
  struct Dummy {
    Variable variable;
    bool changed = false, by_value = false, assumed = false; // assumed: of assumed shape
    std::vector<bool> extents;                               // whether each one is passed
    bool shifted = false;                                    // whether the index at which it begins is passed
  };
  struct Capture {
    std::string name;
    bool changed = false;
  };
  std::vector<Dummy> dummies;
  std::vector<Capture> captures;
  Variable result;
  bool returns = false; // a number or a logical value
};

// What all procedures of a kernel share.
class KernelWriter {
 public:
  explicit KernelWriter(Project &project) : semantics_(project), effects_(semantics_) {}

  KernelText write(const Unit &kernel);

  // Writes the procedure unless it has been. For an internal one, `host` are the variables of the procedure around it,
  // whose code is `host_name`.
  const Helper &helper(const Unit &procedure, const Signature &signature, std::map<std::string, Variable> &host,
                       const std::string &host_name);
  // The name of a constant array.
  std::string constant_array(const Symbol &array, const Unit &owner);
  // Of a module, or of a common block.
  Variable program_variable(const Symbol &symbol, const Unit &owner);
  // The function for x ** n with a whole number n that is not known.
  std::string power_function(const Type &base, const Type &exponent);
  Semantics &semantics() { return semantics_; }
  EffectsOf &effects() { return effects_; }

 private:
  std::string free_name(const std::string &wanted);
  void add_parts(Variable &record, const Symbol &symbol, const Unit &owner);
  long bounds_of(Variable &variable, const Symbol &symbol, const Unit &owner);
  void add_variable(const Variable &variable, long size);

  Semantics semantics_;
  EffectsOf effects_;
  KernelText out_;
  std::map<std::pair<const Unit *, std::string>, Helper> helpers_;
  std::set<const Unit *> writing_;
  std::map<const Symbol *, std::string> arrays_;
  std::map<const Symbol *, Variable> program_;
  std::map<std::string, std::string> powers_;
  std::set<std::string> names_;
};

// C++ for values.
std::string spelling(const Type &type, bool as_int = false); // double, int, ...; bool for a logical
std::string literal(const Constant &value);
Scalar scalar_of(const Type &type);
std::string safe_name(const std::string &name); // no word of C++ and no function of mathematics

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
