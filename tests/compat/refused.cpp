// refused.cpp: what OP2 has and the library has not. Each line with a comment "refused" must not compile, and the compiler
// must say the words behind it; without REFUSED all of it compiles. refused.sh looks at that.
#include "op_seq.h"

#ifdef REFUSED
#define ONLY(...) __VA_ARGS__
#else
#define ONLY(...)
#endif

int uses(op_set set, op_map map, op_dat dat, op_arg *args);

int uses(op_set set, op_map map, op_dat dat, op_arg *args) {
  int sum = set->size + map->dim + dat->dim + args[0].dim;
  op_arg other = args[0];
  sum += other.dim + op_mpi_get_data(dat)->size;
  ONLY(sum += op_plan_get("res", set, 256, 1, args, 0, NULL) == NULL;)               // refused: op_plan_get() is not there: op_par_loop()
  ONLY(sum += op_plan_get_stage("res", set, 256, 1, args, 0, NULL, 1) == NULL;)      // refused: op_plan_get_stage() is not there: op_par_loop()
  ONLY(sum += dat->data_d != NULL;)                                                  // refused: op_get_dat()
  ONLY(sum += map->map_d != NULL;)                                                   // refused: op_par_loop()
  ONLY(sum += op_decl_dat_overlay(set, dat) == NULL;)                                // refused: op_decl_dat_overlay() is not there: dats do not share memory; declare one with op_decl_dat_temp()
  ONLY(sum += op_decl_dat_overlay_ptr(set, dat->data) == NULL;)                      // refused: op_decl_dat_overlay_ptr() is not there
  ONLY(op_mpi_perf_time("res", 0.5);)                                                // refused: op_profile_enter(name)
  ONLY(sum += OP_export_exec_list[set->index]->size;)                                // refused: op_mpi_halo_exchanges()
  ONLY(sum += OP_part_list[set->index]->g_index[0];)                                 // refused: op_get_order(set, order)
  return sum;
}

// SPDX-License-Identifier: MIT
