// bits.cpp: what must have the same bits on a GPU as on a CPU: prints the bits of all results, a line for each kind.
// Loops without increments ("plain"), global sums and extrema ("sums"), increments through maps ("increments").
// Compile with -ffp-contract=off; on the GPU products and sums are not fused unless OP2_CUDA_OPTIONS says so.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <op2/op2.hpp>
#include <random>
#include <vector>

namespace {

constexpr int cells = 30000, edges = 70000;

// Everything here has one right answer: + - * / sqrt fabs fmin fmax floor and conversions.
void mix(const double *a, const float *b, const int *n, double *out, float *small, int *whole) {
  const double r = a[0] * a[1] + a[2] / (1.5 + a[3] * a[3]);
  out[0] = std::sqrt(std::fabs(r)) - 0.1 * a[0];
  out[1] = std::fmin(r, a[1]) + std::fmax(a[2], 0.3) * a[3];
  small[0] = b[0] * b[1] + (float)r;
  small[1] = std::sqrt(b[0] * b[0] + b[1] * b[1]) / 3.0f;
  *whole = *n * 7 + (int)std::floor(10 * r) - (*n >> 3);
}

void through(const double *left, const double *right, const float *s1, const float *s2, const int *number, double *out,
             float *out_small) {
  const double dx = left[0] - right[0], dy = left[1] - right[1];
  *out = std::sqrt(dx * dx + dy * dy) / (1.0 + std::fabs(left[1])) + 1e-3 * *number;
  *out_small = s1[0] * s2[1] - s1[1] * s2[0];
}

void advance(double *a, const double *out) {
  for (int i = 0; i < 2; ++i) a[i] = 0.9 * a[i] + 0.2 * out[i] * a[i + 2];
}

void add_up(const double *out, const float *small, double *sum, float *small_sum, double *least, double *most) {
  *sum += out[0] * out[1];
  *small_sum += small[0];
  if (out[0] < *least) *least = out[0];
  if (out[1] > *most) *most = out[1];
}

// Each row is added to once by each element that reaches it.
void spread(const double *length, const float *area, double *left, double *right, float *small) {
  left[0] += 0.3 * *length;
  left[1] += *length * *length;
  right[0] -= 0.3 * *length;
  right[1] += *length / 7;
  *small += 0.1f * *area;
}

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> out(count);
  for (double &value : out) value = static_cast<double>(random()) / 2147483648.0 - 1.0;
  return out;
}

class Bits {
 public:
  template <class T>
  void add(const std::vector<T> &values) {
    for (const T &value : values) add(value);
  }
  template <class T>
  void add(const T &value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof bytes);
    for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 1099511628211u;
  }
  void print(const char *kind) const { std::printf("%s %016llx\n", kind, static_cast<unsigned long long>(hash_)); }

 private:
  std::uint64_t hash_ = 14695981039346656037u; // FNV-1a
};

template <class T, int Dim>
std::vector<T> rows(const op2::dat<T, Dim> &dat, int count) {
  std::vector<T> out(static_cast<std::size_t>(count) * Dim);
  op_fetch_data(dat, out.data());
  return out;
}

} // namespace

int main(int argc, char **argv) {
  const op2::context context(argc, argv);
  const op2::set on_cells(cells, "cells"), on_edges(edges, "edges");
  std::mt19937 random(5);
  std::vector<int> table(2 * std::size_t(edges)), start(cells);
  for (int &entry : table) entry = static_cast<int>(random() % cells);
  for (std::size_t e = 0; e < table.size(); e += 2) // no element reaches a row twice
    if (table[e] == table[e + 1]) table[e + 1] = (table[e] + 1) % cells;
  for (int i = 0; i < cells; ++i) start[static_cast<std::size_t>(i)] = static_cast<int>(random() % 1000) - 500;
  const std::vector<double> wide = numbers(4 * cells, 1), narrow = numbers(2 * cells, 2);
  const op2::map edge_cells(on_edges, on_cells, 2, table, "edge_cells");
  op2::dat<double, 4> a(on_cells, wide, "a");
  op2::dat<float, 2> b(on_cells, std::vector<float>(narrow.begin(), narrow.end()), "b"), small(on_cells, nullptr, "s");
  op2::dat<int, 1> n(on_cells, start, "n"), whole(on_cells, nullptr, "whole");
  op2::dat<double, 2> out(on_cells, nullptr, "out"), added(on_cells, nullptr, "added");
  op2::dat<float, 1> added_small(on_cells, nullptr, "added_small"), area(on_edges, nullptr, "area");
  op2::dat<double, 1> length(on_edges, nullptr, "length");
  double sum = 0, least = 1e30, most = -1e30;
  float small_sum = 0;

  for (int step = 0; step < 3; ++step) {
    op_par_loop(mix, "mix", on_cells, op2::read(a), op2::read(b), op2::read(n), op2::write(out), op2::write(small),
                op2::write(whole));
    op_par_loop(through, "through", on_edges, op2::read(out, 0, edge_cells), op2::read(out, 1, edge_cells),
                op2::read(small, 0, edge_cells), op2::read(small, 1, edge_cells), op2::read(n, 1, edge_cells),
                op2::write(length), op2::write(area));
    op_par_loop(add_up, "add_up", on_cells, op2::read(out), op2::read(small), op2::gbl_inc(&sum),
                op2::gbl_inc(&small_sum), op2::gbl_min(&least), op2::gbl_max(&most));
    op_par_loop(spread, "spread", on_edges, op2::read(length), op2::read(area), op2::inc(added, 0, edge_cells),
                op2::inc(added, 1, edge_cells), op2::inc(added_small, 0, edge_cells));
    op_par_loop(advance, "advance", on_cells, op2::rw(a), op2::read(out));
  }
  Bits plain, sums, increments;
  plain.add(rows(a, cells));
  plain.add(rows(out, cells));
  plain.add(rows(small, cells));
  plain.add(rows(whole, cells));
  plain.add(rows(length, edges));
  plain.add(rows(area, edges));
  sums.add(sum);
  sums.add(small_sum);
  sums.add(least);
  sums.add(most);
  increments.add(rows(added, cells));
  increments.add(rows(added_small, cells));
  plain.print("plain");
  sums.print("sums");
  increments.print("increments");
  return 0;
}

// SPDX-License-Identifier: MIT
