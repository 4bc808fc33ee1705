// The forms of functions that are needed: one for each way of calling one, found by analysing its callers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

// A function for arguments of one kind.
struct Instance {
  const Function *source = nullptr;
  std::vector<bool> varying; // by parameter: do its numbers, or those it leads to, differ between lanes?
  bool masked = false;       // its first argument says in which lanes it may change memory
  std::string name;
  FunctionDefinition definition;

  bool result_varying = false;
  bool writes = false;        // memory of its callers
  bool returns_apart = false; // some lanes may return before others
};

class Forms {
 public:
  explicit Forms(const KernelText &text) : text_(text), globals_(globals_of(text)) {}

  // The form of a helper or of the kernel, analysed; made on the first call.
  Instance &form(const Function &function, const std::vector<bool> &varying, bool masked);
  // The kernel's own: parameters in `fixed` must stay uniform.
  Instance &kernel(const std::vector<bool> &varying);

 private:
  Instance &make(const Function &function, const std::vector<bool> &varying, bool masked, bool fix_others);

  const KernelText &text_;
  Globals globals_;
  std::vector<std::unique_ptr<Instance>> made_;
};

} // namespace op2::core::jit
