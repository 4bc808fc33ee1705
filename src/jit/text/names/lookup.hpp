// Name lookup from a scope of a text.
#pragma once

#include <string>
#include <vector>

#include "jit/text/declarations.hpp"

namespace op2::core::jit {

using QualifiedName = std::vector<std::string>; // {"a", "b", "f"} for a::b::f

std::string spelled(const QualifiedName &qualified_name);

class Lookup {
 public:
  explicit Lookup(const Declarations &declarations) : declarations_(declarations) {}

  // All declarations that `qualified_name` can mean in `scope` at a position of the text: those of the innermost scope
  // that has declared one before it, and those that a using directive or declaration anywhere in the text may add.
  std::vector<int> find(const QualifiedName &qualified_name, const std::string &scope, std::size_t at = anywhere) const;
  static constexpr std::size_t anywhere = static_cast<std::size_t>(-1);

  // All declarations with a name, in any scope.
  std::vector<int> everywhere(const std::string &name) const;

 private:
  void add(const std::string &scope, const std::string &name, std::size_t at, std::vector<int> &out) const;

  const Declarations &declarations_;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
