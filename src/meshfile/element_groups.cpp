// elements.hpp: elements that files list once for each of their groups, and notes of groups that a mesh does not keep.
#include <algorithm>

#include "base/text.hpp"
#include "meshfile/elements.hpp"

namespace op2::core {

namespace {

using Row = std::array<int, 8>; // the nodes of an element in ascending order, and the largest number behind them

Row row_of(const int *nodes, std::size_t width) {
  Row out;
  out.fill(2147483647);
  std::copy_n(nodes, width, out.begin());
  std::ranges::sort(out);
  return out;
}

// The first names, and how many more there are.
std::string first_names(std::vector<std::string> names) {
  constexpr std::size_t most = 20;
  if (names.size() > most) {
    const std::size_t more = names.size() - most;
    names.resize(most);
    names.push_back(text(more, " more"));
  }
  return listing(names);
}

} // namespace

// Pairs of places in `kind`: an element, and the first one of the same nodes, which has another tag.
std::vector<std::pair<std::size_t, std::size_t>> Elements::repeats(const Kind &kind, std::size_t width) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const auto other = [&](std::size_t i, std::size_t k) {
    return kind.tags[i] != kind.tags[k] || kind.in_group[i] != kind.in_group[k];
  };
  std::size_t same = 0;
  while (same < kind.tags.size() && !other(same, 0)) ++same;
  if (same == kind.tags.size()) return out; // all are in one group
  const auto row = [&](std::size_t i) { return row_of(kind.nodes.data() + i * width, width); };
  // Most comparisons need the two smallest nodes alone.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  order.reserve(kind.tags.size());
  for (std::size_t i = 0; i < kind.tags.size(); ++i) {
    const Row nodes = row(i);
    order.emplace_back(std::uint64_t{static_cast<std::uint32_t>(nodes[0])} << 32 | static_cast<std::uint32_t>(nodes[1]),
                       static_cast<std::uint32_t>(i));
  }
  std::sort(order.begin(), order.end(), [&](const auto &a, const auto &b) {
    if (a.first != b.first) return a.first < b.first;
    const Row left = row(a.second), right = row(b.second);
    return left != right ? left < right : a.second < b.second;
  });
  for (std::size_t at = 1, first = 0; at < order.size(); ++at) {
    const std::size_t i = order[at].second, before = order[first].second;
    if (order[at].first != order[first].first || row(i) != row(before))
      first = at;
    else if (other(i, before))
      out.emplace_back(i, before);
  }
  return out;
}

void Elements::once() {
  std::array<std::vector<bool>, 4> gone; // elements of each dimension
  for (std::size_t dim = 0; dim < gone.size(); ++dim) gone[dim].resize(static_cast<std::size_t>(count_[dim]));
  bool any = false;
  for (std::size_t type = 0; type < kinds_.size(); ++type) {
    const auto dim = static_cast<std::size_t>(element_dim(static_cast<Element>(type)));
    Kind &kind = kinds_[type];
    for (const auto &[again, first] :
         repeats(kind, static_cast<std::size_t>(element_nodes(static_cast<Element>(type))))) {
      any = true;
      gone[dim][static_cast<std::size_t>(kind.place[again])] = true;
      if (!kind.in_group[again]) continue;
      if (!kind.in_group[first]) { // a group is more than none
        kind.tags[first] = kind.tags[again];
        kind.in_group[first] = true;
        continue;
      }
      if (kind.tags[first] != kind.tags[again]) also(static_cast<int>(dim), kind.tags[again], kind.tags[first], 1);
      --grouped_[dim];
    }
  }
  if (any) remove(gone);
}

void Elements::remove(const std::array<std::vector<bool>, 4> &gone) {
  std::array<std::vector<int>, 4> place; // of those that stay
  for (std::size_t dim = 0; dim < gone.size(); ++dim) {
    count_[dim] = 0;
    for (const bool one : gone[dim]) place[dim].push_back(one ? -1 : count_[dim]++);
  }
  for (std::size_t type = 0; type < kinds_.size(); ++type) {
    const auto dim = static_cast<std::size_t>(element_dim(static_cast<Element>(type)));
    const auto width = static_cast<std::ptrdiff_t>(element_nodes(static_cast<Element>(type)));
    Kind old = std::move(kinds_[type]);
    Kind &kept = kinds_[type] = {};
    for (std::size_t i = 0; i < old.tags.size(); ++i) {
      const int now = place[dim][static_cast<std::size_t>(old.place[i])];
      if (now < 0) continue;
      const auto nodes = old.nodes.begin() + static_cast<std::ptrdiff_t>(i) * width;
      kept.nodes.insert(kept.nodes.end(), nodes, nodes + width);
      kept.tags.push_back(old.tags[i]);
      kept.in_group.push_back(old.in_group[i]);
      kept.place.push_back(now);
    }
  }
}

std::string Elements::called(int dim, int tag) const {
  const auto name = names_.find({dim, tag});
  return name == names_.end() ? text(tag) : text(tag, " ", name->second);
}

void Elements::note_groups(MeshFile &mesh, const char *word) const {
  const int cell_dim = std::max(highest_dim(), 2);
  std::map<std::pair<int, int>, int> members; // by dimension and number
  for (std::size_t type = 0; type < kinds_.size(); ++type) {
    const int dim = element_dim(static_cast<Element>(type));
    const Kind &kind = kinds_[type];
    for (std::size_t i = 0; dim != cell_dim - 1 && i < kind.tags.size(); ++i)
      if (kind.in_group[i]) ++members[{dim, kind.tags[i]}];
  }
  for (const auto &[group, count] : also_) {
    const auto &[dim, tag, first] = group;
    if (dim == cell_dim - 1)
      mesh.notes.push_back(text(count, " faces of ", word, " ", called(dim, tag), " stay in ", word, " ",
                                called(dim, first), ", which comes first"));
    else
      members[{dim, tag}] += count;
  }
  const auto cells = members.lower_bound({cell_dim, -2147483647 - 1});
  // One group of all cells tells nothing.
  if (cells != members.end() && std::next(cells) == members.end() &&
      cells->second == count_[static_cast<std::size_t>(cell_dim)])
    members.erase(cells);
  constexpr std::array nouns = {"points", "edges"};
  std::vector<std::string> lost;
  for (const auto &[group, count] : members)
    lost.push_back(text(called(group.first, group.second), " (", count, " ",
                        group.first == cell_dim ? "cells" : nouns[static_cast<std::size_t>(group.first)], ")"));
  if (!lost.empty()) mesh.notes.push_back(text(word, "s that are no patches: ", first_names(std::move(lost))));
}

void note_left_out(MeshFile &mesh, const char *what, const std::vector<std::string> &names) {
  std::vector<std::string> once;
  for (const std::string &name : names)
    if (std::ranges::find(once, name) == once.end()) once.push_back(name);
  if (!once.empty()) mesh.notes.push_back(text(what, " that are left out: ", first_names(std::move(once))));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
