// Which names a statement may change, by its words: what is assigned, counted, read into, pointed to, or passed to a
// procedure that does so or is unknown.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "jit/fortran/parse/tree.hpp"

namespace op2::core::jit::fortran {

class ChangedNames {
 public:
  // The procedure of a name that has brackets behind it; NULL if there is no text, or it is none.
  using Find = std::function<const Unit *(const std::string &name, bool subroutine)>;
  explicit ChangedNames(Find find) : find_(std::move(find)) {}

  // Positions of such names among the words.
  std::set<std::size_t> in(const Words &words);

 private:
  bool changes(const std::string &procedure, std::size_t argument, bool subroutine);
  bool changes(const Unit &procedure, std::size_t argument);

  Find find_;
  std::map<std::pair<const Unit *, std::size_t>, bool> known_;
};

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
