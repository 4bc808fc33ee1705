// The array elements that certainly exist, as the function accesses them unconditionally.
//
// Generated code executes a branch that only some lanes take for all lanes. The branch may then access invalid memory,
// through a NULL pointer or an index beyond the end of a row, unless the function also accesses that memory
// unconditionally.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

class KnownMemory {
 public:
  // Records an unconditional access.
  void note(const Expression &access);

  // False if an access in it may be invalid.
  bool is_safe(const Expression &expression) const;
  bool is_safe(const Statement &statement) const;

 private:
  bool is_there(const Expression &access) const;

  std::map<const Variable *, long> largest_; // index seen
  std::vector<std::pair<const Variable *, std::string>> seen_;
};

// Whether it calls functions that cost more than a test whether any lane needs it.
bool is_costly(const Expression &expression);
bool is_costly(const Statement &statement);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
