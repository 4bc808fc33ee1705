/* init.h: start, end and the processes of a run.
 *
 * One thread controls the library: the one that called op_init(). Calls that need a session give OP_ERR_THREAD on others, and
 * OP_ERR_STATE or OP_ERR_THREAD inside kernels; facts about the run and the last error can be asked anywhere, as long as no
 * other thread is inside op_init() or op_exit(). */
#ifndef OP2_INIT_H
#define OP2_INIT_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Start the library. Collective. Started by a launcher of MPI (mpirun -n 4 ./program), it runs on all those processes when OP2_BACKEND is
 * auto or names mpi, and initialises MPI unless the program has done so; docs/processes.md. argc/argv may be 0/NULL; the arguments are read (settings such as OP2_BACKEND=openmp or
 * OP2's OP_PART_SIZE=256 may stand there), never changed. diags: 0 or 1 normal (OP2_LOG chooses the messages), 2 op_diagnostic_output() prints, 3 a
 * line for every loop executed. Calling it again after op_exit() is fine; without op_exit() it is OP_ERR_STATE.
 * Errors: OP_ERR_STATE, OP_ERR_ARGUMENT (argc, diags, a setting), OP_ERR_BACKEND, OP_ERR_PLUGIN; nothing is started then. */
OP_API op_status op_init(int argc, char **argv, int diags);

/* Parameters of op_init_with(). Missing tail fields take their defaults, so old programs keep working. */
typedef struct op_init_params {
  size_t size;         /* sizeof(op_init_params), set by OP_INIT_PARAMS */
  int argc;
  char **argv;         /* borrowed for the call */
  int diags;
  int threads;         /* threads of the executor; 0 = OP2_NUM_THREADS, OMP_NUM_THREADS or all cores */
  const char *backend; /* e.g. "openmp", "mpi+cuda"; NULL = OP2_BACKEND or "auto"; an explicit choice beats the environment */
  int keep_order;      /* 1: the program depends on the order of its declarations in a way the library cannot see, e.g. it reads
                          dat->data (op2/heads.h): OP2_RENUMBER, and OP2_LAYOUT on CPUs, then do nothing, only op_renumber() does. 2: the same,
                          and op_arg_idx() gives kernels the numbers of rows on this process, as maps of op2/heads.h have them, when each of several
                          processes has declared its own part; after op_partition("BLOCK") these are the rows of op_fetch_data(). 0: it does not */
  int communicator_given; /* 1: run on `communicator` instead of all processes of the job; MPI must be initialised */
  int communicator;    /* MPI's handle of the Fortran kind, MPI_Comm_c2f(comm). Duplicated, so it may be freed after the call; the
                          processes that are not in it need not call the library */
} op_init_params;
#define OP_INIT_PARAMS {sizeof(op_init_params), 0, NULL, 0, 0, NULL, 0, 0, 0}

/* As op_init(), with named parameters: op_init_params p = OP_INIT_PARAMS; p.backend = "openmp"; op_init_with(&p); Collective over
 * the processes of the communicator. Errors: as op_init(); OP_ERR_BACKEND also when a communicator is given and the back end runs
 * each process by itself, MPI is not initialised, or the handle is none of the MPI library that plugin mpi was built with. */
OP_API op_status op_init_with(const op_init_params *params);

/* Free everything the library holds: all handles become invalid, and stay so in later sessions. Collective. Harmless
 * when nothing was initialised. */
OP_API op_status op_exit(void);

/* 1 between op_init() and op_exit(). */
OP_API int op_is_initialised(void);

/* The back end in use, e.g. "self+openmp" or "mpi+seq"; "" before op_init(). Owned by the library. */
OP_API const char *op_backend(void);

/* Number of this process, in *rank, which must not be NULL; 0 without a communicator and before op_init(). */
OP_API void op_rank(int *rank);

/* Number of processes; 1 without a communicator and before op_init(). */
OP_API int op_comm_size(void);

/* 1 on process 0. */
OP_API int op_is_root(void);

/* Wait for all processes. Collective. */
OP_API op_status op_barrier(void);

/* printf on process 0, also before op_init(). Flushed at once, so lines of a killed run are not lost. */
OP_API void op_printf(const char *format, ...) OP_PRINTF_LIKE(1, 2);

/* Current value of a setting ("OP2_NUM_THREADS"), as text, wherever it came from; NULL for an unknown name. Owned by the
 * library until the next call. docs/settings.md lists them all. */
OP_API const char *op_setting(const char *name);

/* Everything `op2_info` prints: version, settings, plugins found or refused and why, what loops are compiled with. Writes
 * at most `capacity` bytes including the final zero and returns the length of the whole text (like snprintf); buffer may
 * be NULL. Callable at any time. */
OP_API int op_info(char *buffer, size_t capacity);

OP_END_DECLS

#endif
