// lookup.cpp: see lookup.hpp.
#include "jit/text/names/lookup.hpp"

#include <algorithm>

namespace op2::core::jit {

namespace {

std::string around(const std::string &scope) {
  const std::size_t at = scope.rfind("::");
  return at == std::string::npos ? std::string() : scope.substr(0, at);
}

bool ends_with_scope(const std::string &whole, const std::string &end) {
  if (whole == end) return true;
  std::string tail = "::";
  tail += end;
  return whole.ends_with(tail);
}

} // namespace

std::string spelled(const QualifiedName &qualified_name) {
  std::string out;
  for (const std::string &part : qualified_name) out = joined(out, part);
  return out;
}

void Lookup::add(const std::string &scope, const std::string &name, std::size_t at, std::vector<int> &out) const {
  const auto [begin, end] = declarations_.by_name.equal_range(name);
  const std::size_t before = out.size();
  bool in_sight = false;
  for (auto entry = begin; entry != end; ++entry) {
    const Declaration &declaration = declarations_.all[static_cast<std::size_t>(entry->second)];
    bool fits = declaration.scope == scope;
    if (!fits && declaration.kind == Declaration::Kind::enumerator && declaration.parent >= 0) { // Enum::value
      const Declaration &parent = declarations_.all[static_cast<std::size_t>(declaration.parent)];
      fits = !parent.name.empty() && joined(parent.scope, parent.name) == scope;
    }
    if (!fits || std::find(out.begin(), out.end(), entry->second) != out.end()) continue;
    out.push_back(entry->second);
    in_sight = in_sight || declaration.name_at < at;
  }
  if (!in_sight) out.resize(before); // all of them come later
}

std::vector<int> Lookup::find(const QualifiedName &qualified_name, const std::string &scope, std::size_t at) const {
  std::vector<int> out;
  if (qualified_name.empty()) return out;
  const std::string prefix = spelled(QualifiedName(qualified_name.begin(), qualified_name.end() - 1));
  for (std::string here = scope;; here = around(here)) {
    add(prefix.empty() ? here : joined(here, prefix), qualified_name.back(), at, out);
    if (!out.empty() || here.empty()) break;
  }
  if (!prefix.empty()) return out;
  for (const Using &use : declarations_.uses) {
    if (!use.directive && (use.name.back() != qualified_name.back() || use.name.front() == "std")) continue;
    QualifiedName space = use.name;
    if (!use.directive) space.pop_back();
    for (const int candidate : everywhere(qualified_name.back()))
      if (ends_with_scope(declarations_.all[static_cast<std::size_t>(candidate)].scope, spelled(space)) &&
          std::find(out.begin(), out.end(), candidate) == out.end())
        out.push_back(candidate);
  }
  return out;
}

std::vector<int> Lookup::everywhere(const std::string &name) const {
  std::vector<int> out;
  const auto [begin, end] = declarations_.by_name.equal_range(name);
  for (auto entry = begin; entry != end; ++entry) out.push_back(entry->second);
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
