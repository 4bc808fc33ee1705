#include "particles/particle_sets.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/groups.hpp"
#include "op2/particles.h"
#include "particles/particle_halo.hpp"

namespace op2::core {

namespace {

// What fails in between leaves particles that are neither here nor there.
template <class Step>
auto whole(const Step &step) {
  try {
    return step();
  } catch (Error &error) {
    error.poisons = true;
    throw;
  } catch (const std::bad_alloc &) {
    Error error(OP_ERR_MEMORY, "there is no memory for particles on their way");
    error.poisons = true;
    throw error;
  }
}

} // namespace

ParticleRows &ParticleSets::rows_of(Set &set) {
  const auto &sets = mesh_.objects().particle_sets();
  const auto at = std::ranges::find_if(sets, [&set](const auto &one) { return one.get() == &set; }) - sets.begin();
  if (rows_.size() < sets.size()) rows_.resize(sets.size());
  std::unique_ptr<ParticleRows> &rows = rows_[static_cast<std::size_t>(at)];
  if (!rows) rows = std::make_unique<ParticleRows>(mesh_, set);
  return *rows;
}

CellPlaces &ParticleSets::places_of(const Set &cells) {
  for (std::unique_ptr<CellPlaces> &one : places_) {
    if (&one->cells() != &cells) continue;
    if (!one->valid()) one = std::make_unique<CellPlaces>(mesh_, cells);
    return *one;
  }
  return *places_.emplace_back(std::make_unique<CellPlaces>(mesh_, cells));
}

// The numbers and sizes that others see, and all that was made for the old ones.
void ParticleSets::refresh(Set &set) {
  set.passed = set.declared_size = set.size;
  engine_.particles_moved(set);
}

// All particles have arrived: sorts them by cell and identity.
void ParticleSets::settle(Set &set) {
  Particles &its = *set.particles;
  ParticleRows &rows = rows_of(set);
  its.moving = false;
  its.first = 0;
  if (order_by_cell(set, rows, rows.order)) rows.reorder();
  std::fill_n(rows.next(), set.size, OP_PARTICLE_ARRIVED + its.base);
  share_particles(mesh_, set, rows);
  rows.changed();
  set.global_size = mesh_.communicator().sum(set.size);
  set.declared_first = mesh_.communicator().sum_before(set.size);
  fill_tables(mesh_, set, rows_of(set));
  refresh(set);
}

void ParticleSets::need_cells(const Set &set, ParticleRows &rows, const CellPlaces &places) const {
  const ParticleRows::Goals next = rows.goals();
  for (int row = set.particles->begin(); row < set.size; ++row)
    if (next[row] >= 0 ? !places.exists(next[row]) : next[row] != OP_PARTICLE_GONE && next[row] != OP_PARTICLE_ARRIVED)
      fail(OP_ERR_RANGE, "particle ", rows.identity()[row], " of '", set.label, "' is to go to cell ", rows.next()[row],
           "; set '", places.cells().label, "' has ", places.cells().global_size, " cells, from ", next.base,
           ", and there are OP_PARTICLE_GONE (", OP_PARTICLE_GONE + next.base, ") and OP_PARTICLE_ARRIVED (",
           OP_PARTICLE_ARRIVED + next.base, ")");
}

// Rows in the order: arrived, on their way here, all others. The set ends before the latter, whose values are still
// there.
ParticleSets::Leaving ParticleSets::sort_out(Set &set, ParticleRows &rows, const CellPlaces &places) {
  constexpr std::size_t arrived = 0, here = 1, away = 2; // kinds of rows
  const int begin = set.particles->begin();
  const ParticleRows::Goals next = rows.goals();
  std::vector<unsigned char> &kind = rows.kind;
  kind.resize(static_cast<std::size_t>(set.size - begin));
  std::array<int, 4> first = {begin, begin, begin, begin}; // where each kind begins, once counted
  for (int row = begin; row < set.size; ++row) {
    std::size_t its = next[row] == OP_PARTICLE_ARRIVED ? arrived : away;
    if (next[row] >= 0)
      if (const int cell = places.row(next[row]); cell >= 0) {
        its = here;
        rows.cell()[row] = cell;
      }
    kind[static_cast<std::size_t>(row - begin)] = static_cast<unsigned char>(its);
    for (std::size_t later = its + 1; later < first.size(); ++later) ++first[later];
  }
  // Only rows that lie among another kind move: as many as want to go to a kind's place lie in it and want to leave.
  std::vector<int> to;
  std::array<std::vector<int>, 3> from;
  for (const std::size_t place : {arrived, here, away})
    for (int row = first[place]; row < first[place + 1]; ++row)
      if (const std::size_t its = kind[static_cast<std::size_t>(row - begin)]; its != place) {
        to.push_back(row);
        from[its].push_back(row);
      }
  for (const std::size_t place : {here, away})
    from[arrived].insert(from[arrived].end(), from[place].begin(), from[place].end());
  rows.move(to, from[arrived]);
  set.particles->first = first[here];
  Leaving out;
  for (int row = first[away]; row < set.size; ++row)
    if (next[row] >= 0) {
      out.rows.push_back(row);
      out.owners.push_back(places.neighbour(next[row]));
    }
  set.size = first[away];
  set.particles->in->table.resize(static_cast<std::size_t>(set.size));
  return out;
}

void ParticleSets::exchange(Set &set, ParticleRows &rows, CellPlaces &places, Leaving leaving, std::string records) {
  Communicator &communicator = mesh_.communicator();
  const std::size_t bytes = rows.record_bytes();
  const Groups groups = group_by_rank(leaving.owners);
  const SparseMessages received = post_rows(communicator, groups, records.data(), bytes);
  const std::span<const char> arrived = received.all<char>();
  all_or_none(mesh_, "memory for particles",
              [&] { rows.make_room(static_cast<std::size_t>(set.size) + arrived.size() / bytes); });
  const int first = set.size;
  rows.append(arrived, std::vector<int>(arrived.size() / bytes));
  for (int row = first; row < set.size; ++row) rows.cell()[row] = places.row(rows.goals()[row]);
}

// Moves particles on by one step. The result: how many are on their way, on all processes.
std::int64_t ParticleSets::send_on(Set &set) {
  Communicator &communicator = mesh_.communicator();
  Particles &its = *set.particles;
  ParticleRows &rows = rows_of(set);
  CellPlaces &places = places_of(*its.cells);
  drop_copies(set);
  Leaving leaving = sort_out(set, rows, places);
  its.moving = true;
  std::string records;
  rows.pack(leaving.rows, records);
  std::vector<int> unknown;
  std::vector<op_gindex> wanted;
  for (std::size_t i = 0; i < leaving.rows.size(); ++i)
    if (leaving.owners[i] < 0) {
      unknown.push_back(static_cast<int>(i));
      wanted.push_back(rows.goals()[leaving.rows[i]]);
    }
  std::int64_t counts[] = {static_cast<std::int64_t>(leaving.rows.size()) + set.size - its.first,
                           static_cast<std::int64_t>(unknown.size())};
  if (!mesh_.several()) return counts[0];
  communicator.allreduce(counts, 2, OP_TYPE_LL, OP_COMM_SUM);
  if (counts[1] > 0) {
    const std::vector<int> owners = places.owners(wanted);
    for (std::size_t i = 0; i < unknown.size(); ++i) leaving.owners[static_cast<std::size_t>(unknown[i])] = owners[i];
  }
  if (counts[0] > 0) exchange(set, rows, places, std::move(leaving), std::move(records));
  return counts[0];
}

std::int64_t ParticleSets::step(Set &set) {
  // Another division or order would lose what the program has written to `next`.
  if (set.global_size == 0) engine_.make_mesh_ready();
  const double start = now();
  std::optional<TraceSpan> shown;
  if (Trace *const trace = mesh_.copies().trace())
    shown.emplace(*trace, trace->subject(trace_lane::data, text("move ", set.label)));
  ParticleRows &rows = rows_of(set);
  const CellPlaces &places = places_of(*set.particles->cells);
  mesh_.agreement().together(text("moving particles '", set.label, "'"), [&] {
    rows.to_host();
    need_cells(set, rows, places);
    return 0;
  });
  LoopStats &stats = engine_.stats().of("op_move_particles", set.label);
  stats.form = "sort";
  ++stats.calls;
  stats.elements += set.size - set.particles->begin();
  const std::int64_t left = whole([&] { return go(set); });
  stats.seconds += now() - start;
  return left;
}

// One round, of particles whose cells exist.
std::int64_t ParticleSets::go(Set &set) {
  const std::int64_t left = send_on(set);
  if (left == 0) {
    settle(set);
  } else {
    rows_of(set).changed();
    set.core_size = 0;
    fill_tables(mesh_, set, rows_of(set));
    refresh(set);
  }
  return left;
}

void ParticleSets::add(Set &set, std::span<const op_gindex> cells, std::span<const ParticleValues> values) {
  engine_.make_mesh_ready();
  Particles &its = *set.particles;
  ParticleRows &rows = rows_of(set);
  CellPlaces &places = places_of(*its.cells);
  std::vector<std::size_t> taken;
  mesh_.agreement().together(text("new particles of '", set.label, "'"), [&] {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] < its.base) continue;
      if (!places.exists(cells[i] - its.base))
        fail(OP_ERR_RANGE, "new particle ", i, " of '", set.label, "' is in cell ", cells[i], "; set '",
             its.cells->label, "' has ", its.cells->global_size, " cells, from ", its.base);
      taken.push_back(i);
    }
    rows.to_host();
    rows.make_room(static_cast<std::size_t>(set.size) + taken.size());
    return 0;
  });
  whole([&] { return take_in(set, rows, cells, taken, values); });
}

