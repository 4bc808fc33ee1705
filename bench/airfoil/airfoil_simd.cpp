// airfoil_simd.cpp: see airfoil_simd.hpp.
#include "airfoil/airfoil_simd.hpp"

#include <cmath>
#include <cstddef>

#define RESTRICT __restrict__

namespace {

constexpr int width = 8;

// One value of each of the `width` elements.
struct alignas(64) Lanes {
  double of[width];
};

// First value of row n.
inline std::size_t row(int n, int dim) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(dim); }

// Rows of `from` to which column `column` of a map with `columns` of them leads; map: the first element's row of it.
template <int dim>
inline void gather(Lanes (&to)[dim], const double *RESTRICT from, const int *RESTRICT map, int columns, int column) {
  for (int l = 0; l < width; ++l)
    for (int d = 0; d < dim; ++d) to[d].of[l] = from[row(map[l * columns + column], dim) + static_cast<std::size_t>(d)];
}

// The rows of consecutive elements.
template <int dim>
inline void gather(Lanes (&to)[dim], const double *RESTRICT from) {
  for (int l = 0; l < width; ++l)
    for (int d = 0; d < dim; ++d) to[d].of[l] = from[l * dim + d];
}

} // namespace

void simd_adt_calc(const HandConstants &constants, int ncell, const int *RESTRICT cell_nodes, const double *RESTRICT x,
                   const double *RESTRICT q, double *RESTRICT adt) {
  const double gam = constants.gam, gm1 = constants.gm1, cfl = constants.cfl;
  const int whole = ncell - ncell % width;
  for (int n = 0; n < whole; n += width) {
    Lanes corner[4][2], state[4];
    for (int k = 0; k < 4; ++k) gather(corner[k], x, cell_nodes + row(n, 4), 4, k);
    gather(state, q + row(n, 4));
    double *const out = adt + n;
#pragma omp simd simdlen(8)
    for (int l = 0; l < width; ++l) {
      const double ri = 1.0 / state[0].of[l], u = ri * state[1].of[l], v = ri * state[2].of[l];
      const double c = std::sqrt(gam * gm1 * (ri * state[3].of[l] - 0.5 * (u * u + v * v)));
      double sum = 0;
      for (int k = 0; k < 4; ++k) {
        const int next = (k + 1) % 4;
        const double dx = corner[next][0].of[l] - corner[k][0].of[l], dy = corner[next][1].of[l] - corner[k][1].of[l];
        const double side = std::fabs(u * dy - v * dx) + c * std::sqrt(dx * dx + dy * dy);
        sum = k == 0 ? side : sum + side;
      }
      out[l] = sum / cfl;
    }
  }
  hand_adt_calc(constants, ncell - whole, cell_nodes + row(whole, 4), x, q + row(whole, 4), adt + whole);
}

