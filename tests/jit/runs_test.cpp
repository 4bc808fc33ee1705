// Elements whose rows have unit stride (jit/loop/runs.hpp): the same bits as one element after another, on meshes that
// contain runs, broken and reversed ones and none, with rows that several arguments and maps share.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "generated.hpp"
#include "jit/loop/grouped.hpp"
#include "jit/loop/loop_code.hpp"
#include "jit/loop/runs.hpp"
#include "raw_loops.hpp"

namespace {

using namespace raw;

// Where the columns of the sequences lead in most pieces: near each other, but one.
std::vector<int> usual_places(int columns) {
  std::vector<int> out(static_cast<std::size_t>(2 * columns));
  Random places(static_cast<unsigned>(columns));
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = places.below(4) + (k == 3 ? 40 : 0);
  return out;
}

// A map made of pieces: sequences that count up with this period, their rows near each other, so that streams of
// increments overlap in all orders, in most pieces in the same one; some count down, some are broken, some are random.
std::vector<int> table(int columns, int period, unsigned seed) {
  Random pieces(seed), random(seed + 1000 * static_cast<unsigned>(columns)); // the same pieces in all maps of a mesh
  std::vector<int> out(static_cast<std::size_t>(elements * columns));
  const std::vector<int> usual = usual_places(columns);
  std::vector<int> next(usual.size());
  int left = 0, kind = 0;
  for (int n = 0; n < elements; ++n) {
    if (left-- == 0) {
      left = 20 + pieces.below(90);
      kind = pieces.below(12); // 0: random entries, 1: counting down, 2: with mistakes
      const int near = random.below(targets);
      const bool as_usual = random.below(3) > 0;
      for (std::size_t k = 0; k < next.size(); ++k)
        next[k] = near + (as_usual ? usual[k] : random.below(12) - (random.below(6) == 0 ? 40 : 0));
      if (as_usual && next.size() > 3) next[3] -= random.below(2) * (20 + random.below(20)); // among the others, too
    }
    for (int c = 0; c < columns; ++c) {
      int &entry = next[static_cast<std::size_t>(n % period * columns + c)];
      int target = entry;
      if (kind == 0) target = random.below(targets);
      if (kind == 2 && random.below(40) == 0) target += 1 + random.below(3);
      out[static_cast<std::size_t>(n * columns + c)] = ((target % targets) + targets) % targets;
      entry += kind == 1 ? -1 : 1;
    }
  }
  return out;
}

const std::vector<Case> cases = {
    {"flux",
     R"(void flux(const double *x1, const double *x2, const double *q1, const double *q2, const double *a, double *r1,
                  double *r2, double *s) {
       const double f0 = x1[0] * q1[0] - x2[1] * q2[1], f1 = a[0] / (1 + q1[2] * q1[2]), f2 = x2[0] - q2[3];
       r1[0] += f0; r2[0] -= f0;
       r1[1] += f1; r2[1] -= f1;
       r1[2] += f2; r2[2] -= f2;
       r1[3] += f0 * f1; r2[3] -= f0 * f1;
       s[0] += f0; s[1] -= f2;
     })",
     {{Through, OP_READ, D, 2, 0, 0, 0, 2},
      {Through, OP_READ, D, 2, 0, 0, 1, 2},
      {Through, OP_READ, D, 4, 1, 1, 0, 2},
      {Through, OP_READ, D, 4, 1, 1, 1, 2},
      {Through, OP_READ, D, 1, 2, 1, 1, 2},
      {Through, OP_INC, D, 4, 3, 1, 0, 2},
      {Through, OP_INC, D, 4, 3, 1, 1, 2},
      {Through, OP_INC, D, 2, 4, 0, 1, 2}},
     {2, 2},
     2},
    // One dat through several columns and maps, one column twice, a column in the middle that is not used.
    {"share",
     R"(void share(const double *w, double *a, double *b, double *c, double *d, double *e) {
       a[0] += w[0]; b[0] += w[1]; c[0] -= w[2]; d[0] += w[0] * w[1]; e[0] += w[1] * w[2];
     })",
     {{Own, OP_READ, D, 3, 0},
      {Through, OP_INC, D, 1, 1, 0, 0, 4},
      {Through, OP_INC, D, 1, 1, 0, 3, 4},
      {Through, OP_INC, D, 1, 1, 1, 1, 2},
      {Through, OP_INC, D, 1, 1, 0, 1, 4},
      {Through, OP_INC, D, 1, 1, 0, 0, 4}},
     {4, 2},
     2},
    // Two dats of single values beside one with rows, what one row receives another one loses.
    {"singles",
     R"(void singles(const float *w, float *a, float *b, float *c, float *d, float **y, double *r1, double *r2) {
       const float f = w[0] * w[1];
       a[0] += f; b[0] -= f; c[0] += w[2]; d[0] -= w[1];
       for (int k = 0; k < 4; ++k) y[k][0] += w[k % 3] * f;
       r1[0] += w[2]; r1[1] -= f; r2[0] -= w[1]; r2[1] += f;
     })",
     {{Own, OP_READ, F, 3, 0},
      {Through, OP_INC, F, 1, 1, 0, 0, 2},
      {Through, OP_INC, F, 1, 1, 0, 1, 2},
      {Through, OP_INC, F, 1, 1, 1, 0, 4},
      {Through, OP_INC, F, 1, 1, 1, 3, 4},
      {Vector, OP_INC, F, 1, 2, 1, 0, 4, 4},
      {Through, OP_INC, D, 2, 3, 0, 0, 2},
      {Through, OP_INC, D, 2, 3, 0, 1, 2}},
     {2, 4},
     2},
    // Vector arguments, rows of all lengths, numbers of elements and of targets.
    {"vectors",
     R"(void vectors(const double *x0, const double **x, double **y, const float *f, const int *n,
                     const int *to, const double *u,
                     double *d2, double *d3, double *d6, float *f1, int *i1, double *one) {
       const double t = x0[1] - x[0][0] * x[1][1] + x[2][2] * f[3] + u[4];
       y[0][0] += t; y[0][1] += t * n[0]; y[0][2] -= to[0];
       y[1][0] += u[0]; y[1][1] -= t; y[1][2] += f[0];
       for (int k = 0; k < 2; ++k) d2[k] = t + k;
       for (int k = 0; k < 3; ++k) d3[k] = t * k;
       for (int k = 0; k < 6; ++k) d6[k] = u[k % 5] - t * k;
       f1[0] = f[1] + f[2]; i1[0] = n[0] * 2 + to[0]; one[0] = x[0][1];
     })",
     {{Through, OP_READ, D, 3, 0, 0, 0, 3},
      {Vector, OP_READ, D, 3, 0, 0, 0, 3, 3},
      {Vector, OP_INC, D, 3, 1, 0, 0, 3, 2},
      {Through, OP_READ, F, 4, 2, 1, 0, 1},
      {OP_RANGE_INDEX, OP_READ, I, 1, -1},
      {OP_RANGE_MAP_INDEX, OP_READ, I, 1, -1, 2, 0, 1},
      {Own, OP_READ, D, 5, 3},
      {Own, OP_WRITE, D, 2, 4},
      {Own, OP_WRITE, D, 3, 5},
      {Own, OP_WRITE, D, 6, 6},
      {Own, OP_WRITE, F, 1, 7},
      {Own, OP_WRITE, I, 1, 8},
      {Own, OP_WRITE, D, 1, 9}},
     {3, 1, 1},
     2},
    // Rows of the element itself, through no map, read and changed; narrow types alone.
    {"floats",
     R"(void floats(const float *a, const float *b2, const float *b3, const float *b8, float *c3,
                    float *c4, float *s, float *p,
                    const float *l) {
       for (int k = 0; k < 3; ++k) c3[k] = b3[2 - k] + a[0];
       for (int k = 0; k < 4; ++k) c4[k] += b2[k % 2] * b8[7 - k] + b8[k];
       s[0] += a[0] * b2[1]; s[1] += l[0]; p[0] += b8[6]; p[1] -= b8[5] * l[0];
     })",
     {{Through, OP_READ, F, 1, 0, 0, 1, 2},
      {Own, OP_READ, F, 2, 1},
      {Own, OP_READ, F, 3, 2},
      {Through, OP_READ, F, 8, 3, 0, 0, 2},
      {Own, OP_WRITE, F, 3, 4},
      {Own, OP_RW, F, 4, 5},
      {Through, OP_INC, F, 2, 6, 0, 0, 2},
      {Through, OP_INC, F, 2, 6, 0, 1, 2},
      {Own, OP_READ, F, 1, 7}},
     {2},
     2},
    // With reductions, where the lanes of an element may not depend on the mesh.
    {"reduces",
     R"(void reduces(const double *x, const double *u, double *y, double *sum, double *low, int *at, const int *n) {
       y[0] += x[0] * u[0]; y[1] += u[1]; y[2] -= x[1]; sum[0] += x[0];
       if (x[1] + u[0] < low[0]) { low[0] = x[1] + u[0]; at[0] = n[0]; }
     })",
     {{Through, OP_READ, D, 2, 0, 0, 0, 2},
      {Own, OP_READ, D, 2, 1},
      {Through, OP_INC, D, 3, 2, 0, 1, 2},
      {OP_RANGE_GLOBAL, OP_INC, D, 1, -1},
      {OP_RANGE_GLOBAL, OP_MIN, D, 1, -1},
      {OP_RANGE_GLOBAL, OP_INC, I, 1, -1, -1, 0, 0, 0, 4},
      {OP_RANGE_INDEX, OP_READ, I, 1, -1}},
     {2},
     1},
};

