// op_mpi_core.h: MPI and the library's communicator, for OP2 programs with MPI calls of their own.
#ifndef OP2_COMPAT_OP_MPI_CORE_H
#define OP2_COMPAT_OP_MPI_CORE_H

#include <mpi.h>

#include "op2/compat/op_lib_core.h"

// In OP2's programs this name means process 0.
#undef MPI_ROOT
#define MPI_ROOT 0

// OP2's list of elements to send or receive. The library does not use it; it is for programs that name the type.
typedef struct {
  op_set set;
  int size;
  int *ranks;
  int ranks_size;
  int *disps;
  int *sizes;
  int *list;
} halo_list_core;
typedef halo_list_core *halo_list;

namespace op2 {
namespace compat {

__attribute__((unused)) static const bool this_file_calls_mpi = calls_mpi() = true;

inline MPI_Comm world(int handle) { return handle == -1 ? MPI_COMM_WORLD : MPI_Comm_f2c(handle); }

} // namespace compat
} // namespace op2

// The communicators that op_mpi_init() received: of the processes that share the mesh, and of all coupled programs.
#define OP_MPI_WORLD (::op2::compat::world(op2_compat_communicator))
#define OP_MPI_GLOBAL (::op2::compat::world(op2_compat_communicator_of_all))

// The MPI datatype of a C++ type. Programs specialise the template for user types.
inline MPI_Datatype get_mpi_type(const double *) { return MPI_DOUBLE; }
inline MPI_Datatype get_mpi_type(const float *) { return MPI_FLOAT; }
inline MPI_Datatype get_mpi_type(const int *) { return MPI_INT; }
inline MPI_Datatype get_mpi_type(const uint *) { return MPI_UNSIGNED; }
inline MPI_Datatype get_mpi_type(const ll *) { return MPI_LONG_LONG; }
inline MPI_Datatype get_mpi_type(const ull *) { return MPI_UNSIGNED_LONG_LONG; }
inline MPI_Datatype get_mpi_type(const bool *) { return MPI_CXX_BOOL; }
template <class T>
MPI_Datatype get_mpi_type() {
  return get_mpi_type(static_cast<const T *>(NULL));
}

#endif

/* SPDX-License-Identifier: MIT */
