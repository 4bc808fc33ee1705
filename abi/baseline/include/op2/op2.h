/* op2.h: the core of libop2, which nearly every program needs.
 *
 * A program declares the mesh (decl.h), runs kernels over it (loop.h) and reads the results (data.h). The same binary
 * runs on one core, on all cores, on a GPU or on a cluster: the setting OP2_BACKEND chooses when the program starts.
 * See README.md. Other subjects have headers of their own, which a program includes beside this one:
 *
 *   partition.h        which process owns which elements      hdf5.h             meshes and results in HDF5 files
 *   order.h            the order of elements in memory        meshfile.h         meshes from mesh generators
 *   chain.h            loops that run together                view.h             files for visualisation
 *   global.h           variables that the library holds       trace.h            streamlines
 *   reduction.h        reductions of the program's own        checkpoint.h       checkpoints and restarts
 *   particles.h        particles in cells of the mesh         kernel.h           the text of kernels
 *   change.h           maps that change, new meshes           inspect.h          facts about handles and partition
 *   user_types.h       data of the program's own types        info.h             settings, how the library was built
 *   storage.h          data larger than memory                until.h            loops that stop early
 *   heads.h            fields behind the handles              fortran_support.h  for bindings of other languages
 *   compat.h           OP2's words, with hand_loop.h */
#ifndef OP2_OP2_H
#define OP2_OP2_H

#include "op2/data.h"
#include "op2/decl.h"
#include "op2/error.h"
#include "op2/init.h"
#include "op2/loop.h"
#include "op2/timing.h"
#include "op2/types.h"
#include "op2/version.h"

#endif

/* SPDX-License-Identifier: MIT */