std::vector<std::vector<int>> tables(const Case &one, int period, unsigned seed) {
  std::vector<std::vector<int>> out;
  for (const int count : one.maps)
    out.push_back(table(count, seed % 8 == 0 ? 3 - std::max(period, 1) : std::max(period, 1), seed));
  return out;
}

// Each column through which the case adds, once.
std::vector<jit::NamedColumn> added_columns(const std::vector<jit::ArgShape> &args,
                                            const std::vector<std::vector<int>> &maps) {
  std::vector<jit::NamedColumn> out;
  for (const jit::ArgShape &arg : args)
    for (int j = 0; arg.map >= 0 && arg.access == OP_INC && j < std::max(arg.count, 1); ++j) {
      const int column = arg.column + j;
      if (std::ranges::any_of(out, [&](const auto &o) { return o.map == arg.map && o.column == column; })) continue;
      out.push_back({{maps[static_cast<std::size_t>(arg.map)].data() + column, arg.columns}, arg.map, column});
    }
  return out;
}

jit::LoopShape shape_in_runs(const Case &one, int period) {
  jit::LoopShape out = shape_of(one);
  out.runs = period;
  std::vector<std::vector<int>> maps; // a single piece
  for (const int columns : one.maps) {
    maps.emplace_back();
    for (int k = 0; k < elements * columns; ++k) {
      const int n = k / columns, step = std::max(period, 1);
      maps.back().push_back(n / step +
                            usual_places(columns)[static_cast<std::size_t>(n % step * columns + k % columns)]);
    }
  }
  out.places = jit::column_places(added_columns(out.args, maps), period, elements);
  out.grouped = true; // which other forms do not, and must not show
  return out;
}

