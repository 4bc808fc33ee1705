#include "distributed/partition/inherit.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "distributed/directory.hpp"
#include "distributed/global_index.hpp"
#include "distributed/groups.hpp"

namespace op2::core {

namespace {

struct Vote {
  op_gindex element;
  std::int64_t owner;
};

std::size_t set_number(const op_set_core &set) { return static_cast<std::size_t>(set.index); }

// The owner with most votes; ties are shared out by the element's number, so that no process gets them all.
int elected(std::vector<int> &votes, op_gindex element) {
  std::sort(votes.begin(), votes.end());
  std::vector<int> best;
  std::size_t most = 0;
  for (std::size_t first = 0; first < votes.size();) {
    const std::size_t last = static_cast<std::size_t>(
        std::upper_bound(votes.begin() + static_cast<std::ptrdiff_t>(first), votes.end(), votes[first]) -
        votes.begin());
    if (last - first > most) best.clear();
    most = std::max(most, last - first);
    if (last - first == most) best.push_back(votes[first]);
    first = last;
  }
  return best[static_cast<std::size_t>(element) % best.size()];
}

// From the owners of the targets.
std::vector<int> follow_targets(Mesh &mesh, const Map &map, const std::vector<int> &owner_of_target) {
  const Set &from = *static_cast<const Set *>(map.from), &to = *static_cast<const Set *>(map.to);
  Directory owners(mesh.communicator(), to.global_size);
  owners.enter(to.global, owner_of_target);
  GlobalIndex place;
  std::vector<op_gindex> wanted;
  for (const op_gindex target : map.targets)
    if (place.find(target) < 0) {
      place.add(target, static_cast<int>(wanted.size()));
      wanted.push_back(target);
    }
  const std::vector<int> found = owners.ask(wanted);
  std::vector<int> out, votes;
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  for (std::size_t row = 0; row < static_cast<std::size_t>(from.size); ++row) {
    votes.clear();
    for (std::size_t c = 0; c < dim; ++c)
      votes.push_back(found[static_cast<std::size_t>(place.find(map.targets[row * dim + c]))]);
    out.push_back(elected(votes, from.global[row]));
  }
  return out;
}

constexpr int nobody = -1;

// From the owners of the elements that lead here; nobody where none does.
std::vector<int> follow_sources(Mesh &mesh, const Map &map, const std::vector<int> &owner_of_source) {
  Communicator &communicator = mesh.communicator();
  const Set &to = *static_cast<const Set *>(map.to);
  Directory here(communicator, to.global_size); // who has the rows now, and counts the votes
  here.enter(to.global, std::vector<int>(to.global.size(), communicator.rank()));
  std::vector<Vote> votes;
  std::vector<op_gindex> elements;
  for (std::size_t i = 0; i < map.targets.size(); ++i) {
    const std::size_t row = i / static_cast<std::size_t>(map.dim);
    votes.push_back({map.targets[i], owner_of_source[row]});
    elements.push_back(map.targets[i]);
  }
  const SparseMessages received = post<Vote>(communicator, group_by_rank(here.ask(elements)), votes);
  const GlobalIndex row_of(to.global);
  std::vector<std::pair<int, int>> cast; // (row, owner)
  for (const Vote &vote : received.all<Vote>())
    cast.emplace_back(row_of.find(vote.element), static_cast<int>(vote.owner));
  std::sort(cast.begin(), cast.end());
  std::vector<int> out(static_cast<std::size_t>(to.size), nobody), mine;
  for (std::size_t i = 0; i < cast.size();) {
    const int row = cast[i].first;
    mine.clear();
    for (; i < cast.size() && cast[i].first == row; ++i) mine.push_back(cast[i].second);
    out[static_cast<std::size_t>(row)] = elected(mine, to.global[static_cast<std::size_t>(row)]);
  }
  return out;
}

// All maps to the set from sets that have owners, one after another, until every element has one. What no map reaches
// stays where it is.
std::vector<int> follow_all_sources(Mesh &mesh, const Map &first, const std::vector<std::vector<int>> &owner,
                                    const std::vector<bool> &done) {
  std::vector<int> out = follow_sources(mesh, first, owner[set_number(*first.from)]);
  for (const auto &map : mesh.maps()) {
    if (map->to != first.to || map.get() == &first || !done[set_number(*map->from)]) continue;
    const std::vector<int> more = follow_sources(mesh, *map, owner[set_number(*map->from)]);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i] == nobody) out[i] = more[i];
  }
  std::replace(out.begin(), out.end(), nobody, mesh.communicator().rank());
  return out;
}

// Towards a set with owners is cheaper than from it: nothing but owners is looked up.
int cost_of(const Map &map, const std::vector<bool> &done) {
  constexpr int unusable = 9;
  const bool from = done[set_number(*map.from)], to = done[set_number(*map.to)];
  if (from == to) return unusable;
  return to ? (map.dim == 1 ? 0 : 1) : 2;
}

// Blocks in the order of the declaration.
int owner_in_blocks(op_gindex element, op_gindex elements, const PartShares &shares) {
  const int parts = shares.parts();
  if (shares.requested().empty())
    return static_cast<int>(element / std::max<op_gindex>(1, (elements + parts - 1) / parts));
  const auto end = [&](int part) { return std::llround(shares.of(0, part + 1) * static_cast<double>(elements)); };
  int low = 0, high = parts - 1; // the first part that ends behind it
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (end(middle) > element)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

} // namespace

std::string inherit_owners(Mesh &mesh, std::vector<std::vector<int>> &owner, std::vector<bool> done,
                           const PartShares &shares) {
  std::string summary;
  const auto say = [&](const op_set_core &set, const std::string &how) {
    summary += text(summary.empty() ? "" : ", ", "set '", set.name, "' ", how);
  };
  for (;;) {
    const Map *best = nullptr;
    for (const auto &map : mesh.maps())
      if (cost_of(*map, done) <= 2 && (!best || cost_of(*map, done) < cost_of(*best, done))) best = map.get();
    if (!best) break;
    const bool forward = done[set_number(*best->to)];
    const op_set_core &set = forward ? *best->from : *best->to;
    owner[set_number(set)] = forward ? follow_targets(mesh, *best, owner[set_number(*best->to)])
                                     : follow_all_sources(mesh, *best, owner, done);
    done[set_number(set)] = true;
    say(set, text("by map '", best->label, "'"));
  }
  for (const auto &set : mesh.sets()) {
    if (done[set_number(*set)]) continue;
    for (const op_gindex element : set->global)
      owner[set_number(*set)].push_back(owner_in_blocks(element, set->global_size, shares));
    say(*set, "in blocks");
  }
  return summary;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
