// Chains: the order of their pieces elsewhere is verified, and their loops are checked like any other.
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