int ParticleSets::take_in(Set &set, ParticleRows &rows, std::span<const op_gindex> cells,
                          const std::vector<std::size_t> &taken, std::span<const ParticleValues> values) {
  Communicator &communicator = mesh_.communicator();
  Particles &its = *set.particles;
  drop_copies(set);
  const op_gindex before = mesh_.several() ? communicator.sum_before(static_cast<std::int64_t>(taken.size())) : 0;
  const op_gindex all = communicator.sum(static_cast<std::int64_t>(taken.size()));
  its.moving = true; // as if they came from nowhere and were on their way to their cells
  its.first = set.size;
  rows.append(std::string(taken.size() * rows.record_bytes(), '\0'), std::vector<int>(taken.size()));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(its.first) + i;
    rows.identity()[row] = its.base + its.made + before + static_cast<op_gindex>(i);
    rows.next()[row] = cells[taken[i]];
    for (const ParticleValues &one : values) {
      const auto bytes = static_cast<std::size_t>(one.dat->size);
      std::memcpy(one.dat->host.data() + row * bytes, static_cast<const char *>(one.values) + taken[i] * bytes, bytes);
    }
  }
  its.made += all;
  rows.changed();
  send_on(set);
  settle(set);
  return 0;
}

Map &ParticleSets::follow(op_map first, op_map second, const char *name) {
  Map &map = mesh_.declare().follow(first, second, name);
  Set &set = mesh_.objects().own(map.source());
  // Otherwise the mesh is divided before the next loop, and the particles with it.
  if (set.global_size > 0 && (mesh_.objects().map(second, "argument 'second'").built || !mesh_.several()))
    fill_tables(mesh_, set, rows_of(set));
  return map;
}

