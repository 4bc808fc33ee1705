// op_lib_core.h: types, constants and globals of OP2, for programs that were written for it.
//
// The headers of this folder have the names and the contents of OP2's headers. New programs include op2/op2.hpp.
// docs/howto/op2_programs.md describes how to build an OP2 program and what differs.
#ifndef OP2_COMPAT_OP_LIB_CORE_H
#define OP2_COMPAT_OP_LIB_CORE_H

#ifndef __cplusplus
#error "OP2's headers are for C++; C programs take op2/op2.h"
#endif

// OP2's programs rely on these includes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>
#include <sys/types.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "op2/compat/cpp/heads.hpp"
#if __cplusplus >= 201703L
#include "op2/op2.hpp"
#else
#include "op2/op2.h"
#endif
#include "op2/compat.h"
#include "op2/fortran_support.h"
#include "op2/hdf5.h"
#include "op2/info.h"
#include "op2/inspect.h"
#include "op2/order.h"
#include "op2/partition.h"
#include "op2/user_types.h"

typedef unsigned int uint;
typedef long long ll;
typedef unsigned long long ull;

#define OP_STAGE_NONE 0
#define OP_STAGE_INC 1
#define OP_STAGE_ALL 2
#define OP_STAGE_PERMUTE 3
#define OP_COLOR2 4

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#define OP2_ALIGNMENT 64
#define ROUND_UP(bytes) (((bytes) + 15) & ~15)
#define ROUND_UP_64(bytes) (((bytes) + 63) & ~63)

// Zeros of the built-in types. OP2 ends them with a semicolon, and programs rely on it.
#define ZERO_double 0.0;
#define ZERO_float 0.0f;
#define ZERO_int 0;
#define ZERO_uint 0;
#define ZERO_ll 0;
#define ZERO_ull 0;
#define ZERO_bool false;

// The table of kernels, which code translated by OP2 fills in; the library leaves it empty.
typedef struct {
  const char *name;
  int count;
  double time;
  double *times;
  int ntimes;
  float plan_time, transfer, transfer2;
  double mpi_time;
} op_kernel;

struct op_dat_entry_core {
  op_dat dat;
  void *orig_ptr;
  TAILQ_ENTRY(op_dat_entry_core) entries;
};
typedef struct op_dat_entry_core op_dat_entry;
typedef TAILQ_HEAD(, op_dat_entry_core) Double_linked_list;

#include <string>

#include "op2/compat/cpp/globals.hpp"
#include "op2/compat/cpp/mesh.hpp"
#include "op2/compat/cpp/session.hpp"

#endif

/* SPDX-License-Identifier: MIT */
