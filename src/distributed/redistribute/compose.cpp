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
std::vector<idx_g_t> numbers_here(const Map &map) {
  const Set &from = *static_cast<const Set *>(map.from);
  if (map.built || !map.in_natural_order) return own_numbers(from);
  std::vector<idx_g_t> out(static_cast<std::size_t>(from.natural_size));
  std::iota(out.begin(), out.end(), from.natural_first);
  return out;
}

// Rows of a map, wherever they are: of the elements `wanted`, each named once.
std::vector<idx_g_t> rows_of(Mesh &mesh, const Map &map, const std::vector<idx_g_t> &wanted) {
  Communicator &communicator = mesh.communicator();
  const Set &from = *static_cast<const Set *>(map.from);
  const std::vector<idx_g_t> own = numbers_here(map), targets = own_targets(map);
  Directory owners(communicator, from.global_size);
  owners.enter(own, std::vector<int>(own.size(), communicator.rank()));
  const Groups groups = group_by_rank(owners.ask(wanted));
  const SparseMessages questions = post<idx_g_t>(communicator, groups, wanted);
  const GlobalIndex row(own);
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  std::vector<idx_g_t> found;
  for (const idx_g_t element : questions.all<idx_g_t>()) {
    const auto first = targets.begin() + static_cast<std::ptrdiff_t>(row.find(element)) * map.dim;
    found.insert(found.end(), first, first + map.dim);
  }
  const SparseMessages answers =
      answer(communicator, questions, found, [&](int m) { return questions.values<idx_g_t>(m).size() * dim; });
  const std::span<const idx_g_t> got = answers.all<idx_g_t>();
  std::vector<idx_g_t> out(wanted.size() * dim);
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
  const std::vector<idx_g_t> middles = own_targets(*pair.first);
  GlobalIndex place;
  std::vector<idx_g_t> wanted;
  for (const idx_g_t middle : middles)
    if (place.find(middle) < 0) {
      place.add(middle, static_cast<int>(wanted.size()));
      wanted.push_back(middle);
    }
  const std::vector<idx_g_t> rows = rows_of(mesh, *pair.second, wanted);
  std::vector<idx_g_t> targets;
  for (const idx_g_t middle : middles) {
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(place.find(middle)) * pair.second->dim;
    targets.insert(targets.end(), row, row + pair.second->dim);
  }
  Map &map = mesh.declare().adopt_targets(pair, std::move(targets), name);
  map.in_natural_order = !pair.first->built && pair.first->in_natural_order;
  return map;
}

} // namespace op2::core
