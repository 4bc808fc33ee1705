// Range functions that the program's own compiler makes in lanes (op2/cpp/lanes.hpp): the same bits whatever the number
// of lanes, on any mesh and any division; kernels that they do not suit run as before.
#include <cstddef>
#include <memory>

#include "../forms/lab.hpp"

namespace forms {

namespace {

void from_two(const double *a, const double *b, const float *w, double *sum, double *other) {
  const double slope = a[0] > b[1] ? a[0] - b[1] * 0.5 : std::sqrt(b[0] * b[0] + 1);
  for (int c = 0; c < 4; ++c) sum[c] += slope * b[c % 3] + *w;
  other[0] += slope;
  other[1] -= a[1] / (1 + b[2] * b[2]);
  other[2] += slope * a[0];
}
void corners(const double *const *x, double **force, const int *number, double *volume) {
  double all[3] = {};
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) all[c] += x[k][c];
  *volume = all[0] * all[1] - all[2] + *number;
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) force[k][c] += all[c] * (k + 1) - x[k][c];
}
void reduce(const double *a, const double *scale, double *out, double *sum, double *least, double *most, int *count) {
  for (int c = 0; c < 3; ++c) {
    out[c] = a[c] * scale[c];
    sum[0] += out[c];
    sum[1] += out[c] * out[c];
  }
  if (a[0] < *least) *least = a[0];
  *most = *most < a[1] ? a[1] : *most;
  *count += a[2] > 0 ? 1 : 0;
}
// Products and alternating differences and sums, which gcc 12 fuses in vectors.
void turn(const double *a, const double *b, double *direct, double *added) {
  direct[0] = a[0] * b[0] - a[1] * b[1];
  direct[1] = a[0] * b[1] + a[1] * b[0];
  added[0] += b[0] * a[1] - b[1];
  added[1] += b[1] * a[0] + b[0];
}
void single(const float *a, float *b, float *added) {
  *b = *a * 3 + 1 / (*a * *a + 2);
  for (int c = 0; c < 5; ++c) added[c] += *a * static_cast<float>(c) - *b;
}
void by_cases(const double *a, double *out) { // local arrays at indexes that depend on data
  double table[4] = {1, 2, 4, 8};
  table[static_cast<int>(std::abs(a[0])) % 4] = a[1];
  *out = table[static_cast<int>(std::abs(a[1])) % 4];
}

struct Sizes {
  int cells, nodes;
};

