// Promised bits. Global sums have a fixed shape that depends on the size of the set only, so any number of threads
// rounds alike; and increments through maps reach an element in the same order whatever the number of threads.
#include "suite.hpp"

namespace conformance {

using Order = Topic;

const std::vector<int> sizes = {0, 1, 2, 63, 64, 65, 127, 1000, 16383, 16384, 16385, 100003, 300007};
const std::vector<int> thread_counts = {1, 2, 3, 4, 7};

// The same body on seq, and on the back end under test with each number of threads, must return the same bits.
template <class Body>
void expect_same_bits_everywhere(const Body &body) {
  std::vector<double> seq;
  {
    const Session session("seq");
    seq = body();
  }
  for (const int threads : thread_counts) {
    const Session session(nullptr, threads);
    SCOPED_TRACE(testing::Message() << op_backend() << ", " << threads << " threads");
    const std::vector<double> got = body();
    ASSERT_EQ(seq.size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(seq[i], got[i]) << "value " << i;
  }
}

TEST_F(Order, DirectSums) {
  FOR_ONE_PROCESS("several processes add up part by part");
  for (const int size : as_requested(sizes)) {
    SCOPED_TRACE(size);
    const std::vector<double> x = reals(3 * static_cast<std::size_t>(size), 220);
    expect_same_bits_everywhere([&] {
      const op_set cells = declare_set(size, "cells");
      const op_dat dx = declare_dat(cells, 3, x, "x");
      std::vector<double> result = {1.0 / 3, 0, 0, 9, -9};
      float single = 0.1f;
      run(
          [](const double *a, double *s, double *l, double *m, float *f) {
            for (int i = 0; i < 3; ++i) s[i] += a[i] * a[0];
            *l = std::min(*l, a[1]), *m = std::max(*m, a[2]), *f += static_cast<float>(a[2]);
          },
          "sums", cells, direct(dx, OP_READ), global(&result[0], 3, OP_INC), global(&result[3], 1, OP_MIN),
          global(&result[4], 1, OP_MAX), global(&single, 1, OP_INC));
      result.push_back(single);
      return result;
    });
  }
}

// Reading through maps changes nothing: no element runs out of turn.
TEST_F(Order, SumsOfWhatIsReadThroughMaps) {
  FOR_ONE_PROCESS("several processes add up part by part");
  for (const Topology &mesh : every_mesh()) {
    SCOPED_TRACE(mesh.name);
    const std::vector<double> x = reals(mesh.targets(), 221);
    expect_same_bits_everywhere([&] {
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const op_dat dx = declare_dat(nodes, 1, x, "x");
      std::vector<double> result(1);
      run([](const double **p, double *s) { *s += *p[0] * *p[1] - *p[2] * *p[3]; }, "sum", cells,
          rows(map, 4, dx, OP_READ), global(result, OP_INC));
      return result;
    });
  }
}

// The user fixes the blocks: then the shape follows, on seq too.
TEST_F(Order, BlocksOfTheUsersSize) {
  FOR_ONE_PROCESS("several processes add up part by part");
  const std::vector<double> x = reals(20000, 222);
  std::vector<double> sums;
  for (const char *backend : {"OP2_BACKEND=seq", ""})
    for (const char *block : {"OP2_BLOCK_SIZE=1", "OP2_BLOCK_SIZE=100", "OP_PART_SIZE=7777", "OP2_BLOCK_SIZE=50000"}) {
      const Session session(std::vector<std::string>{block, backend});
      const op_set cells = declare_set(20000, "cells");
      const op_dat dx = declare_dat(cells, 1, x, "x");
      double sum = 0;
      run([](const double *a, double *s) { *s += *a; }, "sum", cells, direct(dx, OP_READ), global(&sum, 1, OP_INC));
      sums.push_back(sum);
    }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sums[i], sums[i + 4]) << "block size " << i;
}

namespace {

std::vector<double> scattered(const Topology &mesh) {
  const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
  const op_map map = declare_map(cells, nodes, mesh);
  const op_dat dw = declare_dat(cells, 1, reals(mesh.elements(), 223), "w"),
               dsum = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "sum");
  run(
      [](const double *a, double **s) {
        for (int c = 0; c < 4; ++c) *s[c] += *a * (c + 1);
      },
      "scatter", cells, direct(dw, OP_READ), rows(map, 4, dsum, OP_INC));
  return fetch<double>(dsum);
}

} // namespace

// docs/concepts.md: with owners, increments have the bits of seq, with colours the same ones for any number of threads,
// and the default takes one of the two.
TEST_F(Order, IncrementsForAnyNumberOfThreads) {
  for (const Topology &mesh : every_mesh()) {
    SCOPED_TRACE(mesh.name);
    std::vector<double> first;
    for (const int threads : thread_counts) {
      SCOPED_TRACE(threads);
      std::vector<double> got;
      bool by_default = false;
      {
        const Session session(nullptr, threads);
        if (!repeatable()) GTEST_SKIP() << "the mesh is divided in another way in each run";
        by_default = race() == "auto";
        got = scattered(mesh);
      }
      if (threads == thread_counts.front()) first = got;
      if (by_default && got != first) { // the mesh is good for owners with fewer threads only
        const Session session(std::vector<std::string>{"OP2_RACE=colour", "OP2_NUM_THREADS=2"});
        first = scattered(mesh);
      }
      ASSERT_EQ(first, got);
    }
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
