// names.cpp: every name that OP2's programs use, row by row: types and constants are compared by the compiler,
// functions are called. Compiled with MPI it includes the headers of MPI programs first.
#define OP_USER_DATATYPES
#ifdef WITH_MPI
#include "op_lib_mpi.h"
#endif
#include "op_hdf5.h"
#include "op_lib_c.h"
#include "op_lib_core.h"
#include "op_lib_cpp.h"
#include "op_profile.h"
#include "op_profile_c.h"
#include "op_rt_support.h"
#include "op_seq.h"
#include "op_timing2.h"
#include "op_util.h"

#include <unistd.h>

#include <type_traits>
#include <vector>

#include "grid.h"

#define SAME(type, ...) static_assert(std::is_same<type, __VA_ARGS__>::value, #type)
#define FIELD(object, field, ...) \
  static_assert(std::is_same<decltype(object::field), __VA_ARGS__>::value, #object "::" #field)

// ---- types and constants ----
SAME(idx_l_t, int);
SAME(idx_g_t, long long);
SAME(op_access, int);
SAME(op_arg_type, int);
SAME(uint, unsigned int);
SAME(ll, long long);
SAME(ull, unsigned long long);
SAME(op_set, op_set_core *);
SAME(op_map, op_map_core *);
SAME(op_dat, op_dat_core *);
static_assert(OP_READ == 0 && OP_WRITE == 1 && OP_RW == 2 && OP_INC == 3 && OP_MIN == 4 && OP_MAX == 5 && OP_WORK == 6,
              "");
static_assert(OP_ARG_GBL == 0 && OP_ARG_DAT == 1 && OP_ARG_IDX == 2 && OP_ARG_INFO == 3, "");
static_assert(OP_STAGE_NONE == 0 && OP_STAGE_INC == 1 && OP_STAGE_ALL == 2 && OP_STAGE_PERMUTE == 3 && OP_COLOR2 == 4,
              "");
static_assert(OP2_ALIGNMENT == 64 && ROUND_UP(1) == 16 && ROUND_UP_64(65) == 128 && MIN(1, 2) == 1 && MAX(1, 2) == 2,
              "");

// ---- heads: names, types and order ----
FIELD(op_set_core, index, int);
FIELD(op_set_core, size, int);
FIELD(op_set_core, name, const char *);
FIELD(op_set_core, core_size, int);
FIELD(op_set_core, exec_size, int);
FIELD(op_set_core, nonexec_size, int);
FIELD(op_map_core, from, op_set);
FIELD(op_map_core, to, op_set);
FIELD(op_map_core, dim, int);
FIELD(op_map_core, map, int *);
FIELD(op_map_core, name, const char *);
FIELD(op_dat_core, set, op_set);
FIELD(op_dat_core, dim, int);
FIELD(op_dat_core, size, int);
FIELD(op_dat_core, data, char *);
FIELD(op_dat_core, type, const char *);
FIELD(op_dat_core, name, const char *);
FIELD(op_dat_core, dirtybit, int);
FIELD(op_arg, dat, op_dat);
FIELD(op_arg, map, op_map);
FIELD(op_arg, data, char *);
FIELD(op_arg, map_data, int *);
FIELD(op_arg, size, int);
FIELD(op_arg, idx, int);
FIELD(op_arg, opt, int);
FIELD(op_kernel, name, const char *);
FIELD(op_kernel, count, int);
FIELD(op_kernel, time, double);
FIELD(op_kernel, mpi_time, double);
static_assert(offsetof(op_set_core, size) == 4 && offsetof(op_dat_core, data) > offsetof(op_dat_core, size) &&
                  offsetof(op_arg, dat) > offsetof(op_arg, index) && offsetof(op_arg, opt) > offsetof(op_arg, sent),
              "");

static void zeros() {
  double d = ZERO_double float f = ZERO_float int i = ZERO_int uint u = ZERO_uint ll l = ZERO_ll ull k =
      ZERO_ull bool b = ZERO_bool check(d == 0 && f == 0 && i == 0 && u == 0 && l == 0 && k == 0 && !b, "ZERO_...");
  int row[] = {4, 5};
  check(OP2_STRIDE(row, 1) == 5 && op2_stride == 1, "OP2_STRIDE");
  op2_stride = 2;
  check(OP_diags == 1 && OP_part_size == 0 && OP_block_size == 64 && OP_cache_line_size == 128 &&
            OP_maps_base_index == 0 && OP_mpi_test_frequency == 1 << 30 && OP_hybrid_balance == 1.0 &&
            OP_kern_max == 0 && OP_kernels == NULL && OP_plan_index == 0 && OP_plan_max == 0,
        "variables");
}

static void types() {
  double d = 0;
  float f = 0;
  int i = 0;
  uint u = 0;
  ll l = 0;
  ull k = 0;
  bool b = false;
  check(type_error(&d, "double") == 0 && type_error(&d, "double:soa") == 0 && type_error(&d, "float") != 0, "double");
  check(type_error(&f, "float") == 0 && type_error(&i, "int") == 0 && type_error(&u, "uint") == 0, "float, int, uint");
  check(type_error(&l, "ll") == 0 && type_error(&k, "ull") == 0 && type_error(&b, "bool") == 0, "ll, ull, bool");
  check(op_type_equivalence("double", "real(8)") == 1 && op_type_equivalence("int", "float") == 0,
        "op_type_equivalence");
}

static void memory() {
  void *a = op_malloc(100), *b = op_calloc(3, 7);
  check((size_t)a % 64 == 0 && (size_t)b % 64 == 0 && ((char *)b)[20] == 0, "aligned memory");
  strcpy((char *)a, "kept");
  a = op_realloc(a, 100000);
  check((size_t)a % 64 == 0 && strcmp((char *)a, "kept") == 0, "op_realloc");
  free(a);
  op_free(b);
  free(xrealloc(xmalloc(3), 5));
  free(xcalloc(2, 2));
  int list[] = {3, 1, 2};
  check(min(list, 3) == 1 && file_exist("/") == 1 && file_exist("/no/such/file") == 0, "op_util.h");
  check(compute_local_size(10, 3, 0) == 4 && compute_local_size(10, 3, 2) == 3, "compute_local_size");
}

inline void both(user_pair *pair, const user_pair *add) {
  pair->a += add->a;
  pair->b += add->b;
}
inline void one(double *value) { *value += 1.0; }

// What process 0 prints is about all processes: the last one was the slowest.
static void profile_of_all() {
  std::vector<char> text(4096, '\0');
  FILE *file = tmpfile();
  fflush(stdout);
  int screen = dup(1);
  dup2(fileno(file), 1);
  op_profile_output();
  fflush(stdout);
  dup2(screen, 1);
  close(screen);
  rewind(file);
  size_t length = fread(&text[0], 1, text.size() - 1, file);
  fclose(file);
  if (!op_is_root()) return;
  const char *part = strstr(&text[0], "    a *1 total: "), *longest = part == NULL ? NULL : strstr(part, "max: ");
  check(length > 0 && longest != NULL && atof(longest + 5) >= 5.0 * op_mpi_size(), "op_profile_output over processes");
}

int main(int argc, char **argv) {
#ifdef WITH_MPI
  if (argc > 1) MPI_Init(&argc, &argv); // else it is left to op_init()
  check(MPI_ROOT == 0, "MPI_ROOT");
#endif
  op_printf("before op_init(): %d\n", 1);
  op_init(argc, argv, 1);
  zeros();
  types();
  memory();
  int rank = -1, other = -2;
  op_rank(&rank);
  op_mpi_rank(&other);
  check(rank == other && op_mpi_size() >= 1 && op_is_root() == (rank == 0), "ranks");
  op_barrier();
  op_mpi_barrier();
  op_print("a line");
#ifdef WITH_MPI
  int processes = 0, sum = 0, mine = 1;
  MPI_Comm_size(OP_MPI_WORLD, &processes);
  MPI_Allreduce(&mine, &sum, 1, get_mpi_type<int>(), MPI_SUM, OP_MPI_GLOBAL);
  check(processes == op_mpi_size() && sum == processes, "OP_MPI_WORLD");
  check(get_mpi_type(static_cast<double *>(NULL)) == MPI_DOUBLE, "get_mpi_type");
  halo_list nothing = NULL;
  check(nothing == NULL, "halo_list");
#endif
  grid g(7, 5);
  op_set nodes = op_decl_set(g.nnode, "nodes"), cells = op_decl_set(g.ncell, "cells"), none = op_decl_set(0, "none");
  op_map pcell = op_decl_map(cells, nodes, 4, &g.cell[0], "pcell");
  op_dat p_x = op_decl_dat(nodes, 2, "double", &g.x[0], "p_x");
  op_dat p_y = op_decl_dat_char(nodes, 1, "double", sizeof(double), NULL, "p_y");
  double constant = 1.0;
  op_decl_const2("constant", 1, "double", &constant);
  op_decl_const_char(1, "double", sizeof(double), (char *)&constant, "constant");
  check(op_is_partitioned() == 0 && OP_is_partitioned == 0, "not yet partitioned");
  op_partition("RANDOM", NULL, nodes, NULL, NULL);
  op_halo_create();
  op_halo_permap_create();
  op_renumber(pcell);
  check(op_is_partitioned() == 1 && OP_is_partitioned == 1, "partitioned");
  op_par_loop(one, "one", nodes, op_arg_dat(p_y, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(one, "one", none, op_arg_gbl(&constant, 1, "double", OP_INC));
  check(constant == 1.0, "a set without elements");
  check(op_get_size(nodes) == g.nnode && op_get_size_local(nodes) == nodes->size &&
            op_get_size_local_core(nodes) == nodes->core_size &&
            op_get_size_local_exec(nodes) == nodes->size + nodes->exec_size &&
            op_get_size_local_full(nodes) >= op_get_size_local_exec(nodes) && op_get_global_set_offset(nodes) >= 0,
        "sizes");
  op_dat p_pair = op_decl_dat(nodes, 1, "user_pair", (user_pair *)NULL, "p_pair");
  user_pair add = {2.0, 3}, first = {0.0, 0};
  op_par_loop(both, "both", nodes, op_arg_dat(p_pair, -1, OP_ID, 1, "user_pair", OP_RW),
              op_arg_gbl(&add, 1, "user_pair", OP_READ));
  op_fetch_data_idx(p_pair, &first, 0, 0);
  check(first.a == 2.0 && first.b == 3, "a type from op_user_datatypes.h");
  op_arg arg = op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_READ);
  check(getSetSizeFromOpArg(&arg) % 32 == 0 && getSetSizeFromOpArg(&arg) >= nodes->size, "getSetSizeFromOpArg");
  op_mpi_test_all(1, &arg);
  op_mpi_test_all_grouped(1, &arg, 1);
  op_mpi_reset_halos(1, &arg);
  op_get_dat(p_y);
  op_put_dat(p_y);
  op_download_dat(p_y);
  op_upload_dat(p_y);
  op_upload_all();
  op_get_dat_mpi(p_y);
  op_put_dat_mpi(p_y);
  std::vector<double> y(g.nnode);
  op_fetch_data_idx_char(p_y, (char *)&y[0], 0, g.nnode - 1);
  check(y[0] == 1.0 && y[(size_t)g.nnode - 1] == 1.0, "rows after all of that");
  y[0] = 0.0;
  op_fetch_data_idx(p_y, &y[0], 0, op_get_size(nodes) - 1);
  check(y[0] == 1.0, "bounds of two types");
  if (op_mpi_size() == 1) { // rows of the program's own
    op_set_core own_set = *nodes;
    op_dat_core own_dat = *p_y;
    own_set.size = 2;
    own_dat.set = &own_set;
    double two[] = {3.0, 4.0}, copy[] = {0.0, 0.0};
    own_dat.data = (char *)two;
    op_fetch_data(&own_dat, copy);
    check(copy[0] == 3.0 && copy[1] == 4.0, "a head of the program's own");
  }
  op_dat original = op_mpi_get_data(p_y);
  check(original != NULL && original->set->size == g.nnode && ((double *)original->data)[g.nnode - 1] == 1.0 &&
            !strcmp(original->name, p_y->name),
        "op_mpi_get_data");
  op_mpi_put_data(p_y);
  ((double *)original->data)[2] = 5.0;
  op_mpi_put_data(p_y, original->data, (size_t)g.nnode);
  op_fetch_data_idx_char(p_y, (char *)&y[0], 0, g.nnode - 1);
  check(y[1] == 1.0 && y[2] == 5.0, "op_mpi_put_data");
  op_mpi_free_data(original);
  op_dump_dat(p_y);
  op_partition_reverse();
  op_disable_device_execution(true);
  op_check_fallback_mode("one");
  check(op_check_whitelist("one"), "op_check_whitelist");
  op_dat temporary = op_decl_dat_temp_char(cells, 1, "int", sizeof(int), "temporary");
  op_dat of_nodes = op_decl_dat_temp_char(nodes, 1, "int", sizeof(int), "temporary");
  check(of_nodes != NULL && op_free_dat_temp(of_nodes) == 1, "temporary dats of one name on two sets");
  check(op_free_dat_temp_char(temporary) == 1 && op_free_dat_temp(NULL) == -1, "op_free_dat_temp");
  double cpu, et;
  op_timers(&cpu, &et);
  op_timers_core(&cpu, &et);
  op_timing_realloc(3);
  op_timing_output_core();
  op_diagnostic_output();
  op_timing2_start("names");
  op_timing2_enter("all");
  op_timing2_exit();
  op_timing2_finish();
  op_profile_start("names");
  op_profile_enter("a");
  usleep(5000 * (unsigned)(rank + 1));
  op_profile_enter_kernel("one", "seq", "direct");
  op_profile_exit();
  op_profile_next("b");
  op_profile_end();
  profile_of_all();
  op_exit();
#ifdef WITH_MPI
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (!finalised) failures++;
#endif
  return failures != 0;
}

// SPDX-License-Identifier: MIT
