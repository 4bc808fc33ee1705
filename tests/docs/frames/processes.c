/* A program of many processes, for processes.md. */
#include <op2/op2.h>
#include <op2/partition.h>

extern op_dat work, x;
extern const double *shares;
extern int solver_comm;
extern int MPI_Comm_c2f(int);

void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
