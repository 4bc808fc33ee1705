// OP2_RACE=owner: every row receives what is added to it in the order of the set, as on seq, so the bits are those of
// seq, on any mesh and with any number of threads. Elements between two threads run twice; nothing may show that.
#include "suite.hpp"

namespace conformance {

class Owner : public Topic {
  void SetUp() override {
    Topic::SetUp();
    FOR_ONE_PROCESS("several processes add up part by part");
    const Session session;
    if (!has_threads()) GTEST_SKIP() << "a setting of executors with threads";
  }
};

template <class Body>
void expect_the_bits_of_seq(const Topology &mesh, const Body &body) {
  SCOPED_TRACE(mesh.name);
  const DeclaredOrder order; // of the elements, which decides the order of the sums
  std::vector<double> seq;
  {
    const Session session("seq");
    seq = body();
  }
  for (const int threads : {1, 2, 3, 4, 7}) {
    const Session session({"OP2_RACE=owner", "OP2_NUM_THREADS=" + std::to_string(threads)});
    SCOPED_TRACE(testing::Message() << op_backend() << ", " << threads << " threads");
    for (int call = 0; call < 2; ++call) { // again with the prepared loop, from the same start
      const std::vector<double> got = body();
      ASSERT_EQ(seq.size(), got.size());
      ASSERT_TRUE(seq.empty() || std::memcmp(seq.data(), got.data(), sizeof(double) * seq.size()) == 0);
    }
  }
}

// An increment of three components, twice to each, so that a sum formed apart would round differently.
TEST_F(Owner, IncrementsOfAVector) {
  for (const Topology &mesh : every_mesh()) {
    const std::vector<double> w = reals(mesh.elements(), 300), start = reals(3 * mesh.targets(), 301);
    expect_the_bits_of_seq(mesh, [&] {
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const op_dat dw = declare_dat(cells, 1, w, "w"), dsum = declare_dat(nodes, 3, start, "sum");
      run(
          [](const double *a, double **s) {
            for (int c = 0; c < 4; ++c)
              for (int i = 0; i < 3; ++i) s[c][i] += *a * (c + 1), s[c][i] += 0.3 * *a;
          },
          "scatter", cells, direct(dw, OP_READ), rows(map, 4, dsum, OP_INC));
      return fetch<double>(dsum);
    });
  }
}

// Two dats through overlapping columns, one of them float.
TEST_F(Owner, DatsThroughDifferentColumns) {
  for (const Topology &mesh : every_mesh()) {
    const std::vector<double> w = reals(mesh.elements(), 302);
    expect_the_bits_of_seq(mesh, [&] {
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const op_dat dw = declare_dat(cells, 1, w, "w"),
                   a = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "a"),
                   b = declare_dat(nodes, 2, std::vector<float>(2 * mesh.targets()), "b");
      run(
          [](const double *v, double *a0, double *a3, float *b1, float *b3, const double *before) {
            *a0 += *v, *a3 -= 0.1 * *v + 0 * *before;
            b1[0] += static_cast<float>(*v), b3[1] += 0.7f;
          },
          "two", cells, direct(dw, OP_READ), through(map, 0, a, OP_INC), through(map, 3, a, OP_INC),
          through(map, 1, b, OP_INC), through(map, 3, b, OP_INC), direct(dw, OP_READ));
      std::vector<double> out = fetch<double>(a);
      for (const float value : fetch<float>(b)) out.push_back(static_cast<double>(value));
      return out;
    });
  }
}

// What an element between two threads reduces and writes to itself must count once.
TEST_F(Owner, SumsExtremaAndOwnRowsBesideIncrements) {
  for (const Topology &mesh : every_mesh()) {
    const std::vector<double> w = reals(mesh.elements(), 303);
    expect_the_bits_of_seq(mesh, [&] {
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const op_dat dw = declare_dat(cells, 1, w, "w"),
                   own = declare_dat(cells, 2, reals(2 * mesh.elements(), 304), "own"),
                   dsum = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "sum");
      std::vector<double> total = {0.25}, most = {-2};
      int place = -1;
      run(
          [](const double *a, double *mine, double **s, const int *n, double *t, double *m, int *where) {
            for (int c = 0; c < 4; ++c) *s[c] += *a * (c + 1);
            mine[0] = *a + *n, mine[1] = -*a;
            *t += *a * 1.1;
            if (*m < *a) *m = *a, *where = *n;
          },
          "all", cells, direct(dw, OP_READ), direct(own, OP_WRITE), rows(map, 4, dsum, OP_INC), op_arg_idx(-1, OP_ID),
          global(total, OP_INC), global(most, OP_MAX), op_arg_payload(&place, 1, "int", 5));
      std::vector<double> out = fetch<double>(dsum);
      const std::vector<double> rows = fetch<double>(own);
      out.insert(out.end(), rows.begin(), rows.end());
      out.insert(out.end(), {total[0], most[0], static_cast<double>(place)});
      return out;
    });
  }
}

// The last element that writes a row wins, as on seq.
TEST_F(Owner, WritesThroughMaps) {
  for (const Topology &mesh : every_mesh()) {
    const std::vector<double> w = reals(mesh.elements(), 305), start = reals(2 * mesh.targets(), 306);
    expect_the_bits_of_seq(mesh, [&] {
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const op_dat dw = declare_dat(cells, 1, w, "w"), x = declare_dat(nodes, 2, start, "x");
      run([](const double *a, double *p) { p[0] = *a, p[1] = -*a; }, "write", cells, direct(dw, OP_READ),
          through(map, 2, x, OP_WRITE));
      return fetch<double>(x);
    });
  }
}

// What is read cannot be run twice: these loops take colours, and rows that two elements reach get whole numbers.
TEST_F(Owner, LoopsThatReadWhatTheyWrite) {
  const Topology mesh = quads(120, 90);
  expect_the_bits_of_seq(mesh, [&] {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat calls = declare_dat(cells, 1, std::vector<double>(mesh.elements()), "calls"),
                 seen = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "seen"),
                 twice = declare_dat(nodes, 1, std::vector<double>(mesh.targets(), 1.0), "twice");
    const auto count = [](double *n, double *s, double *t) { *n += 1, *s += 2 * *n, *t += 3 * *n; };
    run(count, "count", cells, direct(calls, OP_INC), through(map, 0, seen, OP_INC), through(map, 3, seen, OP_INC));
    run(count, "count", cells, direct(calls, OP_RW), through(map, 0, seen, OP_INC), through(map, 3, seen, OP_INC));
    run(
        [](double *p, double *q) {
          if (*q > 0) *p *= 2;
          if (*p > 0) *q *= 2;
        },
        "double", cells, through(map, 0, twice, OP_RW), through(map, 3, twice, OP_RW));
    std::vector<double> out = fetch<double>(calls);
    for (const op_dat dat : {seen, twice})
      for (const double value : fetch<double>(dat)) out.push_back(value);
    return out;
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
