// airfoil_hand.cpp: the five loops, see airfoil_hand.hpp.
#include "airfoil/airfoil_hand.hpp"

#include <cmath>
#include <cstddef>

#define RESTRICT __restrict__

namespace {

// First value of row n.
inline std::size_t row(int n, int dim) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(dim); }

inline double pressure(double gm1, double ri, const double *q) {
  return gm1 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]));
}

} // namespace

HandConstants hand_constants() {
  HandConstants k{};
  k.gam = 1.4f;
  k.gm1 = k.gam - 1.0;
  k.cfl = 0.9f;
  k.eps = 0.05f;
  k.mach = 0.4f;
  const double u = std::sqrt(k.gam) * k.mach; // pressure and density of the free stream are 1
  k.qinf[0] = 1.0;
  k.qinf[1] = u;
  k.qinf[2] = 0.0;
  k.qinf[3] = 1.0 / k.gm1 + 0.5 * u * u;
  return k;
}

void hand_save_soln(int ncell, const double *RESTRICT q, double *RESTRICT qold) {
  const std::size_t values = row(ncell, 4);
  for (std::size_t n = 0; n < values; ++n) qold[n] = q[n];
}

void hand_adt_calc(const HandConstants &constants, int ncell, const int *RESTRICT cell_nodes, const double *RESTRICT x,
                   const double *RESTRICT q, double *RESTRICT adt) {
  const double gam = constants.gam, gm1 = constants.gm1, cfl = constants.cfl;
  for (int n = 0; n < ncell; ++n) {
    const int *nodes = cell_nodes + row(n, 4);
    const double *x1 = x + row(nodes[0], 2), *x2 = x + row(nodes[1], 2);
    const double *x3 = x + row(nodes[2], 2), *x4 = x + row(nodes[3], 2);
    const double *cell = q + row(n, 4);
    const double ri = 1.0 / cell[0], u = ri * cell[1], v = ri * cell[2];
    const double c = std::sqrt(gam * gm1 * (ri * cell[3] - 0.5 * (u * u + v * v)));
    const auto side = [=](const double *from, const double *to) {
      const double dx = to[0] - from[0], dy = to[1] - from[1];
      return std::fabs(u * dy - v * dx) + c * std::sqrt(dx * dx + dy * dy);
    };
    adt[n] = (side(x1, x2) + side(x2, x3) + side(x3, x4) + side(x4, x1)) / cfl;
  }
}

void hand_res_calc(const HandConstants &constants, int nedge, const int *RESTRICT edge_nodes,
                   const int *RESTRICT edge_cells, const double *RESTRICT x, const double *RESTRICT q,
                   const double *RESTRICT adt, double *RESTRICT res) {
  const double gm1 = constants.gm1, eps = constants.eps;
  for (int n = 0; n < nedge; ++n) {
    const int *nodes = edge_nodes + row(n, 2), *cells = edge_cells + row(n, 2);
    const double *x1 = x + row(nodes[0], 2), *x2 = x + row(nodes[1], 2);
    const double *q1 = q + row(cells[0], 4), *q2 = q + row(cells[1], 4);
    double *res1 = res + row(cells[0], 4), *res2 = res + row(cells[1], 4);
    const double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    const double r1 = 1.0 / q1[0], r2 = 1.0 / q2[0];
    const double p1 = pressure(gm1, r1, q1), p2 = pressure(gm1, r2, q2);
    const double vol1 = r1 * (q1[1] * dy - q1[2] * dx), vol2 = r2 * (q2[1] * dy - q2[2] * dx);
    const double mu = 0.5 * (adt[cells[0]] + adt[cells[1]]) * eps;
    const double f0 = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
    const double f1 = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
    const double f2 = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
    const double f3 = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
    res1[0] += f0;
    res1[1] += f1;
    res1[2] += f2;
    res1[3] += f3;
    res2[0] -= f0;
    res2[1] -= f1;
    res2[2] -= f2;
    res2[3] -= f3;
  }
}

void hand_bres_calc(const HandConstants &constants, int nbedge, const int *RESTRICT bedge_nodes,
                    const int *RESTRICT bedge_cell, const int *RESTRICT bound, const double *RESTRICT x,
                    const double *RESTRICT q, const double *RESTRICT adt, double *RESTRICT res) {
  const double gm1 = constants.gm1, eps = constants.eps;
  const double *const qinf = constants.qinf;
  const double r2 = 1.0 / qinf[0], p2 = pressure(gm1, r2, qinf);
  for (int n = 0; n < nbedge; ++n) {
    const int *nodes = bedge_nodes + row(n, 2);
    const double *x1 = x + row(nodes[0], 2), *x2 = x + row(nodes[1], 2);
    const double *q1 = q + row(bedge_cell[n], 4);
    double *res1 = res + row(bedge_cell[n], 4);
    const double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    const double r1 = 1.0 / q1[0], p1 = pressure(gm1, r1, q1);
    if (bound[n] == 1) {
      res1[1] += p1 * dy;
      res1[2] -= p1 * dx;
      continue;
    }
    const double vol1 = r1 * (q1[1] * dy - q1[2] * dx), vol2 = r2 * (qinf[1] * dy - qinf[2] * dx);
    const double mu = adt[bedge_cell[n]] * eps;
    res1[0] += 0.5 * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
    res1[1] += 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
    res1[2] += 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) + mu * (q1[2] - qinf[2]);
    res1[3] += 0.5 * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) + mu * (q1[3] - qinf[3]);
  }
}

void hand_update(int ncell, const double *RESTRICT qold, double *RESTRICT q, double *RESTRICT res,
                 const double *RESTRICT adt, double &rms, double &maxerr, int &errloc) {
  double sum = rms, largest = maxerr;
  int where = errloc;
  for (int n = 0; n < ncell; ++n) {
    const double adti = 1.0 / adt[n];
    for (std::size_t k = row(n, 4), end = k + 4; k < end; ++k) {
      const double del = adti * res[k];
      q[k] = qold[k] - del;
      res[k] = 0.0;
      sum += del * del;
      if (largest < del * del) {
        largest = del * del;
        where = n;
      }
    }
  }
  rms = sum;
  maxerr = largest;
  errloc = where;
}

// SPDX-License-Identifier: MIT
