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
  // places: groups of files and of folders, which are searched with those below them. The first group that has what is
  // sought counts.
  Project(SourceFiles &files, std::vector<std::vector<std::string>> places)
      : files_(files), places_(std::move(places)) {}

  // NULL if there is none. Throws Refusal("file:line: what") for one that occurs twice with different texts, and for a
  // file that is newer than the program or no text.
  const Unit *module(const std::string &name) { return find(name, true); }
  const Unit *external(const std::string &name) { return find(name, false); }

  // Files that could not be searched: "src/k.f90 cannot be read"; "" if there is none.
  const std::string &not_searched() const { return not_searched_; }

 private:
  const Unit *find(const std::string &name, bool module);
  const Unit *unit_in(const std::string &path, const std::string &name, bool module);
  void add_files(const std::string &place, std::vector<std::string> &paths);
  using Names = std::map<std::string, int>; // "module m", "procedure p", and the lines
  static Names names_of(const std::string &text);
  const Names &names_in(const std::string &path);
  std::vector<std::string> with(const std::vector<std::string> &paths, const std::string &key);

  SourceFiles &files_;
  std::vector<std::vector<std::string>> places_; // groups that count as one
  std::map<std::string, Names> names_;           // by path
  std::string not_searched_;
  std::map<std::string, std::unique_ptr<SourceText>> texts_;
  std::map<std::string, const Unit *> found_;
};

} // namespace op2::core::jit::fortran
