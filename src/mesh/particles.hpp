// What a set of particles has beside what every set has: cells that hold the particles, and what goes with them.
//
// A particle is a row of the set on the process that owns its cell. Between moves rows are sorted by cell, and within a
// cell by the particle's identity. During a move the rows of those that have arrived come first, then those still on
// their way, from row `first` on; loops run over these.
#pragma once

#include <vector>

#include "mesh/entities.hpp"

namespace op2::core {

struct Particles {
  struct Follower { // what `of_cells` leads to from the particle's cell
    Map *map;
    const Map *of_cells;
  };

  Set *cells = nullptr;
  int base = 0;                    // the first number of cells and identities, as the program counts them
  Map *in = nullptr;               // to the cells, dim 1
  std::vector<int> begin_of_cell;  // where the particles of each cell begin, [cells here + 1], between moves
  std::vector<Follower> followers; // in the order of their declaration
  std::vector<Dat *> dats;         // all on the set, freed ones too; `identity` and `next` are among them
  Dat *identity = nullptr;         // "ll": unique among all particles that ever were in the set, from base; current
                                   // on the host, also for copies
  Dat *next = nullptr;             // "ll": the number of the cell to go to, or OP_PARTICLE_... + base
  op_gindex made = 0;              // identities so far, on all processes

  bool left_out = false; // of checkpoints, as the program's user has been told

  bool moving = false; // some process has particles on their way
  int first = 0;       // the first of these
  int begin() const { return moving ? first : 0; }
};

// Throws OP_ERR_ACCESS for the identities of particles.
void need_changeable(const Dat &dat);
// Throws OP_ERR_STATE if a dat on the particles is acquired.
void need_released(const Set &particles);

} // namespace op2::core

// SPDX-License-Identifier: MIT
