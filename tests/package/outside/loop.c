/* loop.c: a program of somebody else's. A loop over the edges of a ring adds to the nodes; every sum is exact, so the
 * answer is known to the bit on every executor. Usage: loop EXECUTOR, the one it is expected to run on. */
#include <op2/op2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if OP2_VERSION_MAJOR * 10000 + OP2_VERSION_MINOR * 100 + OP2_VERSION_PATCH != OP2_VERSION
#error "version.h does not agree with itself"
#endif

enum { N = 10007 };

static void add_edge(const double *value, double *left, double *right, double *sum) {
  *left += *value;
  *right += *value;
  *sum += *value;
}

static double value_of(int edge) { return edge % 7 + 0.5; }

int main(int argc, char **argv) {
  static int ends[N][2];
  static double value[N], result[N];
  double sum = 0, expected_sum = 0;
  int wrong = 0;

  if (op_init(argc, argv, 1) != OP_OK) return 2;
  for (int e = 0; e < N; ++e) {
    ends[e][0] = e;
    ends[e][1] = (e + 1) % N;
    value[e] = value_of(e);
    expected_sum += value[e];
  }
  op_set edges = op_decl_set(N, "edges"), nodes = op_decl_set(N, "nodes");
  op_map edge_nodes = op_decl_map(edges, nodes, 2, &ends[0][0], "edge_nodes");
  op_dat on_edges = op_decl_dat(edges, 1, "double", value, "on_edges");
  op_dat on_nodes = op_decl_dat(nodes, 1, "double", result, "on_nodes");

  op_par_loop(add_edge, "add_edge", edges, op_arg_dat(on_edges, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(on_nodes, 0, edge_nodes, 1, "double", OP_INC),
              op_arg_dat(on_nodes, 1, edge_nodes, 1, "double", OP_INC), op_arg_gbl(&sum, 1, "double", OP_INC));

  if (op_fetch_data(on_nodes, result) != OP_OK) return 3;
  for (int n = 0; n < N; ++n) wrong += result[n] != value_of(n) + value_of((n + N - 1) % N);
  wrong += sum != expected_sum;
  if (op_version() != OP2_VERSION) ++wrong;
  if (argc > 1 && !strstr(op_backend(), argv[1])) ++wrong;
  op_printf("loop.c on %s: %d nodes, sum %.1f, %d wrong\n", op_backend(), N, sum, wrong);
  op_exit();
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
