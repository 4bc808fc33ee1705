// session.hpp: start, end and processes, with the meaning that they have in OP2.
#ifndef OP2_COMPAT_CPP_SESSION_HPP
#define OP2_COMPAT_CPP_SESSION_HPP

#include <cstdlib>
#include <string>
#include <vector>

// A program that itself calls MPI leaves the start and end of MPI to op_init() and op_exit(). NULL if the program is
// linked without MPI.
extern "C" {
extern int MPI_Init_thread(int *, char ***, int, int *) __attribute__((weak));
extern int MPI_Initialized(int *) __attribute__((weak));
extern int MPI_Finalized(int *) __attribute__((weak));
extern int MPI_Finalize(void) __attribute__((weak));
}

namespace op2 {
namespace compat {

// Whether any file of the program includes op_mpi_core.h.
inline bool &calls_mpi() {
  static bool yes = false;
  return yes;
}

// The library starts MPI only under a launcher of MPI; a program that calls MPI always needs it.
inline void start_mpi() {
  int begun = 1, level = 0;
  const int with_threads = 3; // MPI_THREAD_MULTIPLE, in all implementations
  if (!calls_mpi() || &MPI_Initialized == NULL || &MPI_Init_thread == NULL) return;
  MPI_Initialized(&begun);
  if (!begun) MPI_Init_thread(NULL, NULL, with_threads, &level);
}

inline std::string setting(const char *name) {
  const char *const value = op_setting(name);
  return value == NULL ? "" : value;
}
inline int number_in(const char *name) { return std::atoi(setting(name).c_str()); }

// Writes the settings into the variables of OP2.
inline void show_settings() {
  const std::string weights = setting("OP2_PARTITION_WEIGHTS"), direct = setting("OP2_GPU_DIRECT");
  OP_part_size = number_in("OP2_BLOCK_SIZE");
  if (OP_part_size > 0) OP_block_size = OP_part_size;
  OP_maps_base_index = number_in("OP2_MAPS_BASE_INDEX");
  OP_auto_soa = setting("OP2_LAYOUT") == "soa" ? 1 : 0;
  OP_gpu_direct = direct == "mpi" || direct == "nccl" || direct == "ipc" ? 1 : 0;
  if (weights.compare(0, 4, "gpu=") == 0) OP_hybrid_balance = std::atof(weights.c_str() + 4);
}

// OP2's programs read the library's sets, maps and dats, so these stay in the order of the declaration. soa: as
// OP_AUTO_SOA before the program's own arguments; OP2_LAYOUT in the environment takes precedence here, too.
inline op_status start(int argc, char **argv, int diags, bool communicator_given, int communicator, bool soa) {
  char by_component[] = "OP_AUTO_SOA", unnamed[] = "";
  std::vector<char *> words(1, unnamed);
  op_init_params params = OP_INIT_PARAMS;
  params.argc = argc;
  params.argv = argv;
  if (soa && std::getenv("OP2_LAYOUT") == NULL) {
    words.push_back(by_component);
    for (int i = 1; argv != NULL && i < argc; ++i) words.push_back(argv[i]);
    params.argc = static_cast<int>(words.size());
    params.argv = words.data();
  }
  params.diags = diags < 0 ? 0 : diags;
  params.flags = OP_LOCAL_INDICES;
  params.communicator_given = communicator_given ? 1 : 0;
  params.communicator = communicator;
  const op_status status = op_init_with(&params);
  if (status != OP_OK) return status;
  start_mpi();
  OP_diags = diags;
  OP_is_partitioned = 0;
  show_settings();
  return OP_OK;
}

inline op_status init(int argc, char **argv, int diags, int soa = 0) {
  return start(argc, argv, diags, false, 0, soa != 0);
}

inline op_status init_on(int argc, char **argv, int diags, int global, int local, int soa = 0) {
  op2_compat_communicator = local;
  op2_compat_communicator_of_all = global;
  return start(argc, argv, diags, true, local, soa != 0);
}

inline op_status finish() {
  const op_status status = (op_exit)();
  int begun = 0, ended = 1;
  if (&MPI_Initialized != NULL && &MPI_Finalized != NULL && &MPI_Finalize != NULL) {
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun && !ended) MPI_Finalize();
  }
  return status;
}

} // namespace compat
} // namespace op2

// The library's functions of these names may renumber elements, and do not start MPI for the program.
#define op_init(argc, argv, diags) (::op2::compat::init((argc), (argv), (diags)))
#define op_exit() (::op2::compat::finish())

// soa: dats have the SoA layout in the memory of a GPU, as with OP_AUTO_SOA; on the host they always have rows.
inline void op_init_soa(int argc, char **argv, int diags, int soa) { ::op2::compat::init(argc, argv, diags, soa); }

// As op_init(), on a communicator of the program; MPI must be initialised. `global`: the communicator of all coupled
// programs.
inline void op_mpi_init(int argc, char **argv, int diags, int global, int local) {
  ::op2::compat::init_on(argc, argv, diags, global, local);
}
inline void op_mpi_init_soa(int argc, char **argv, int diags, int global, int local, int soa) {
  ::op2::compat::init_on(argc, argv, diags, global, local, soa);
}

inline void op_mpi_rank(int *rank) { op_rank(rank); }
inline int op_mpi_size() { return op_comm_size(); }
inline void op_mpi_barrier() { op_barrier(); }
inline void op_print(const char *line) { op_printf("%s\n", line); }

#endif

// SPDX-License-Identifier: MIT
