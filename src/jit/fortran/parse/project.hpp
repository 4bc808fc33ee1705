// The Fortran sources of a program: where a module or an external procedure is.
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
  // folders: each is searched with those below it, the first that has what is sought counts.
  Project(SourceFiles &files, std::vector<std::vector<std::string>> folders)
      : files_(files), folders_(std::move(folders)) {}

  // NULL if there is none. Throws Refusal for one that occurs twice with different texts, and for a file that is newer
  // than the program.
  const Unit *module(const std::string &name) { return find(name, true); }
  const Unit *external(const std::string &name) { return find(name, false); }

  // The folders that are searched, for messages.
  std::string places() const;

 private:
  const Unit *find(const std::string &name, bool module);
  const Unit *unit_in(const std::string &path, const std::string &name, bool module);
  const std::set<std::string> &names_in(const std::string &path);
  std::vector<std::string> with(const std::vector<std::string> &paths, const std::string &key);

  SourceFiles &files_;
  std::vector<std::vector<std::string>> folders_;      // groups that count as one
  std::map<std::string, std::set<std::string>> names_; // by path: "module m", "procedure p"
  std::map<std::string, std::unique_ptr<SourceText>> texts_;
  std::map<std::string, const Unit *> found_;
};

} // namespace op2::core::jit::fortran