void ParticleSets::before_move() {
  const auto &sets = mesh_.objects().particle_sets();
  for (const auto &set : sets) {
    if (set->global_size == 0) continue;
    if (set->particles->moving)
      fail(OP_ERR_STATE, "particles '", set->label,
           "' are on their way while the mesh is to get another division or order; let them arrive first "
           "(op_move_particles)");
    need_released(*set);
  }
  lifted_.assign(sets.size(), {});
  for (std::size_t s = 0; s < sets.size(); ++s) {
    Set &set = *sets[s];
    if (set.global_size == 0) continue;
    ParticleRows &rows = rows_of(set);
    const CellPlaces &places = places_of(*set.particles->cells);
    rows.to_host();
    lifted_[s].assign(rows.next(), rows.next() + set.size);
    for (int row = 0; row < set.size; ++row) rows.next()[row] = places.number(rows.cell()[row]) + set.particles->base;
    rows.changed();
  }
}

void ParticleSets::after_move() {
  lifted_.clear();
  for (const auto &set : mesh_.objects().particle_sets()) {
    if (set->global_size == 0) continue;
    set->particles->moving = true;
    set->particles->first = 0;
    whole([&] {
      send_on(*set), settle(*set);
      return 0;
    });
  }
}

void ParticleSets::cancel_move() {
  for (std::size_t s = 0; s < lifted_.size(); ++s)
    if (Set &set = *mesh_.objects().particle_sets()[s]; !lifted_[s].empty())
      std::ranges::copy(lifted_[s], rows_of(set).next());
  lifted_.clear();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
