// Variables of the program in a loop: read by all elements, or reduced over them.
#include <algorithm>

#include "suite.hpp"

namespace conformance {

using Globals = Topic;

// Values low ... high of a type, and one value below and one above them where there are such.
template <class T>
struct Span {
  static constexpr bool truth = std::is_same_v<T, Flag>;
  static constexpr int low = truth ? 0 : std::is_signed_v<T> ? -100 : 1, high = truth ? 1 : 100;
  static constexpr T below = static_cast<T>(truth ? 0 : low - 1), above = static_cast<T>(truth ? 1 : high + 1);
};

// Sums of truth values are disjunctions.
template <class T>
void add_to(T &sum, T term) {
  if constexpr (Span<T>::truth)
    sum = sum || term;
  else
    sum = static_cast<T>(sum + term);
}

// All four kinds in one loop. Starting values count once; among those of MIN and MAX every second one cannot be beaten.
template <class T, int Dim>
void reduce_all(int size) {
  compare([size](Outcome &out) {
    const std::size_t n = static_cast<std::size_t>(size), dim = Dim;
    const op_set cells = declare_set(size, "cells");
    const std::vector<T> x = whole<T>(n * dim, 100, Span<T>::low, Span<T>::high);
    std::vector<T> factor = whole<T>(dim, 101, 0, 1), sum = whole<T>(dim, 102, 0, 1), least(dim), most(dim), y(n * dim);
    for (std::size_t i = 0; i < dim; ++i) {
      least[i] = i % 2 == 1 ? Span<T>::below : Span<T>::above;
      most[i] = i % 2 == 1 ? Span<T>::above : Span<T>::below;
    }
    std::vector<T> wanted_sum = sum, wanted_least = least, wanted_most = most;
    const op_dat dx = declare_dat(cells, Dim, x, "x"), dy = declare_dat(cells, Dim, y, "y");
    for (int repeat = 0; repeat < 2; ++repeat) {
      run(
          [](const T *a, const T *f, T *s, T *l, T *m, T *b) {
            for (int i = 0; i < Dim; ++i) {
              b[i] = static_cast<T>(a[i] * f[i]);
              add_to(s[i], a[i]);
              if (a[i] < l[i]) l[i] = a[i];
              if (m[i] < a[i]) m[i] = a[i];
            }
          },
          "reduce", cells, direct(dx, OP_READ), global(factor, OP_READ), global(sum, OP_INC), global(least, OP_MIN),
          global(most, OP_MAX), direct(dy, OP_WRITE));
      for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = static_cast<T>(x[i] * factor[i % dim]);
        add_to(wanted_sum[i % dim], x[i]);
        wanted_least[i % dim] = std::min(wanted_least[i % dim], x[i]);
        wanted_most[i % dim] = std::max(wanted_most[i % dim], x[i]);
      }
    }
    out.same("read", fetch<T>(dy), y);
    out.same("sum", sum, wanted_sum);
    out.same("least", least, wanted_least);
    out.same("most", most, wanted_most);
  });
}

TEST_F(Globals, EveryTypeAndDim) {
  every_type([]<class T>(T) {
    for (const int size : every_size()) {
      SCOPED_TRACE(size);
      reduce_all<T, 1>(size);
      reduce_all<T, 3>(std::min(size, 20011));
      if (size < 100000) reduce_all<T, 17>(size);
    }
  });
}

// Real numbers: the order of a direct loop's sums is promised, so all back ends round alike.
template <class T, int Dim>
void sum_reals(int size) {
  compare([size](Outcome &out) {
    const std::size_t n = static_cast<std::size_t>(size) * Dim;
    const std::vector<double> doubles = reals(n, 103);
    const std::vector<T> x(doubles.begin(), doubles.end());
    const op_set cells = declare_set(size, "cells");
    const op_dat dx = declare_dat(cells, Dim, x, "x");
    std::vector<T> sum(Dim, T(0.75));
    Sums exact(sum);
    run(
        [](const T *a, T *s) {
          for (int i = 0; i < Dim; ++i) s[i] += a[i];
        },
        "sum", cells, direct(dx, OP_READ), global(sum, OP_INC));
    for (std::size_t i = 0; i < n; ++i) exact.add(i % Dim, x[i]);
    out.ordered_sums("sum", sum, exact);
  });
}

TEST_F(Globals, SumsOfReals) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    sum_reals<double, 1>(size);
    sum_reals<double, 3>(size);
    sum_reals<float, 1>(size);
    sum_reals<float, 17>(size);
  }
}

