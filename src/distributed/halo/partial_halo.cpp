#include "distributed/halo/partial_halo.hpp"

#include <algorithm>

#include "distributed/groups.hpp"

namespace op2::core {

namespace {

// Entries that lead to copies; core rows have none.
std::vector<int> copies_reached(const Map &map) {
  std::vector<int> rows;
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  const std::size_t first = static_cast<std::size_t>(map.source().core_size) * dim;
  const std::size_t last = static_cast<std::size_t>(map.source().executed()) * dim;
  for (std::size_t i = first; i < std::min(last, map.table.size()); ++i)
    if (map.table[i] >= map.target().size) rows.push_back(map.table[i]);
  return rows;
}

HaloList by_rank(const SparseMessages &received) {
  HaloList out;
  for (int m = 0; m < received.count(); ++m) {
    out.ranks.push_back(received.sender(m));
    const std::span<const int> rows = received.values<int>(m);
    out.row.insert(out.row.end(), rows.begin(), rows.end());
    out.offset.push_back(static_cast<int>(out.row.size()));
  }
  return out;
}

// One kind of copies: where in the range each wanted row lies tells its owner which row of his list it is.
void take(const HaloPart &part, const std::vector<int> &wanted, std::vector<int> &place, std::vector<int> &owner,
          std::vector<int> &row) {
  const HaloRange &range = part.imported;
  for (std::size_t n = 0; n < range.ranks.size(); ++n) {
    const int begin = range.first + range.offset[n], end = range.first + range.offset[n + 1];
    for (auto at = std::lower_bound(wanted.begin(), wanted.end(), begin); at != wanted.end() && *at < end; ++at) {
      place.push_back(*at - begin);
      owner.push_back(range.ranks[n]);
      row.push_back(*at);
    }
  }
}

} // namespace

bool partial_pays(Mesh &mesh, const Map &map, int percent) {
  if (percent <= 0 || map.target().layers.empty() || map.source().particles) return false; // these change too often
  Map &own = mesh.objects().own(map);
  if (own.entries_to_copies < 0) {
    own.copies_of_target = mesh.communicator().sum(map.target().exec_size + map.target().nonexec_size);
    own.entries_to_copies = mesh.communicator().sum(static_cast<std::int64_t>(copies_reached(map).size()));
  }
  // Whole numbers, which a double holds exactly: the bound itself does not pay, whatever the quotient is rounded to.
  return 100.0 * static_cast<double>(own.entries_to_copies) <
         static_cast<double>(percent) * static_cast<double>(own.copies_of_target);
}

void make_partial_halo(Mesh &mesh, const Map &map) {
  Map &own = mesh.objects().own(map);
  if (own.partial) return;
  std::vector<int> wanted = copies_reached(map);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const HaloLayer &layer = map.target().layers.front();
  auto lists = std::make_shared<PartialHalo>();
  std::vector<int> place, owner, row;
  take(layer.exec, wanted, place, owner, row);
  for (int &at : place) at = -1 - at; // tells executed copies from the others
  take(layer.nonexec, wanted, place, owner, row);
  const Groups groups = group_by_rank(owner);
  const SparseMessages received = post<int>(mesh.communicator(), groups, place);
  lists->imported.ranks = groups.ranks;
  lists->imported.offset.assign(groups.offset.begin(), groups.offset.end());
  for (const int i : groups.order) lists->imported.row.push_back(row[static_cast<std::size_t>(i)]);
  lists->exported = by_rank(received);
  for (std::size_t n = 0; n < lists->exported.ranks.size(); ++n)
    for (int i = lists->exported.offset[n]; i < lists->exported.offset[n + 1]; ++i) {
      int &at = lists->exported.row[static_cast<std::size_t>(i)];
      const HaloList &list = at < 0 ? layer.exec.exported : layer.nonexec.exported;
      const std::size_t to = static_cast<std::size_t>(
          std::lower_bound(list.ranks.begin(), list.ranks.end(), lists->exported.ranks[n]) - list.ranks.begin());
      at = list.row[static_cast<std::size_t>(list.offset[to] + (at < 0 ? -1 - at : at))];
    }
  own.partial = std::move(lists);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
