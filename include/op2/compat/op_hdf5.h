// op_hdf5.h: meshes and results in HDF5 files, for programs that were written for OP2. The functions are the library's.
#ifndef OP2_COMPAT_OP_HDF5_H
#define OP2_COMPAT_OP_HDF5_H

#include "op2/hdf5.h"

#endif

/* SPDX-License-Identifier: MIT */
