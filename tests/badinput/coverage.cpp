// coverage.cpp: see coverage.hpp.
#include "coverage.hpp"

namespace badinput {

namespace {
std::set<std::string> &list() {
  static std::set<std::string> functions;
  return functions;
}
} // namespace

void covered(const std::string &function) { list().insert(function); }
const std::set<std::string> &all_covered() { return list(); }

// The words that end in ';' between "global:" and "local:".
std::set<std::string> exported_functions(std::istream &map) {
  std::set<std::string> functions;
  bool global = false;
  for (std::string line; std::getline(map, line);) {
    line.resize(line.find('#') == std::string::npos ? line.size() : line.find('#'));
    if (line.find("global:") != std::string::npos) global = true;
    if (line.find("local:") != std::string::npos || line.find('}') != std::string::npos) global = false;
    const std::size_t begin = line.find_first_not_of(" \t"), end = line.find(';');
    if (global && begin != std::string::npos && end != std::string::npos)
      functions.insert(line.substr(begin, end - begin));
  }
  return functions;
}

std::vector<std::string> complaints(const std::set<std::string> &exported, const std::set<std::string> &tested) {
  std::vector<std::string> out;
  for (const std::string &function : exported)
    if (!tested.count(function)) out.push_back(function + " has no test with bad input");
  for (const std::string &function : tested)
    if (!exported.count(function)) out.push_back(function + " is tested but not exported");
  return out;
}

} // namespace badinput

// SPDX-License-Identifier: MIT
