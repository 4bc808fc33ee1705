#include "distributed/redistribute/migrate.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/groups.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

std::size_t place_in(const op_set_core &set) { return static_cast<std::size_t>(set.index); }

template <class T>
char *bytes_of(std::vector<T> &values) {
  return reinterpret_cast<char *>(values.data());
}

// How one set's rows move: what leaves by whom it goes to, what arrived by how it is to lie.
struct Migration {
  bool stays = true;
  Groups groups;
  std::vector<int> order; // order[i]: which of the arrived rows becomes row i

  // The rows of this process after the move; everybody calls it alike.
  std::vector<char> move(Communicator &communicator, const char *rows, std::size_t row_bytes) const {
    const SparseMessages received = post_rows(communicator, groups, rows, row_bytes);
    std::vector<char> out(order.size() * row_bytes);
    gather_rows(out.data(), received.all<char>().data(), order, row_bytes);
    return out;
  }
};

Migration migration_of(Communicator &communicator, Set &set, const std::vector<int> &owner) {
  Migration migration;
  migration.stays = false;
  migration.groups = group_by_rank(owner);
  const SparseMessages received = post<op_gindex>(communicator, migration.groups, set.global);
  const std::span<const op_gindex> arrived = received.all<op_gindex>();
  if (arrived.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    fail(OP_ERR_UNSUPPORTED, "set '", set.label, "' would have more than 2^31 - 1 elements on one process");
  migration.order.resize(arrived.size());
  std::iota(migration.order.begin(), migration.order.end(), 0);
  std::sort(migration.order.begin(), migration.order.end(),
            [&](int a, int b) { return arrived[static_cast<std::size_t>(a)] < arrived[static_cast<std::size_t>(b)]; });
  std::vector<op_gindex> numbers(arrived.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = arrived[static_cast<std::size_t>(migration.order[i])];
  set.global = std::move(numbers);
  return migration;
}

} // namespace

std::vector<op_gindex> own_numbers(const Set &set) {
  if (set.distributed) return {set.global.begin(), set.global.begin() + set.size};
  std::vector<op_gindex> out(static_cast<std::size_t>(set.size));
  std::iota(out.begin(), out.end(), set.declared_first);
  return out;
}

std::vector<op_gindex> own_targets(const Map &map) {
  if (!map.built) return map.targets;
  const Set &to = *static_cast<const Set *>(map.to);
  std::vector<op_gindex> out;
  const std::size_t own = static_cast<std::size_t>(map.from->size) * static_cast<std::size_t>(map.dim);
  for (std::size_t i = 0; i < own; ++i) out.push_back(to.global[static_cast<std::size_t>(map.table[i])]);
  return out;
}

void migrate(Mesh &mesh, const std::vector<std::vector<int>> &owner) {
  if (!mesh.several()) return;
  Communicator &communicator = mesh.communicator();
  std::vector<Migration> migrations(mesh.sets().size());
  for (const auto &set : mesh.sets()) {
    // A set that nobody has anything of on this process moves all the same: rows may come.
    const std::vector<int> &whose = owner[place_in(*set)];
    if (communicator.max(static_cast<std::int64_t>(!whose.empty())) == 0) continue;
    migrations[place_in(*set)] = migration_of(communicator, *set, whose);
  }
  for (const auto &map : mesh.maps()) {
    const Migration &migration = migrations[place_in(*map->from)];
    if (migration.stays) continue;
    const std::size_t row = static_cast<std::size_t>(map->dim) * sizeof(op_gindex);
    const std::vector<char> moved = migration.move(communicator, bytes_of(map->targets), row);
    map->targets.resize(moved.size() / sizeof(op_gindex));
    std::copy(moved.begin(), moved.end(), bytes_of(map->targets));
  }
  const bool errors_return = mesh.agreement().errors_return();
  std::optional<Error> failed; // others wait for what is yet to be sent
  for (const auto &dat : mesh.dats()) {
    const Migration &migration = migrations[place_in(*dat->set)];
    if (dat->freed || migration.stays) continue;
    const std::size_t row = static_cast<std::size_t>(dat->size);
    const std::vector<char> moved = migration.move(communicator, dat->host.data(), row);
    try {
      Storage rows(mesh.executor(), OP_SPACE_HOST, moved.size());
      dat->host = std::move(rows); // the rest of its storage follows when halos are built
      if (mesh.paged()) mesh.paged()->take_empty(*dat);
      if (!moved.empty()) std::memcpy(dat->host.data(), moved.data(), moved.size());
    } catch (const Error &error) {
      if (!errors_return) throw;
      failed = error;
      failed->poisons = true;
    }
  }
  all_or_none(mesh, "rows on their migration to other processes", [&failed] {
    if (failed) throw Error(*failed);
  });
  for (const auto &set : mesh.sets()) {
    if (migrations[place_in(*set)].stays) continue;
    set->size = set->core_size = static_cast<int>(set->global.size());
  }
}

void reorder_own(Mesh &mesh, const std::vector<std::vector<int>> &order) {
  for (const auto &set : mesh.sets()) {
    const std::vector<int> &rows = order[place_in(*set)];
    if (rows.empty()) continue;
    std::vector<op_gindex> moved(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) moved[i] = set->global[static_cast<std::size_t>(rows[i])];
    set->global = std::move(moved);
  }
  for (const auto &map : mesh.maps()) {
    const std::vector<int> &rows = order[place_in(*map->from)];
    if (rows.empty()) continue;
    std::vector<op_gindex> moved(map->targets.size());
    gather_rows(bytes_of(moved), bytes_of(map->targets), rows, static_cast<std::size_t>(map->dim) * sizeof(op_gindex));
    map->targets = std::move(moved);
  }
  for (const auto &dat : mesh.dats()) {
    const std::vector<int> &rows = order[place_in(*dat->set)];
    if (dat->freed || rows.empty()) continue;
    std::vector<char> moved(rows.size() * static_cast<std::size_t>(dat->size));
    gather_rows(moved.data(), dat->host.data(), rows, static_cast<std::size_t>(dat->size));
    std::copy(moved.begin(), moved.end(), dat->host.data());
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
