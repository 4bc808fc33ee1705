/* trace.h: streamlines of particles through a mesh, and where in a mesh points are.
 *
 * A tracer takes the nodes and cells of a view (view.h) and a dat with a velocity: on nodes, interpolated in cells
 * (linear in triangles and tetrahedra, otherwise as finite elements of first order do), or one value per cell. Cells
 * are triangles and quadrilaterals where coordinates have dim 2; tetrahedra, pyramids, prisms and hexahedra where they
 * have dim 3. Other cells of the view, such as faces of the boundary, are left out.
 *
 * Lines have the same bits on any number of processes and threads and in any division of the mesh: a step is made where
 * all that it sees of the mesh is known, and a particle changes to another process only between steps. Cells are
 * numbered in the order in which the view has them, or, if the velocity belongs to another set of cells to which those
 * of the view have a map of dim 1 (`cells` of meshfile.h), as in that set. A point on a side belongs to the cell with
 * the lowest number.
 *
 *   op_tracer tracer = op_decl_tracer(view, velocity);
 *   op_trace_params params = OP_TRACE_PARAMS;
 *   params.step = 0.01;
 *   op_lines lines;
 *   op_trace(tracer, 100, seeds, &params, &lines);
 *   op_write_lines(lines, "lines.vtp");
 *   op_lines_free(lines);
 *
 * docs/streamlines.md shows the use. */
#ifndef OP2_TRACE_H
#define OP2_TRACE_H

#include "op2/view.h"

OP_BEGIN_DECLS

typedef struct op_tracer_core *op_tracer; /* owned by the library until op_exit() */
typedef struct op_lines_core *op_lines;   /* owned by the program, independent of op_exit() */

/* Why a line ends. */
#define OP_LINE_STEPS 1     /* most_steps */
#define OP_LINE_TIME 2      /* longest_time */
#define OP_LINE_LENGTH 3    /* longest_length */
#define OP_LINE_SLOW 4      /* the speed is not above least_speed, or is 0 */
#define OP_LINE_LEFT 5      /* the particle has left the mesh */
#define OP_LINE_OUTSIDE 6   /* the seed is not in the mesh */
#define OP_LINE_NO_NUMBER 7 /* the seed, or the velocity where the particle came, is not finite */
#define OP_LINE_LOST 8      /* cells are degenerate there, or no step is short enough for the tolerance */

/* Parameters of op_trace(). Missing tail fields take their defaults, so that old programs keep working. Lengths are in
 * the unit of the coordinates, times in that of coordinates over velocity. 0 stands for the default that is named. */
typedef struct op_trace_params {
  size_t size;        /* sizeof(op_trace_params), set by OP_TRACE_PARAMS */
  const char *method; /* Runge-Kutta: "rk2" (midpoint), "rk3" (Kutta), "rk4"; or "rk45": Dormand and Prince's method of
                         order 5 with control of the error (J. Comput. Appl. Math. 6 (1980) 19). NULL: "rk4" */
  const char *unit;   /* of steps: "time"; "length": all velocities count by their direction; "cells": the size of the
                         cell where the step begins. NULL: "time" */
  double step;        /* length of a step in that unit, > 0; of "rk45" the first one. It must be given */
  const char *direction;               /* "forward", "backward" or "both". NULL: "forward" */
  double tolerance;                    /* "rk45": of the error of a step, a length. 0: 1e-6 */
  double shortest_step, longest_step;  /* "rk45", in the unit of steps. 0: no limit. A step crosses two cells at most */
  op_gindex most_steps;                /* 0: 10 000 */
  double longest_time, longest_length; /* of a line. 0: no limit */
  double least_speed;
  int every;   /* which points of a line are kept besides the first and the last one: every k-th. 0: none but ... */
  double turn; /* ... those where the velocity has turned by more than so many radians since the last one. 0: off */
  /* How the work is done; no line depends on it. */
  int threads;          /* of this process. 0: as many as loops use */
  int batch;            /* particles for each thread that are taken at once, with several processes. 0: 32 */
  const char *division; /* which process traces where. "blocks": pieces of space with equal numbers of cells, dealt at
                           random; for comparison "cyclic", dealt in turn, and "bisection", one piece for each process.
                           "mesh": the division of the library's sets at the call (op_partition() or the first loop
                           makes it), so that no cells move. NULL: "blocks" */
  int blocks;           /* "blocks", "cyclic": pieces for each process. 0: 4 */
  unsigned shuffle;     /* "blocks": seed of the random numbers */
  size_t overlap;       /* bytes that copies of cells may take on each process beyond those that steps need, so that
                           particles change process less often */
  const char *ending;   /* how processes learn that all lines have ended. "tree": sums along a tree; "broadcast": each
                           process tells all others; "reduction": all add up what they know, again and again. NULL:
                           "tree" */
} op_trace_params;
#define OP_TRACE_PARAMS \
  { sizeof(op_trace_params), NULL, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, NULL, 0, 1, 0, NULL }

