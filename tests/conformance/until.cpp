// Loops that stop early: rows, reduced variables and the number of the last element have the bits of a plain loop that
// ends after the first element that says stop, on any executor and number of processes.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "op2/chain.h"
#include "op2/info.h"
#include "op2/until.h"
#include "suite.hpp"

#undef op_par_loop_until

extern "C" long long until_in_c(op_map ends, op_dat x, op_dat sums, int limit);

namespace conformance {

using Until = Topic;

namespace {

template <class... P, class... Args>
op_status try_until(void (*kernel)(P...), op_set set, const Args &...args) {
  static_assert(sizeof...(P) == sizeof...(Args), "one argument for each parameter of the kernel");
  const std::array<op_arg, sizeof...(Args)> list = {args...};
  divide_once(set, list);
  return op_par_loop_until(reinterpret_cast<op_kernel_fn>(kernel), "until", set, static_cast<int>(list.size()),
                           list.data());
}

// Elements that stop, and what a plain loop of `size` elements then says.
using Stops = std::vector<int>;
long long last_of(const Stops &stops, int size) {
  const int least = *std::ranges::min_element(stops);
  return least < size ? least : -1;
}
constexpr int nowhere = 1 << 30;

// Around the borders of all blocks and stages; the first and the last element, none, several.
std::vector<Stops> exits(int size) {
  std::vector<Stops> out = {{nowhere, nowhere, nowhere}, {size - 1, nowhere, nowhere}};
  const int step = processes() > 1 ? 1024 : 256; // messages take their time
  for (int border = 0; border < size; border += step)
    for (const int at : {border - 1, border, border + 1})
      if (0 <= at && at < size) out.push_back({at, nowhere, nowhere});
  Random random(7);
  for (int i = 0; i < 8; ++i) out.push_back({random.below(size), random.below(size), random.below(size)});
  return out;
}

struct Ordered { // while it lives
  Ordered() { setenv("OP2_UNTIL", "ordered", 1); }
  ~Ordered() { before.empty() ? unsetenv("OP2_UNTIL") : setenv("OP2_UNTIL", before.c_str(), 1); }
  std::string before = std::getenv("OP2_UNTIL") ? std::getenv("OP2_UNTIL") : "";
};

constexpr int wide = 60; // values of a row that make stages small

void everything(const int *number, const int *stops, const double *a, const double *q0, const double *q1, double *r0,
                double *r1, double *out, double *kept, double *sum, double *least, int *where, long long *count,
                int *stop) {
  const double f = *a * (q0[0] - q1[1]) + 0.1;
  r0[0] += f;
  r0[1] += f * f;
  r1[0] -= f;
  r1[1] += 0.5 * f;
  for (int c = 0; c < wide; ++c) out[c] = f + c;
  *kept = 0.5 * *kept + f;
  *sum += f;
  if (f < *least) *least = f, *where = *number;
  *count += 1;
  for (int i = 0; i < 3; ++i)
    if (*number == stops[i]) *stop = 1;
}

struct Everything {
  const Topology &mesh;
  std::vector<double> a, q, r, out, kept, sum{0.25}, least{0.05};
  std::vector<int> where{-1};
  std::vector<long long> count{0};

  explicit Everything(const Topology &of)
      : mesh(of),
        a(reals(of.elements(), 1)),
        q(reals(2 * of.targets(), 2)),
        r(reals(2 * of.targets(), 3)),
        out(wide * of.elements()),
        kept(reals(of.elements(), 4)) {}