void run_all(Results &results, Sizes sizes) {
  const op_set cells = op_decl_set(sizes.cells, "cells"), nodes = op_decl_set(sizes.nodes, "nodes");
  const std::size_t nc = static_cast<std::size_t>(sizes.cells), nn = static_cast<std::size_t>(sizes.nodes);
  const auto table = [&](int dim, std::uint64_t seed) {
    return op_decl_map(cells, nodes, dim, random_table(sizes.cells, dim, sizes.nodes, seed).data(), "map");
  };
  const op_map pair = table(2, 1), many = table(4, 2), triangle = table(3, 3);
  const op_dat x2 = dat<double>(nodes, 2, numbers<double>(2 * nn, 4), "x2"),
               x3 = dat<double>(nodes, 3, numbers<double>(3 * nn, 5), "x3"),
               w = dat<float>(cells, 1, numbers<float>(nc, 6), "w"),
               a3 = dat<double>(cells, 3, numbers<double>(3 * nc, 7), "a3"),
               c2 = dat<double>(cells, 2, numbers<double>(2 * nc, 8), "c2"), sum = zeros<double>(nodes, 4, "sum"),
               other = zeros<double>(nodes, 3, "other"), force = zeros<double>(nodes, 3, "force"),
               volume = zeros<double>(cells, 1, "volume"), out = zeros<double>(cells, 3, "out"),
               turned = zeros<double>(cells, 2, "turned"), added = zeros<double>(nodes, 2, "added"),
               narrow = dat<float>(nodes, 1, numbers<float>(nn, 9), "narrow"), made = zeros<float>(cells, 1, "made"),
               floats = zeros<float>(nodes, 5, "floats"), cases = zeros<double>(cells, 1, "cases");
  const double scale[3] = {1.5, -2, 0.25};
  double sums[2] = {1, 2}, least = 100, most = -100;
  int count = 3;
  for (int call = 0; call < 3; ++call) {
    FORMS_RUN(from_two, "from_two", cells, op_arg_dat(x2, 0, pair, 2, "double", OP_READ),
              op_arg_dat(x3, 3, many, 3, "double", OP_READ), op_arg_dat(w, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(sum, 1, pair, 4, "double", OP_INC), op_arg_dat(other, 0, pair, 3, "double", OP_INC));
    FORMS_RUN(corners, "corners", cells, op_arg_dat(x3, -3, triangle, 3, "double", OP_READ),
              op_arg_dat(force, -3, triangle, 3, "double", OP_INC), op_arg_idx(-1, OP_ID),
              op_arg_dat(volume, -1, OP_ID, 1, "double", OP_WRITE));
    FORMS_RUN(reduce, "reduce", cells, op_arg_dat(a3, -1, OP_ID, 3, "double", OP_READ),
              op_arg_gbl(scale, 3, "double", OP_READ), op_arg_dat(out, -1, OP_ID, 3, "double", OP_WRITE),
              op_arg_gbl(sums, 2, "double", OP_INC), op_arg_gbl(&least, 1, "double", OP_MIN),
              op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_gbl(&count, 1, "int", OP_INC));
    FORMS_RUN(turn, "turn", cells, op_arg_dat(c2, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(x2, 0, pair, 2, "double", OP_READ), op_arg_dat(turned, -1, OP_ID, 2, "double", OP_WRITE),
              op_arg_dat(added, 1, pair, 2, "double", OP_INC));
    FORMS_RUN(single, "single", cells, op_arg_dat(narrow, 0, pair, 1, "float", OP_READ),
              op_arg_dat(made, -1, OP_ID, 1, "float", OP_WRITE), op_arg_dat(floats, 0, many, 5, "float", OP_INC));
    FORMS_RUN(by_cases, "by_cases", cells, op_arg_dat(c2, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(cases, -1, OP_ID, 1, "double", OP_WRITE));
  }
  for (const op_dat one : {sum, other, force, volume, out, turned, added, cases})
    results.same(op_dat_name(one), fetch<double>(one));
  for (const op_dat one : {made, floats}) results.same(op_dat_name(one), fetch<float>(one));
  results.same("reduced", std::vector<double>{sums[0], sums[1], least, most, static_cast<double>(count)});
}

Setting own(const std::string &name, std::vector<std::string> more, int threads = 0) {
  more.insert(more.begin(), {"OP2_JIT=off", "OP2_JIT_MIN_ELEMENTS=0"});
  return {name, more, threads > 0 ? "openmp" : "seq", std::max(threads, 1), -1};
}

std::string expected_form() {
#if OP2_LANES
  return cpu_has("avx2") ? "own vector x8" : "own scalar";
#else
  return "range";
#endif
}

} // namespace

using Lanes = Forms;

TEST_F(Lanes, HaveTheSameBitsWhateverTheirNumber) {
  for (const Sizes sizes : {Sizes{1, 1}, {7, 3}, {8, 30}, {9, 2}, {517, 90}, {1200, 1100}}) {
    SCOPED_TRACE(sizes.cells);
    const Body body = [&](Results &results) {
      run_all(results, sizes);
      EXPECT_EQ(expected_form(), form_of("from_two"));
    };
    const Body scalar = [&](Results &results) { run_all(results, sizes); };
    const Results known = in_session(own("scalar", {"OP2_JIT_FORM=scalar"}), scalar);
    in_session(own("widest", {"OP2_JIT_FORM=widest"}), body).expect_agreement(known, true);
    in_session(own("narrow", {"OP2_JIT_FORM=narrow"}), scalar).expect_agreement(known, true);
    in_session(own("by time", {}), scalar).expect_agreement(known, true);
    in_session(own("sse2", {"OP2_JIT_ISA=sse2"}), scalar).expect_agreement(known, true);
    if (HasFailure()) return;
  }
}

// Threads have their own order of additions, and keep it whatever the form.
TEST_F(Lanes, HaveTheSameBitsOnThreads) {
  const Body body = [](Results &results) { run_all(results, {1500, 700}); };
  for (const int threads : {1, 2, 3}) {
    const Results known = in_session(own("scalar", {"OP2_JIT_FORM=scalar", "OP2_BLOCK_SIZE=37"}, threads), body);
    in_session(own("widest", {"OP2_JIT_FORM=widest", "OP2_BLOCK_SIZE=37"}, threads), body).expect_agreement(known, true);
  }
}

// Rows of elements that only one of the kernels below adds to, against a plain loop.
TEST_F(Lanes, GiveTheKernelsValues) {
  const int size = 1003;
  in_session(own("widest", {"OP2_JIT_FORM=widest"}), [&](Results &) {
    const op_set cells = op_decl_set(size, "cells");
    const std::vector<double> a = numbers<double>(2 * size, 1), b = numbers<double>(2 * size, 2);
    std::vector<int> last(size);
    for (int n = 0; n < size; ++n) last[static_cast<std::size_t>(n)] = size - 1 - n;
    const op_map back = op_decl_map(cells, cells, 1, last.data(), "back");
    const op_dat x = dat<double>(cells, 2, a, "a"), y = dat<double>(cells, 2, b, "b"),
                 direct = zeros<double>(cells, 2, "direct"), added = zeros<double>(cells, 2, "added");
    FORMS_RUN(turn, "turn", cells, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(y, 0, back, 2, "double", OP_READ), op_arg_dat(direct, -1, OP_ID, 2, "double", OP_WRITE),
              op_arg_dat(added, 0, back, 2, "double", OP_INC));
    std::vector<double> one(2 * size), other(2 * size);
    for (std::size_t n = 0; n < size; ++n)
      turn(&a[2 * n], &b[2 * (size - 1 - n)], &one[2 * n], &other[2 * (size - 1 - n)]);
    EXPECT_EQ(one, fetch<double>(direct));
    EXPECT_EQ(other, fetch<double>(added));
    EXPECT_EQ(expected_form(), form_of("turn"));
  });
}

namespace {

void reads_what_it_adds_to(const double *a, double *sum) { *sum += *sum > 0 ? *a : 2; }
[[maybe_unused]] void reads_it_later(const double *limit, double *sum) { *sum += *sum > *limit ? 100 : 1; }

} // namespace

TEST_F(Lanes, AreLeftAloneWhereAKernelReadsWhatItAddsTo) {
  in_session(own("off", {}), [](Results &) {
    const op_set cells = op_decl_set(300, "cells"), nodes = op_decl_set(20, "nodes");
    const std::vector<int> table = random_table(300, 1, 20, 1);
    const op_map map = op_decl_map(cells, nodes, 1, table.data(), "map");
    const op_dat a = dat<double>(cells, 1, std::vector<double>(300, 0.5), "a"), sum = zeros<double>(nodes, 1, "sum");
    std::vector<double> expected(20);
    for (int call = 0; call < 2; ++call) {
      FORMS_RUN(reads_what_it_adds_to, "reads", cells, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(sum, 0, map, 1, "double", OP_INC));
      const double half = 0.5;
      for (const int node : table) reads_what_it_adds_to(&half, &expected[static_cast<std::size_t>(node)]);
    }
    EXPECT_EQ(expected, fetch<double>(sum));
    EXPECT_EQ("range", form_of("reads"));
  });
}

TEST_F(Lanes, SayThatAKernelReadsWhatItAddsTo) {
#if OP2_LANES
  in_session(own("off", {}), [](Results &) {
    const op_set cells = op_decl_set(300, "cells"), nodes = op_decl_set(300, "nodes");
    const op_map map = op_decl_map(cells, nodes, 1, random_table(300, 1, 300, 1).data(), "map");
    const op_dat sum = zeros<double>(nodes, 1, "sum");
    const double limit = 5;
    op_status status = OP_OK;
    for (int call = 0; call < 16 && status == OP_OK; ++call)
      status = op_par_loop(reads_it_later, "reads", cells, op_arg_gbl(&limit, 1, "double", OP_READ),
                           op_arg_dat(sum, 0, map, 1, "double", OP_INC));
    EXPECT_EQ(OP_ERR_KERNEL, status);
    const std::string error = op_last_error();
    for (const char *words : {"reads", "dat 'sum'", "OP_INC", "-DOP2_LANES=0"})
      EXPECT_NE(std::string::npos, error.find(words)) << error;
  });
#else
  GTEST_SKIP() << "the compiler makes no lanes";
#endif
}

namespace {

void unless_the_same(const double *w, double *a, double *b) {
  if (a == b) return;
  *a += *w;
  *b -= 2 * *w;
}
void same_or_not(const double *a, const double *b, double *out) { *out = a == b ? -1 : *a + *b; }

} // namespace

// Elements that lead to one row twice: a kernel that compares addresses is not run on copies of rows.
TEST_F(Lanes, AreLeftAloneWhereAKernelComparesAddresses) {
  const int size = 3000;
  const Body body = [&](Results &results) {
    const op_set cells = op_decl_set(size, "cells");
    std::vector<int> table(2 * size);
    for (int n = 0; n < size; ++n) {
      table[static_cast<std::size_t>(2 * n)] = n;
      table[static_cast<std::size_t>(2 * n + 1)] = n % 1000 == 731 ? n : (n + 1) % size;
    }
    const op_map pair = op_decl_map(cells, cells, 2, table.data(), "pair");
    const op_dat x = dat<double>(cells, 1, numbers<double>(size, 1), "x"), sum = zeros<double>(cells, 1, "sum"),
                 out = zeros<double>(cells, 1, "out");
    std::vector<double> given = fetch<double>(x), expected_sum(size), expected_out(size);
    for (int call = 0; call < 6; ++call) {
      FORMS_RUN(unless_the_same, "unless", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(sum, 0, pair, 1, "double", OP_INC), op_arg_dat(sum, 1, pair, 1, "double", OP_INC));
      FORMS_RUN(same_or_not, "same", cells, op_arg_dat(x, 0, pair, 1, "double", OP_READ),
                op_arg_dat(x, 1, pair, 1, "double", OP_READ), op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
      for (std::size_t n = 0; n < size; ++n) {
        const auto a = static_cast<std::size_t>(table[2 * n]), b = static_cast<std::size_t>(table[2 * n + 1]);
        unless_the_same(&given[n], &expected_sum[a], &expected_sum[b]);
        same_or_not(&given[a], &given[b], &expected_out[n]);
      }
    }
    EXPECT_EQ(expected_sum, fetch<double>(sum));
    EXPECT_EQ(expected_out, fetch<double>(out));
    results.same("sum", fetch<double>(sum));
  };
  in_session(own("off", {}), body);
  in_session({"on", {"OP2_JIT=on", "OP2_JIT_FORM=soon", "OP2_JIT_MIN_ELEMENTS=0", "OP2_JIT_CACHE=off"}, "seq", 1, -1},
             body);
}

namespace {

constexpr int long_row = 40;
void smooth(const double *a, double *b) {
  for (int c = 0; c < long_row; ++c) b[c] = 0.5 * a[c] + 0.25 * b[c];
}
void sum_up(const double *a, const double *b, double *sum) {
  for (int c = 0; c < long_row; ++c) *sum += a[c] * b[c];
}

} // namespace

// Rows of many values, which a kernel goes through in vectors of its own: there are no lanes, and the program's own loop
// takes turns with generated code.
TEST_F(Lanes, LeaveLongRowsToTheProgramsOwnLoop) {
  const Body body = [](Results &results) {
    const op_set cells = op_decl_set(700, "cells");
    const op_dat a = dat<double>(cells, long_row, numbers<double>(700 * long_row, 1), "a"),
                 b = zeros<double>(cells, long_row, "b");
    double sum = 0;
    for (int call = 0; call < 150; ++call) {
      FORMS_RUN(smooth, "smooth", cells, op_arg_dat(a, -1, OP_ID, long_row, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, long_row, "double", OP_RW));
      FORMS_RUN(sum_up, "sum_up", cells, op_arg_dat(a, -1, OP_ID, long_row, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, long_row, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC));
    }
    results.same("b", fetch<double>(b));
    results.sums("sum", std::vector<double>{sum}, std::vector<double>{1e3 * std::abs(sum)});
    for (const char *loop : {"smooth", "sum_up"}) {
      const std::string form = form_of(loop);
      const bool compared = forms_by_time(loop).find("range ") != std::string::npos;
      EXPECT_TRUE(form == "range" || compared) << loop << ": " << form << ", " << forms_by_time(loop);
    }
  };
  const Results known = in_session(own("off", {}), body);
  const Setting on{
      "on", {"OP2_JIT=on", "OP2_JIT_FORM=soon", "OP2_JIT_MIN_ELEMENTS=0", "OP2_JIT_CACHE=off"}, "seq", 1, -1};
  in_session(on, body).expect_agreement(known, false);
}

// Sums over all elements have a part for each lane, as in generated code of as many lanes: before it comes, and after.
TEST_F(Lanes, SumAsGeneratedCodeDoes) {
#if OP2_LANES
  if (!cpu_has("avx512")) GTEST_SKIP() << "generated code has other lanes without AVX-512";
  for (const int size : {5, 8, 16, 517, 3001}) {
    SCOPED_TRACE(size);
    const Body body = [&](Results &results) {
      const op_set cells = op_decl_set(size, "cells");
      const std::size_t values = static_cast<std::size_t>(3 * size);
      const op_dat a = dat<double>(cells, 3, numbers<double>(values, 7), "a"), out = zeros<double>(cells, 3, "out");
      const double scale[3] = {1.5, -2, 0.25};
      double sums[2] = {1, 2}, least = 100, most = -100;
      int count = 3;
      FORMS_RUN(reduce, "reduce", cells, op_arg_dat(a, -1, OP_ID, 3, "double", OP_READ),
                op_arg_gbl(scale, 3, "double", OP_READ), op_arg_dat(out, -1, OP_ID, 3, "double", OP_WRITE),
                op_arg_gbl(sums, 2, "double", OP_INC), op_arg_gbl(&least, 1, "double", OP_MIN),
                op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_gbl(&count, 1, "int", OP_INC));
      results.same("sums", std::vector<double>{sums[0], sums[1], least, most});
    };
    const Results known = in_session(own("widest", {"OP2_JIT_FORM=widest"}), body);
    const Setting on{"on", {"OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0", "OP2_JIT_CACHE=off"}, "seq", 1, -1};
    in_session(on, [&](Results &results) {
      body(results);
      EXPECT_EQ("vector x8", form_of("reduce"));
    }).expect_agreement(known, true);
  }
#else
  GTEST_SKIP() << "the compiler makes no lanes";
#endif
}

// The same on several threads and where all are to have the same bits: generated code is not compared with code that
// sums in another order.
TEST_F(Lanes, AreNoRivalsOfReproducibleSums) {
  const Setting on{
      "on",
      {"OP2_JIT=on", "OP2_JIT_FORM=soon", "OP2_JIT_MIN_ELEMENTS=0", "OP2_JIT_CACHE=off", "OP2_REPRODUCIBLE=1"},
      "seq",
      1,
      -1};
  in_session(on, [](Results &) {
    const op_set cells = op_decl_set(700, "cells");
    const op_dat a = dat<double>(cells, long_row, numbers<double>(700 * long_row, 1), "a");
    double sum = 0;
    for (int call = 0; call < 150; ++call)
      FORMS_RUN(sum_up, "sum_up", cells, op_arg_dat(a, -1, OP_ID, long_row, "double", OP_READ),
                op_arg_dat(a, -1, OP_ID, long_row, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC));
    EXPECT_EQ(std::string::npos, forms_by_time("sum_up").find("range ")) << forms_by_time("sum_up");
    EXPECT_NE("range", form_of("sum_up"));
  });
}

// A program that was compiled before op_loop_site had its last field.
TEST_F(Lanes, AreNoPartOfOlderSites) {
  in_session(own("off", {}), [](Results &) {
    const op_set cells = op_decl_set(400, "cells");
    const op_dat a = dat<double>(cells, 1, numbers<double>(400, 1), "a"), b = zeros<double>(cells, 1, "b");
    const op_arg args[] = {op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE)};
    constexpr std::size_t size = offsetof(op_loop_site, lanes);
    const auto memory = std::make_unique<std::byte[]>(size); // the address sanitizer knows its end
    op_loop_site site{};
    site.size = size;
    site.element = reinterpret_cast<op_kernel_fn>(+[](const double *from, double *to) { *to = 2 * *from; });
    std::memcpy(memory.get(), &site, size);
    auto *const old = reinterpret_cast<op_loop_site *>(memory.get());
    for (int call = 0; call < 2; ++call) EXPECT_EQ(OP_OK, op_par_loop_site(old, "old", cells, 2, args)) << op_last_error();
    std::vector<double> expected = fetch<double>(a);
    for (double &value : expected) value *= 2;
    EXPECT_EQ(expected, fetch<double>(b));
    site.size = size - 1;
    std::memcpy(memory.get(), &site, size);
    EXPECT_EQ(OP_ERR_ARGUMENT, op_par_loop_site(old, "older", cells, 2, args));
  });
}

} // namespace forms

// SPDX-License-Identifier: MIT
