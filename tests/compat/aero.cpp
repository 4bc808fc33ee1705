// aero.cpp: a potential problem on quadrilaterals by finite elements and conjugate gradients: matrices on cells, vector
// arguments, WRITE through a map on the boundary, loops inside an iteration that ends when it has converged.
#include "op_seq.h"

#include "grid.h"

double source, wtg[2] = {0.5, 0.5}, xi[2] = {0.211324865405187, 0.788675134594813};
double far_value;

// The matrix of a cell and the residual of its corners, by 2 x 2 Gauss points.
inline void res_calc(const double **x, const double **phi, double *K, double **res) {
  for (int j = 0; j < 4; j++)
    for (int k = 0; k < 4; k++) K[4 * j + k] = 0.0;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      double s = xi[a], t = xi[b];
      double N[4] = {(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t};
      double ds[4] = {-(1 - t), 1 - t, t, -t}, dt[4] = {-(1 - s), -s, s, 1 - s};
      double xs = 0, xt = 0, ys = 0, yt = 0;
      for (int m = 0; m < 4; m++) {
        xs += ds[m] * x[m][0];
        xt += dt[m] * x[m][0];
        ys += ds[m] * x[m][1];
        yt += dt[m] * x[m][1];
      }
      double det = xs * yt - xt * ys;
      double weight = wtg[a] * wtg[b] * det, gx[4], gy[4];
      for (int m = 0; m < 4; m++) {
        gx[m] = (ds[m] * yt - dt[m] * ys) / det;
        gy[m] = (dt[m] * xs - ds[m] * xt) / det;
      }
      for (int j = 0; j < 4; j++) {
        res[j][0] -= weight * source * N[j];
        for (int k = 0; k < 4; k++) {
          double entry = weight * (gx[j] * gx[k] + gy[j] * gy[k]);
          K[4 * j + k] += entry;
          res[j][0] += entry * phi[k][0];
        }
      }
    }
}
inline void dirichlet(double *value) { *value = 0.0; }
inline void set_far(double *phi) { *phi = far_value; }
inline void init_cg(const double *r, double *c, double *u, double *v, double *p) {
  *c += *r * *r;
  *p = *r;
  *u = 0.0;
  *v = 0.0;
}
inline void spMV(double **v, const double *K, const double **p) {
  for (int j = 0; j < 4; j++)
    for (int k = 0; k < 4; k++) v[j][0] += K[4 * j + k] * p[k][0];
}
inline void dotPV(const double *p, const double *v, double *c) { *c += *p * *v; }
inline void updateUR(double *u, double *r, const double *p, double *v, const double *alpha) {
  *u += *alpha * *p;
  *r -= *alpha * *v;
  *v = 0.0;
}
inline void dotR(const double *r, double *c) { *c += *r * *r; }
inline void updateP(const double *r, double *p, const double *beta) { *p = *beta * *p + *r; }
inline void update(double *phi, double *res, const double *u, double *rms) {
  *phi -= *u;
  *res = 0.0;
  *rms += *u * *u;
}
inline void distance(const double *phi, double *most) { *most = MAX(*most, fabs(*phi - far_value)); }

