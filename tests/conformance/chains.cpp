// Loops that run together (op_chain_begin, OP2_CHAIN): when they run, what looks at them, and who reports failures.
// Their results are in chain_programs.cpp.
#include <algorithm>

#include "op2/chain.h"
#include "op2/global.h"
#include "suite.hpp"

namespace conformance {

using Chains = Topic;

// Whatever sees data inside a chain sees that of the loops before it.
TEST_F(Chains, ShowWhatTheLoopsBeforeHaveDone) {
  const Session session;
  constexpr int size = 300;
  const op_set set = declare_set(size, "set");
  const op_dat x = declare_dat(set, 1, std::vector<double>(size, 1), "x");
  const auto twice = [&] { run([](double *v) { *v *= 2; }, "twice", set, direct(x, OP_RW)); };
  const auto expect_all = [&](double value) { EXPECT_EQ(std::vector<double>(size, value), fetch<double>(x)); };
  EXPECT_OK(op_chain_begin("outer"));
  twice();
  EXPECT_OK(op_chain_begin("inner"));
  twice();
  EXPECT_OK(op_chain_end()); // the outer one goes on
  twice();
  expect_all(8);
  twice();
  double sum = 1;
  run([](const double *v, double *s) { *s += *v; }, "sum", set, direct(x, OP_READ), global(&sum, 1, OP_INC));
  EXPECT_EQ(1.0 + 16 * size, sum);
  const auto *seen = static_cast<const double *>(op_dat_acquire(x, OP_READ));
  ASSERT_NE(nullptr, seen) << op_last_error();
  if (own_part(size).size > 0) {
    EXPECT_EQ(16, seen[0]);
  }
  EXPECT_OK(op_dat_release(x));
  twice();
  const Part part = own_part(size);
  const std::vector<double> three(static_cast<std::size_t>(std::max(part.size, 1)), 3);
  EXPECT_OK(op_put_data(x, three.data()));
  twice();
  EXPECT_OK(op_chain_end());
  expect_all(6);
}

// Sums into a global of the library wait for whoever reads it, and puts have their place among them.
TEST_F(Chains, SumsIntoGlobalsStayRecorded) {
  FOR_ONE_PROCESS("the back end is one of a single process");
  const Session session({"OP2_JIT=off", "OP2_BACKEND=seq", "OP2_CHAIN=off"}); // the kernel counts its calls
  constexpr int size = 300;
  const op_set set = declare_set(size, "set");
  const op_dat x = declare_dat(set, 1, std::vector<double>(size, 1), "x");
  const op_global sum = op_decl_global(1, "double", nullptr, "sum");
  static int calls;
  calls = 0;
  const auto add = [&] {
    run([](double *v, double *s) { ++calls, *s += *v, *v += 1; }, "add", set, direct(x, OP_RW),
        op_arg_global(sum, 1, "double", OP_INC));
  };
  const auto value = [&] {
    double out = -1;
    EXPECT_OK(op_fetch_global(sum, &out));
    return out;
  };
  for (int round = 0; round < 3; ++round) { // tiles from the second round on
    const double thousand = 1000, first = value();
    EXPECT_OK(op_chain_begin("chain"));
    add();
    add();
    EXPECT_OK(op_put_global(sum, &thousand));
    add();
    EXPECT_EQ(3 * size * round, calls); // none of this round
    const double now = 3.0 * round + 1; // what elements held
    EXPECT_EQ(thousand + (now + 2) * size, value());
    EXPECT_EQ(3 * size * (round + 1), calls);
    EXPECT_OK(op_put_global(sum, &first));
    EXPECT_EQ(first, value());
    EXPECT_OK(op_chain_end());
  }
  EXPECT_OK(op_chain_begin("failing"));
  add();
  EXPECT_STATUS(OP_ERR_DIM, try_run([](double *v, double *s) { *s += *v; }, "wrong", set, direct(x, OP_READ),
                                    op_arg_global(sum, 2, "double", OP_INC)));
  EXPECT_OK(op_chain_end());
  EXPECT_EQ(10.0 * size, value());
}

// Programs repeat their loops: then each chain begins with the same one, as long as there is no end in sight.
TEST_F(Chains, FullChainsEndWhereLoopsBeginAnew) {
  FOR_ONE_PROCESS("the back end is one of a single process");
  const Session session({"OP2_JIT=off", "OP2_BACKEND=seq", "OP2_CHAIN=off"});
  const op_set set = declare_set(1, "set");
  const op_dat x = declare_dat(set, 1, std::vector<double>(1, 1), "x");
  const op_global sum = op_decl_global(1, "double", nullptr, "sum");
  static int calls;
  const auto round_from = [&](double start) {
    run([](double *v) { ++calls, *v += 1; }, "first", set, direct(x, OP_RW));
    EXPECT_OK(op_put_global(sum, &start));
    run([](double *v) { ++calls, *v *= 1; }, "second", set, direct(x, OP_RW));
    run([](const double *v, double *s) { ++calls, *s += *v; }, "third", set, direct(x, OP_READ),
        op_arg_global(sum, 1, "double", OP_INC));
  };
  round_from(0); // the first call of a loop ends a chain
  calls = 0;
  EXPECT_OK(op_chain_begin("rounds"));
  for (int round = 1; round <= 25; ++round) {
    round_from(100 * round);
    EXPECT_EQ(3 * round < 64 ? 0 : 63, calls) << "after round " << round; // chains have at most 64
  }
  EXPECT_OK(op_chain_end());
  EXPECT_EQ(75, calls);
  double found = 0;
  EXPECT_OK(op_fetch_global(sum, &found));
  EXPECT_EQ(2500.0 + 27, found);
}

// A recorded loop keeps its own copies of the texts of its call, which the program may write over. They are read again
// where halos get more layers before it runs.
TEST_F(Chains, KeepTheTextsOfACall) {
  const Session session(std::vector<std::string>{"OP2_CHAIN_DEPTH=3"});
  const Topology mesh = quads(9, 40);
  const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
  const op_map corners = declare_map(cells, nodes, mesh, "corners");
  const op_dat c = declare_dat(cells, 1, std::vector<double>(mesh.elements(), 1), "c");
  const op_dat n = declare_dat(nodes, 1, std::vector<double>(mesh.targets(), 0), "n");
  std::vector<double> expected_c(mesh.elements(), 1), expected_n(mesh.targets(), 0);
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(op_chain_begin("round"));
    for (int k = 0; k < 2; ++k) {
      std::string type = "double", gather = "gather", scatter = "scatter";
      double step = round + k;
      run([](const double *from, double *to, const double *s) { *to += *from + *s; }, scatter.c_str(), cells,
          op_arg_dat(c, -1, OP_ID, 1, type.c_str(), OP_READ), op_arg_dat(n, 0, corners, 1, type.c_str(), OP_INC),
          op_arg_gbl(&step, 1, type.c_str(), OP_READ));
      run([](const double *from, double *to) { *to = *from - *to; }, gather.c_str(), cells,
          op_arg_dat(n, 2, corners, 1, type.c_str(), OP_READ), op_arg_dat(c, -1, OP_ID, 1, type.c_str(), OP_RW));
      for (std::size_t e = 0; e < expected_c.size(); ++e) expected_n[mesh.target(e, 0)] += expected_c[e] + step;
      for (std::size_t e = 0; e < expected_c.size(); ++e) expected_c[e] = expected_n[mesh.target(e, 2)] - expected_c[e];
      type.assign("float!"), gather.assign("wrong!"), scatter.assign("wrong!!"), step = 1e9;
    }
    EXPECT_OK(op_chain_end());
  }
  EXPECT_EQ(expected_c, fetch<double>(c)); // whole numbers: any order gives them
  EXPECT_EQ(expected_n, fetch<double>(n));
}

