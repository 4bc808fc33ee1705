// Right programs that look a little like wrong ones: no finding.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

#include "support.hpp"

namespace check_test {

using Sound = Ring;

#define EXPECT_SOUND(call) EXPECT_STREQ("OP_OK", op_status_name(call)) << op_last_error()

TEST_F(Sound, IncrementsThatCancel) {
  const op_dat q = cell_dat(1, "q"), sum = cell_dat(1, "sum", 0.1);
  const auto large = [](const double *x, double *s) { *s += 1e12 / 3 * *x, *s -= 1e12 / 3 * *x, *s += 1e-3; };
  EXPECT_SOUND(op_par_loop(large, "large", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                           op_arg_dat(sum, 1, ends, 1, "double", OP_INC)));
}

// Terms that cancel inside a kernel leave rounding, however small they are themselves.
TEST_F(Sound, SmallTermsThatCancel) {
  const int many = 400;
  const op_set links = op_decl_set(many, "links"), points = op_decl_set(many + 1, "points");
  std::vector<int> table;
  std::vector<double> data, zeros(many + 1, 0.0);
  for (int i = 0; i < many; ++i) {
    table.insert(table.end(), {i, i + 1});
    data.insert(data.end(),
                {1.7759142633305583e-4 * (1 + 0.01 * std::sin(i)), 1.57256839714e-5 * (1 + 0.01 * std::cos(3.0 * i))});
  }
  const op_map both = op_decl_map(links, points, 2, table.data(), "both");
  const op_dat x = op_decl_dat(links, 2, "double", data.data(), "x"),
               sum = op_decl_dat(points, 1, "double", zeros.data(), "sum");
  const auto cancel = [](const double *x, double *a, double *b) {
    for (double *const s : {a, b}) *s += x[0], *s += x[1], *s -= x[0] * 0.7, *s -= x[1], *s -= x[0] * 0.3;
  };
  EXPECT_SOUND(op_par_loop(cancel, "cancel", links, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
                           op_arg_dat(sum, 0, both, 1, "double", OP_INC),
                           op_arg_dat(sum, 1, both, 1, "double", OP_INC)));
}

// Sums in which large terms cancel differ from order to order by more than the sums themselves.
TEST_F(Sound, SumsThatCancel) {
  const int many = 600;
  const op_set links = op_decl_set(many, "links");
  std::vector<int> table;
  std::vector<double> weights;
  for (int i = 0; i < many; ++i) {
    table.push_back(i * 7 % size);
    weights.push_back((i < many / 2 ? 1 : -1) * 1e9 * std::sin(i % (many / 2) + 1));
  }
  const op_map to = op_decl_map(links, cells, 1, table.data(), "to");
  const op_dat w = op_decl_dat(links, 1, "double", weights.data(), "w"), sum = cell_dat(1, "sum", 0);
  double total = 0;
  const auto add = [](const double *x, double *s, double *t) { *s += *x, *t += *x; };
  EXPECT_SOUND(op_par_loop(add, "add", links, op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                           op_arg_dat(sum, 0, to, 1, "double", OP_INC), op_arg_gbl(&total, 1, "double", OP_INC)));
}

// Small terms after large ones are lost, and before them they are not.
TEST_F(Sound, SmallTermsAfterLargeOnes) {
  const int many = 100000;
  const op_set points = op_decl_set(many, "points");
  std::vector<float> data(many, 1e-4f);
  std::fill_n(data.begin(), many / 2, 1.0f);
  const op_dat x = op_decl_dat(points, 1, "float", data.data(), "x");
  float sum = 0;
  const auto add = [](const float *value, float *s) { *s += *value; };
  EXPECT_SOUND(op_par_loop(add, "add", points, op_arg_dat(x, -1, OP_ID, 1, "float", OP_READ),
                           op_arg_gbl(&sum, 1, "float", OP_INC)));
}

// Flow at rest: each edge adds p and takes away p, and what is left is rounding.
TEST_F(Sound, TermsThatCancelInsideTheKernel) {
  const op_dat p = cell_dat(1, "p", 101325.0), sum = cell_dat(1, "sum", 0);
  const auto at_rest = [](const double *pressure, double *a, double *b) {
    *a += *pressure * 0.1, *a -= 101325.0 * 0.1;
    *b -= *pressure * 0.3, *b += 101325.0 * 0.3;
  };
  EXPECT_SOUND(op_par_loop(at_rest, "rest", edges, op_arg_dat(p, 0, ends, 1, "double", OP_READ),
                           op_arg_dat(sum, 0, ends, 1, "double", OP_INC),
                           op_arg_dat(sum, 1, ends, 1, "double", OP_INC)));
}

struct Complex {
  double re, im;
};
TEST_F(Sound, SumsOfUserTypes) {
  std::vector<Complex> data;
  for (int i = 0; i < size; ++i) data.push_back({0.1 * i, 1e8 / (i + 1)});
  const op_dat z = op_decl_dat_char(cells, 1, "Complex", sizeof(Complex), reinterpret_cast<char *>(data.data()), "z");
  const op_dat sum = op_decl_dat_char(cells, 1, "Complex", sizeof(Complex), nullptr, "sum");
  std::vector<int> table;
  for (int i = 0; i < 3 * size; ++i) table.insert(table.end(), {i % size, i * 5 % 4});
  const op_map to = op_decl_map(op_decl_set(3 * size, "links"), cells, 2, table.data(), "to");
  const auto add = [](const Complex *x, Complex *s) { s->re += x->re, s->im += x->im; };
  EXPECT_SOUND(op_par_loop(add, "add", op_map_from(to), op_arg_dat(z, 0, to, 1, "Complex", OP_READ),
                           op_arg_dat(sum, 1, to, 1, "Complex", OP_INC)));
}

// A program that wants to be stopped by floating point exceptions is not stopped by what happens on copies.
TEST_F(Sound, FloatingPointExceptionsAreOn) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  double least = std::numeric_limits<double>::infinity();
  const auto find = [](const double *x, double *m, double *y) {
    if (*x < *m) *m = *x;
    *y = *x / 3;
  };
  const int before = feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  const op_status status =
      op_par_loop(find, "find", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_gbl(&least, 1, "double", OP_MIN), op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
  EXPECT_EQ(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, fegetexcept());
  fedisableexcept(FE_ALL_EXCEPT);
  feenableexcept(before);
  EXPECT_SOUND(status);
  EXPECT_EQ(1, least);
}

TEST_F(Sound, InfinityThatIsMeant) {
  const op_dat distance = cell_dat(1, "distance");
  const auto far = [](double *d) { *d = std::numeric_limits<double>::infinity(); };
  EXPECT_SOUND(op_par_loop(far, "far", cells, op_arg_dat(distance, -1, OP_ID, 1, "double", OP_WRITE)));
}

// Set up at the first call, and only read afterwards.
TEST_F(Sound, ATableOfTheKernel) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const auto look_up = [](const double *x, double *y) {
    static const std::vector<double> table(100, std::sqrt(2.0));
    *y = *x * table[static_cast<std::size_t>(*x)];
  };
  for (int call = 0; call < 5; ++call)
    EXPECT_SOUND(op_par_loop(look_up, "look_up", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                             op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE)));
}

