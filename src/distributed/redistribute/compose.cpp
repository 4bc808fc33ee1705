#include "distributed/redistribute/compose.hpp"

#include <numeric>

#include "base/text.hpp"
#include "distributed/directory.hpp"
#include "distributed/global_index.hpp"
#include "distributed/groups.hpp"
#include "distributed/redistribute/migrate.hpp"

namespace op2::core {

namespace {

// Rows of the map that lie here: a late map's are still where they were declared.
std::vector<op_gindex> numbers_here(const Map &map) {
  const Set &from = *static_cast<const Set *>(map.from);
  if (map.built || !map.in_declared_order) return own_numbers(from);
  std::vector<op_gindex> out(static_cast<std::size_t>(from.declared_size));
  std::iota(out.begin(), out.end(), from.declared_first);
  return out;
}

// Rows of a map, wherever they are: of the elements `wanted`, each named once.
std::vector<op_gindex> rows_of(Mesh &mesh, const Map &map, const std::vector<op_gindex> &wanted) {
  Communicator &communicator = mesh.communicator();
  const Set &from = *static_cast<const Set *>(map.from);
  const std::vector<op_gindex> own = numbers_here(map), targets = own_targets(map);
  Directory owners(communicator, from.global_size);
  owners.enter(own, std::vector<int>(own.size(), communicator.rank()));
  const Groups groups = group_by_rank(owners.ask(wanted));
  const SparseMessages questions = post<op_gindex>(communicator, groups, wanted);
  const GlobalIndex row(own);
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  std::vector<op_gindex> found;
  for (const op_gindex element : questions.all<op_gindex>()) {
    const auto first = targets.begin() + static_cast<std::ptrdiff_t>(row.find(element)) * map.dim;
    found.insert(found.end(), first, first + map.dim);
  }
  const SparseMessages answers =
      answer(communicator, questions, found, [&](int m) { return questions.values<op_gindex>(m).size() * dim; });
  const std::span<const op_gindex> got = answers.all<op_gindex>();
  std::vector<op_gindex> out(wanted.size() * dim);
  for (std::size_t i = 0; i < groups.order.size(); ++i)
    for (std::size_t c = 0; c < dim; ++c) out[static_cast<std::size_t>(groups.order[i]) * dim + c] = got[i * dim + c];
  return out;
}

} // namespace

Map &compose_maps(Mesh &mesh, op_map first_handle, op_map second_handle, const char *name) {
  if (!mesh.several()) return mesh.declare().compose(first_handle, second_handle, name);
  const Composition pair = mesh.declare().composition(first_handle, second_handle, name);
  mesh.agreement().agree(text("map '", name, "' of maps '", pair.first->label, "' and '", pair.second->label, "'"));
  mesh.declare().settle();
  const std::vector<op_gindex> middles = own_targets(*pair.first);
  GlobalIndex place;
  std::vector<op_gindex> wanted;
  for (const op_gindex middle : middles)
    if (place.find(middle) < 0) {
      place.add(middle, static_cast<int>(wanted.size()));
      wanted.push_back(middle);
    }
  const std::vector<op_gindex> rows = rows_of(mesh, *pair.second, wanted);
  std::vector<op_gindex> targets;
  for (const op_gindex middle : middles) {
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(place.find(middle)) * pair.second->dim;
    targets.insert(targets.end(), row, row + pair.second->dim);
  }
  Map &map = mesh.declare().adopt_targets(pair, std::move(targets), name);
  map.in_declared_order = !pair.first->built && pair.first->in_declared_order;
  return map;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
