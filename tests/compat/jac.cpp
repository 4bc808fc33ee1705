// jac.cpp: Jacobi steps on a grid in double and float, each process with its own part. A kernel that is a template,
// data of both types in one loop, constants, a sum and a maximum. With the argument "blocks" the parts stay as they are, with "soa" op_init_soa() is told so.
#include "op_seq.h"

#include "grid.h"

static double alpha;
double factors[2];

template <class T>
inline void spread(const T *weight, const T *u, T *du, const T *beta) {
  *du += *beta * *weight * *u;
}

inline void update(const double *r, double *du, double *u, float *narrow, double *sum, double *most) {
  *u += *du + alpha * *r;
  *du = 0.0;
  narrow[0] = (float)(*u * factors[0]);
  narrow[1] = (float)(*u * factors[1]);
  *sum += *u * *u;
  *most = MAX(*most, *u);
}

inline void numbers(const int *self, const int *far, int *seen) {
  seen[0] = *self;
  seen[1] = *far;
}

// Numbers of elements are those of rows on this process, as maps have them. as_declared: rows lie as they were
// declared, and are those of op_fetch_data().
static void check_numbers(op_map map, op_dat p_seen, bool as_declared) {
  op_set from = map->from;
  op_par_loop(numbers, "numbers", from, op_arg_idx(-1, OP_ID), op_arg_idx(1, map),
              op_arg_dat(p_seen, -1, OP_ID, 2, "int", OP_WRITE));
  op_get_dat(p_seen);
  bool right = true;
  for (int n = 0; n < from->size; n++) {
    const int *seen = (int *)p_seen->data + 2 * n;
    right = right && seen[0] == n && seen[1] == map->map[2 * n + 1];
  }
  check(right, "op_arg_idx");
  if (!as_declared) return;
  std::vector<int> fetched(2 * op_get_size_declared(from) + 1);
  op_fetch_data(p_seen, &fetched[0]);
  right = op_get_size_declared(from) == from->size;
  for (int n = 0; right && n < from->size; n++)
    right = fetched[2 * n] == n && fetched[2 * n + 1] == map->map[2 * n + 1];
  check(right, "op_arg_idx and the rows of op_fetch_data");
}