TEST_F(Sound, EdgesThatLeadTwiceToOneCell) {
  int table[] = {3, 3, 3, 4};
  const op_set two = op_decl_set(2, "two");
  const op_map map = op_decl_map(two, cells, 2, table, "map");
  const op_dat sum = cell_dat(1, "sum", 0);
  const auto add = [](double *a, double *b) { *a += 1, *b += 2; };
  EXPECT_SOUND(op_par_loop(add, "add", two, op_arg_dat(sum, 0, map, 1, "double", OP_INC),
                           op_arg_dat(sum, 1, map, 1, "double", OP_INC)));
  EXPECT_EQ(3 + 3 + 1, values(sum)[3]); // 3 at first, then 1 + 2 + 1
}

TEST_F(Sound, ManyElementsWriteOneValue) {
  const op_dat mark = cell_dat(1, "mark");
  const auto set = [](double *a, double *b) { *a = 1, *b = 1; };
  EXPECT_SOUND(op_par_loop(set, "set", edges, op_arg_dat(mark, 0, ends, 1, "double", OP_WRITE),
                           op_arg_dat(mark, 1, ends, 1, "double", OP_WRITE)));
}

TEST_F(Sound, OneRowWrittenTwiceWithOneValue) {
  int table[] = {3, 3};
  const op_map both = op_decl_map(op_decl_set(1, "one"), cells, 2, table, "both");
  const op_dat mark = cell_dat(1, "mark", 5);
  const auto set = [](double *a, double *b) { *a = 1, *b = 1; };
  EXPECT_SOUND(op_par_loop(set, "set", op_map_from(both), op_arg_dat(mark, 0, both, 1, "double", OP_WRITE),
                           op_arg_dat(mark, 1, both, 1, "double", OP_WRITE)));
}

TEST_F(Sound, LargestOfTheNeighbours) {
  const op_dat q = cell_dat(1, "q"), most = cell_dat(1, "most", -5);
  const auto largest = [](const double *x, double *m) {
    if (*x > *m) *m = *x;
  };
  EXPECT_SOUND(op_par_loop(largest, "largest", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                           op_arg_dat(most, 1, ends, 1, "double", OP_RW)));
}

