#include "meshfile/repeated.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/text.hpp"

namespace op2::core {

void note_shared(MeshFile &mesh, std::size_t patch, std::size_t stays_in, int faces) {
  mesh.notes.push_back(text(faces, " faces of patch ", mesh.patches[patch].name, " stay in patch ",
                            mesh.patches[stays_in].name, ", which comes first"));
}

void note_repeated_faces(MeshFile &mesh) {
  if (mesh.patches.size() < 2) return;
  Lists sorted = mesh.boundary;
  for (int i = 0; i < sorted.size(); ++i)
    std::sort(sorted.items.begin() + static_cast<std::ptrdiff_t>(sorted.begin[static_cast<std::size_t>(i)]),
              sorted.items.begin() + static_cast<std::ptrdiff_t>(sorted.begin[static_cast<std::size_t>(i) + 1]));
  std::vector<int> order(static_cast<std::size_t>(sorted.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::ranges::lexicographical_compare(sorted[a], sorted[b]); });
  const auto patch = [&](int face) {
    return static_cast<std::size_t>(mesh.boundary_patch[static_cast<std::size_t>(face)]);
  };
  std::map<std::pair<std::size_t, std::size_t>, int> shared; // a patch, the one that has its faces first: how many
  for (std::size_t i = 0, first = 0; i < order.size(); ++i) {
    if (!std::ranges::equal(sorted[order[first]], sorted[order[i]])) first = i;
    if (patch(order[i]) != patch(order[first])) ++shared[{patch(order[i]), patch(order[first])}];
  }
  for (const auto &[both, faces] : shared) note_shared(mesh, both.first, both.second, faces);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
