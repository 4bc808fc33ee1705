// A program compiled for instructions that fuse products and sums: its own loop has other last bits than generated
// code, which never fuses.
#include "../forms/lab.hpp"

namespace forms {

namespace {

// Differences of products, which fusing rounds otherwise.
void turn(const double *a, const double *b, double *direct, double *added) {
  for (int c = 0; c < 4; c += 2) {
    direct[c] = a[c] * b[c] - a[c + 1] * b[c + 1];
    direct[c + 1] = a[c] * b[c + 1] + a[c + 1] * b[c];
  }
  added[0] += a[0] * b[1] - a[1] * b[0];
}

struct Outcome {
  std::vector<double> direct, added;
  std::string form, times;
  bool operator==(const Outcome &other) const { return direct == other.direct && added == other.added; }
};

Outcome run(std::vector<std::string> words, int calls) {
  Outcome out;
  words.insert(words.end(), {"OP2_JIT_MIN_ELEMENTS=0", "OP2_JIT_CACHE=off", "OP2_LOG=error"});
  in_session({words[0], words, "seq", 1, -1}, [&](Results &) {
    const int size = 900;
    const op_set cells = op_decl_set(size, "cells"), nodes = op_decl_set(500, "nodes");
    const op_map map = op_decl_map(cells, nodes, 1, random_table(size, 1, 500, 1).data(), "map");
    const op_dat a = dat<double>(cells, 4, numbers<double>(4 * size, 2), "a"),
                 b = dat<double>(cells, 4, numbers<double>(4 * size, 3), "b"),
                 direct = zeros<double>(cells, 4, "direct"), added = zeros<double>(nodes, 1, "added");
    for (int call = 0; call < calls; ++call)
      FORMS_RUN(turn, "turn", cells, op_arg_dat(a, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 4, "double", OP_READ), op_arg_dat(direct, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(added, 0, map, 1, "double", OP_INC));
    out = {fetch<double>(direct), fetch<double>(added), form_of("turn"), forms_by_time("turn")};
  });
  return out;
}

void expect_near(const Outcome &a, const Outcome &b, int calls) {
  for (std::size_t n = 0; n < a.direct.size(); ++n) EXPECT_NEAR(a.direct[n], b.direct[n], 1e-14);
  for (std::size_t n = 0; n < a.added.size(); ++n) EXPECT_NEAR(a.added[n], b.added[n], 1e-12 * calls);
}

} // namespace

class Fused : public Forms {
 protected:
  void SetUp() override {
    Forms::SetUp();
#if !defined(__FP_FAST_FMA) || !OP2_LANES
    GTEST_SKIP() << "the compiler fuses no products and sums";
#elif defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "the processor has no instructions that fuse";
#endif
  }
};

TEST_F(Fused, TheProgramsOwnLoopTakesTurns) {
  const int calls = 150;
  const Outcome own = run({"OP2_JIT=off"}, calls), made = run({"OP2_JIT=on", "OP2_JIT_FORM=soon"}, calls),
                exact = run({"OP2_JIT=on", "OP2_JIT_FORM=widest"}, calls);
  EXPECT_FALSE(own == exact) << "nothing is fused";
  EXPECT_NE(std::string::npos, made.times.find("range ")) << made.form << ": " << made.times;
  expect_near(own, exact, calls);
  expect_near(own, made, calls);
}

TEST_F(Fused, WhereBitsAreToBeTheSameItsLoopTakesNoPart) {
  const Outcome one = run({"OP2_JIT=on", "OP2_REPRODUCIBLE=1", "OP2_JIT_FORM=soon"}, 150),
                exact = run({"OP2_JIT=on", "OP2_JIT_FORM=widest"}, 150);
  EXPECT_EQ(std::string::npos, one.times.find("range ")) << one.times;
  EXPECT_NE("range", one.form);
  EXPECT_TRUE(one == exact);
}

// Comparisons go on, and the program's rounding is no difference.
TEST_F(Fused, RoundingIsNoDifference) {
  for (const char *setting : {"OP2_JIT_FORM=widest", "OP2_JIT=verify", "OP2_JIT=off"}) {
    SCOPED_TRACE(setting);
    std::vector<std::string> words = {setting};
    if (words[0].starts_with("OP2_JIT_FORM")) words.emplace_back("OP2_JIT=on");
    run(words, 20); // each call succeeds
  }
}

} // namespace forms

// SPDX-License-Identifier: MIT
