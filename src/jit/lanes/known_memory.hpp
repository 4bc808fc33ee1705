// Which elements of arrays are there for sure, since the function reads or writes them in any case.
//
// A branch that only some lanes take is executed for all of them. It may touch memory that is not there at all, behind
// a pointer that is NULL or an index beyond a row's end, unless the same memory is used without that condition, too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jit/lanes/tree.hpp"

namespace op2::core::jit {

class KnownMemory {
 public:
  // An access that is made here in any case.
  void note(const Expression &access);

  // Is there an access in it that may lead nowhere?
  bool is_safe(const Expression &expression) const;
  bool is_safe(const Statement &statement) const;

 private:
  bool is_there(const Expression &access) const;

  std::map<const Variable *, long> largest_; // index seen
  std::vector<std::pair<const Variable *, std::string>> seen_;
};

// Whether it calls functions that cost more than the test whether any lane asks for it.
bool is_costly(const Expression &expression);
bool is_costly(const Statement &statement);

} // namespace op2::core::jit
