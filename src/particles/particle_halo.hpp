// What follows from the cells that particles are in: their order, copies of those in copies of cells, tables of maps.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/particles.hpp"
#include "particles/particle_rows.hpp"

namespace op2::core {

// The order by cell and identity: order[i] is the present row of row i. False: the rows are in it already. Notes where
// the particles of each cell begin. O(particles + cells).
bool order_by_cell(Set &set, ParticleRows &rows, std::vector<int> &order);

// Forgets the copies of other processes' particles. Not collective.
void drop_copies(Set &set);

// Sorted particles: sizes of the set, and copies of the particles in those cells of others that this process executes,
// since they lead to rows that it owns. Collective.
void share_particles(Mesh &mesh, Set &set, ParticleRows &rows);

// The tables of all maps from the set, by the cells of its rows and copies. Not collective.
void fill_tables(Mesh &mesh, Set &set, const ParticleRows &rows);

} // namespace op2::core

// SPDX-License-Identifier: MIT
