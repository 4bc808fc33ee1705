// reproduce.cpp: many small steps of unequal size on a mesh in random order, with increments and reductions of all
// kinds; prints the bits of all results, line by line. With OP2_REPRODUCIBLE=1 they are the same wherever it runs.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <op2/op2.hpp>
#include <random>
#include <vector>

namespace {

void spread(const double *x1, const double *x2, double *sum1, double *sum2, float *small1, float *small2) {
  const double d = x1[0] - 0.7 * x2[1], e = x1[1] / (0.3 + x2[0] * x2[0]);
  sum1[0] += d;
  sum2[0] -= 0.1 * d;
  sum1[1] += e;
  sum2[1] += d * e;
  *small1 += (float)d;
  *small2 += (float)(0.3 * e);
}

// Vector arguments, a second map into the same set, and a sum over all elements beside the increments.
void corners(const double *weight, const double *const *x, double *const *sum, double *far, double *total) {
  double mean = 0;
  for (int i = 0; i < 4; ++i) mean += 0.25 * x[i][0];
  for (int i = 0; i < 4; ++i) {
    sum[i][0] += *weight * (x[i][1] - mean);
    sum[i][1] += mean / 3;
  }
  far[0] += mean * mean;
  far[1] -= mean;
  *total += *weight * mean;
}

// What is written through a map and read there, too: last wins in the order of the declaration.
void stamp(const int *number, int *last) { *last = *number; }

void advance(const double *sum, const float *small, const int *last, double *x, double *moved, float *small_moved,
             double *extremes, int *count) {
  for (int i = 0; i < 2; ++i) {
    const double step = 1e-3 * sum[i] + 1e-4 * *small;
    x[i] = 0.9 * x[i] + step;
    moved[i] += step * step;
  }
  *small_moved += *small * 1e-3f;
  if (x[0] > extremes[0]) extremes[0] = x[0];
  if (x[1] > extremes[1]) extremes[1] = x[1];
  *count += *last & 1;
}

// Few different values: many elements tie.
void classes(const double *x, const int *number, int *least, int *where, double *most, double *place) {
  const int kind = static_cast<int>(8 * (x[0] - static_cast<int>(x[0])));
  if (kind < *least) {
    *least = kind;
    *where = *number;
  }
  for (int i = 0; i < 2; ++i)
    if (0.25 * kind > most[i]) {
      most[i] = 0.25 * kind;
      place[2 * i] = x[0];
      place[2 * i + 1] = *number;
    }
}

// (a, b) means the function a + b x; to compose such functions depends on their order, and on rounding.
struct Line {
  double a, b;
};
void compose(void *into, const void *later, int dim) {
  Line *const f = static_cast<Line *>(into);
  const Line *const g = static_cast<const Line *>(later);
  for (int i = 0; i < dim; ++i) f[i] = {g[i].a + g[i].b * f[i].a, g[i].b * f[i].b};
}
void follow(const double *x, Line *line) {
  const Line mine = {1e-3 * x[0], 1 + 1e-4 * x[1]};
  compose(line, &mine, 1);
}

class Bits {
 public:
  template <class T>
  Bits &add(const T *values, std::size_t n) {
    const unsigned char *const bytes = reinterpret_cast<const unsigned char *>(values);
    for (std::size_t i = 0; i < n * sizeof(T); ++i) hash_ = (hash_ ^ bytes[i]) * 1099511628211u;
    return *this;
  }
  template <class T>
  Bits &add(const std::vector<T> &values) {
    return add(values.data(), values.size());
  }
  unsigned long long value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

std::vector<double> numbers(std::size_t n, std::mt19937_64 &random) {
  std::vector<double> out(n);
  for (double &value : out)
    value = std::ldexp(static_cast<double>(random() >> 11) * 0x1p-53 - 0.3, static_cast<int>(random() % 40) - 30);
  return out;
}

} // namespace

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  const int nx = 60, ny = 50, nodes_wanted = (nx + 1) * (ny + 1), cells_wanted = nx * ny;
  std::mt19937_64 random(2024);
  std::vector<int> place(static_cast<std::size_t>(nodes_wanted)), order(static_cast<std::size_t>(cells_wanted));
  std::iota(place.begin(), place.end(), 0);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = place.size(); i-- > 1;) std::swap(place[i], place[random() % (i + 1)]);
  for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random() % (i + 1)]);
  std::vector<int> cell_nodes, cell_far, edge_nodes;
  for (const int n : order) {
    const int node = n / nx * (nx + 1) + n % nx;
    for (const int corner : {node, node + 1, node + nx + 2, node + nx + 1})
      cell_nodes.push_back(place[static_cast<std::size_t>(corner)]);
    cell_far.push_back(static_cast<int>(random() % 40)); // many cells to few nodes
    for (int i = 0; i < 2; ++i) {
      edge_nodes.push_back(place[static_cast<std::size_t>(node)]);
      edge_nodes.push_back(place[static_cast<std::size_t>(i == 0 ? node + 1 : node + nx + 1)]);
    }
  }

  op2::set nodes(nodes_wanted, "nodes"), cells(cells_wanted, "cells"), edges(2 * cells_wanted, "edges");
  op2::map c2n(cells, nodes, 4, cell_nodes.data(), "cell_nodes"), c2f(cells, nodes, 1, cell_far.data(), "cell_far"),
      e2n(edges, nodes, 2, edge_nodes.data(), "edge_nodes");
  const std::vector<double> x0 = numbers(2 * place.size(), random), w0 = numbers(order.size(), random);
  op2::dat<double, 2> x(nodes, x0.data(), "x"), sum(nodes, nullptr, "sum"), other(nodes, nullptr, "other");
  op2::dat<double, 1> weight(cells, w0.data(), "weight");
  op2::dat<float, 1> small(nodes, nullptr, "small");
  op2::dat<int, 1> last(nodes, nullptr, "last");
  const Line nothing = {0, 1};
  const op_reduction composition = op_decl_reduction("compose", "line", sizeof(Line), compose, &nothing);

  for (int step = 0; step < 6; ++step) {
    double total = 0.1, moved[2] = {0, 0}, extremes[2] = {-1e300, -1e300}, most[2] = {-1e9, 0.3};
    double where_most[4] = {-1, -1, -1, -1};
    float small_moved = 0;
    int count = 0, least = 1 << 20, where = -1;
    Line line = {1, 2};
    op_par_loop(spread, "spread", edges, op2::read(x, 0, e2n), op2::read(x, 1, e2n), op2::inc(sum, 0, e2n),
                op2::inc(sum, 1, e2n), op2::inc(small, 0, e2n), op2::inc(small, 1, e2n));
    op_par_loop(corners, "corners", cells, op2::read(weight), op_arg_dat(x, -4, c2n, 2, "double", OP_READ),
                op_arg_dat(sum, -4, c2n, 2, "double", OP_INC), op2::inc(other, 0, c2f), op2::gbl_inc(&total));
    op_par_loop(stamp, "stamp", edges, op_arg_idx(-1, OP_ID), op_arg_dat(last, 1, e2n, 1, "int", OP_WRITE));
    op_par_loop(advance, "advance", nodes, op2::read(sum), op2::read(small), op2::read(last), op2::rw(x),
                op_arg_gbl(moved, 2, "double", OP_INC), op_arg_gbl(&small_moved, 1, "float", OP_INC),
                op_arg_gbl(extremes, 2, "double", OP_MAX), op2::gbl_inc(&count));
    op_par_loop(classes, "classes", nodes, op2::read(x), op_arg_idx(-1, OP_ID), op_arg_gbl(&least, 1, "int", OP_MIN),
                op_arg_payload(&where, 1, "int", 2), op_arg_gbl(most, 2, "double", OP_MAX),
                op_arg_payload(where_most, 4, "double", 4));
    op_par_loop(follow, "follow", nodes, op2::read(x), op_arg_gbl_reduce(&line, 1, "line", composition));
    op_printf(
        "%d total %016llx moved %016llx %016llx extremes %016llx count %d least %d at %d most %016llx line %016llx\n",
        step, Bits().add(&total, 1).value(), Bits().add(moved, 2).value(), Bits().add(&small_moved, 1).value(),
        Bits().add(extremes, 2).value(), count, least, where, Bits().add(most, 2).add(where_most, 4).value(),
        Bits().add(&line, 1).value());
  }

  const std::size_t rows = static_cast<std::size_t>(nodes_wanted);
  std::vector<double> values(2 * rows);
  for (const op_dat dat : {static_cast<op_dat>(x), static_cast<op_dat>(sum), static_cast<op_dat>(other)}) {
    op_fetch_data_all(dat, values.data());
    op_printf("rows %016llx\n", Bits().add(values).value());
  }
  std::vector<float> floats(rows);
  op_fetch_data_all(small, floats.data());
  std::vector<int> ints(rows);
  op_fetch_data_all(last, ints.data());
  op_printf("rows %016llx %016llx\n", Bits().add(floats).value(), Bits().add(ints).value());
}

// SPDX-License-Identifier: MIT