/* A tracer through the cells of a view. velocity: double or float, of the dim of the coordinates, on the view's nodes,
 * on the only set of cells that is traced through, or on a set to which all of these have a map of dim 1. The view may
 * not change afterwards. Collective. NULL on error: OP_ERR_HANDLE, OP_ERR_TYPE, OP_ERR_DIM, OP_ERR_SET (the velocity is
 * on another set), OP_ERR_STATE (no cells to trace through), OP_ERR_UNSUPPORTED (cells of second order; polygons where
 * coordinates have dim 2). */
OP_API op_tracer op_decl_tracer(op_view view, op_dat velocity);

/* Lines of a velocity that changes in time: linearly from that of op_decl_tracer() to `later`, a dat like it, in the
 * time `duration` > 0. Lines then begin at the first of the two, backward ones at the last, and end at the other with
 * OP_LINE_TIME; where they end, the next pair of velocities goes on. Not with unit "length". later NULL: the velocity
 * does not change any more. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (duration), OP_ERR_SET, OP_ERR_DIM,
 * OP_ERR_TYPE (not like the first velocity). */
OP_API op_status op_tracer_pathlines(op_tracer tracer, op_dat later, double duration);

/* Draw a line from each of the seeds that this process passes: seeds[count][dim of the coordinates], borrowed for the
 * call; processes may pass different ones, or none. The values of coordinates and velocity are those at the call; the
 * second call for the same mesh, division and depth of copies is faster. *lines receives the lines of this process'
 * seeds, which the program frees with op_lines_free(). Collective; all processes pass the same parameters.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (a parameter that is impossible; more than two cells with the same side),
 * OP_ERR_STATE (a dat is acquired), OP_ERR_MEMORY, OP_ERR_UNSUPPORTED (several processes whose communicator lacks
 * messages at any time). */
OP_API op_status op_trace(op_tracer tracer, op_index count, const double *seeds, const op_trace_params *params,
                          op_lines *lines);

/* Seeds at equal distances on a line from a to b, both included: into seeds[count][dim], count >= 1; a count of 1 takes
 * the middle. Not collective. Errors: OP_ERR_ARGUMENT. */
OP_API op_status op_seed_line(int dim, const double *a, const double *b, op_index count, double *seeds);

/* Seeds on a grid between two corners, both included: into seeds[counts[0] * ... * counts[dim - 1]][dim], the first
 * coordinate fastest; a count of 1 takes the middle. Not collective. Errors: OP_ERR_ARGUMENT. */
OP_API op_status op_seed_grid(int dim, const double *low, const double *high, const op_index *counts, double *seeds);

/* Free lines. NULL is allowed. Not collective. Errors: OP_ERR_HANDLE. */
OP_API op_status op_lines_free(op_lines lines);

