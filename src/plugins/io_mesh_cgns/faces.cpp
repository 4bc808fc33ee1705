#include "faces.hpp"

#include <algorithm>
#include <numeric>

#include "types.hpp"

namespace cgns {

std::size_t FacesOnce::Hash::operator()(const std::vector<std::int64_t> &key) const {
  std::uint64_t out = 14695981039346656037u; // FNV, by numbers instead of bytes
  for (const std::int64_t node : key) out = (out ^ static_cast<std::uint64_t>(node)) * 1099511628211u;
  return static_cast<std::size_t>(out ^ (out >> 32));
}

FacesOnce::FacesOnce(const Grid &grid) {
  std::size_t begin = 0, face_begin = 0;
  for (std::size_t i = 0; i < grid.types.size(); ++i) {
    const auto end = static_cast<std::size_t>(grid.ends[i]);
    const std::span own = std::span(grid.nodes).subspan(begin, end - begin);
    begin = end;
    if (grid.types[i] == vtk_polyhedron) {
      const auto face_end = static_cast<std::size_t>(grid.face_ends[i]);
      polyhedron(std::span(grid.faces).subspan(face_begin, face_end - face_begin));
      face_begin = face_end;
    } else if (grid.patch[i] != 0) {
      faces_[find(own)].patch = grid.patch[i];
    }
  }
  put_in_order();
}

std::size_t FacesOnce::find(std::span<const std::int64_t> own) {
  std::vector<std::int64_t> key(own.begin(), own.end());
  std::sort(key.begin(), key.end());
  const auto [place, is_new] = places_.try_emplace(std::move(key), faces_.size());
  if (is_new) faces_.push_back({own});
  return place->second;
}

// `stream`: how many faces, then for each how many nodes and which.
void FacesOnce::polyhedron(std::span<const std::int64_t> stream) {
  std::size_t at = 1;
  for (std::int64_t face = 0; face < stream[0]; ++face) {
    const std::size_t known = faces_.size(), place = find(stream.subspan(at + 1, static_cast<std::size_t>(stream[at])));
    const cgsize_t number = static_cast<cgsize_t>(place) + 1;
    cells.items.push_back(place < known ? -number : number);
    at += static_cast<std::size_t>(stream[at]) + 1;
  }
  cells.close();
}

void FacesOnce::put_in_order() {
  std::vector<std::size_t> order(faces_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return faces_[a].patch < faces_[b].patch; });
  std::vector<cgsize_t> number(faces_.size());
  for (const std::size_t face : order) {
    for (const std::int64_t node : faces_[face].nodes) nodes.items.push_back(static_cast<cgsize_t>(node) + 1);
    nodes.close();
    patches.push_back(faces_[face].patch);
    number[face] = nodes.size();
  }
  for (cgsize_t &item : cells.items)
    item = item < 0 ? -number[static_cast<std::size_t>(-item) - 1] : number[static_cast<std::size_t>(item) - 1];
}

} // namespace cgns

// SPDX-License-Identifier: MIT