class Runs : public testing::TestWithParam<generated::Target> {};

} // namespace

TEST_P(Runs, GiveTheBitsOfElementsOneByOne) {
  const Log log(OP_LOG_ERROR);
  std::string reason;
  const auto store = generated::store_for(GetParam(), log, reason);
  if (!store) GTEST_SKIP() << reason;

  for (const Case &one : cases) {
    const jit::KernelText kernel = generated::kernel_of(one.name, one.text);
    std::vector<std::shared_ptr<CodeLibrary>> libraries;
    const auto code_for = [&](int period, int vector_bytes) {
      const jit::LoopCode code = jit::generate(kernel, shape_in_runs(one, period), vector_bytes);
      EXPECT_EQ(vector_bytes == 0, code.form == "scalar") << one.name << ": " << code.why_scalar;
      const bool long_vectors = code.form == "vector x8" || code.form == "vector x16";
      EXPECT_EQ(code.runs > 0, code.text.find("if (__builtin_expect(adjacent") != std::string::npos);
      const bool whole = one.name != std::string("reduces"); // which adds through one column to rows of three
      EXPECT_EQ(code.runs > 0 && whole, code.text.find(" column_group<") != std::string::npos) << one.name;
      if (long_vectors) {
        EXPECT_EQ(period <= one.most_period ? period : 0, code.runs) << one.name;
      }
      libraries.push_back(store->get(code.text, one.name).library);
      return reinterpret_cast<op_range_fn>(libraries.back()->find(jit::range_symbol));
    };
    const op_range_fn known = code_for(0, 0);
    for (const int period : {0, 1, 2}) {
      int in_order = 0; // meshes that would be found to have such runs
      const op_range_fn made = code_for(period, store->machine().vector_bytes);
      for (unsigned seed = 1; seed <= 40; ++seed) {
        const std::vector<std::vector<int>> maps = tables(one, period, seed);
        std::vector<jit::MapColumn> columns;
        for (std::size_t m = 0; m < maps.size(); ++m)
          for (int c = 0; c < one.maps[m]; ++c) columns.push_back({maps[m].data() + c, one.maps[m]});
        in_order += jit::period_of_runs(columns, elements) == period;
        Random random(seed);
        const int begin = seed < 4 ? static_cast<int>(seed) - 1 : random.below(elements);
        const int end = seed < 4 ? elements : begin + random.below(elements - begin + 1);
        const Data a(one, maps), b(one, maps);
        a.run(known, begin, end);
        b.run(made, begin, end);
        for (std::size_t i = 0; i < one.args.size(); ++i)
          ASSERT_EQ(a.rows[i], b.rows[i]) << one.name << ", argument " << i << ", period " << period << ", mesh "
                                          << seed << ", elements " << begin << " to " << end;
      }
      if (period > 0) {
        EXPECT_GT(in_order, 4) << one.name << ", period " << period;
      }
    }
  }
}