TEST_F(Chains, MistakesAreReportedAtTheCall) {
  const Session session;
  const op_set set = declare_set(10, "set"), other = declare_set(20, "other");
  const op_dat x = declare_dat(set, 1, std::vector<double>(10, 1), "x");
  EXPECT_STATUS(OP_ERR_STATE, op_chain_end());
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_chain_begin(nullptr));
  EXPECT_OK(op_chain_begin("chain"));
  run([](double *v) { *v += 1; }, "add", set, direct(x, OP_RW));
  EXPECT_STATUS(OP_ERR_SET, try_run([](double *v) { *v += 1; }, "wrong", other, direct(x, OP_RW)));
  run([](double *v) { *v += 1; }, "add", set, direct(x, OP_RW));
  EXPECT_OK(op_chain_end());
  EXPECT_EQ(std::vector<double>(10, 3), fetch<double>(x));
}

// Loops that run as compiled read the program's variable, which has changed before the library hears of it.
// The program's own code reads the variable, which has its next value when the constant is declared.
double chain_factor = 1;

TEST_F(Chains, ConstantsCountAsTheyWereAtTheCall) {
  const Session session;
  const op_set set = declare_set(500, "set");
  const op_dat x = declare_dat(set, 1, std::vector<double>(500, 1), "x");
  double expected = 1;
  for (int round = 0; round < 50; ++round) {
    EXPECT_OK(op_chain_begin("chain"));
    for (const double factor : {2.0, 3.0, 0.25}) {
      chain_factor = factor;
      EXPECT_OK(op_decl_const(1, "double", &chain_factor));
      run([](double *v) { *v = *v * chain_factor + 1; }, "scale", set, direct(x, OP_RW));
      expected = expected * factor + 1;
      EXPECT_EQ(factor, chain_factor);
    }
    EXPECT_OK(op_chain_end());
    EXPECT_EQ(std::vector<double>(500, expected), fetch<double>(x)) << "round " << round;
  }
}

