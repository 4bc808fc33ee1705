// The Fortran sources of a program: where a module or an external procedure is.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "jit/fortran/parse/tree.hpp"

namespace op2::core::jit::fortran {

class Project {
 public:
  // files: with the texts that the program has.
  explicit Project(SourceFiles &files) : files_(files) {}

  // NULL if there is none. Throws Refusal("file:line: what") for one that occurs twice with different texts.
  const Unit *module(const std::string &name) { return find(name, true); }
  const Unit *external(const std::string &name) { return find(name, false); }

  // A text that cannot be used: "src/k.f90 was compiled with -fdefault-real-8, ...".
  void leave_out(const std::string &what) { left_out_ += (left_out_.empty() ? "" : ", ") + what; }
  const std::string &left_out() const { return left_out_; }

 private:
  const Unit *find(const std::string &name, bool module);
  const Unit *unit_in(const std::string &path, const std::string &name, bool module);
  using Names = std::map<std::string, int>; // "module m", "procedure p", and the lines
  static Names names_of(const std::string &text);
  const Names &names_in(const std::string &path);
  std::vector<std::string> with(const std::vector<std::string> &paths, const std::string &key);

  SourceFiles &files_;
  std::map<std::string, Names> names_; // by path
  std::string left_out_;
  std::map<std::string, std::unique_ptr<SourceText>> texts_;
  std::map<std::string, const Unit *> found_;
};

} // namespace op2::core::jit::fortran
