// Sets of particles: declared empty, filled, moved from cell to cell and from process to process.
//
// The program moves them in rounds: a loop over the particles that are on their way writes where each goes next, and
// step() takes them there. After the last one all particles are
// sorted again.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loop/engine/engine.hpp"
#include "mesh/particles.hpp"
#include "particles/cell_places.hpp"
#include "particles/particle_rows.hpp"

namespace op2::core {

// Values of a dat for new particles, [particles][dim], borrowed.
struct ParticleValues {
  Dat *dat;
  const void *values;
};

class ParticleSets : public MovesAlong {
 public:
  ParticleSets(Mesh &mesh, Engine &engine) : mesh_(mesh), engine_(engine) {}

  // New particles in cells of these numbers, wherever these are; dats that are not among the values get zeros. A number
  // below the base means a particle outside the mesh, which is left out. Collective. Throws OP_ERR_RANGE.
  void add(Set &set, std::span<const op_gindex> cells, std::span<const ParticleValues> values);
  // Takes particles where their `next` says. Returns how many are still on their way, on all processes. Collective.
  // Throws OP_ERR_RANGE for the number of a cell that does not exist.
  std::int64_t step(Set &set);

  // A map that follows particles, see op_map_compose(). Collective.
  Map &follow(op_map first, op_map second, const char *name);

  void before_move() override;
  void after_move() override;
  void cancel_move() override;

 private:
  struct Leaving {
    std::vector<int> rows, owners;
  };
  ParticleRows &rows_of(Set &set);
  CellPlaces &places_of(const Set &cells);
  std::int64_t go(Set &set);
  std::int64_t send_on(Set &set);
  int take_in(Set &set, ParticleRows &rows, std::span<const op_gindex> cells, const std::vector<std::size_t> &taken,
              std::span<const ParticleValues> values);
  void need_cells(const Set &set, ParticleRows &rows, const CellPlaces &places) const;
  Leaving sort_out(Set &set, ParticleRows &rows, const CellPlaces &places);
  void exchange(Set &set, ParticleRows &rows, CellPlaces &places, Leaving leaving, std::string records);
  void settle(Set &set);
  void refresh(Set &set);

  Mesh &mesh_;
  Engine &engine_;
  std::vector<std::unique_ptr<ParticleRows>> rows_; // by the number of the set
  std::vector<std::unique_ptr<CellPlaces>> places_; // of each set of cells with particles
  std::vector<std::vector<long long>> lifted_;      // of each set: where its particles were to go
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
