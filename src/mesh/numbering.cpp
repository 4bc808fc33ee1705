#include "mesh/numbering.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/error.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

// to[i][j] = place[from[order[i]][j]]; either may be empty: as it is.
template <class Dim>
void move_entries(int *to, const int *from, std::size_t rows, Dim dim, std::span<const int> order,
                  std::span<const int> place) {
  constexpr std::size_t ahead = 16; // rows in another order are far apart: fetch them in time
  for (std::size_t i = 0; i < rows; ++i) {
    if (i + ahead < order.size()) __builtin_prefetch(from + static_cast<std::size_t>(order[i + ahead]) * dim());
    const int *const row = from + (order.empty() ? i : static_cast<std::size_t>(order[i])) * dim();
    for (std::size_t j = 0; j < dim(); ++j)
      to[i * dim() + j] = place.empty() ? row[j] : place[static_cast<std::size_t>(row[j])];
  }
}

template <std::size_t value>
using FixedDim = std::integral_constant<std::size_t, value>;

void move_entries(int *to, const int *from, std::size_t rows, int dim, std::span<const int> order,
                  std::span<const int> place) {
  const auto move = [&](auto fixed) { move_entries(to, from, rows, fixed, order, place); };
  if (dim == 1) return move(FixedDim<1>());
  if (dim == 2) return move(FixedDim<2>());
  if (dim == 3) return move(FixedDim<3>());
  if (dim == 4) return move(FixedDim<4>());
  move([dim] { return static_cast<std::size_t>(dim); });
}

// Zeros are zeros in any order: data that nobody has set yet need not be moved.
bool all_zero(const char *data, std::size_t bytes) {
  return bytes == 0 || (data[0] == 0 && std::memcmp(data, data + 1, bytes - 1) == 0);
}

// The numbers of the declaration after one more change of order; empty when it is that of the declaration again.
std::vector<int> numbers_after(const Set &set, const std::vector<int> &order) {
  std::vector<int> out = order;
  if (set.renumbered())
    for (int &n : out) n = set.original[static_cast<std::size_t>(n)];
  bool declared = true;
  for (std::size_t i = 0; declared && i < out.size(); ++i) declared = out[i] == static_cast<int>(i);
  if (declared) out.clear();
  return out;
}

} // namespace

void Numbering::reorder(const std::vector<std::vector<int>> &orders) {
  const auto order_of = [&](op_set set) -> const std::vector<int> & {
    return orders[static_cast<std::size_t>(set->index)];
  };
  // All that can fail for want of memory comes before the first change.
  std::vector<std::vector<int>> places, originals, declared_places;
  for (const auto &set : objects_.sets()) {
    const std::vector<int> &order = order_of(set.get());
    places.push_back(inverse(order));
    originals.push_back(order.empty() ? set->original : numbers_after(*set, order));
    declared_places.push_back(order.empty() ? set->place : inverse(originals.back()));
  }
  std::size_t most = 0;
  for (const auto &map : objects_.maps()) most = std::max(most, map->table.size() * sizeof(int));
  for (const auto &dat : objects_.dats()) {
    if (dat->freed || order_of(dat->set).empty()) continue;
    copies_.prepare_host(*dat, OP_READ, false);
    most = std::max(most, dat->bytes());
  }
  Storage scratch(executor_, OP_SPACE_HOST, most);
  try {
    for (const auto &map : objects_.maps()) {
      const std::vector<int> &rows = order_of(map->from), &entries = places[static_cast<std::size_t>(map->to->index)];
      if (rows.empty() && entries.empty()) continue;
      ++map->revision;
      int *const moved = reinterpret_cast<int *>(scratch.data());
      move_entries(moved, map->table.data(), static_cast<std::size_t>(map->from->size), map->dim, rows, entries);
      std::copy_n(moved, map->table.size(), map->table.begin()); // in place: the head's pointer stays valid
      forget(*map);
      if (map->remote.data()) copies_.refilled(*map, map->table.size());
    }
    for (const auto &dat : objects_.dats()) {
      const std::vector<int> &order = order_of(dat->set);
      if (dat->freed || order.empty() || all_zero(dat->host.data(), dat->bytes())) continue;
      gather_rows(scratch.data(), dat->host.data(), order, static_cast<std::size_t>(dat->size));
      std::memcpy(dat->host.data(), scratch.data(), dat->bytes());
      copies_.note_host(*dat, OP_WRITE);
    }
  } catch (Error &error) {
    error.poisons = true; // some rows have moved, others have not
    throw;
  }
  for (std::size_t i = 0; i < objects_.sets().size(); ++i) {
    if (orders[i].empty()) continue;
    ++objects_.sets()[i]->revision;
    objects_.sets()[i]->original = std::move(originals[i]);
    objects_.sets()[i]->place = std::move(declared_places[i]);
    objects_.sets()[i]->remote_original = Storage();
    objects_.sets()[i]->from_one = {};
  }
}

void translate(std::vector<int> &table, const Set &from, const Set &to, int dim) {
  if (!from.renumbered() && !to.renumbered()) return;
  std::vector<int> moved(table.size());
  move_entries(moved.data(), table.data(), static_cast<std::size_t>(from.size), dim, from.original, to.place);
  table = std::move(moved);
}

void Numbering::forget(Map &map) {
  map.numbers = {};
  map.remote_numbers = Storage();
  map.from_one = {};
}

const int *Numbering::of_elements(const Set &set) {
  Set &own = objects_.own(set);
  return copies_.on_executor(own.original, own.remote_original);
}

const int *Numbering::of_targets_on_host(const Map &map) {
  Map &own = objects_.own(map);
  if (own.numbers.empty()) {
    std::vector<int> numbers(own.table.size());
    move_entries(numbers.data(), own.table.data(), static_cast<std::size_t>(own.table_rows()), own.dim, {},
                 own.target().original);
    own.numbers = std::move(numbers);
  }
  return own.numbers.data();
}

const int *Numbering::of_targets(const Map &map) {
  Map &own = objects_.own(map);
  of_targets_on_host(map);
  return copies_.on_executor(own.numbers, own.remote_numbers);
}

const int *Numbering::of_elements_from_one(const Set &set, bool of_rows, bool here) {
  Set &own = objects_.own(set);
  std::vector<int> &table = own.from_one.host;
  if (table.empty()) {
    table.resize(static_cast<std::size_t>(std::max(own.rows(), 1)), 1); // never empty, so that there is an address
    for (int n = 0; n < own.rows(); ++n)
      table[static_cast<std::size_t>(n)] =
          1 + (of_rows || !own.renumbered() ? n : own.original[static_cast<std::size_t>(n)]);
  }
  return here ? copies_.on_executor(table, own.from_one.remote) : table.data();
}

const int *Numbering::of_targets_from_one(const Map &map, bool of_rows, bool here) {
  Map &own = objects_.own(map);
  std::vector<int> &table = own.from_one.host;
  if (table.empty()) {
    const int *const entries = of_rows || !own.target().renumbered() ? own.table.data() : of_targets_on_host(map);
    table.assign(entries, entries + own.table.size());
    for (int &entry : table) ++entry;
    if (table.empty()) table.push_back(1);
  }
  return here ? copies_.on_executor(table, own.from_one.remote) : table.data();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
