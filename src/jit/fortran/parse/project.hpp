// The units in Fortran of a program: where a module or an external procedure is.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "jit/fortran/parse/tree.hpp"

namespace op2::core::jit::fortran {

class Project {
 public:
  void add(FortranUnit unit);

  // NULL if there is none. Throws Refusal("file:line: what") for one that occurs twice with different texts.
  const Unit *module(const std::string &name) { return find(name, true); }
  const Unit *external(const std::string &name) { return find(name, false); }

  // A text that cannot be used: "src/k.f90 was compiled with -fdefault-real-8, ...".
  void leave_out(const std::string &what) { left_out_ += (left_out_.empty() ? "" : ", ") + what; }
  const std::string &left_out() const { return left_out_; }

 private:
  struct Source {
    FortranUnit unit;
    std::set<std::string> names;      // "module m", "procedure p": what it may define
    std::unique_ptr<SourceText> text; // NULL until something in it is sought
  };
  const Unit *find(const std::string &name, bool module);
  static const Unit *unit_in(Source &source, const std::string &name, bool module);

  std::vector<Source> sources_; // by path
  std::string left_out_;
  std::map<std::string, const Unit *> found_;
};

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