/* An array of the lines of this process' seeds, owned by the lines, valid until op_lines_free(). The line of seed i is
 * line i; with direction "both" it is line 2 i forward and line 2 i + 1 backward. *rows receives the number of rows,
 * *dim the values in a row; both may be NULL. An empty array is not NULL. Not collective. NULL on error: OP_ERR_HANDLE,
 * OP_ERR_ARGUMENT (no such array).
 *
 *   "begin"     [lines + 1]  where each line's points begin, and the end of the last one's
 *   "end"       [lines]      why it ends: OP_LINE_...
 *   "steps"     [lines]      how many steps it has */
OP_API const op_gindex *op_lines_ints(op_lines lines, const char *name, op_gindex *rows, int *dim);

/* As op_lines_ints():
 *
 *   "x"         [points][3]  points that were kept, the seed first; a line whose seed is outside has none
 *   "velocity"  [points][3]  there
 *   "time"      [points]     since the seed, negative backwards
 *   "end_x"     [lines][3]   where the line ends
 *   "end_time"  [lines]
 *   "length"    [lines]      the sum of its chords */
OP_API const double *op_lines_reals(op_lines lines, const char *name, op_gindex *rows, int *dim);

/* "left", "no number", ...: an OP_LINE_... in words. Never NULL. Not collective. */
OP_API const char *op_line_end_name(int end);

/* What was done to draw the lines, on all processes, as JSON: steps, particles handed over and those that came back,
 * messages and bytes, seconds of work and of waiting, imbalance. Writes at most `capacity` bytes including the final
 * zero and returns the length of the whole text (like snprintf); buffer may be NULL. -1 on errors: OP_ERR_HANDLE. Not
 * collective. */
OP_API int op_lines_info(op_lines lines, char *buffer, size_t capacity);

/* Write all processes' lines to one file, those of the first process first: .vtp, polylines in VTK's XML format, or
 * .vtkhdf, VTKHDF PolyData of version 2, which VTK 9.1 cannot read yet; it needs a driver of HDF5 files, and all
 * processes write if that can. With velocity, speed and time on points and with seed, end, end_time, length and steps
 * on lines. Lines without points are left out. The library replaces an older file as a whole when the new one is
 * complete. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (the name), OP_ERR_FILE, OP_ERR_BACKEND (.vtkhdf, and no
 * driver is installed). */
OP_API op_status op_write_lines(op_lines lines, const char *file);

/* The finite-time Lyapunov exponent at each node: log(s) / params->longest_time, where s is the largest factor by which
 * distances between particles that begin around the node grow in that time (G. Haller, Physica D 149 (2001) 248),
 * from the particles of all nodes that share a cell with it. Not a number where one of these ends earlier, e.g. because
 * it has left. exponent: one double on the view's nodes. With direction "backward" what attracts now. Not "both", not
 * unit "length". Collective. Errors: as op_trace(), and OP_ERR_SET, OP_ERR_DIM, OP_ERR_TYPE of exponent. */
OP_API op_status op_ftle(op_tracer tracer, const op_trace_params *params, op_dat exponent);

/* Where points of this process are: points[count][dim of the coordinates]. Each of the arrays may be NULL: cell[count]
 * receives the number of the cell (see above), -1 if none contains the point; process[count] the rank that owns the
 * cell in the library's division of the mesh, or -1; where[count][3] the coordinates of the point in the reference cell
 * (docs/streamlines.md), zeros if it is in none. Collective. Errors: as op_trace(). */
OP_API op_status op_locate(op_tracer tracer, op_index count, const double *points, op_gindex *cell, int *process,
                           double *where);

/* The neighbours of cells through their sides: a dat of type "ll" on the set that `map` starts from, whose cells the
 * tracer traces through, with a number (see above) for each side of the cell's type, -1 where there is none. Sides are
 * in the order of docs/streamlines.md. The library owns the dat. Collective. NULL on error: OP_ERR_HANDLE,
 * OP_ERR_ARGUMENT (more than two cells have the same side; the map is not one of the tracer's), and those of
 * op_decl_dat(). */
OP_API op_dat op_decl_neighbours(op_tracer tracer, op_map map, const char *name);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