// Two pairs of columns, each pair near each other: cells in layers, of which the lower corners of a layer go on where
// the upper ones of the layer before have ended, at the border of a block or elsewhere.
TEST_P(Runs, RowsGoFromOneGroupOfColumnsToAnother) {
  const Log log(OP_LOG_ERROR);
  std::string reason;
  const auto store = generated::store_for(GetParam(), log, reason);
  if (!store) GTEST_SKIP() << reason;
  const Case corners = {"corners",
                        R"(void corners(const double *u, double *a, double *b, double *c, double *d) {
                             a[0] += u[0]; b[0] += u[1]; c[0] += u[0] * u[1]; d[0] -= u[1];
                           })",
                        {{Own, OP_READ, D, 2, 0},
                         {Through, OP_INC, D, 1, 1, 0, 0, 4},
                         {Through, OP_INC, D, 1, 1, 0, 1, 4},
                         {Through, OP_INC, D, 1, 1, 0, 2, 4},
                         {Through, OP_INC, D, 1, 1, 0, 3, 4}},
                        {4},
                        1};
  for (const int length : {8, 16, 24, 21}) {
    std::vector<std::vector<int>> maps(1);
    int lower = 0;
    for (int n = 0; n < elements; ++n) {
      const int upper = lower + 40, k = n % length;
      for (const int row : {lower + k, lower + k + 1, upper + k, upper + k + 1}) maps[0].push_back(row % targets);
      if (k + 1 == length) lower = upper + length;
    }
    jit::LoopShape shape = shape_of(corners);
    const jit::KernelText kernel = generated::kernel_of(corners.name, corners.text);
    const jit::LoopCode plain = jit::generate(kernel, shape, 0);
    shape.runs = 1;
    shape.places = jit::column_places(added_columns(shape.args, maps), 1, elements);
    shape.grouped = true;
    const jit::LoopCode whole = jit::generate(kernel, shape, store->machine().vector_bytes);
    ASSERT_EQ(whole.runs > 0, whole.text.find("w1_1") != std::string::npos) << "there is one group";
    const auto library = [&](const jit::LoopCode &code) { return store->get(code.text, corners.name).library; };
    const auto known = library(plain), made = library(whole);
    const Data a(corners, maps), b(corners, maps);
    a.run(reinterpret_cast<op_range_fn>(known->find(jit::range_symbol)), 0, elements);
    b.run(reinterpret_cast<op_range_fn>(made->find(jit::range_symbol)), 0, elements);
    EXPECT_EQ(a.rows[1], b.rows[1]) << "layers of " << length;
  }
}

