// op_lib_mpi.h: for OP2 programs with MPI calls of their own.
#ifndef OP2_COMPAT_OP_LIB_MPI_H
#define OP2_COMPAT_OP_LIB_MPI_H

#include "op2/compat/op_lib_core.h"
#include "op2/compat/op_mpi_core.h"

#endif

/* SPDX-License-Identifier: MIT */