void simd_res_calc(const HandConstants &constants, int nedge, const int *RESTRICT edge_nodes,
                   const int *RESTRICT edge_cells, const double *RESTRICT x, const double *RESTRICT q,
                   const double *RESTRICT adt, double *RESTRICT res) {
  const double gm1 = constants.gm1, eps = constants.eps;
  const int whole = nedge - nedge % width;
  for (int n = 0; n < whole; n += width) {
    const int *nodes = edge_nodes + row(n, 2), *cells = edge_cells + row(n, 2);
    Lanes x1[2], x2[2], q1[4], q2[4], adt1[1], adt2[1], f[4];
    gather(x1, x, nodes, 2, 0);
    gather(x2, x, nodes, 2, 1);
    gather(q1, q, cells, 2, 0);
    gather(q2, q, cells, 2, 1);
    gather(adt1, adt, cells, 2, 0);
    gather(adt2, adt, cells, 2, 1);
#pragma omp simd simdlen(8)
    for (int l = 0; l < width; ++l) {
      const double a0 = q1[0].of[l], a1 = q1[1].of[l], a2 = q1[2].of[l], a3 = q1[3].of[l];
      const double b0 = q2[0].of[l], b1 = q2[1].of[l], b2 = q2[2].of[l], b3 = q2[3].of[l];
      const double dx = x1[0].of[l] - x2[0].of[l], dy = x1[1].of[l] - x2[1].of[l];
      const double r1 = 1.0 / a0, r2 = 1.0 / b0;
      const double p1 = gm1 * (a3 - 0.5 * r1 * (a1 * a1 + a2 * a2)), p2 = gm1 * (b3 - 0.5 * r2 * (b1 * b1 + b2 * b2));
      const double vol1 = r1 * (a1 * dy - a2 * dx), vol2 = r2 * (b1 * dy - b2 * dx);
      const double mu = 0.5 * (adt1[0].of[l] + adt2[0].of[l]) * eps;
      f[0].of[l] = 0.5 * (vol1 * a0 + vol2 * b0) + mu * (a0 - b0);
      f[1].of[l] = 0.5 * (vol1 * a1 + p1 * dy + vol2 * b1 + p2 * dy) + mu * (a1 - b1);
      f[2].of[l] = 0.5 * (vol1 * a2 - p1 * dx + vol2 * b2 - p2 * dx) + mu * (a2 - b2);
      f[3].of[l] = 0.5 * (vol1 * (a3 + p1) + vol2 * (b3 + p2)) + mu * (a3 - b3);
    }
    for (int l = 0; l < width; ++l) { // in order: two lanes may have the same cell
      double *const res1 = res + row(cells[2 * l], 4), *const res2 = res + row(cells[2 * l + 1], 4);
      for (int d = 0; d < 4; ++d) res1[d] += f[d].of[l];
      for (int d = 0; d < 4; ++d) res2[d] -= f[d].of[l];
    }
  }
  hand_res_calc(constants, nedge - whole, edge_nodes + row(whole, 2), edge_cells + row(whole, 2), x, q, adt, res);
}

void simd_update(int ncell, const double *RESTRICT qold, double *RESTRICT q, double *RESTRICT res,
                 const double *RESTRICT adt, double &rms, double &maxerr, int &errloc) {
  Lanes sum{}, largest, where; // cells as doubles: exact, and of the values' width
  for (int l = 0; l < width; ++l) {
    largest.of[l] = maxerr;
    where.of[l] = errloc;
  }
  const int whole = ncell - ncell % width;
  for (int n = 0; n < whole; n += width) {
    Lanes before[4], change[4], after[4];
    gather(before, qold + row(n, 4));
    gather(change, res + row(n, 4));
#pragma omp simd simdlen(8)
    for (int l = 0; l < width; ++l) {
      const double adti = 1.0 / adt[n + l];
      for (int k = 0; k < 4; ++k) {
        const double del = adti * change[k].of[l], square = del * del;
        after[k].of[l] = before[k].of[l] - del;
        sum.of[l] += square;
        const bool larger = largest.of[l] < square;
        largest.of[l] = larger ? square : largest.of[l];
        where.of[l] = larger ? n + l : where.of[l];
      }
    }
    double *const to = q + row(n, 4), *const zero = res + row(n, 4);
    for (int l = 0; l < width; ++l)
      for (int k = 0; k < 4; ++k) to[l * 4 + k] = after[k].of[l];
    for (int k = 0; k < 4 * width; ++k) zero[k] = 0.0;
  }
  for (int l = 0; l < width; ++l) {
    rms += sum.of[l];
    const int cell = static_cast<int>(where.of[l]);
    if (largest.of[l] > maxerr || (largest.of[l] == maxerr && cell < errloc)) {
      maxerr = largest.of[l];
      errloc = cell;
    }
  }
  int last = 0; // counts from the first cell that is left
  double later = maxerr;
  hand_update(ncell - whole, qold + row(whole, 4), q + row(whole, 4), res + row(whole, 4), adt + whole, rms, later,
              last);
  if (later > maxerr) {
    maxerr = later;
    errloc = whole + last;
  }
}

// SPDX-License-Identifier: MIT
