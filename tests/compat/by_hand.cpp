// by_hand.cpp: loops that the program runs by itself over the library's rows, beside loops of the library, with the
// same results; rows read and written through the heads of sets, maps and dats.
#include "op_seq.h"

#include "grid.h"

inline void flux(const double *x1, const double *x2, const double *q1, const double *q2, double *r1, double *r2) {
  double f = (*q1 - *q2) * (1.0 + 0.1 * (x1[0] - x2[0]));
  *r1 += f;
  *r2 -= f;
}
inline void advance(const double *r, double *q, double *sum, double *least) {
  *q -= 0.1 * *r;
  *sum += *q * *q;
  *least = MIN(*least, *q);
}
inline void clear(double *r) { *r = 0.0; }

struct problem {
  op_set nodes, edges, cells;
  op_map pedge, pecell;
  op_dat p_x, p_q, p_r, p_number, p_part;
};

static void by_library(problem &p, double *sum, double *least) {
  op_par_loop(clear, "clear", p.cells, op_arg_dat(p.p_r, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(flux, "flux", p.edges, op_arg_dat(p.p_x, 0, p.pedge, 2, "double", OP_READ),
              op_arg_dat(p.p_x, 1, p.pedge, 2, "double", OP_READ), op_arg_dat(p.p_q, 0, p.pecell, 1, "double", OP_READ),
              op_arg_dat(p.p_q, 1, p.pecell, 1, "double", OP_READ), op_arg_dat(p.p_r, 0, p.pecell, 1, "double", OP_INC),
              op_arg_dat(p.p_r, 1, p.pecell, 1, "double", OP_INC));
  op_par_loop(advance, "advance", p.cells, op_arg_dat(p.p_r, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(p.p_q, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(sum, 1, "double", OP_INC),
              op_arg_gbl(least, 1, "double", OP_MIN));
}

static void by_hand(problem &p, double *sum, double *least) {
  double *q = (double *)p.p_q->data, *r = (double *)p.p_r->data, *x = (double *)p.p_x->data;
  op_arg clears[] = {op_arg_dat(p.p_r, -1, OP_ID, 1, "double", OP_WRITE)};
  int end = op_mpi_halo_exchanges(p.cells, 1, clears);
  check(end == p.cells->size, "a direct loop runs over the elements of its own");
  op_mpi_wait_all(1, clears);
  memset(r, 0, (size_t)(p.cells->size + p.cells->exec_size + p.cells->nonexec_size) * sizeof(double));
  op_mpi_set_dirtybit(1, clears);

  op_arg args[] = {
      op_arg_dat(p.p_x, 0, p.pedge, 2, "double", OP_READ),  op_arg_dat(p.p_x, 1, p.pedge, 2, "double", OP_READ),
      op_arg_dat(p.p_q, 0, p.pecell, 1, "double", OP_READ), op_arg_dat(p.p_q, 1, p.pecell, 1, "double", OP_READ),
      op_arg_dat(p.p_r, 0, p.pecell, 1, "double", OP_INC),  op_arg_dat(p.p_r, 1, p.pecell, 1, "double", OP_INC)};
  end = op_mpi_halo_exchanges_grouped(p.edges, 6, args, 1);
  check(end == p.edges->size + p.edges->exec_size, "a loop that writes through maps runs over copies as well");
  check(args[4].data == p.p_r->data && args[4].map_data == p.pecell->map, "arguments show rows and maps");
  const int *edge = p.pedge->map, *ecell = p.pecell->map;
  for (int n = 0; n < end; n++) {
    if (n == p.edges->core_size) op_mpi_wait_all_grouped(6, args, 1);
    flux(x + 2 * edge[2 * n], x + 2 * edge[2 * n + 1], q + ecell[2 * n], q + ecell[2 * n + 1], r + ecell[2 * n],
         r + ecell[2 * n + 1]);
  }
  if (end == 0 || end == p.edges->core_size) op_mpi_wait_all(6, args);
  op_mpi_set_dirtybit(6, args);

  op_arg last[] = {op_arg_dat(p.p_r, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(p.p_q, -1, OP_ID, 1, "double", OP_RW),
                   op_arg_gbl(sum, 1, "double", OP_INC), op_arg_gbl(least, 1, "double", OP_MIN)};
  end = op_mpi_halo_exchanges(p.cells, 4, last);
  op_mpi_wait_all(4, last);
  for (int n = 0; n < end; n++) advance(r + n, q + n, sum, least);
  op_mpi_set_dirtybit(4, last);
  op_mpi_reduce(&last[2], sum);
  op_mpi_reduce_combined(&last[3], 1);
}

// Rows of others are there as soon as the mesh is divided, and arguments show them before any loop: `p_part` is on a
// set that no map leads to.
static void at_once(problem &p) {
  const int all = p.edges->size + p.edges->exec_size;
  op_arg one = op_arg_dat(p.p_part, -1, OP_ID, 2, "int", OP_RW);
  check(one.data == p.p_part->data && one.size == 2 * (int)sizeof(int), "an argument shows rows at once");
  op_arg other = op_arg_dat(p.p_x, 1, p.pedge, 2, "double", OP_READ);
  check(other.map_data == p.pedge->map && other.data == p.p_x->data, "and entries");
  int *part = (int *)p.p_part->data;
  bool right = true;
  for (int n = 0; n < all; n++) right = right && part[2 * n] >= 1 && part[2 * n + 1] == 2 * part[2 * n];
  check(right, "others' rows of a set that only begins maps");

  for (int n = 0; n < p.edges->size; n++) part[2 * n + 1] = 3 * part[2 * n];
  op_arg written[] = {op_arg_dat(p.p_part, -1, OP_ID, 2, "int", OP_RW)};
  op_mpi_set_dirtybit(1, written);
  op_mpi_halo_exchanges_grouped(p.edges, 1, written, 1, 1);
  op_mpi_wait_all_grouped(1, written, 1, 1);
  for (int n = 0; n < all; n++) right = right && part[2 * n + 1] == 3 * part[2 * n];
  check(right, "they come again when the program asks for them");
}

// A direct loop whose program asks for the rows of others all the same; the device's names do what the host's do.
static void forced(problem &p) {
  const int all = p.cells->size + p.cells->exec_size + p.cells->nonexec_size;
  double *number = (double *)p.p_number->data, *q = (double *)p.p_q->data;
  op_arg written[] = {op_arg_dat(p.p_q, -1, OP_ID, 1, "double", OP_WRITE),
                      op_arg_dat(p.p_number, -1, OP_ID, 1, "double", OP_READ)};
  int end = op_mpi_halo_exchanges_cuda(p.cells, 2, written);
  op_mpi_test_all_cuda(2, written);
  op_mpi_wait_all_cuda(2, written);
  for (int n = 0; n < end; n++) q[n] = 3.0 * number[n];
  op_mpi_set_dirtybit_cuda(2, written);

  op_arg read[] = {op_arg_dat(p.p_q, -1, OP_ID, 1, "double", OP_READ),
                   op_arg_dat(p.p_number, -1, OP_ID, 1, "double", OP_READ)};
  end = op_mpi_halo_exchanges_grouped(p.cells, 2, read, 1, 1);
  op_mpi_wait_all_grouped(2, read, 1);
  bool right = end == p.cells->size;
  for (int n = 0; n < all; n++) right = right && number[n] >= 1.0 && q[n] == 3.0 * number[n];
  check(right, "others' rows in a direct loop that asks for them");
  op_mpi_set_dirtybit_force_halo_exchange(2, read, 1);
  deviceSync();
}

inline void take(const double *from, double *to) { *to = *from; }

// A program frees the table of a map and puts another one there.
static void new_table(problem &p) {
#ifdef __SANITIZE_ADDRESS__ // which wants to know who allocated it
  (void)p;
#else
  if (op_mpi_size() > 1) return;
  std::vector<int> same(p.cells->size);
  for (int n = 0; n < p.cells->size; n++) same[n] = n;
  op_map to_cells = op_decl_map(p.cells, p.cells, 1, &same[0], "to_cells");
  op_par_loop(take, "take", p.cells, op_arg_dat(p.p_number, 0, to_cells, 1, "double", OP_READ),
              op_arg_dat(p.p_q, -1, OP_ID, 1, "double", OP_WRITE));
  int *backwards = (int *)malloc(p.cells->size * sizeof(int));
  for (int n = 0; n < p.cells->size; n++) backwards[n] = p.cells->size - 1 - n;
  free(to_cells->map);
  to_cells->map = backwards;
  op_par_loop(take, "take", p.cells, op_arg_dat(p.p_number, 0, to_cells, 1, "double", OP_READ),
              op_arg_dat(p.p_q, -1, OP_ID, 1, "double", OP_WRITE));
  std::vector<double> q(p.cells->size);
  op_fetch_data(p.p_q, &q[0]);
  bool right = true;
  for (int n = 0; n < p.cells->size; n++) right = right && q[n] == p.cells->size - n;
  check(right, "a table of the program's own");
#endif
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  grid g(17, 6);
  problem p;
  p.nodes = op_decl_set(g.nnode, "nodes");
  p.edges = op_decl_set(g.nedge, "edges");
  p.cells = op_decl_set(g.ncell, "cells");
  p.pedge = op_decl_map(p.edges, p.nodes, 2, &g.edge[0], "pedge");
  p.pecell = op_decl_map(p.edges, p.cells, 2, &g.ecell[0], "pecell");
  std::vector<double> start(g.ncell);
  for (int n = 0; n < g.ncell; n++) start[n] = 1.0 + n % 7;
  p.p_x = op_decl_dat(p.nodes, 2, "double:soa", &g.x[0], "p_x");
  p.p_q = op_decl_dat(p.cells, 1, "double", &start[0], "p_q");
  p.p_r = op_decl_dat(p.cells, 1, "double", (double *)NULL, "p_r");
  std::vector<double> number(g.ncell);
  for (int n = 0; n < g.ncell; n++) number[n] = n + 1.0;
  p.p_number = op_decl_dat(p.cells, 1, "double", &number[0], "p_number");
  std::vector<int> part(2 * (size_t)g.nedge);
  for (int n = 0; n < g.nedge; n++) part[2 * n] = n + 1, part[2 * n + 1] = 2 * (n + 1);
  p.p_part = op_decl_dat(p.edges, 2, "int", &part[0], "p_part");
  op_halo_create();
  at_once(p);

  check(p.pedge->from == p.edges && p.pedge->to == p.nodes && p.pedge->dim == 2, "the head of a map");
  check(p.p_x->set == p.nodes && p.p_x->dim == 2 && p.p_x->size == 16 && strcmp(p.p_x->name, "p_x") == 0,
        "that of a dat");
  check(p.cells->size == op_get_size_local(p.cells) && p.cells->core_size <= p.cells->size, "that of a set");
  check(op_size_of_set("nodes") == op_get_size_local_full(p.nodes), "the size of a set by its name");
  int sets = OP_set_index;
  check(sets == 3 && OP_set_list[1] == p.edges && OP_map_index == 2 && OP_map_list[0] == p.pedge,
        "the lists of objects");
  op_dat_entry *item;
  int dats = 0;
  TAILQ_FOREACH(item, &OP_dat_list, entries) dats += item->dat->dim;
  check(dats == 7 && OP_dat_index == 5, "the list of dats");

  std::vector<double> one(g.ncell), other(g.ncell);
  double sum[2], least[2];
  for (int way = 0; way < 2; way++) {
    // The program writes rows by itself, in the library's order, and reads them back.
    op_arg whole = op_arg_dat(p.p_q, -1, OP_ID, 1, "double", OP_RW);
    op_put_data(p.p_q, &start[0]);
    op_get_dat(p.p_q);
    for (int n = 0; n < p.cells->size; n++) ((double *)p.p_q->data)[n] *= 2.0;
    op_mpi_set_dirtybit(1, &whole);
    for (int step = 0; step < 3; step++) {
      sum[way] = 0.0;
      least[way] = 1e9;
      if (way == 0)
        by_library(p, &sum[way], &least[way]);
      else
        by_hand(p, &sum[way], &least[way]);
    }
    op_fetch_data_idx(p.p_q, way == 0 ? &one[0] : &other[0], 0, g.ncell - 1);
  }
  bool right = true;
  for (int n = 0; n < g.ncell; n++) right = right && fabs(one[n] - other[n]) < 1e-12 * fabs(one[n]);
  check(right, "rows of loops by hand and of the library's");
  check(fabs(sum[0] - sum[1]) < 1e-12 * sum[0] && fabs(least[0] - least[1]) < 1e-12, "what they reduce");

  // The same without the library.
  std::vector<double> q = start;
  for (int n = 0; n < g.ncell; n++) q[n] *= 2.0;
  for (int step = 0; step < 3; step++) {
    std::vector<double> r(g.ncell, 0.0);
    for (int n = 0; n < g.nedge; n++)
      flux(&g.x[2 * g.edge[2 * n]], &g.x[2 * g.edge[2 * n + 1]], &q[g.ecell[2 * n]], &q[g.ecell[2 * n + 1]],
           &r[g.ecell[2 * n]], &r[g.ecell[2 * n + 1]]);
    for (int n = 0; n < g.ncell; n++) q[n] -= 0.1 * r[n];
  }
  right = true;
  for (int n = 0; n < g.ncell; n++) right = right && fabs(one[n] - q[n]) < 1e-12 * fabs(q[n]);
  check(right, "rows as a plain program has them");
  forced(p);
  new_table(p);
  op_exit();
  return failures != 0;
}

// SPDX-License-Identifier: MIT