int main(int argc, char **argv) {
  op_printf("aero in OP2's words\n"); // before op_init(), as the original
  op_init(argc, argv, 2);
  grid g(12, 10);
  source = 0.25;
  far_value = 3.0;
  op_decl_const(1, "double", &source);
  op_decl_const(1, "double", &far_value);
  op_decl_const(2, "double", wtg);
  op_decl_const(2, "double", xi);

  op_set nodes = op_decl_set(g.nnode, "nodes");
  op_set bnodes = op_decl_set(g.nborder, "bedges");
  op_set cells = op_decl_set(g.ncell, "cells");
  op_map pbnodes = op_decl_map(bnodes, nodes, 1, &g.border[0], "pbedge");
  op_map pcell = op_decl_map(cells, nodes, 4, &g.cell[0], "pcell");
  op_dat p_xm = op_decl_dat(nodes, 2, "double", &g.x[0], "p_x");
  double *none = NULL;
  op_dat p_phim = op_decl_dat(nodes, 1, "double", none, "p_phim");
  op_dat p_resm = op_decl_dat(nodes, 1, "double", none, "p_resm");
  op_dat p_K = op_decl_dat(cells, 16, "double:soa", none, "p_K");
  op_dat p_V = op_decl_dat(nodes, 1, "double", none, "p_V");
  op_dat p_P = op_decl_dat(nodes, 1, "double", none, "p_P");
  op_dat p_U = op_decl_dat(nodes, 1, "double", none, "p_U");
  op_diagnostic_output();
  op_partition("KAHIP", "KWAY", cells, pcell, NULL);
  op_renumber(pcell);

  op_par_loop(set_far, "set_far", bnodes, op_arg_dat(p_phim, 0, pbnodes, 1, "double", OP_WRITE));
  double rms = 1.0;
  for (int outer = 0; outer < 2; outer++) {
    op_par_loop(res_calc, "res_calc", cells, op_arg_dat(p_xm, -4, pcell, 2, "double", OP_READ),
                op_arg_dat(p_phim, -4, pcell, 1, "double", OP_READ),
                op_arg_dat(p_K, -1, OP_ID, 16, "double:soa", OP_WRITE),
                op_arg_dat(p_resm, -4, pcell, 1, "double", OP_INC));
    op_par_loop(dirichlet, "dirichlet", bnodes, op_arg_dat(p_resm, 0, pbnodes, 1, "double", OP_WRITE));
    double c1 = 0.0, c2 = 0.0, c3 = 0.0;
    op_par_loop(init_cg, "init_cg", nodes, op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&c1, 1, "double", OP_INC), op_arg_dat(p_U, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_V, -1, OP_ID, 1, "double", OP_WRITE), op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_WRITE));
    double res0 = sqrt(c1), res = res0;
    int inner = 0;
    while (res > 1e-12 * res0 && inner < 200) {
      op_par_loop(spMV, "spMV", cells, op_arg_dat(p_V, -4, pcell, 1, "double", OP_INC),
                  op_arg_dat(p_K, -1, OP_ID, 16, "double:soa", OP_READ),
                  op_arg_dat(p_P, -4, pcell, 1, "double", OP_READ));
      op_par_loop(dirichlet, "dirichlet", bnodes, op_arg_dat(p_V, 0, pbnodes, 1, "double", OP_WRITE));
      c2 = 0.0;
      op_par_loop(dotPV, "dotPV", nodes, op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(p_V, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&c2, 1, "double", OP_INC));
      double alpha = c1 / c2;
      op_par_loop(updateUR, "updateUR", nodes, op_arg_dat(p_U, -1, OP_ID, 1, "double", OP_INC),
                  op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_INC), op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(p_V, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&alpha, 1, "double", OP_READ));
      c3 = 0.0;
      op_par_loop(dotR, "dotR", nodes, op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_gbl(&c3, 1, "double", OP_INC));
      double beta = c3 / c1;
      op_par_loop(updateP, "updateP", nodes, op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&beta, 1, "double", OP_READ));
      c1 = c3;
      res = sqrt(c1);
      inner++;
    }
    rms = 0.0;
    op_par_loop(update, "update", nodes, op_arg_dat(p_phim, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_WRITE), op_arg_dat(p_U, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&rms, 1, "double", OP_INC));
    rms = sqrt(rms) / sqrt((double)op_get_size(nodes));
    op_printf("rms = %10.5e iter: %d\n", rms, inner);
    if (outer == 0) check(rms > 0.1 && inner > 5, "the first step moves");
  }
  check(rms < 1e-10, "the problem is linear: the second step has nothing to do");

  // What a direct solver finds.
  double most = 0.0;
  op_par_loop(distance, "distance", nodes, op_arg_dat(p_phim, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&most, 1, "double", OP_MAX));
  std::vector<double> phi(g.nnode);
  op_fetch_data_idx(p_phim, &phi[0], 0, g.nnode - 1);
  double sum = 0.0;
  for (int n = 0; n < g.nnode; n++) sum += phi[n];
  op_printf("sum %.15e, most %.15e\n", sum, most);
  check(phi[g.border[0]] == far_value, "the boundary keeps its value");
  check(fabs(sum - 548.20298120455) < 1e-9 * sum && fabs(most - 2.1485038080398073) < 1e-9, "the solution");
  op_exit();
  return failures != 0;
}

// SPDX-License-Identifier: MIT
