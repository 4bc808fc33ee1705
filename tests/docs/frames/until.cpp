// Loops that stop early, for until.md.
#include <op2/op2.hpp>

void find_hot(const double *value, const double *most, double *sum, int *stop);
void fragment(const op2::set &cells, const op2::map &cell_nodes, const op2::dat<double, 1> &t,
              const op2::dat<double, 1> &heat, double limit);
void fragment(const op2::set &cells, const op2::map &cell_nodes, const op2::dat<double, 1> &t,
              const op2::dat<double, 1> &heat, double limit) {
  block
}
// SPDX-License-Identifier: MIT