TEST_F(Sound, DirectIncMayBeRead) {
  const op_dat q = cell_dat(1, "q", 1), twice = cell_dat(1, "twice");
  const auto grow = [](double *x, double *t) { *x += 1, *t = 2 * *x; };
  EXPECT_SOUND(op_par_loop(grow, "grow", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_INC),
                           op_arg_dat(twice, -1, OP_ID, 1, "double", OP_WRITE)));
}

TEST_F(Sound, NanThatCameWithTheData) {
  std::vector<double> data(size, std::numeric_limits<double>::quiet_NaN());
  const op_dat q = op_decl_dat(cells, 1, "double", data.data(), "q"), out = cell_dat(1, "out");
  const auto copy = [](const double *x, double *y) { *y = *x + 1; };
  EXPECT_SOUND(op_par_loop(copy, "copy", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                           op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE)));
}

TEST_F(Sound, MinimumWithItsPlace) {
  const op_dat q = cell_dat(1, "q");
  double least = std::numeric_limits<double>::infinity();
  int where = -1;
  const auto find = [](const double *x, const int *n, double *m, int *at) {
    if (*x < *m) *m = *x, *at = *n;
  };
  EXPECT_SOUND(op_par_loop(find, "find", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), op_arg_idx(-1, OP_ID),
                           op_arg_gbl(&least, 1, "double", OP_MIN), op_arg_payload(&where, 1, "int", 2)));
  EXPECT_EQ(1, least);
  EXPECT_EQ(0, where);
}

struct Padded {
  char tag;
  double value;
};
TEST_F(Sound, StructsWithPadding) {
  std::vector<Padded> data(size, Padded{'a', 1.0});
  const op_dat a = op_decl_dat_char(cells, 1, "Padded", sizeof(Padded), reinterpret_cast<char *>(data.data()), "a");
  const op_dat b = op_decl_dat_char(cells, 1, "Padded", sizeof(Padded), reinterpret_cast<char *>(data.data()), "b");
  const auto move = [](const Padded *from, Padded *to) { to->tag = from->tag, to->value = from->value + 1; };
  EXPECT_SOUND(op_par_loop(move, "move", cells, op_arg_dat(a, -1, OP_ID, 1, "Padded", OP_READ),
                           op_arg_dat(b, -1, OP_ID, 1, "Padded", OP_WRITE)));
}

// A histogram larger than any cache, of which each element touches one entry.
TEST_F(Sound, AHugeVariable) {
  constexpr int bins = 20000;
  const int many = 3000;
  const op_set points = op_decl_set(many, "points");
  std::vector<double> data;
  for (int i = 0; i < many; ++i) data.push_back(i % bins);
  const op_dat x = op_decl_dat(points, 1, "double", data.data(), "x");
  std::vector<double> histogram(bins);
  const auto count = [](const double *value, double *h) { h[static_cast<int>(*value)] += 1e-3; };
  EXPECT_SOUND(op_par_loop(count, "count", points, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                           op_arg_gbl(histogram.data(), bins, "double", OP_INC)));
  EXPECT_EQ(1e-3, histogram[many - 1]);
}

TEST_F(Sound, ARangeFunctionInC) {
  const op_dat q = cell_dat(2, "q"), sum = cell_dat(1, "sum");
  EXPECT_SOUND(right_range(edges, ends, q, sum));
}

TEST_F(Sound, TheBitsOfSeq) {
  const auto run = [&](const char *backend) {
    EXPECT_EQ(OP_OK, op_exit());
    op_init_params params = OP_INIT_PARAMS;
    params.backend = backend;
    const char *arguments[] = {"sound", "OP2_JIT=off"}; // check runs the program's own code
    params.argc = 2;
    params.argv = const_cast<char **>(arguments);
    EXPECT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
    const int n = 5000;
    const op_set points = op_decl_set(n, "points");
    std::vector<double> data;
    for (int i = 0; i < n; ++i) data.push_back(std::sin(i) * std::exp(i % 40));
    const op_dat x = op_decl_dat(points, 1, "double", data.data(), "x");
    double sum = 0.1;
    const auto add = [](const double *value, double *s) { *s += *value; };
    EXPECT_SOUND(op_par_loop(add, "add", points, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                             op_arg_gbl(&sum, 1, "double", OP_INC)));
    return sum;
  };
  const double on_seq = run("seq"), on_check = run("check");
  EXPECT_EQ(on_seq, on_check);
}

} // namespace check_test

// SPDX-License-Identifier: MIT
