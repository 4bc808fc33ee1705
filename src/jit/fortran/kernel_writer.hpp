// Writes a kernel of Fortran, and the procedures that it calls, in the words of C++ that generated code is made of.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "jit/fortran/effects.hpp"
#include "jit/text/kernel_text.hpp"

namespace op2::core::jit::fortran {

// One dimension of an array as code uses it.
struct Dimension {
  std::optional<long> lower, extent;
  std::string lower_code, extent_code; // where they are no constants
};

// How code reaches a variable.
struct Variable {
  std::string code; // its name
  Type type;
  bool array = false;
  bool indirect = false; // a scalar behind a pointer: code[0]
  bool as_int = false;   // a logical that is stored as an int
  bool changeable = true;
  std::vector<Dimension> dimensions;
};

// A procedure that has been written.
struct Helper {
  std::string name;
  Type result;
  struct Argument {
    std::string name;
    Type type;
    bool array = false, reference = false, captured = false;
  };
  std::vector<Argument> arguments; // dummies, then variables of the host
};

// What all procedures of a kernel share.
class KernelWriter {
 public:
  explicit KernelWriter(Project &project) : semantics_(project), effects_(semantics_) {}

  KernelText write(const Unit &kernel);

  // Writes the procedure unless it has been. For an internal one, `host` are the variables of the procedure around it.
  const Helper &helper(const Unit &procedure, std::map<std::string, Variable> &host);
  // The name of a constant array.
  std::string constant_array(const Symbol &array, const Unit &owner);
  Variable program_variable(const Symbol &symbol, const Unit &owner);
  Semantics &semantics() { return semantics_; }
  EffectsOf &effects() { return effects_; }

 private:
  std::string free_name(const std::string &wanted);

  Semantics semantics_;
  EffectsOf effects_;
  KernelText out_;
  std::map<const Unit *, Helper> helpers_;
  std::set<const Unit *> writing_;
  std::map<const Symbol *, std::string> arrays_;
  std::map<const Symbol *, Variable> program_;
  std::set<std::string> names_;
};

// C++ for values.
std::string spelling(const Type &type, bool as_int = false); // double, int, ...; bool for a logical
std::string literal(const Constant &value);
Scalar scalar_of(const Type &type);
std::string safe_name(const std::string &name); // no word of C++ and no function of mathematics

} // namespace op2::core::jit::fortran