int main(int argc, char **argv) {
  const bool blocks = argc > 1 && strcmp(argv[1], "blocks") == 0;
  op_init_soa(argc, argv, 1, argc > 1 && strcmp(argv[1], "soa") == 0 ? 1 : 0);
  op_printf("part_size %d, block_size %d, auto_soa %d, partial_exchange %d, gpu_direct %d, hybrid_balance %g, base %d\n",
            OP_part_size, OP_block_size, OP_auto_soa, OP_partial_exchange, OP_gpu_direct, OP_hybrid_balance,
            OP_maps_base_index);
  int rank;
  op_rank(&rank);
  grid g(13, 9);
  int nnode = g.nnode, nlink = 2 * g.nlink;
  std::vector<int> table;
  std::vector<double> weight, r(nnode), u(nnode, 0.0), zero(nnode, 0.0);
  for (int n = 0; n < g.nlink; n++)
    for (int k = 0; k < 2; k++) {
      table.push_back(g.link[2 * n + k]);
      table.push_back(g.link[2 * n + 1 - k]);
      weight.push_back(0.2 + 0.01 * (n % 7));
    }
  for (int n = 0; n < nnode; n++) r[n] = n % 5 == 0 ? 1.0 : 0.25;

  block mine(nnode, rank, op_mpi_size()), edges_here(nlink, rank, op_mpi_size());
  op_set nodes = op_decl_set(mine.size, "nodes");
  op_set edges = op_decl_set(edges_here.size, "edges");
  std::vector<idx_g_t> far(table.begin(), table.end());
  op_map ppedge = op_decl_map_long(edges, nodes, 2, edges_here.of(far, 2), "ppedge");
  op_dat p_w = op_decl_dat(edges, 1, "double", edges_here.of(weight, 1), "p_w");
  op_dat p_r = op_decl_dat(nodes, 1, "double", mine.of(r, 1), "p_r");
  op_dat p_u = op_decl_dat(nodes, 1, "double:soa", mine.of(u, 1), "p_u");
  op_dat p_du = op_decl_dat(nodes, 1, "double", mine.of(zero, 1), "p_du");
  op_dat p_f = op_decl_dat(nodes, 2, "float", (float *)NULL, "p_f");

  alpha = 0.5;
  op_decl_const(1, "double", &alpha);
  factors[0] = 1.0;
  factors[1] = 2.0;
  op_decl_const(2, "double", factors);
  if (blocks)
    op_partition("", "", NULL, NULL, NULL);
  else
    op_partition("PARMETIS", "KWAY", nodes, ppedge, NULL);
  op_dat p_seen = op_decl_dat_temp(edges, 2, "int", (int *)NULL, "p_seen");
  check_numbers(ppedge, p_seen, blocks);

  double sum = 0.0, most = 0.0;
  const double beta = 0.75;
  for (int step = 0; step < 3; step++) {
    op_par_loop(spread<double>, "spread", edges, op_arg_dat(p_w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_u, 1, ppedge, 1, "double", OP_READ), op_arg_dat(p_du, 0, ppedge, 1, "double", OP_INC),
                op_arg_gbl(&beta, 1, "double", OP_READ));
    sum = 0.0;
    most = 0.0;
    op_par_loop(update, "update", nodes, op_arg_dat(p_r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_du, -1, OP_ID, 1, "double", OP_RW), op_arg_dat(p_u, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_f, -1, OP_ID, 2, "float", OP_WRITE), op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&most, 1, "double", OP_MAX));
    op_printf(" u sqrt sum = %14.8f, u max = %14.8f\n", sqrt(sum), most);
  }

  // The same without the library.
  double own_sum = 0.0, own_most = 0.0;
  for (int step = 0; step < 3; step++) {
    std::vector<double> du(nnode, 0.0);
    for (int n = 0; n < nlink; n++) du[table[2 * n]] += beta * weight[n] * u[table[2 * n + 1]];
    own_sum = own_most = 0.0;
    for (int n = 0; n < nnode; n++) {
      u[n] += du[n] + alpha * r[n];
      own_sum += u[n] * u[n];
      own_most = MAX(own_most, u[n]);
    }
  }
  check(fabs(sum - own_sum) < 1e-12 * own_sum, "the sum");
  check(fabs(most - own_most) < 1e-12, "the maximum");
  std::vector<double> back(mine.size + 1);
  std::vector<float> narrow(2 * mine.size + 2);
  op_fetch_data(p_u, &back[0]);
  op_fetch_data(p_f, &narrow[0]);
  bool right = true;
  for (int n = 0; n < mine.size; n++) {
    double value = u[mine.first + n];
    right = right && fabs(back[n] - value) < 1e-12 && fabsf(narrow[2 * n + 1] - (float)(2.0 * value)) < 1e-5f;
  }
  check(right, "the values of this process's nodes");
  std::vector<double> some(11);
  op_fetch_data_idx(p_u, &some[0], 20, 30);
  right = true;
  for (int n = 0; n < 11; n++) right = right && fabs(some[n] - u[20 + n]) < 1e-12;
  check(right, "elements 20 to 30");

  // Back to the parts that were declared.
  op_partition_reverse();
  op_get_dat(p_u);
  right = nodes->size == mine.size && edges->size == edges_here.size;
  for (int n = 0; right && n < mine.size; n++) right = fabs(((double *)p_u->data)[n] - u[mine.first + n]) < 1e-12;
  check(right, "rows as they were declared");
  check_numbers(ppedge, p_seen, true);
  op_exit();
  return failures != 0;
}

// SPDX-License-Identifier: MIT
