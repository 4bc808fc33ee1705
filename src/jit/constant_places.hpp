// Whether the variable that a kernel's text names is one that op_decl_const() was told of. Names do not tell: two
// source files may have a variable of one name each, and a kernel in a third one may have its own. The symbols of the
// object that contains the kernel do.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/program/symbol_table.hpp"
#include "jit/loop/loop_code.hpp"
#include "jit/text/find_kernel.hpp"
#include "jit/text/kernel_text.hpp"
#include "op2/loop.h"

namespace op2::core::jit {

struct ConstantValue {
  ConstantShape shape;
  const void *value;              // must stay valid
  const void *variable = nullptr; // of the program, as it was declared
  bool of_no_variable = false;    // nobody knows to which variable of this name the value belongs
};

// Why the value of a constant is not used. It may depend on what the program has declared when the loop is prepared.
class ConstantRefusal : public Refusal {
 public:
  using Refusal::Refusal;
};

struct KernelOfProgram {
  op_kernel_fn element; // may be NULL
  op_range_fn range;    // may be NULL
  const char *file;     // of the loop; may be NULL

  const void *address() const {
    return element ? reinterpret_cast<const void *>(element) : reinterpret_cast<const void *>(range);
  }
};

class ConstantPlaces {
 public:
  // Sets address and place of each of text.places to those of a variable that is among the constants for certain.
  // Throws ConstantRefusal.
  void find(KernelText &text, const KernelOfProgram &kernel, std::span<const ConstantValue> constants);
  // The constant of such a place, in a later run of the program; NULL if the place is no longer certain.
  const ConstantValue *recall(const std::string &place, const void *kernel,
                              std::span<const ConstantValue> constants) const;
  static bool is_place(const std::string &name) { return name.find('@') != name.npos; }

 private:
  struct Object {
    LoadedObject loaded;
    SymbolTable table;
  };
  const Object &object_of(const KernelOfProgram &kernel, const std::string &name);

  std::map<std::string, std::unique_ptr<Object>> objects_; // by path and time
};

// What the reader of a text needs to know of them. Which of several variables of one name the text means is found out
// later: if they are of different types, the text may have any.
std::vector<DeclaredConstant> names_of(std::span<const ConstantValue> constants);
// How recall() finds the variables of these constants again.
std::vector<std::string> places_of(const KernelText &kernel, const LoopShape &shape);

// That of this name and variable; NULL if there is none.
const ConstantValue *constant_at(std::span<const ConstantValue> constants, const std::string &name,
                                 const void *variable);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
