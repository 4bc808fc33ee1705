// The same in C++.
#include <op2/op2.hpp>

void walk(const double *position, const double *const *corners, const long long *neighbours, long long *next);
void lay(const double *value, double *const *nodes);
void fragment(const op2::set &cells, const op2::map &cell_nodes, const op2::dat<double, 3> &coordinates,
              const op2::dat<long long, 4> &beside, const op2::dat<double, 1> &charge,
              const std::vector<op_gindex> &where_they_are, const std::vector<double> &positions);
void fragment(const op2::set &cells, const op2::map &cell_nodes, const op2::dat<double, 3> &coordinates,
              const op2::dat<long long, 4> &beside, const op2::dat<double, 1> &charge,
              const std::vector<op_gindex> &where_they_are, const std::vector<double> &positions) {
  block
}

// SPDX-License-Identifier: MIT