  long long plain(const Stops &stops) {
    for (int n = 0; n < mesh.from; ++n) {
      const std::size_t i = static_cast<std::size_t>(n), s = 2 * mesh.target(i, 0), t = 2 * mesh.target(i, 1);
      int stop = 0;
      everything(&n, stops.data(), &a[i], &q[s], &q[t], &r[s], &r[t], &out[wide * i], &kept[i], &sum[0], &least[0],
                 &where[0], &count[0], &stop);
      if (stop) return n;
    }
    return -1;
  }
};

} // namespace

TEST_F(Until, EndsAsThePlainLoopDoes) {
  const int size = as_requested(7000);
  const Topology meshes[] = {shuffled(quads(size / 50, 50), 11), random_map(size, size / 3, 2, 12)};
  for (const Topology &mesh : meshes) {
    SCOPED_TRACE(mesh.name);
    compare([&mesh](Outcome &out) {
      Everything wanted(mesh), got(mesh);
      const op_set from = declare_set(mesh.from, "from"), to = declare_set(mesh.to, "to");
      const op_map map = declare_map(from, to, mesh);
      const op_dat a = declare_dat(from, 1, got.a, "a"), q = declare_dat(to, 2, got.q, "q"),
                   r = declare_dat(to, 2, got.r, "r"), o = declare_dat(from, wide, got.out, "out"),
                   kept = declare_dat(from, 1, got.kept, "kept");
      for (Stops stops : exits(mesh.from)) {
        const long long last = wanted.plain(stops);
        op_gindex number = -2;
        EXPECT_OK(try_until(everything, from, op_arg_idx(-1, OP_ID), global(stops, OP_READ), direct(a, OP_READ),
                            through(map, 0, q, OP_READ), through(map, 1, q, OP_READ), through(map, 0, r, OP_INC),
                            through(map, 1, r, OP_INC), direct(o, OP_WRITE), direct(kept, OP_RW),
                            global(got.sum, OP_INC), global(got.least, OP_MIN),
                            op_arg_payload(got.where.data(), 1, "int", 10), global(got.count, OP_INC),
                            op_arg_stop(&number)));
        out.same<long long>("number", {number}, {last});
        out.same("sum", got.sum, wanted.sum);
        out.same("least", got.least, wanted.least);
        out.same("where", got.where, wanted.where);
        out.same("count", got.count, wanted.count);
        if (testing::Test::HasFailure()) return;
        wanted.least = got.least = {0.05};
      }
      out.same("r", fetch<double>(r), wanted.r);
      out.same("out", fetch<double>(o), wanted.out);
      out.same("kept", fetch<double>(kept), wanted.kept);
    });
  }
}

// Rows are compared after each exit, not only where the next one goes on from.
TEST_F(Until, LeavesTheRowsBehindTheLastElementAlone) {
  const int size = as_requested(3000);
  for (const int at : {0, 1, 255, 256, 2047, 2048, size - 1, nowhere}) {
    SCOPED_TRACE(at);
    compare([&](Outcome &out) {
      const Topology mesh = random_map(size, size / 2, 3, 21);
      std::vector<float> rows = whole<float>(3 * mesh.targets(), 22, -9, 9);
      std::vector<int> mark = counted(mesh.elements()), kept(mesh.targets(), -1), flag = {at};
      const op_set from = declare_set(mesh.from, "from"), to = declare_set(mesh.to, "to");
      const op_map map = declare_map(from, to, mesh);
      const op_dat x = declare_dat(from, 1, mark, "x"), r = declare_dat(to, 3, rows, "r"),
                   k = declare_dat(to, 1, kept, "k");
      op_gindex number = -2;
      EXPECT_OK(try_until(
          +[](const int *m, const int *where, float **three, int *last, int *stop) {
            for (int c = 0; c < 3; ++c) three[c][c] += static_cast<float>(*m) * 0.1f;
            *last = *m;
            *stop = *m == *where;
          },
          from, direct(x, OP_READ), global(flag, OP_READ), conformance::rows(map, 3, r, OP_INC),
          through(map, 1, k, OP_WRITE), op_arg_stop(&number)));
      for (std::size_t n = 0; n < mesh.elements(); ++n) {
        for (std::size_t c = 0; c < 3; ++c) rows[3 * mesh.target(n, c) + c] += static_cast<float>(mark[n]) * 0.1f;
        kept[mesh.target(n, 1)] = mark[n];
        if (mark[n] == at) break;
      }
      out.same<long long>("number", {number}, {last_of({at}, size)});
      out.same("rows", fetch<float>(r), rows);
      out.same("kept", fetch<int>(k), kept);
    });
  }
}

// Elements read what earlier ones have written, and, second, use a variable one after another.
TEST_F(Until, RunsInOrderWhereAsked) {
  const Ordered ordered;
  const int size = processes() > 1 ? 150 : as_requested(5000); // several processes take turns
  const Topology mesh = shuffled(quads(size / 50, 50), 31); // each element reaches different rows
  for (const bool with_variable : {false, true}) {
    SCOPED_TRACE(with_variable);
    compare([&](Outcome &out) {
      std::vector<double> x = reals(mesh.targets(), 32), sum = {0}, wanted_sum = sum;
      std::vector<unsigned> mixed = {7}, wanted_mixed = mixed;
      const op_set from = declare_set(mesh.from, "from"), to = declare_set(mesh.to, "to");
      const op_map map = declare_map(from, to, mesh);
      const op_dat dx = declare_dat(to, 1, x, "x");
      const auto kernel = +[](const int *n, const int *stops, const double *from_row, double *to_row, double *s,
                              unsigned *m, int *stop) {
        *to_row = 0.5 * *to_row + *from_row;
        *s += *to_row;
        if (m) *m = *m * 31 + static_cast<unsigned>(*n);
        *stop = *n == stops[0] || *n == stops[1];
      };
      for (const Stops &of : exits(mesh.from)) {
        Stops stops = of;
        op_gindex number = -2;
        op_arg variable = global(mixed, OP_RW);
        variable.opt = with_variable;
        EXPECT_OK(try_until(kernel, from, op_arg_idx(-1, OP_ID), global(stops, OP_READ), through(map, 0, dx, OP_READ),
                            through(map, 1, dx, OP_RW), global(sum, OP_INC), variable, op_arg_stop(&number)));
        for (int n = 0; n < mesh.from; ++n) {
          const std::size_t i = static_cast<std::size_t>(n);
          int stop = 0;
          kernel(&n, stops.data(), &x[mesh.target(i, 0)], &x[mesh.target(i, 1)], &wanted_sum[0],
                 with_variable ? &wanted_mixed[0] : nullptr, &stop);
          if (stop) break;
        }
        out.same<long long>("number", {number}, {last_of({of[0], of[1]}, mesh.from)});
        out.same("sum", sum, wanted_sum);
        out.same("mixed", mixed, wanted_mixed);
        if (testing::Test::HasFailure()) return;
      }
      out.same("x", fetch<double>(dx), x);
    });
  }
}

// What only OP2_UNTIL=ordered can run, and what belongs to other loops.
TEST_F(Until, RefusesWhatNeedsAnOrder) {
  const Session session;
  const Topology mesh = random_map(100, 100, 2, 41);
  const op_set from = declare_set(100, "from"), to = declare_set(100, "to");
  const op_map map = declare_map(from, to, mesh);
  const op_dat x = declare_dat(to, 1, std::vector<double>(100), "x");
  op_gindex number = -2;
  double variable = 0;
  const auto two = +[](double *, int *) {};
  const bool ordered = std::string_view(op_setting("OP2_UNTIL")) == "ordered";
  const op_status refused = ordered ? OP_OK : OP_ERR_UNSUPPORTED;
  EXPECT_STATUS(refused, try_until(two, from, through(map, 0, x, OP_RW), op_arg_stop(&number)));
  EXPECT_STATUS(refused, try_until(two, from, global(&variable, 1, OP_RW), op_arg_stop(&number)));
  EXPECT_EQ(ordered ? -1 : -2, number);
}

// Elements behind the last one may fail, those before may not.
TEST_F(Until, FailsOnlyBeforeTheLastElement) {
  const int size = as_requested(3000);
  for (const int thrower : {70, 72, size - 1}) {
    SCOPED_TRACE(thrower);
    const Session session;
    const op_set cells = declare_set(size, "cells");
    const op_dat x = declare_dat(cells, 1, counted(static_cast<std::size_t>(size)), "x");
    int throws = thrower;
    op_gindex number = -2;
    const op_status status = try_until(
        +[](const int *n, const int *at, int *stop) {
          if (*n == *at) throw std::runtime_error("flat tyre");
          *stop = *n == 71;
        },
        cells, direct(x, OP_READ), global(&throws, 1, OP_READ), op_arg_stop(&number));
    if (thrower < 71) {
      EXPECT_STATUS(OP_ERR_KERNEL, status);
      EXPECT_NE(std::string::npos, std::string(op_last_error()).find("flat tyre")) << op_last_error();
      EXPECT_EQ(-2, number);
    } else {
      EXPECT_OK(status);
      EXPECT_EQ(71, number);
    }
  }
}

// What a chain has recorded runs before, and what follows sees the rows.
TEST_F(Until, ComesAfterWhatAChainHasRecorded) {
  compare([](Outcome &out) {
    const std::size_t size = 1000;
    const op_set cells = declare_set(1000, "cells");
    const op_dat x = declare_dat(cells, 1, counted(size), "x");
    op_gindex number = -2;
    const auto twice = [](int *v) { *v *= 2; };
    EXPECT_OK(op_chain_begin("chain"));
    run(twice, "twice", cells, direct(x, OP_RW));
    EXPECT_OK(try_until(
        +[](int *v, int *stop) {
          *v += 1;
          *stop = *v == 201;
        },
        cells, direct(x, OP_RW), op_arg_stop(&number)));
    run(twice, "twice", cells, direct(x, OP_RW));
    EXPECT_OK(op_chain_end());
    std::vector<int> wanted = counted(size);
    for (int &v : wanted) v = 2 * (2 * v + (v <= 100 ? 1 : 0));
    out.same<long long>("number", {number}, {100});
    out.same("x", fetch<int>(x), wanted);
  });
}

// The macro of C. That of C++ is in tests/check/order.cpp, Fortran in tests/fortran/until.f90.
TEST_F(Until, InC) {
  compare([](Outcome &out) {
    const Topology mesh = random_map(700, 300, 2, 51);
    std::vector<int> x = whole<int>(700, 52, 0, 400), sums(300);
    x[399] = 401;
    const op_set from = declare_set(700, "from"), to = declare_set(300, "to");
    const op_map map = declare_map(from, to, mesh);
    const op_dat dx = declare_dat(from, 1, x, "x"), ds = declare_dat(to, 1, sums, "sums");
    const long long last = until_in_c(map, dx, ds, 400);
    for (std::size_t n = 0; n < 400; ++n) sums[mesh.target(n, 0)] += x[n], sums[mesh.target(n, 1)] -= x[n];
    out.same<long long>("last", {last}, {399});
    out.same("sums", fetch<int>(ds), sums);
  });
}

} // namespace conformance
// SPDX-License-Identifier: MIT
