// scale_halo.cpp: see scale_halo.hpp.
#include "scale/scale_halo.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
#include <utility>

namespace scale {

namespace {

struct Copy {
  int element, holder;
  friend auto operator<=>(const Copy &, const Copy &) = default;
};
using Copies = std::vector<Copy>; // sorted, each once
using Owners = std::vector<std::vector<int>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void each_once(Copies &copies) {
  std::sort(copies.begin(), copies.end());
  copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
}

// Whoever owns a target of an element executes it.
Copies executed_copies(const Problem &problem, const Owners &owner, int set) {
  Copies out;
  for (const MeshMap &map : problem.maps) {
    if (map.from != set) continue;
    const std::vector<int> &own = owner[at(set)], &theirs = owner[at(map.to)];
    const int *target = map.targets.data();
    for (int element = 0; element < problem.sets[at(set)].size; ++element)
      for (int column = 0; column < map.dim; ++column, ++target)
        if (theirs[at(*target)] != own[at(element)]) out.push_back({element, theirs[at(*target)]});
  }
  each_once(out);
  return out;
}

// What owned and executed elements lead to, unless it is owned or executed as well.
Copies read_copies(const Problem &problem, const Owners &owner, const std::vector<Copies> &executed, int set) {
  Copies out;
  for (const MeshMap &map : problem.maps) {
    if (map.to != set) continue;
    const std::vector<int> &from = owner[at(map.from)], &own = owner[at(set)];
    const auto need = [&](int element, int holder) {
      for (int column = 0; column < map.dim; ++column) {
        const int target = map.targets[at(element) * at(map.dim) + at(column)];
        if (own[at(target)] != holder) out.push_back({target, holder});
      }
    };
    for (int element = 0; element < problem.sets[at(map.from)].size; ++element) need(element, from[at(element)]);
    for (const Copy &copy : executed[at(map.from)]) need(copy.element, copy.holder);
  }
  each_once(out);
  Copies rest;
  std::set_difference(out.begin(), out.end(), executed[at(set)].begin(), executed[at(set)].end(),
                      std::back_inserter(rest));
  return rest;
}

std::vector<Link> links_of(const Copies &copies, const std::vector<int> &owner) {
  std::vector<std::pair<int, int>> pairs;
  for (const Copy &copy : copies) pairs.emplace_back(owner[at(copy.element)], copy.holder);
  std::sort(pairs.begin(), pairs.end());
  std::vector<Link> out;
  for (const auto &[from, to] : pairs) {
    if (out.empty() || out.back().owner != from || out.back().holder != to) out.push_back({from, to, 0});
    ++out.back().rows;
  }
  return out;
}

} // namespace

std::vector<SetHalo> build_halos(const Problem &problem, const Owners &owner, int parts) {
  const int sets = static_cast<int>(problem.sets.size());
  std::vector<Copies> executed;
  for (int set = 0; set < sets; ++set) executed.push_back(executed_copies(problem, owner, set));
  std::vector<SetHalo> out;
  for (int set = 0; set < sets; ++set) {
    SetHalo halo;
    for (std::vector<int> *count : {&halo.owned, &halo.core, &halo.exec, &halo.nonexec}) count->assign(at(parts), 0);
    for (const int part : owner[at(set)]) ++halo.owned[at(part)];
    halo.core = halo.owned;
    int last = -1; // element that was counted
    for (const Copy &copy : executed[at(set)]) {
      ++halo.exec[at(copy.holder)];
      if (copy.element != last) --halo.core[at(owner[at(set)][at(copy.element)])];
      last = copy.element;
    }
    const Copies read = read_copies(problem, owner, executed, set);
    for (const Copy &copy : read) ++halo.nonexec[at(copy.holder)];
    halo.exec_links = links_of(executed[at(set)], owner[at(set)]);
    halo.nonexec_links = links_of(read, owner[at(set)]);
    out.push_back(std::move(halo));
  }
  return out;
}

} // namespace scale

// SPDX-License-Identifier: MIT
