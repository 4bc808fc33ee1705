// Chains: the order of their pieces elsewhere is verified, and their loops are checked like any other.
#include <algorithm>
#include <functional>

#include "support.hpp"

namespace check_test {

class ChainOrder : public Ring {
 protected:
  // Three rounds of a chain whose loops go back and forth between edges and cells.
  std::string run(const std::vector<std::string> &settings) {
    std::vector<std::string> all = settings;
    all.push_back("OP2_LOG=info");
    start(all);
    q = cell_dat(1, "q"), sum = cell_dat(1, "sum");
    testing::internal::CaptureStderr();
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(OP_OK, op_chain_begin("sweeps"));
      for (int sweep = 0; sweep < 3; ++sweep) {
        spread();
        const auto relax = [](double *s, double *x) { *x += 0.5 * *s, *s = 0; };
        EXPECT_EQ(OP_OK, op_par_loop(relax, "relax", cells, op_arg_dat(sum, -1, OP_ID, 1, "double", OP_RW),
                                     op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW)));
      }
      EXPECT_EQ(OP_OK, op_chain_end()) << op_last_error();
    }
    return testing::internal::GetCapturedStderr();
  }
  void spread() const {
    const auto spread = [](const double *a, const double *b, double *s, double *t) { *s += *b, *t += *a; };
    EXPECT_EQ(OP_OK,
              op_par_loop(spread, "spread", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                          op_arg_dat(q, 1, ends, 1, "double", OP_READ), op_arg_dat(sum, 0, ends, 1, "double", OP_INC),
                          op_arg_dat(sum, 1, ends, 1, "double", OP_INC)))
        << op_last_error();
  }
  static int count(const std::string &said, const std::string &words) {
    int out = 0;
    for (std::size_t at = said.find(words); at != std::string::npos; at = said.find(words, at + 1)) ++out;
    return out;
  }
  op_dat q = nullptr, sum = nullptr;
};

TEST_F(ChainOrder, IsVerifiedOnceForEachSequence) {
  const std::string said = run({});
  // The first calls of loops run what is recorded; the rest of that round, and the others, are two sequences.
  EXPECT_EQ(2, count(said, "chain 'sweeps' of ")) << said;
  EXPECT_EQ(2, count(said, " loops, order verified: ")) << said;
  EXPECT_EQ(1, count(said, "chain 'sweeps' of 6 loops, order verified: ")) << said;
  EXPECT_EQ(0, count(said, "none of them on threads")) << said;
  const std::vector<double> checked = values(q);
  EXPECT_EQ(0, count(run({"OP2_CHECK=-chain"}), "order verified"));
  EXPECT_EQ(checked, values(q));
  EXPECT_EQ(2, count(run({"OP2_CHECK=chain", "OP2_CHAIN_TILE=1"}), "order verified"));
}

TEST_F(ChainOrder, SaysWhyThereIsNone) {
  run({});
  testing::internal::CaptureStderr();
  double least = 1e9;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(OP_OK, op_chain_begin("last"));
    spread();
    const auto last = [](const double *x, double *l) { *l = *x; };
    EXPECT_EQ(OP_OK, op_par_loop(last, "last", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                                 op_arg_gbl(&least, 1, "double", OP_RW)));
    EXPECT_EQ(OP_OK, op_chain_end());
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(1, count(said, "order verified: no schedule, elements of loop 'last' use a variable one after another"))
      << said;
}

// With data in a file: that rows are in memory when they are needed, for each sequence of loops and each loop.
TEST_F(ChainOrder, DataInAFileIsVerified) {
  start({"OP2_LOG=info", "OP2_MEMORY_LIMIT=128K", "OP2_OOC_CHUNK=4", "OP2_OOC_DIR=" + testing::TempDir()});
  constexpr int many = 12000;
  const op_set points = op_decl_set(many, "points"), links = op_decl_set(many, "links");
  std::vector<int> table;
  for (int e = 0; e < many; ++e) table.insert(table.end(), {e, std::min(e + 1, many - 1)});
  const op_map to_points = op_decl_map(links, points, 2, table.data(), "to_points");
  const std::vector<double> ones(many, 1.0);
  const op_dat mass = op_decl_dat(points, 1, "double", ones.data(), "mass");
  const op_dat heap = op_decl_dat(points, 1, "double", ones.data(), "heap");
  testing::internal::CaptureStderr();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(OP_OK, op_chain_begin("heaps"));
    const auto clear = [](double *h) { *h = 0; };
    EXPECT_EQ(OP_OK, op_par_loop(clear, "clear", points, op_arg_dat(heap, -1, OP_ID, 1, "double", OP_WRITE)));
    const auto spread = [](const double *a, double *t) { *t += *a; };
    EXPECT_EQ(OP_OK, op_par_loop(spread, "spread", links, op_arg_dat(mass, 0, to_points, 1, "double", OP_READ),
                                 op_arg_dat(heap, 1, to_points, 1, "double", OP_INC)));
    const auto take = [](const double *h, double *m) { *m = *h; };
    EXPECT_EQ(OP_OK, op_par_loop(take, "take", points, op_arg_dat(heap, -1, OP_ID, 1, "double", OP_READ),
                                 op_arg_dat(mass, -1, OP_ID, 1, "double", OP_WRITE)));
    EXPECT_EQ(OP_OK, op_chain_end()) << op_last_error();
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(1, count(said, "chain 'heaps' from loop 'clear' on: 84000 uses of rows verified to be in memory")) << said;
  std::vector<double> values(many);
  EXPECT_EQ(OP_OK, op_fetch_data(mass, values.data()));
  // Masses move to the next point; those at the end pile up.
  for (int n = 0; n < many; ++n)
    ASSERT_EQ(n < 3 ? 0.0 : n == many - 1 ? 4.0 : 1.0, values[static_cast<std::size_t>(n)]) << n;
}

// What kernels do is looked at as ever, when the loop runs.
TEST_F(ChainOrder, KernelsAreChecked) {
  run({});
  const auto wrong = [](const double *x, double *s) { *s = *x; };
  const int line = __LINE__ + 3;
  const auto chain = [&] {
    EXPECT_EQ(OP_OK, op_chain_begin("wrong"));
    const op_status called = op_par_loop(wrong, "wrong", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                                         op_arg_dat(sum, 1, ends, 1, "double", OP_INC));
    const op_status ended = op_chain_end();
    return called == OP_OK ? ended : called;
  };
  EXPECT_FINDING(chain(), line, "inc", "wrong", "sum");
}

} // namespace check_test

// SPDX-License-Identifier: MIT
