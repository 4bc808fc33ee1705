// Deferred increments (jit/loop/deferred.hpp): the same bits as one element after another, on meshes in which
// neighbours add to the same rows, through the column that is steady and through others.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "generated.hpp"
#include "jit/loop/deferred.hpp"
#include "jit/loop/loop_code.hpp"
#include "raw_loops.hpp"

namespace {

using namespace raw;

const std::vector<Case> cases = {
    // Edges: what one row receives the other one loses.
    {"edges",
     R"(void edges(const double *x1, const double *x2, const double *a, double *r1, double *r2) {
       const double f0 = x1[0] * a[0] - x2[1], f1 = x2[0] / (1 + x1[1] * x1[1]), f2 = a[1];
       r1[0] += f0; r2[0] -= f0;
       r1[1] += f1; r2[1] -= f1;
       r1[2] += f2; r2[2] -= f2;
     })",
     {{Through, OP_READ, D, 2, 0, 0, 0, 2},
      {Through, OP_READ, D, 2, 0, 0, 1, 2},
      {Own, OP_READ, D, 2, 1},
      {Through, OP_INC, D, 3, 2, 0, 0, 2},
      {Through, OP_INC, D, 3, 2, 0, 1, 2}},
     {2}},
    // One dat through two columns, the steady one twice, and through another map; a second dat through the steady one.
    {"shared",
     R"(void shared(const float *w, float *a, float *b, float *c, float *d, float *e) {
       a[0] += w[0]; b[0] += w[1]; c[0] -= w[2]; d[0] += w[0] * w[1]; e[0] += w[1] * w[2]; e[1] -= w[0];
     })",
     {{Own, OP_READ, F, 3, 0},
      {Through, OP_INC, F, 1, 1, 0, 1, 2},
      {Through, OP_INC, F, 1, 1, 0, 0, 2},
      {Through, OP_INC, F, 1, 1, 1, 0, 1},
      {Through, OP_INC, F, 1, 1, 0, 0, 2},
      {Through, OP_INC, F, 2, 2, 0, 0, 2}},
     {2, 1}},
    // Cells: a vector argument of which one column is steady, a sum over all elements, rows of the element itself.
    {"cells",
     R"(void cells(const double *w, double **y, double *own, double *sum) {
       for (int k = 0; k < 4; ++k) { y[k][0] += w[0] * k + w[1]; y[k][1] -= w[1] * w[0]; }
       own[0] += w[0]; sum[0] += w[1];
     })",
     {{Own, OP_READ, D, 2, 0},
      {Vector, OP_INC, D, 2, 1, 0, 0, 4, 4},
      {Own, OP_RW, D, 1, 2},
      {OP_RANGE_GLOBAL, OP_INC, D, 1, -1}},
     {4}},
};

// Column 0 keeps its entry for some elements. The others stay near it, so that they often lead to the same rows, in the
// same element, too.
std::vector<int> steady_table(int columns, unsigned seed) {
  Random random(seed);
  std::vector<int> out(static_cast<std::size_t>(elements * columns));
  int row = 0, left = 0;
  for (int n = 0; n < elements; ++n) {
    if (left-- == 0) {
      left = random.below(seed % 4 == 0 ? 2 : 12);
      row = random.below(targets);
    }
    for (int c = 0; c < columns; ++c)
      out[static_cast<std::size_t>(n * columns + c)] = c == 0 ? row : (row + random.below(5)) % targets;
  }
  return out;
}

// All that a loop may run in: vectors by the generator and by the compiler.
std::vector<jit::LoopCode> deferred_codes(const jit::KernelText &kernel, const jit::LoopShape &shape,
                                          int vector_bytes) {
  std::vector<jit::LoopCode> bases = {jit::generate(kernel, shape, vector_bytes)}, out;
  for (const jit::LoopCode &code : jit::other_forms(kernel, shape, vector_bytes, bases[0]))
    if (code.by_compiler && code.lanes == bases[0].lanes) bases.push_back(code);
  for (const jit::LoopCode &base : bases)
    for (const jit::LoopCode &code : jit::other_forms(kernel, shape, vector_bytes, base))
      if (code.form.find("deferred increments") != std::string::npos) out.push_back(code);
  return out;
}

class LateIncrements : public testing::TestWithParam<generated::Target> {};

} // namespace

