// The forms of functions: one per combination of varying arguments, found by analysis of the callers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

// A form: a function for one combination of varying arguments.
struct Instance {
  const Function *source = nullptr;
  std::vector<bool> varying; // by parameter: its values, or the values it points to, vary between lanes
  bool masked = false;       // its first argument is the mask of lanes in which it may change memory
  std::string name;
  FunctionDefinition definition;

  bool result_varying = false;
  bool writes = false;        // changes memory of its callers
  bool returns_apart = false; // some lanes may return before others
};

class Forms {
 public:
  explicit Forms(const KernelText &text) : text_(text), globals_(globals_of(text)) {}

  // The form of a helper or of the kernel, analysed; made at the first call.
  Instance &form(const Function &function, const std::vector<bool> &varying, bool masked);
  // The form of the kernel: parameters that are not varying must stay uniform.
  Instance &kernel(const std::vector<bool> &varying);

 private:
  Instance &make(const Function &function, const std::vector<bool> &varying, bool masked, bool fix_others);

  const KernelText &text_;
  Globals globals_;
  std::vector<std::unique_ptr<Instance>> made_;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
