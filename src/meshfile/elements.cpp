#include "meshfile/elements.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr std::array element_dims = {0, 1, 2, 2, 3, 3, 3, 3};
constexpr std::array element_node_counts = {1, 2, 3, 4, 4, 5, 6, 8};
constexpr int first_cell = static_cast<int>(Element::triangle);

} // namespace

int element_dim(Element kind) { return element_dims[static_cast<std::size_t>(kind)]; }
int element_nodes(Element kind) { return element_node_counts[static_cast<std::size_t>(kind)]; }

void Elements::add(Element kind, std::span<const int> nodes, int tag, bool in_group) {
  Kind &to = kinds_[static_cast<std::size_t>(kind)];
  to.nodes.insert(to.nodes.end(), nodes.begin(), nodes.end());
  to.tags.push_back(tag);
  to.in_group.push_back(in_group);
  const auto dim = static_cast<std::size_t>(element_dim(kind));
  to.place.push_back(count_[dim]++);
  if (in_group) ++grouped_[dim];
}

void Elements::add_polygon(std::span<const int> nodes, int tag, bool in_group) {
  polygons_.nodes.items.insert(polygons_.nodes.items.end(), nodes.begin(), nodes.end());
  polygons_.nodes.close();
  polygons_.tags.push_back(tag);
  polygons_.in_group.push_back(in_group);
  polygons_.place.push_back(count_[2]++);
  if (in_group) ++grouped_[2];
}

void Elements::add_polyhedron(std::span<const std::span<const int>> sides) {
  for (const std::span<const int> side : sides) {
    polyhedra_.sides.items.insert(polyhedra_.sides.items.end(), side.begin(), side.end());
    polyhedra_.sides.close();
  }
  polyhedra_.close();
  polyhedron_place_.push_back(count_[3]++);
}

int Elements::highest_dim() const { return count_[3] ? 3 : count_[2] ? 2 : count_[1] ? 1 : 0; }

void Elements::finish(MeshFile &mesh, const char *word) {
  mesh.cell_dim = std::max(highest_dim(), 2);
  mesh.cells = count_[static_cast<std::size_t>(mesh.cell_dim)];
  finish_boundary(mesh, word);
  for (std::size_t kind = first_cell; kind < kinds_.size(); ++kind) {
    if (element_dims[kind] != mesh.cell_dim) continue;
    CellBlock &block = mesh.blocks[kind - first_cell];
    block.nodes = std::move(kinds_[kind].nodes);
    block.cells = std::move(kinds_[kind].place);
  }
  finish_free(mesh);
}

void Elements::finish_free(MeshFile &mesh) {
  if (mesh.cell_dim == 3) {
    mesh.block(CellType::polyhedron).cells = std::move(polyhedron_place_);
    mesh.free = std::move(polyhedra_);
    return;
  }
  mesh.block(CellType::polygon).cells = std::move(polygons_.place);
  for (int i = 0; i < polygons_.nodes.size(); ++i) { // their edges
    const std::span<const int> nodes = polygons_.nodes[i];
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      mesh.free.sides.items.insert(mesh.free.sides.items.end(), {nodes[k], nodes[(k + 1) % nodes.size()]});
      mesh.free.sides.close();
    }
    mesh.free.close();
  }
}

void Elements::finish_boundary(MeshFile &mesh, const char *word) {
  const int dim = mesh.cell_dim - 1;
  const bool has_groups = grouped_[static_cast<std::size_t>(dim)] > 0;
  std::map<int, int> patches; // tag -> place
  const auto list = [&](std::span<const int> nodes, int tag) {
    mesh.boundary.items.insert(mesh.boundary.items.end(), nodes.begin(), nodes.end());
    mesh.boundary.close();
    auto found = patches.find(tag);
    if (found == patches.end()) {
      const auto name = names_.find({dim, tag});
      const bool named = has_groups && name != names_.end();
      const std::string called = named ? name->second : text(word, tag);
      found = patches.emplace(tag, mesh.patch(tag, called)).first;
    }
    mesh.boundary_patch.push_back(found->second);
  };
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    if (element_dims[kind] != dim) continue;
    const Kind &from = kinds_[kind];
    const auto width = static_cast<std::size_t>(element_node_counts[kind]);
    for (std::size_t i = 0; i < from.tags.size(); ++i)
      if (!has_groups || from.in_group[i]) list({from.nodes.data() + i * width, width}, from.tags[i]);
  }
  for (std::size_t i = 0; dim == 2 && i < polygons_.tags.size(); ++i)
    if (!has_groups || polygons_.in_group[i]) list(polygons_.nodes[static_cast<int>(i)], polygons_.tags[i]);
}

std::optional<long long> NodeNumbers::finish() {
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (static_cast<unsigned long long>(given_[i]) - static_cast<unsigned long long>(given_[0]) != i) {
      sorted_.reserve(given_.size());
      for (std::size_t k = 0; k < given_.size(); ++k) sorted_.emplace_back(given_[k], static_cast<int>(k));
      std::sort(sorted_.begin(), sorted_.end());
      for (std::size_t k = 1; k < sorted_.size(); ++k)
        if (sorted_[k].first == sorted_[k - 1].first) return sorted_[k].first;
      return std::nullopt;
    }
  return std::nullopt;
}

std::optional<int> NodeNumbers::find(long long number) const {
  if (given_.empty()) return std::nullopt;
  if (sorted_.empty()) {
    if (number < given_.front() || number > given_.back()) return std::nullopt;
    return static_cast<int>(number - given_.front());
  }
  const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{number, 0});
  if (at == sorted_.end() || at->first != number) return std::nullopt;
  return at->second;
}

void drop_unused_nodes(MeshFile &mesh) {
  std::vector<int> place(static_cast<std::size_t>(mesh.nodes()), -1);
  for (const CellBlock &block : mesh.blocks)
    for (const int node : block.nodes) place[static_cast<std::size_t>(node)] = 0;
  for (const int node : mesh.free.sides.items) place[static_cast<std::size_t>(node)] = 0;
  const auto dim = static_cast<std::size_t>(mesh.dim);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    std::copy_n(mesh.x.begin() + static_cast<std::ptrdiff_t>(i * dim), dim,
                mesh.x.begin() + static_cast<std::ptrdiff_t>(kept * dim));
    place[i] = static_cast<int>(kept++);
  }
  mesh.x.resize(kept * dim);
  for (CellBlock &block : mesh.blocks)
    for (int &node : block.nodes) node = place[static_cast<std::size_t>(node)];
  for (int &node : mesh.free.sides.items) node = place[static_cast<std::size_t>(node)];
  Lists boundary;
  std::vector<int> patches;
  for (int i = 0; i < mesh.boundary.size(); ++i) { // a face of nodes that no cell has is a side of none
    const std::span<const int> face = mesh.boundary[i];
    if (std::any_of(face.begin(), face.end(), [&](int node) { return place[static_cast<std::size_t>(node)] < 0; }))
      continue;
    for (const int node : face) boundary.items.push_back(place[static_cast<std::size_t>(node)]);
    boundary.close();
    patches.push_back(mesh.boundary_patch[static_cast<std::size_t>(i)]);
  }
  mesh.boundary = std::move(boundary);
  mesh.boundary_patch = std::move(patches);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