TEST_P(LateIncrements, GiveTheBitsOfElementsOneByOne) {
  const Log log(OP_LOG_ERROR);
  std::string reason;
  const auto store = generated::store_for(GetParam(), log, reason);
  if (!store) GTEST_SKIP() << reason;

  int by_compiler = 0; // forms that were compared
  for (const Case &one : cases) {
    const jit::KernelText kernel = generated::kernel_of(one.name, one.text);
    std::vector<std::shared_ptr<CodeLibrary>> libraries;
    const auto compiled = [&](const jit::LoopCode &code) {
      libraries.push_back(store->get(code.text, one.name).library);
      return reinterpret_cast<op_range_fn>(libraries.back()->find(jit::range_symbol));
    };
    const op_range_fn known = compiled(jit::generate(kernel, shape_of(one), 0));
    for (const bool keep : {false, true}) {
      jit::LoopShape shape = shape_of(one);
      if (keep) shape.steady = {0, 0};
      std::vector<jit::LoopCode> codes = deferred_codes(kernel, shape, store->machine().vector_bytes);
      ASSERT_FALSE(codes.empty()) << one.name;
      if (!keep) codes.resize(1); // the others differ in nothing else
      for (const jit::LoopCode &code : codes) {
        EXPECT_NE(std::string::npos, code.text.find("a0 = next;")) << one.name;
        EXPECT_EQ(keep, code.text.find("add_lanes_keeping<0") != std::string::npos) << one.name;
        op_range_fn made = nullptr;
        try {
          made = compiled(code);
        } catch (const jit::Refusal &) { // the compiler makes no vectors of it
          ASSERT_TRUE(code.by_compiler);
          continue;
        }
        by_compiler += code.by_compiler;
        for (unsigned seed = 1; seed <= 40; ++seed) {
          std::vector<std::vector<int>> maps;
          for (const int columns : one.maps) maps.push_back(steady_table(columns, seed));
          Random random(seed);
          const int begin = seed < 4 ? static_cast<int>(seed) - 1 : random.below(elements);
          const int end = seed < 4 ? elements : begin + random.below(elements - begin + 1);
          const Data a(one, maps), b(one, maps);
          a.run(known, begin, end);
          b.run(made, begin, end);
          for (std::size_t i = 0; i < one.args.size(); ++i)
            ASSERT_EQ(a.rows[i], b.rows[i]) << one.name << ", " << code.form << ", argument " << i << ", kept " << keep
                                            << ", mesh " << seed << ", elements " << begin << " to " << end;
        }
      }
    }
  }
  if (store->machine().vector_bytes >= 32) {
    EXPECT_GT(by_compiler, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Jit, LateIncrements,
                         testing::Values(generated::Target{"native", "g++"}, generated::Target{"sse2", "clang++"}),
                         generated::name_of);
INSTANTIATE_TEST_SUITE_P(Full, LateIncrements,
                         testing::Values(generated::Target{"avx2", "g++"}, generated::Target{"sse2", "g++"},
                                         generated::Target{"avx512", "clang++"}),
                         generated::name_of);

// They are forms beside the first one, of loops that add few values and have no runs.
TEST(LateForms, AreForLoopsThatAddFewValuesWithoutRuns) {
  const auto late_forms = [](const Case &one, int runs) {
    jit::LoopShape shape = shape_of(one);
    shape.runs = runs;
    const jit::KernelText kernel = generated::kernel_of(one.name, one.text);
    int count = 0;
    for (const jit::LoopCode &code : jit::other_forms(kernel, shape, 64, jit::generate(kernel, shape, 64)))
      count += code.form.find("deferred increments") != std::string::npos;
    return count;
  };
  EXPECT_EQ(1, late_forms(cases[0], 0));
  EXPECT_EQ(0, late_forms(cases[0], 1));
  Case wide = cases[0];
  wide.text = "void edges(const double *x, double *r) { for (int k = 0; k < 9; ++k) r[k] += x[0] * k; }";
  wide.args = {{Through, OP_READ, D, 2, 0, 0, 0, 2}, {Through, OP_INC, D, 9, 1, 0, 0, 2}};
  EXPECT_EQ(0, late_forms(wide, 0));
  wide.text = "void edges(const double *x, double *r) { for (int k = 0; k < 8; ++k) r[k] += x[0] * k; }";
  wide.args[1].dim = 8;
  EXPECT_EQ(1, late_forms(wide, 0));
}

TEST(SteadiestColumn, IsThatOfMostEqualNeighbours) {
  std::vector<int> map(3000);
  for (int n = 0; n < 1000; ++n) {
    const auto at = static_cast<std::size_t>(3 * n);
    map[at] = n, map[at + 1] = n / 2, map[at + 2] = n / 7;
  }
  const auto steadiest = [&](int columns, int size) {
    std::vector<jit::MapColumn> all;
    for (int c = 0; c < columns; ++c) all.push_back({map.data() + c, 3});
    return jit::steadiest_column(all, size);
  };
  EXPECT_EQ(2, steadiest(3, 1000));
  EXPECT_EQ(-1, steadiest(1, 1000));
  EXPECT_EQ(1, steadiest(2, 17));  // eight of fifteen pairs, and more
  EXPECT_EQ(-1, steadiest(3, 15)); // too few to tell
  EXPECT_EQ(-1, steadiest(0, 1000));
}

// SPDX-License-Identifier: MIT
