/* init.h: start and end of the library, and the processes of a run.
 *
 * There is one context per process, and no call names it: MPI, the device, the threads and the handlers of signals
 * exist once in a process, and OP2's functions have no context as a parameter (docs/architecture.md says more).
 *
 * One thread controls the library: the thread that called op_init(). Calls that need a session return OP_ERR_THREAD on
 * other threads, and OP_ERR_STATE or OP_ERR_THREAD inside kernels. Any thread may ask for facts about the run and for
 * its last error, as long as no other thread is inside op_init() or op_exit(). */
#ifndef OP2_INIT_H
#define OP2_INIT_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Start the library. Collective. If a launcher of MPI started the program (mpirun -n 4 ./program) and OP2_BACKEND is
 * auto or names mpi, the library runs on all those processes, and initialises MPI unless the program has done so; see
 * docs/processes.md. argc/argv may be 0/NULL; the library reads the arguments (settings such as OP2_BACKEND=openmp or
 * OP2's OP_PART_SIZE=256) and never changes them. diags: 0 or 1 = normal (OP2_LOG chooses the messages); 2 =
 * op_diagnostic_output() prints; 3 = a line for every loop executed. The program may call op_init() again after
 * op_exit(); without op_exit() the second call fails with OP_ERR_STATE. Errors: OP_ERR_STATE, OP_ERR_ARGUMENT (argc,
 * diags, a setting), OP_ERR_BACKEND, OP_ERR_PLUGIN; the library is then not started. After a fork() the child's calls
 * fail with OP_ERR_STATE if the library has threads or other processes by then: fork before op_init(). */
OP_API op_status op_init(int argc, char **argv, int diags);

/* Flag of op_init_params: the program depends on the library's order of elements in a way that the library cannot see,
 * e.g. it reads dat->data (op2/heads.h). OP2_RENUMBER, and OP2_LAYOUT on CPUs, then have no effect, and only
 * op_renumber() changes the order. */
#define OP_KEEP_ORDER 1

/* Flag of op_init_params: as OP_KEEP_ORDER, and where each of several processes has declared its own part, op_arg_idx()
 * gives kernels the local row numbers of this process, the same as in the maps of op2/heads.h; after
 * op_partition("BLOCK") these are the rows of op_fetch_data(). */
#define OP_LOCAL_INDICES 2

/* Parameters of op_init_with(). Missing tail fields take their defaults, so that old programs keep working. */
typedef struct op_init_params {
  size_t size; /* sizeof(op_init_params), set by OP_INIT_PARAMS */
  int argc;
  char **argv; /* borrowed for the call */
  int diags;
  int threads;         /* threads of the executor; 0 = OP2_NUM_THREADS, OMP_NUM_THREADS or all cores */
  const char *backend; /* e.g. "openmp", "mpi+cuda", borrowed for the call; NULL = OP2_BACKEND or "auto". An explicit
                          choice takes precedence over the environment */
  int flags;           /* 0, OP_KEEP_ORDER or OP_LOCAL_INDICES */
  int communicator_given; /* 1: run on `communicator` instead of all processes of the job; MPI must be initialised */
  int communicator; /* MPI's Fortran handle, MPI_Comm_c2f(comm). The library duplicates the communicator, so that the
                       program may free it after the call. Processes outside it need not call the library */
} op_init_params;
#define OP_INIT_PARAMS {sizeof(op_init_params), 0, NULL, 0, 0, NULL, 0, 0, 0}

/* As op_init(), with named parameters: op_init_params p = OP_INIT_PARAMS; p.backend = "openmp"; op_init_with(&p);
 * Collective over the processes of the communicator. Errors: as op_init(); OP_ERR_ARGUMENT also if flags has unknown
 * bits; OP_ERR_BACKEND also if a communicator is given and the back end runs each process by itself, MPI is not
 * initialised, or the handle is not valid in the MPI library that plugin mpi was built with. */
OP_API op_status op_init_with(const op_init_params *params);

/* Free everything that the library holds. All handles become invalid, and remain so in later sessions. Collective.
 * Returns OP_OK if the library is not initialised, and does nothing in a child of fork() whose library stayed with the
 * parent (op_init). Errors: OP_ERR_THREAD, and those of writes in the background that
 * have failed (hdf5.h); the session ends in the latter case, too. */
OP_API op_status op_exit(void);

/* 1 between op_init() and op_exit(), 0 otherwise. */
OP_API int op_is_initialised(void);

/* The back end in use, e.g. "self+openmp" or "mpi+seq"; "" before op_init(). Owned by the library. */
OP_API const char *op_backend(void);

/* Writes the rank of this process to *rank, which must not be NULL; 0 without a communicator and before op_init(). */
OP_API void op_rank(int *rank);

/* Number of processes; 1 without a communicator and before op_init(). */
OP_API int op_comm_size(void);

/* 1 on process 0, 0 on all others. */
OP_API int op_is_root(void);

/* Returns after all processes have called it. Collective. Errors: OP_ERR_STATE (also: the processes make different
 * calls). */
OP_API op_status op_barrier(void);

/* printf on process 0; does nothing on other processes. Callable before op_init(), too. The library flushes stdout at
 * once, so that the output of a killed run is not lost. Not collective. */
OP_API void op_printf(const char *format, ...) OP_PRINTF_LIKE(1, 2);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
