// What a compiler needs besides a kernel: the modules that it uses, with those of their procedures that it may reach,
// and external procedures. Looks at words only, so that it takes what the reader of kernels refuses.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "jit/fortran/parse/project.hpp"

namespace op2::core::jit::fortran {

struct NeededModule {
  const Unit *unit;
  std::vector<const Unit *> procedures; // in the order of the text
};

struct Needed {
  std::vector<NeededModule> modules;   // one that uses another comes behind it
  std::vector<const Unit *> externals; // the kernel, too, if it belongs to no module
  std::set<std::string> words; // names in the procedures that are not their own, and those that modules use of others
  std::map<std::string, std::string> changed; // those among them that are assigned or may be, and where: "file:line"
};

// Throws Refusal("file:line: what") for text that keeps values of its own between calls.
Needed needed_for(const Unit &kernel, Project &project);

// The word that names the module of a `use` statement; 0 if the line is none.
std::size_t used_module_at(const Line &line);
// Whether such a statement is to be left out: of a module that has no text and is none of the compiler's own.
bool uses_what_is_missing(const Line &line, Project &project);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