// Each instruction set once, the compilers in turn; what is left with --full.
INSTANTIATE_TEST_SUITE_P(Jit, Runs,
                         testing::Values(generated::Target{"native", ""}, generated::Target{"sse2", "g++"},
                                         generated::Target{"avx2", "clang++"}),
                         generated::name_of);
INSTANTIATE_TEST_SUITE_P(Full, Runs,
                         testing::Values(generated::Target{"avx2", "g++"}, generated::Target{"avx512", "g++"},
                                         generated::Target{"sse2", "clang++"}, generated::Target{"avx512", "clang++"}),
                         generated::name_of);

// A sample of the maps decides.
TEST(PeriodOfRuns, IsWhatEnoughOfTheMeshHas) {
  std::vector<int> one(2000), two(2000), down(2000), few(2000);
  Random random(1);
  for (int n = 0; n < 1000; ++n)
    for (int c = 0; c < 2; ++c) {
      const auto at = static_cast<std::size_t>(2 * n + c);
      one[at] = n + 50 * c;
      two[at] = n / 2 + (n % 2) * 300 + 50 * c;
      down[at] = 2000 - n;
      few[at] = n < 150 ? n : random.below(1000);
    }
  const auto period = [](const std::vector<int> &map, int size = 1000) {
    return jit::period_of_runs(std::vector<jit::MapColumn>{{map.data(), 2}, {map.data() + 1, 2}}, size);
  };
  EXPECT_EQ(1, period(one));
  EXPECT_EQ(2, period(two));
  EXPECT_EQ(0, period(down));
  EXPECT_EQ(0, period(few));
  EXPECT_EQ(0, period(few, 400));
  EXPECT_EQ(1, period(few, 200));
  EXPECT_EQ(0, period(one, 7));
  EXPECT_EQ(1, period(one, 8));
  EXPECT_EQ(0, period(two, 15));
  EXPECT_EQ(2, period(two, 16));
  EXPECT_EQ(0, jit::period_of_runs({}, 1000));
}

// A sample finds how the ends of a grid's edges lie to each other: n and n + 1, n and n + width.
TEST(ColumnPlaces, AreThoseOfMostRuns) {
  constexpr int width = 100;
  std::vector<int> ends;
  for (int n = 0; n + width < 20 * width; ++n) {
    if (n % width + 1 < width) ends.insert(ends.end(), {n, n + 1});
    ends.insert(ends.end(), {n, n + width});
  }
  const int size = static_cast<int>(ends.size()) / 2;
  const std::vector<jit::NamedColumn> columns = {{{ends.data(), 2}, 0, 0}, {{ends.data() + 1, 2}, 0, 1}};
  const std::vector<jit::ColumnPlace> near = jit::column_places(columns, 2, size);
  ASSERT_EQ(4u, near.size()); // of each sequence both columns
  std::vector<int> far, offsets;
  for (const jit::ColumnPlace &place : near) {
    const bool alone = std::ranges::count(near, place.group, &jit::ColumnPlace::group) == 1;
    (alone ? far : offsets).push_back(place.offset);
  }
  std::ranges::sort(offsets);
  EXPECT_EQ((std::vector<int>{0}), far);
  EXPECT_TRUE((offsets == std::vector<int>{0, 0, 1}) || (offsets == std::vector<int>{0, 1, 2}))
      << "edges along a row are the first of two, or the second";
  EXPECT_TRUE(jit::column_places(columns, 0, size).empty());
  EXPECT_TRUE(jit::column_places(columns, 1, size).empty()); // no runs of this period
}

// SPDX-License-Identifier: MIT