// The sum of what no increment touches has the bits of seq, also in a loop that increments a dat.
TEST_F(Globals, SumsBesideIncrements) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> w = reals(mesh.elements(), 104);
    const op_dat dw = declare_dat(cells, 1, w, "w"),
                 dload = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "load");
    std::vector<double> total = {10, -10};
    int count = 0;
    Sums load(mesh.targets()), exact(total);
    run([](const double *a, double *p, double *t, int *n) { *p += *a, t[0] += *a, t[1] += 3 * *a, ++*n; }, "scatter",
        cells, direct(dw, OP_READ), through(map, 1, dload, OP_INC), global(total, OP_INC), global(&count, 1, OP_INC));
    for (std::size_t n = 0; n < w.size(); ++n)
      load.add(mesh.target(n, 1), w[n]), exact.add(0, w[n]), exact.add(1, 3 * w[n]);
    out.same<int>("count", {count}, {mesh.from});
    out.sums("load", fetch<double>(dload), load);
    out.ordered_sums("total", total, exact);
  });
}

// Reductions of what a kernel reads through a map.
TEST_F(Globals, ExtremaThroughAMap) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> x = reals(mesh.targets(), 105);
    const op_dat dx = declare_dat(nodes, 1, x, "x");
    double least = 0.5, most = -0.5, wanted_least = least, wanted_most = most;
    run(
        [](const double **p, double *l, double *m) {
          for (int c = 0; c < 4; ++c) *l = std::min(*l, *p[c]), *m = std::max(*m, *p[c]);
        },
        "extrema", cells, rows(map, 4, dx, OP_READ), global(&least, 1, OP_MIN), global(&most, 1, OP_MAX));
    for (const int t : mesh.table) {
      wanted_least = std::min(wanted_least, x[static_cast<std::size_t>(t)]);
      wanted_most = std::max(wanted_most, x[static_cast<std::size_t>(t)]);
    }
    out.same<double>("extrema", {least, most}, {wanted_least, wanted_most});
  });
}

// Arrays of 2000 values: a histogram, the extrema of each bin, and a table to look up.
TEST_F(Globals, LargeArrays) {
  for (const int size : {0, 1, as_requested(5000), as_requested(100003)}) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      constexpr int bins = 2000;
      const std::size_t n = static_cast<std::size_t>(size);
      const op_set cells = declare_set(size, "cells");
      const std::vector<int> bin = whole<int>(n, 106, 0, bins - 1);
      const std::vector<double> x = reals(n, 107);
      std::vector<double> table = reals(bins, 108), sum(bins, 1), least(bins, 2), most(bins, -2), y(n);
      std::vector<long long> count(bins, 5), wanted_count = count;
      std::vector<double> wanted_least = least, wanted_most = most;
      Sums wanted_sum(sum);
      const op_dat dbin = declare_dat(cells, 1, bin, "bin"), dx = declare_dat(cells, 1, x, "x"),
                   dy = declare_dat(cells, 1, y, "y");
      run(
          [](const int *b, const double *a, const double *t, double *s, double *l, double *m, long long *c, double *r) {
            *r = t[*b] * *a;
            s[*b] += *a, ++c[*b];
            l[*b] = std::min(l[*b], *a), m[*b] = std::max(m[*b], *a);
          },
          "histogram", cells, direct(dbin, OP_READ), direct(dx, OP_READ), global(table, OP_READ), global(sum, OP_INC),
          global(least, OP_MIN), global(most, OP_MAX), global(count, OP_INC), direct(dy, OP_WRITE));
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t b = static_cast<std::size_t>(bin[i]);
        y[i] = table[b] * x[i];
        wanted_sum.add(b, x[i]), ++wanted_count[b];
        wanted_least[b] = std::min(wanted_least[b], x[i]), wanted_most[b] = std::max(wanted_most[b], x[i]);
      }
      out.same("looked up", fetch<double>(dy), y);
      out.same("count", count, wanted_count);
      out.same("least", least, wanted_least);
      out.same("most", most, wanted_most);
      out.ordered_sums("sum", sum, wanted_sum);
    });
  }
}

// A global that is read is read anew in each call, from wherever the call says.
TEST_F(Globals, ReadAnewInEachCall) {
  compare([](Outcome &out) {
    const op_set cells = declare_set(9000, "cells");
    const op_dat dx = declare_dat(cells, 1, std::vector<double>(9000), "x");
    double values[4] = {1, 10, 100, 1000};
    for (int step = 0; step < 8; ++step) {
      run([](const double *g, double *a) { *a += *g; }, "add", cells, global(&values[step % 4], 1, OP_READ),
          direct(dx, OP_INC));
      values[step % 4] *= 2;
    }
    out.same("x", fetch<double>(dx), std::vector<double>(9000, 3333));
    double sums[3] = {0, 1, 2};
    for (double &sum : sums)
      run([](const double *a, double *s) { *s += *a; }, "sum", cells, direct(dx, OP_READ), global(&sum, 1, OP_INC));
    out.same<double>("sums", {sums[0], sums[1], sums[2]}, {29997000, 29997001, 29997002});
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
