/* particles.h: sets of particles, which are in cells of the mesh and move from cell to cell.
 *
 * A set of particles is a set for op_par_loop() whose size changes. Each particle is in a cell; the library keeps it on
 * the process that owns the cell, and takes it to another one with its cell. Data on particles are dats, the way from a
 * particle to its cell is a map, and op_map_compose() makes maps from there to whatever the cell leads to: these follow
 * the particles.
 *
 *   op_set ions = op_decl_particles(cells, "ions");
 *   op_map ion_cell = op_particle_cell(ions);
 *   op_map ion_nodes = op_map_compose(ion_cell, cell_nodes, "ion_nodes");
 *   op_dat x = op_decl_dat(ions, 3, "double", NULL, "x");
 *   op_add_particles(ions, count, cells_of_them, 1, &(op_particle_values){x, positions});
 *   do
 *     op_par_loop(walk, "walk", ions, op_arg_dat(x, -1, OP_ID, 3, "double", OP_READ),
 *                 op_arg_dat(neighbours, 0, ion_cell, 4, "ll", OP_READ), ...
 *                 op_arg_dat(op_particle_next(ions), -1, OP_ID, 1, "ll", OP_WRITE));
 *   while (op_move_particles(ions) > 0);
 *   op_par_loop(deposit, "deposit", ions, op_arg_dat(charge, -4, ion_nodes, 1, "double", OP_INC), ...);
 *
 * Between moves the rows of a process are sorted by cell, and within a cell by the identity of the particles, on any
 * number of processes and threads. op_fetch_data(), op_put_data(), op_dat_acquire() and the sizes of data.h are about
 * the particles that this process has now. Checkpoints, op_dump_to_hdf5() and the lists of op_all_sets() and its like
 * leave particles out. docs/particles.md shows the use. */
#ifndef OP2_PARTICLES_H
#define OP2_PARTICLES_H

#include "op2/decl.h"

OP_BEGIN_DECLS

/* What a kernel writes to `next` (op_particle_next), beside the number of a cell. */
#define OP_PARTICLE_GONE (-1)    /* it leaves the set; what op_decl_neighbours() has where there is no neighbour */
#define OP_PARTICLE_ARRIVED (-2) /* it stays in its cell */

/* Values of a dat for new particles. */
typedef struct op_particle_values {
  op_dat dat;         /* on the particles */
  const void *values; /* [count][dim of the dat], borrowed for the call */
} op_particle_values;

/* A set of particles in the cells of `cells`, a set of the mesh; none so far. The library owns it until op_exit().
 * Collective. NULL on error: OP_ERR_HANDLE, OP_ERR_SET (`cells` are particles), OP_ERR_ARGUMENT (name). */
OP_API op_set op_decl_particles(op_set cells, const char *name);

/* The same for programs that count cells and particles from `first`, 0 or 1. With 1, identities and the cells of
 * op_add_particles() and `next` count from 1, and OP_PARTICLE_GONE and OP_PARTICLE_ARRIVED are larger by 1, too: 0 and
 * -1. The Fortran module declares particles in this way. Also OP_ERR_ARGUMENT (first). */
OP_API op_set op_decl_particles_from(op_set cells, const char *name, int first);

/* The map of dim 1 from particles to their cells. Not collective. NULL on error: OP_ERR_HANDLE, OP_ERR_SET (elements of
 * the mesh). */
OP_API op_map op_particle_cell(op_set particles);

/* A dat of one "ll": a number that no other particle of the set has or ever had, from 0 in the order of their addition,
 * by process. It can only be read. Not collective. Errors: as op_particle_cell(). */
OP_API op_dat op_particle_identity(op_set particles);

/* A dat of one "ll": where each particle goes at the next op_move_particles(): OP_PARTICLE_ARRIVED, OP_PARTICLE_GONE,
 * or the number of a cell, as in the declaration and as op_decl_neighbours() has it. It is OP_PARTICLE_ARRIVED for all
 * particles after each addition, at the end of each move, and when the mesh gets another division or order. Not
 * collective. Errors: as op_particle_cell(). */
OP_API op_dat op_particle_next(op_set particles);

/* Add particles. cells[count]: the number of the cell of each, on any process; a particle with a number below 0 (as
 * op_locate() gives outside the mesh) is left out. values[dats]: those of some dats; the others get zeros. Each process
 * adds its own, or none (count 0). Collective. Errors: OP_ERR_HANDLE, OP_ERR_SET (no particles; a dat of another set),
 * OP_ERR_ARGUMENT (a negative count, an array that is NULL, a dat that is named twice or is the library's own),
 * OP_ERR_RANGE (no such cell), OP_ERR_STATE (particles on their way, a dat is acquired), OP_ERR_MEMORY. */
OP_API op_status op_add_particles(op_set particles, op_index count, const op_gindex *cells, int dats,
                                  const op_particle_values *values);

/* Take particles where `next` says: those that have arrived stay, those that are gone are removed, the others go to
 * their cell, and are then on their way. Returns how many particles of all processes are. While there are some, loops
 * over the particles run over these alone, and may write only rows of the particles; the program runs the loop that
 * decides where they go, and calls op_move_particles() again. When it returns 0, the move is over: all particles are
 * sorted, and loops run over all of them. Collective. -1 on error: OP_ERR_HANDLE, OP_ERR_SET (elements of the mesh),
 * OP_ERR_RANGE (no such cell; nothing has moved), OP_ERR_STATE (a dat is acquired), OP_ERR_MEMORY. */
OP_API op_gindex op_move_particles(op_set particles);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