TEST_F(Chains, ConstantsOfRecordedLoopsMustNotChangeElsewhere) {
  FOR_ONE_PROCESS("the back end is one of a single process");
  const Session session({"OP2_JIT=off", "OP2_BACKEND=seq"});
  const op_set set = declare_set(20, "set");
  const op_dat x = declare_dat(set, 1, std::vector<double>(20, 1), "x");
  double limits[2] = {1, 2};
  EXPECT_OK(op_decl_const_named("limits", 2, "double", limits));
  EXPECT_OK(op_chain_begin("chain"));
  run([](double *v) { *v += 1; }, "add", set, direct(x, OP_RW));
  run([](double *v) { *v += 1; }, "add", set, direct(x, OP_RW));
  EXPECT_OK(op_decl_const_named("limits", 2, "double", limits)); // as it was
  run([](double *v) { *v += 1; }, "add", set, direct(x, OP_RW));
  limits[1] = 3;
  double others[2] = {5, 6};
  EXPECT_STATUS(OP_ERR_STATE, op_decl_const_named("limits", 2, "double", others));
  EXPECT_STATUS(OP_ERR_STATE, op_decl_const_named("limits", 1, "double", limits));
  EXPECT_OK(op_chain_end());
  EXPECT_OK(op_decl_const_named("limits", 2, "double", limits));
  EXPECT_EQ(std::vector<double>(20, 4), fetch<double>(x));
}

// A constant of another size makes loops new: their chain runs what they are now.
TEST_F(Chains, FollowLoopsThatChange) {
  const Session session;
  constexpr int size = 700;
  const op_set set = declare_set(size, "set");
  const op_dat x = declare_dat(set, 1, std::vector<double>(size, 1), "x");
  double limits[3] = {1, 2, 3};
  for (int round = 0; round < 6; ++round) {
    EXPECT_OK(op_decl_const_named("limits", 1 + round / 2, "double", limits));
    EXPECT_OK(op_chain_begin("chain"));
    for (int k = 0; k < 3; ++k) run([](double *v) { *v += 1; }, "add", set, direct(x, OP_RW));
    EXPECT_OK(op_chain_end());
    EXPECT_EQ(std::vector<double>(size, 4 + 3.0 * round), fetch<double>(x));
  }
}

// The call that runs a recorded loop reports it, with its name and place.
TEST_F(Chains, FailuresNameTheirLoop) {
  const Session session(std::vector<std::string>{"OP2_CHAIN_DEPTH=2"});
  const op_set set = declare_set(500, "set");
  const op_dat x = declare_dat(set, 1, counted(500), "x");
  int line = 0;
  const auto chain = [&](int last) { // all its loops are known the second time
    EXPECT_OK(op_chain_begin("chain"));
    run([](int *v) { *v += 1; }, "first", set, direct(x, OP_RW));
    line = __LINE__ + 1;
    const op_status second = try_run(
        [](int *v, const int *w) {
          if (*v == *w) throw 7;
        },
        "thrower", set, direct(x, OP_RW), global(&last, 1, OP_READ));
    if (processes() > 1 && second != OP_OK) return second; // there some executors run loops when they are called
    EXPECT_EQ(OP_OK, second);
    // Where OP2_CHAIN says 3, this one is the last of its chain.
    const op_status third = try_run([](int *v) { *v -= 1; }, "third", set, direct(x, OP_RW));
    return third == OP_OK ? op_chain_end() : third;
  };
  EXPECT_OK(chain(-1));
  EXPECT_OK(chain(-1)); // from now on in layers, with several processes
  EXPECT_STATUS(OP_ERR_KERNEL, chain(400));
  const std::string message = op_last_error();
  EXPECT_NE(std::string::npos, message.find("thrower")) << message;
  bool placed = false; // compilers have a call's first or last line
  for (int k = 0; k < 5; ++k)
    placed = placed || message.find("chains.cpp:" + std::to_string(line + k) + "]") != std::string::npos;
  EXPECT_TRUE(placed) << message;
}

} // namespace conformance

// SPDX-License-Identifier: MIT
