// units.h: what the files of this program share.
#include "op_seq.h"

extern op_set nodes, edges;
extern op_map pedge;
extern op_dat p_x, p_sum;
extern double factor;

void gather_here();
double total();

/* SPDX-License-Identifier: MIT */
