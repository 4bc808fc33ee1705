#include "distributed/redistribute/distribute.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/declared/exchange.hpp"
#include "distributed/directory.hpp"
#include "distributed/halo/halo_build.hpp"
#include "distributed/redistribute/migrate.hpp"

namespace op2::core {

namespace {

// What is on the executor only must not get lost while rows move on the host.
void bring_to_host(Mesh &mesh) {
  all_or_none(mesh, "rows on their way to the host", [&mesh] {
    for (const auto &dat : mesh.dats())
      if (!dat->freed) mesh.copies().prepare_host(*dat, OP_READ, false); // host views are copies: they may stay open
  });
}

// Maps of a set that is in parts already, declared since: their rows are still where they were declared.
void send_late_maps(Mesh &mesh) {
  for (const auto &map : mesh.maps()) {
    const Set &from = *static_cast<const Set *>(map->from);
    if (!from.distributed || !map->in_declared_order) continue;
    std::vector<op_gindex> moved(static_cast<std::size_t>(from.size) * static_cast<std::size_t>(map->dim));
    rows_from_declared(mesh, from, map->targets.data(), moved.data(),
                       static_cast<std::size_t>(map->dim) * sizeof(op_gindex));
    map->targets = std::move(moved);
  }
}

// Partitioners want blocks of consecutive numbers: rows return to the processes they were declared on.
void migrate_to_declared(Mesh &mesh) {
  if (std::none_of(mesh.sets().begin(), mesh.sets().end(), [](const auto &set) { return set->distributed; })) return;
  std::vector<std::vector<int>> owner(mesh.sets().size());
  for (const auto &set : mesh.sets()) {
    Directory holders(mesh.communicator(), set->global_size);
    holders.enter_range(set->declared_first, set->declared_size, mesh.communicator().rank());
    owner[static_cast<std::size_t>(set->index)] = holders.ask(set->global);
  }
  migrate(mesh, owner);
}

// Adds the time of a step to one of the times.
void timed(const DivideOptions &options, double DivisionTimes::*part, const std::function<void()> &step) {
  const double start = now();
  step();
  if (options.times) options.times->*part += now() - start;
}

// What communicators report of theirs is an Error; in its handler.
void end_if_without_memory(Error &error) {
  error.poisons = error.poisons || !error.agreed;
  const bool no_room = error.code == OP_ERR_MEMORY || error.code == OP_ERR_FILE; // for rows, in the pager's file
  if (no_room && !error.agreed) error.agreed = error.ends_job = true;
}

} // namespace

bool needs_distribution(const Mesh &mesh) {
  if (!mesh.several()) return false;
  return std::any_of(mesh.sets().begin(), mesh.sets().end(), [](const auto &set) { return !set->distributed; }) ||
         std::any_of(mesh.maps().begin(), mesh.maps().end(), [](const auto &map) { return !map->built; });
}

void end_job_without_memory(const std::function<void()> &step) try { step(); } catch (Error &error) {
  end_if_without_memory(error);
  throw;
} catch (const std::bad_alloc &) {
  Error error(OP_ERR_MEMORY, "out of memory while rows move or halos are made; other processes wait for this one");
  error.agreed = error.poisons = error.ends_job = true;
  throw error;
}

namespace {

void divide(Mesh &mesh, const ChooseOwners &choose, const DivideOptions &options) {
  mesh.declare().settle();
  bring_to_host(mesh);
  drop_halos(mesh);
  send_late_maps(mesh);
  for (const auto &set : mesh.sets())
    if (!set->distributed) set->global = own_numbers(*set);
  std::optional<Error> refused;
  bool moved = false;
  if (choose) {
    if (!options.in_place) timed(options, &DivisionTimes::move, [&] { migrate_to_declared(mesh); });
    try {
      std::vector<std::vector<int>> owner;
      timed(options, &DivisionTimes::partition, [&] { owner = choose(mesh); });
      moved = std::any_of(owner.begin(), owner.end(), [](const auto &of) { return !of.empty(); });
      timed(options, &DivisionTimes::move, [&] { migrate(mesh, owner); });
    } catch (const Error &error) {
      if (!error.agreed || error.poisons) throw; // others may have gone on
      refused = error;
    }
  }
  const bool as_declared = !moved && mesh.dialect().keeps_parts && mesh.declare().mode() == Declare::local;
  timed(options, &DivisionTimes::halo, [&] { build_halos(mesh, options.halo_depth, as_declared); });
  for (const auto &map : mesh.maps()) map->in_declared_order = false;
  for (const auto &set : mesh.sets()) set->declared_exchange.reset();
  if (refused) throw *refused;
}

} // namespace

void distribute(Mesh &mesh, const ChooseOwners &choose, const DivideOptions &options) {
  end_job_without_memory([&] { divide(mesh, choose, options); });
}

void redistribute_in_order(Mesh &mesh, const std::vector<std::vector<int>> &order, const DivideOptions &options) {
  redistribute_rewritten(
      mesh, [&] { reorder_own(mesh, order); }, options);
}

void redistribute_rewritten(Mesh &mesh, const std::function<void()> &rewrite, const DivideOptions &options) {
  end_job_without_memory([&] {
    bring_to_host(mesh);
    drop_halos(mesh);
    rewrite();
    timed(options, &DivisionTimes::halo, [&] { build_halos(mesh, options.halo_depth); });
    for (const auto &set : mesh.sets()) set->declared_exchange.reset();
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
