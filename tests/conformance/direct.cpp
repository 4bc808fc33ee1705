// Direct loops: each element touches its own rows only.
#include "suite.hpp"

namespace conformance {

using Direct = Topic;

// y = 2 x + 1, component by component, for rows of `Dim` values.
template <int Dim>
void scale_rows(int size) {
  compare([size](Outcome &out) {
    const op_set cells = declare_set(size, "cells");
    const std::vector<double> x = reals(static_cast<std::size_t>(size) * Dim, 20);
    const std::vector<double> rubbish(x.size(), std::nan(""));
    const op_dat dx = declare_dat(cells, Dim, x, "x"), dy = declare_dat(cells, Dim, rubbish, "y");
    run(
        [](const double *a, double *b) {
          for (int i = 0; i < Dim; ++i) b[i] = 2 * a[i] + 1;
        },
        "scale", cells, direct(dx, OP_READ), direct(dy, OP_WRITE));
    std::vector<double> y;
    for (const double value : x) y.push_back(2 * value + 1);
    out.same("x", fetch<double>(dx), x);
    out.same("y", fetch<double>(dy), y);
  });
}

TEST_F(Direct, ReadAndWrite) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    scale_rows<1>(size);
    scale_rows<3>(size);
    scale_rows<4>(size);
  }
}

TEST_F(Direct, LongRows) { scale_rows<77>(3001); }

TEST_F(Direct, ReadWriteSeesTheOldValue) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const op_set cells = declare_set(size, "cells");
      std::vector<double> x = reals(static_cast<std::size_t>(size) * 2, 21);
      const op_dat dx = declare_dat(cells, 2, x, "x");
      for (int step = 0; step < 3; ++step)
        run([](double *a) { a[0] = 3 * a[0] - a[1], a[1] = -a[1]; }, "step", cells, direct(dx, OP_RW));
      for (int step = 0; step < 3; ++step)
        for (std::size_t n = 0; n < x.size(); n += 2) x[n] = 3 * x[n] - x[n + 1], x[n + 1] = -x[n + 1];
      out.same("x", fetch<double>(dx), x);
    });
  }
}

// A direct increment gets the row itself: one addition to the old value, so every bit is known.
TEST_F(Direct, IncrementAddsToTheRow) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const op_set cells = declare_set(size, "cells");
      const std::size_t n = static_cast<std::size_t>(size);
      const std::vector<double> a = reals(n, 22);
      std::vector<double> sum = reals(n, 23);
      const op_dat da = declare_dat(cells, 1, a, "a"), dsum = declare_dat(cells, 1, sum, "sum");
      for (int step = 0; step < 4; ++step)
        run([](const double *x, double *s) { *s += *x; }, "add", cells, direct(da, OP_READ), direct(dsum, OP_INC));
      for (int step = 0; step < 4; ++step)
        for (std::size_t i = 0; i < n; ++i) sum[i] += a[i];
      out.same("sum", fetch<double>(dsum), sum);
    });
  }
}

// A row that a kernel incremented on a condition keeps its value elsewhere, and so does an untouched RW row.
TEST_F(Direct, RowsLeftAloneKeepTheirValues) {
  compare([](Outcome &out) {
    const int size = 20000;
    const op_set cells = declare_set(size, "cells");
    const std::vector<int> number = counted(size);
    std::vector<int> inc = whole<int>(size, 24, -99, 99), rw = whole<int>(size, 25, -99, 99);
    const op_dat dnumber = declare_dat(cells, 1, number, "number");
    const op_dat dinc = declare_dat(cells, 1, inc, "inc"), drw = declare_dat(cells, 1, rw, "rw");
    run(
        [](const int *n, int *a, int *b) {
          if (*n % 3 == 0)
            *a += 7;
          else if (*n % 3 == 1)
            *b = *n;
        },
        "some", cells, direct(dnumber, OP_READ), direct(dinc, OP_INC), direct(drw, OP_RW));
    for (std::size_t i = 0; i < inc.size(); ++i) {
      if (i % 3 == 0) inc[i] += 7;
      if (i % 3 == 1) rw[i] = number[i];
    }
    out.same("inc", fetch<int>(dinc), inc);
    out.same("rw", fetch<int>(drw), rw);
  });
}

// Every access in one loop, loops that follow each other, and two sets of different sizes.
TEST_F(Direct, ChainOfLoops) {
  compare([](Outcome &out) {
    const std::size_t n = 30000, m = 777;
    const op_set cells = declare_set(static_cast<int>(n), "cells"), edges = declare_set(static_cast<int>(m), "edges");
    std::vector<double> a = reals(n, 26), b = reals(n, 27), c = reals(n, 28), d(n), e = reals(m, 29);
    const op_dat da = declare_dat(cells, 1, a, "a"), db = declare_dat(cells, 1, b, "b"),
                 dc = declare_dat(cells, 1, c, "c"), dd = declare_dat(cells, 1, d, "d"),
                 de = declare_dat(edges, 1, e, "e");
    for (int step = 0; step < 5; ++step) {
      run([](const double *r, double *w, double *i, double *rw) { *w = *r - *rw, *i += 0.5 * *r, *rw *= 0.75; }, "all",
          cells, direct(da, OP_READ), direct(dd, OP_WRITE), direct(db, OP_INC), direct(dc, OP_RW));
      run([](double *x) { *x *= -1.5; }, "edges", edges, direct(de, OP_RW));
      run([](const double *x, double *y) { *y = *x; }, "copy", cells, direct(dd, OP_READ), direct(da, OP_WRITE));
    }
    for (int step = 0; step < 5; ++step) {
      for (std::size_t i = 0; i < n; ++i) d[i] = a[i] - c[i], b[i] += 0.5 * a[i], c[i] *= 0.75, a[i] = d[i];
      for (double &value : e) value *= -1.5;
    }
    out.same("a", fetch<double>(da), a);
    out.same("b", fetch<double>(db), b);
    out.same("c", fetch<double>(dc), c);
    out.same("d", fetch<double>(dd), d);
    out.same("e", fetch<double>(de), e);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
