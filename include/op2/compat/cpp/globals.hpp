// globals.hpp: OP2's global variables. op_init() writes the actual values into them; the library does not read them, so
// that a program which changes them has no effect.
#ifndef OP2_COMPAT_CPP_GLOBALS_HPP
#define OP2_COMPAT_CPP_GLOBALS_HPP

// One variable per program, for any number of files that include this header (C++11 has no inline variables).
#define OP2_COMPAT_GLOBAL __attribute__((weak))

OP2_COMPAT_GLOBAL int OP_diags = 0;               // the parameter of op_init()
OP2_COMPAT_GLOBAL int OP_part_size = 0;           // OP2_BLOCK_SIZE, 0: the library chooses
OP2_COMPAT_GLOBAL int OP_block_size = 64;         // the same if it is not 0
OP2_COMPAT_GLOBAL int OP_cache_line_size = 128;   // the default of OP2
OP2_COMPAT_GLOBAL int OP_gpu_direct = 0;          // 1: OP2_GPU_DIRECT names a way
OP2_COMPAT_GLOBAL double OP_hybrid_balance = 1.0; // OP2_PARTITION_WEIGHTS=gpu=...
OP2_COMPAT_GLOBAL int OP_hybrid_gpu = 0;          // the default of OP2
OP2_COMPAT_GLOBAL int OP_maps_base_index = 0;     // OP2_MAPS_BASE_INDEX
OP2_COMPAT_GLOBAL int OP_mpi_test_frequency = 1 << 30;
OP2_COMPAT_GLOBAL int OP_partial_exchange = 1; // where few copies are reached
OP2_COMPAT_GLOBAL int OP_disable_mpi_reductions = 0;
OP2_COMPAT_GLOBAL int OP_cuda_reductions_mib = 5;
OP2_COMPAT_GLOBAL int OP_is_partitioned = 0; // 1 after op_partition() and op_halo_create()
OP2_COMPAT_GLOBAL int OP_auto_soa = 0;       // 1: OP2_LAYOUT=soa
OP2_COMPAT_GLOBAL int OP_kern_max = 0;       // number of used entries of OP_kernels: none
OP2_COMPAT_GLOBAL int OP_kern_curr = 0;
OP2_COMPAT_GLOBAL op_kernel *OP_kernels = NULL;
OP2_COMPAT_GLOBAL double OP_plan_time = 0;
OP2_COMPAT_GLOBAL int OP_plan_index = 0; // the library has no plans of OP2
OP2_COMPAT_GLOBAL int OP_plan_max = 0;

// From op_mpi_init(): Fortran handles of MPI communicators, -1 for all processes of the job.
OP2_COMPAT_GLOBAL int op2_compat_communicator = -1;
OP2_COMPAT_GLOBAL int op2_compat_communicator_of_all = -1;

#endif

// SPDX-License-Identifier: MIT
