// halo_oracle.cpp: see halo_oracle.hpp.
#include "halo_oracle.hpp"

#include <cstddef>

namespace unit {

namespace {

using Elements = std::set<long long>;
using Sets = std::vector<Elements>;

int owner_of(const GlobalMesh &mesh, int set, long long element) {
  return mesh.owner[static_cast<std::size_t>(set)][static_cast<std::size_t>(element)];
}

// visit(set, element, target set, target) for each entry of each map.
template <class Visit>
void each_entry(const GlobalMesh &mesh, Visit &&visit) {
  for (const GlobalMap &map : mesh.maps)
    for (std::size_t i = 0; i < map.targets.size(); ++i)
      visit(map.from, static_cast<long long>(i) / map.dim, map.to, map.targets[i]);
}

bool in(const Sets &sets, int set, long long element) { return sets[static_cast<std::size_t>(set)].count(element) > 0; }

// What somebody else owns and this rank must execute to have all additions to what it owns.
Sets first_executed(const GlobalMesh &mesh, int rank) {
  Sets out(mesh.sizes.size());
  each_entry(mesh, [&](int from, long long element, int to, long long target) {
    if (owner_of(mesh, from, element) != rank && owner_of(mesh, to, target) == rank)
      out[static_cast<std::size_t>(from)].insert(element);
  });
  return out;
}

Sets owned_by(const GlobalMesh &mesh, int rank) {
  Sets out(mesh.sizes.size());
  for (std::size_t s = 0; s < out.size(); ++s)
    for (int element = 0; element < mesh.sizes[s]; ++element)
      if (owner_of(mesh, static_cast<int>(s), element) == rank) out[s].insert(element);
  return out;
}

void add(Sets &to, const Sets &more) {
  for (std::size_t s = 0; s < to.size(); ++s) to[s].insert(more[s].begin(), more[s].end());
}

} // namespace

std::vector<std::vector<Parts>> halo_oracle(const GlobalMesh &mesh, int processes, int depth) {
  const std::size_t sets = mesh.sizes.size();
  Sets executed_elsewhere(sets); // owners' boundaries
  for (int rank = 0; rank < processes; ++rank) add(executed_elsewhere, first_executed(mesh, rank));

  std::vector<std::vector<Parts>> out;
  for (int rank = 0; rank < processes; ++rank) {
    std::vector<Parts> parts(sets);
    const Sets own = owned_by(mesh, rank);
    for (std::size_t s = 0; s < sets; ++s)
      for (const long long element : own[s])
        (executed_elsewhere[s].count(element) ? parts[s].boundary : parts[s].core).insert(element);

    Sets here = own, executed = own, copies(sets);
    for (int layer = 0; layer < depth; ++layer) {
      Sets exec = first_executed(mesh, rank), read(sets);
      if (layer > 0) {
        for (std::size_t s = 0; s < sets; ++s)
          executed[s].insert(parts[s].layers.back().read.begin(), parts[s].layers.back().read.end());
        exec = Sets(sets);
        each_entry(mesh, [&](int from, long long element, int to, long long target) {
          if (!in(here, from, element) && in(copies, to, target)) exec[static_cast<std::size_t>(from)].insert(element);
        });
      }
      add(here, exec);
      add(executed, exec);
      each_entry(mesh, [&](int from, long long element, int to, long long target) {
        if (in(executed, from, element) && !in(here, to, target)) read[static_cast<std::size_t>(to)].insert(target);
      });
      add(here, read);
      add(copies, exec);
      add(copies, read);
      for (std::size_t s = 0; s < sets; ++s) parts[s].layers.push_back({exec[s], read[s]});
    }
    out.push_back(std::move(parts));
  }
  return out;
}

} // namespace unit

// SPDX-License-Identifier: MIT
