// cpp_loop_test.cpp: loops of op2.hpp: both spellings, every kind of argument and of kernel.
#include "cpp_api.hpp"
#include "op2/order.h"

namespace {

// ---- loops: the two spellings -------------------------------------------------------------------------------

void spread(const double *weight, const double *left, const double *right, double *sum_left, double *sum_right,
            double *total) {
  for (int i = 0; i < 2; ++i) {
    sum_left[i] += *weight * right[i];
    sum_right[i] += *weight * left[i];
  }
  *total += left[0] * right[1];
}

void add_one(double *x) { *x += 1; }

TEST_F(CppApi, ChainsRunTheirLoops) {
  const op2::dat<double, 1> a(cells, nullptr, "a");
  const auto value = [&] { return a.fetch().front(); };
  {
    op2::chain outer("outer");
    op_par_loop(add_one, "add_one", cells, op2::rw(a));
    op_par_loop(add_one, "add_one", cells, op2::rw(a));
    outer.end(); // now it is closed
    const op2::chain more("more");
    op_par_loop(add_one, "add_one", cells, op2::rw(a));
  }
  EXPECT_EQ(value(), 3);
}

TEST_F(CppApi, GlobalsOfTheLibrary) {
  const std::array<double, 2> zero{};
  const op2::global<double> total("total", 0.5);
  const op2::global<double, 2> extrema("extrema", {1e30, -1e30});
  const op2::global<int> where("where", -1);
  const op2::dat<double, 2> x(cells, nullptr, "x");
  EXPECT_EQ(extrema.fetch()[0], 1e30);
  extrema.put(zero);
  const auto count = [](const double *q, double *t, double *most, int *at, const int *number) {
    *t += q[0];
    for (int i = 0; i < 2; ++i)
      if (most[i] < q[i]) most[i] = q[i], at[i] = *number;
  };
  double expected = 0.5, largest[2] = {0, 0};
  int at[2] = {-1, -1};
  op_par_loop(count, "variables", cells, op2::read(q), op2::gbl_inc(&expected), op2::gbl_max<2>(largest),
              op2::payload<2>(at, 2), op2::index());
  const op2::global<int, 2> both("both", {-1, -1});
  op_par_loop(count, "globals", cells, op2::read(q), op2::gbl_inc(total), op2::gbl_max(extrema), op2::payload(both, 2),
              op2::index());
  EXPECT_EQ(total.fetch(), expected);
  EXPECT_EQ(extrema.fetch()[0], largest[0]);
  EXPECT_EQ(extrema.fetch()[1], largest[1]);
  EXPECT_EQ(both.fetch()[0], at[0]);
  const op_global handle = where;
  op_par_loop([](const int *number, int *least) { *least = *least < *number ? *least : *number; }, "op2", cells,
              op2::index(), op_arg_global(handle, 1, "int", OP_MIN));
  EXPECT_EQ(where.fetch(), -1);
  op_par_loop(count, "globals as OP2 writes them", cells, op2::read(q), op_arg_global(total, 1, "double", OP_INC),
              op_arg_global(extrema, 2, "double", OP_MAX), op_arg_global_payload(both, 2, "int", 2), op2::index());
  EXPECT_EQ(both.fetch()[1], at[1]);
  where.put(7);
  op_par_loop([](const int *number, int *sum) { *sum += 1 + 0 * *number; }, "op2 with types", cells, op2::index(),
              op_arg_global(where, 1, "int", OP_INC));
  EXPECT_EQ(where.fetch(), 7 + static_cast<int>(n));
}

TEST_F(CppApi, BothSpellingsAgree) {
  const op2::dat<double, 2> a(cells, nullptr, "a"), b(cells, nullptr, "b"), c(cells, nullptr, "c"),
      d(cells, nullptr, "d");
  double ta = 1, tb = 1, tc = 1, td = 1;
  EXPECT_EQ(op_par_loop(spread, "typed", edges, op2::read(w), op2::read(q, 0, ring), op2::read(q, 1, ring),
                        op2::inc(a, 0, ring), op2::inc(a, 1, ring), op2::gbl_inc(&ta)),
            OP_OK);
  op_par_loop(spread, "literal columns", edges, op2::read(w), op2::read(q, op2::col<0>, ring),
              op2::read(q, op2::col<1>, ring), op2::inc(b, op2::col<0>, ring), op2::inc(b, op2::col<1>, ring),
              op2::gbl_inc(&tb, 1));
  const op_dat raw_w = w, raw_q = q, raw_c = c;
  const op_map raw_ring = ring;
  op_par_loop(spread, "op2", edges, op_arg_dat(raw_w, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(raw_q, 0, raw_ring, 2, "double", OP_READ),
              op_arg_dat(raw_q, 1, raw_ring, 2, "double", OP_READ), op_arg_dat(raw_c, 0, raw_ring, 2, "double", OP_INC),
              op_arg_dat(raw_c, 1, raw_ring, 2, "double", OP_INC), op_arg_gbl(&tc, 1, "double", OP_INC));
  const op_arg first = (op_arg_dat)(w, -1, OP_ID, 1, "double", OP_READ); // an argument of which nothing is known
  const int two = q.dim(), direct = -1 + (n - n), inc = d.dim() + 1;
  op_par_loop(spread, "run time", edges, first, op_arg_dat(q, direct + 1, ring, two, "double", OP_READ),
              op_arg_dat(q, direct + 2, ring, two, "double", OP_READ),
              op_arg_dat(d, direct + 1, ring, two, "double", inc), op_arg_dat(d, direct + 2, ring, two, "double", inc),
              op_arg_gbl(&td, two / 2, "double", inc));
  EXPECT_EQ(b.fetch(), a.fetch());
  EXPECT_EQ(c.fetch(), a.fetch());
  EXPECT_EQ(d.fetch(), a.fetch());
  EXPECT_EQ(tb, ta);
  EXPECT_EQ(tc, ta);
  EXPECT_EQ(td, ta);

  const std::vector<double> values = q.fetch();
  double expected = 1;
  for (std::size_t e = 0; e < n; ++e) expected += values[2 * e] * values[2 * ((e + 1) % n) + 1];
  EXPECT_DOUBLE_EQ(ta, expected);
}

// What the range function assumes about groups of arguments may be wrong; it must notice.
void differences(const double *a, const double *b, double *out) { *out = a[0] - 1000 * b[0]; }

TEST_F(CppApi, WrongGuessesAreNoticed) {
  const op2::dat<double, 2> p(cells, counting(2 * n, 7), "p");
  const op2::dat<double, 1> out(edges, nullptr, "out");
  const auto expect = [&](const op2::dat<double, 2> &left, int i, const op2::dat<double, 2> &right, int j) {
    const std::vector<double> l = left.fetch(), r = right.fetch(), o = out.fetch();
    for (int e = 0; e < n; ++e)
      ASSERT_EQ(o[static_cast<std::size_t>(e)],
                l[static_cast<std::size_t>(2 * ((e + i) % n))] - 1000 * r[static_cast<std::size_t>(2 * ((e + j) % n))]);
  };
  // Looks like two columns of one dat:
  op_par_loop(differences, "two dats", edges, op2::read(q, 0, ring), op2::read(p, 1, ring), op2::write(out));
  expect(q, 0, p, 1);
  op_par_loop(differences, "backwards", edges, op2::read(q, 1, ring), op2::read(q, 0, ring), op2::write(out));
  expect(q, 1, q, 0);
  op_par_loop(differences, "twice", edges, op2::read(q, 1, ring), op2::read(p, 1, ring), op2::write(out));
  expect(q, 1, p, 1);
  // Looks like a map of one column:
  op_par_loop(differences, "column 0", edges, op_arg_dat(q, 0, ring, 2, "double", OP_READ),
              op_arg_dat(p, 0, ring, 2, "double", OP_READ), op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
  expect(q, 0, p, 0);
}

void shift_down(const double *a, double *b) { b[0] = a[1], b[1] = a[0]; }
void swap_rows(const double *a, double *b) {
  const double a0 = a[0];
  b[0] = a[1], b[1] = a0;
}

TEST_F(CppApi, OneDatReadAndWritten) {
  op_par_loop(swap_rows, "swap", cells, op2::read(q), op2::rw(q));
  const std::vector<double> now = q.fetch();
  EXPECT_EQ(now[0], 2);
  EXPECT_EQ(now[1], 1);
  op_par_loop(shift_down, "copy", cells, op2::read(q), op2::rw(q)); // b[0] = a[1] is seen by b[1] = a[0]
  EXPECT_EQ(q.fetch()[0], 1);
  EXPECT_EQ(q.fetch()[1], 1);
}

// ---- loops: kinds of argument -------------------------------------------------------------------------------

void sum_pairs(const double *const *corner, double **sum) {
  for (int i = 0; i < 2; ++i) {
    sum[0][i] += corner[1][i];
    sum[1][i] += corner[0][i];
  }
}
void sum_pairs_plainly(const double **corner, double **sum) { sum_pairs(corner, sum); }

TEST_F(CppApi, VectorArguments) {
  const op2::dat<double, 2> a(cells, nullptr, "a"), b(cells, nullptr, "b"), c(cells, nullptr, "c");
  op_par_loop(sum_pairs, "typed", edges, op2::read(q, op2::all<2>, ring), op2::inc(a, op2::all<2>, ring));
  op_par_loop(sum_pairs_plainly, "op2", edges, op_arg_dat(q, -2, ring, 2, "double", OP_READ),
              op_arg_dat(b, -2, ring, 2, "double", OP_INC));
  const int both = -ring.dim();
  op_par_loop(sum_pairs, "run time", edges, op_arg_dat(q, both, ring, 2, "double", OP_READ),
              op_arg_dat(c, both, ring, 2, "double", OP_INC));
  const std::vector<double> values = q.fetch(), sums = a.fetch();
  for (std::size_t cell = 0; cell < n; ++cell)
    ASSERT_EQ(sums[2 * cell], values[2 * ((cell + 1) % n)] + values[2 * ((cell + n - 1) % n)]);
  EXPECT_EQ(b.fetch(), sums);
  EXPECT_EQ(c.fetch(), sums);
}

void add_if_there(const double *extra, const double *const *corners, double *out) {
  *out = extra == nullptr ? -1 : *extra;
  if (corners != nullptr) *out += corners[1][0];
}

TEST_F(CppApi, OptionalArguments) {
  const op2::dat<double, 1> out(edges, nullptr, "out"), nothing;
  for (const bool on : {true, false}) {
    op_par_loop(add_if_there, "typed", edges, op2::opt(on, op2::read(on ? w : nothing)),
                op2::opt(!on, op2::read(q, op2::all<2>, ring)), op2::write(out));
    EXPECT_EQ(out.fetch()[1], on ? 1.5 : 4);
    op_par_loop(add_if_there, "op2", edges, op_opt_arg_dat(on, static_cast<op_dat>(w), -1, OP_ID, 1, "double", OP_READ),
                op_opt_arg_dat(!on, q, -2, ring, 2, "double", OP_READ), op2::write(out));
    EXPECT_EQ(out.fetch()[1], on ? 1.5 : 4);
  }
}

void number_rows(const int *element, const int *target, int *out) { *out = 1000 * *element + *target; }

TEST_F(CppApi, Indices) {
  const op2::dat<int, 1> out(edges, nullptr, "out"), again(edges, nullptr, "again");
  op_par_loop(number_rows, "typed", edges, op2::index(), op2::index(1, ring), op2::write(out));
  op_par_loop(number_rows, "op2", edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, ring), op2::write(again));
  EXPECT_EQ(out.fetch()[5], 5006);
  EXPECT_EQ(out.fetch()[n - 1], 1000 * (n - 1));
  EXPECT_EQ(again.fetch(), out.fetch());
}

// On renumbered sets numbers come from tables, in all loops that are compiled for a kernel.
TEST_F(CppApi, IndicesOfARenumberedMesh) {
  const op2::dat<int, 1> out(edges, nullptr, "out"), again(edges, nullptr, "again"), third(edges, nullptr, "third");
  const auto expect_numbers = [&] {
    op_par_loop(number_rows, "typed", edges, op2::index(), op2::index(1, ring), op2::write(out));
    op_par_loop(number_rows, "op2", edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, ring), op2::write(again));
    const op_arg own = (op_arg_idx)(-1, OP_ID), target = (op_arg_idx)(1, ring); // of which nothing is known
    op_par_loop(number_rows, "run time", edges, own, target, op2::write(third));
    for (int e = 0; e < n; ++e) EXPECT_EQ(out.fetch()[static_cast<std::size_t>(e)], 1000 * e + (e + 1) % n);
    EXPECT_EQ(again.fetch(), out.fetch());
    EXPECT_EQ(third.fetch(), out.fetch());
  };
  expect_numbers();
  EXPECT_EQ(op_renumber(ring), OP_OK);
  std::vector<int> order(n), declared(n);
  EXPECT_EQ(op_get_order(edges, order.data()), OP_OK);
  std::iota(declared.begin(), declared.end(), 0);
  EXPECT_NE(order, declared);
  expect_numbers();
}

void extremes(const double *x, const int *element, const double *scale, double *largest, int *where, double *least) {
  const double value = scale[0] * (x[0] - 100) * (x[0] - 100) + scale[1];
  if (value > *largest) *largest = value, *where = *element;
  if (value < *least) *least = value;
}

TEST_F(CppApi, ReductionsAndPayloads) {
  const double scale[2] = {-1, 5};
  for (const bool typed : {true, false}) {
    double largest = -1e300, least = 1e300;
    int where = -1;
    if (typed)
      op_par_loop(extremes, "typed", cells, op2::read(q), op2::index(), op2::gbl_read<2>(scale), op2::gbl_max(&largest),
                  op2::payload(&where, 3), op2::gbl_min(&least));
    else
      op_par_loop(extremes, "op2", cells, op2::read(q), op_arg_idx(-1, OP_ID), op_arg_gbl(scale, 2, "double", OP_READ),
                  op_arg_gbl(&largest, 1, "double", OP_MAX), op_arg_payload(&where, 1, "int", 3),
                  op_arg_gbl(&least, 1, "double", OP_MIN));
    EXPECT_EQ(largest, 4);
    EXPECT_EQ(where, 49);
    EXPECT_EQ(least, 5.0 - (2 * n - 101) * (2 * n - 101));
  }
}

void add_many(const double *x, double *sums) {
  for (int i = 0; i < 12; ++i) sums[i] += i * x[0];
}

TEST_F(CppApi, WideReductionsStayInMemory) {
  std::array<double, 12> sums{}, again{};
  op_par_loop(add_many, "typed", cells, op2::read(q), op2::gbl_inc<12>(sums.data()));
  op_par_loop(add_many, "op2", cells, op2::read(q), op_arg_gbl(again.data(), 12, "double", OP_INC));
  EXPECT_DOUBLE_EQ(sums[3], 3.0 * n * n);
  EXPECT_EQ(again, sums);
}

void common_divisor(const int *x, int *divisor) { *divisor = std::gcd(*divisor, *x); }

TEST_F(CppApi, ReductionOfTheProgramsOwn) {
  const op2::set two(2, "two");
  const op2::dat<int, 1> x(two, {84, 126}, "x");
  const op2::reduction<int> gcd(
      "gcd", [](int &into, const int &from) { into = std::gcd(into, from); }, 0);
  int divisor = 0;
  op_par_loop(common_divisor, "gcd", two, op2::read(x), op2::gbl_reduce(&divisor, gcd));
  EXPECT_EQ(divisor, 42);
}

void use_states(const state *s, const state *far, const unnamed_pair *pair, double *out) {
  *out = s->density + far->pressure + pair->second;
}

TEST_F(CppApi, TypesOfTheProgramsOwn) {
  const op2::set two(2, "two");
  const op2::dat<state, 1> s(two, {{1, 2}, {3, 4}}, "s");
  const op2::dat<double, 1> out(two, nullptr, "out");
  const state far = {10, 20};
  unnamed_pair pair = {100, 200};
  op_par_loop(use_states, "states", two, op2::read(s), op2::gbl_read(&far), op_arg_gbl(&pair, 1, "pair", OP_READ),
              op2::write(out));
  EXPECT_EQ(out.fetch(), (std::vector<double>{221, 223}));
}

// ---- loops: kinds of kernel ---------------------------------------------------------------------------------

template <int I, int J>
void pick(const double *in, double *out) {
  *out = in[I] + 10 * in[J];
}
void twice(const double *in, double *out) { *out = 2 * in[0]; }
void thrice(const double *in, double *out) noexcept { *out = 3 * in[0]; }
double factor = 4;
void times_factor(const double *in, double *out) { *out = factor * in[0]; }
using kernel = void (*)(const double *, double *);
kernel kernel_variable = twice;

struct functor {
  void operator()(const double *in, double *out) const { *out = 7 * in[0]; }
};

class CppKernels : public CppApi {
 protected:
  op2::dat<double, 1> out{cells, nullptr, "out"};
  double third() { return out.fetch()[2]; } // q there is 5, 6
};

TEST_F(CppKernels, Functions) {
  op_par_loop(thrice, "noexcept", cells, op2::read(q), op2::write(out));
  EXPECT_EQ(third(), 15);
  op_par_loop((pick<1, 0>), "template", cells, op2::read(q), op2::write(out));
  EXPECT_EQ(third(), 56);
  for (factor = 4; factor < 6; ++factor) {
    op_par_loop(times_factor, "global", cells, op2::read(q), op2::write(out));
    EXPECT_EQ(third(), 5 * factor);
  }
}

TEST_F(CppKernels, Pointers) {
  for (const kernel k : {kernel(twice), kernel(thrice), kernel(pick<0, 1>)}) {
    op_par_loop(k, "local", cells, op2::read(q), op2::write(out));
    EXPECT_EQ(third(), k == kernel(twice) ? 10 : k == kernel(thrice) ? 15 : 65);
  }
  for (const kernel k : {kernel(twice), kernel(thrice)}) {
    kernel_variable = k;
    op_par_loop(kernel_variable, "global", cells, op2::read(q), op2::write(out));
    EXPECT_EQ(third(), k == kernel(twice) ? 10 : 15);
  }
  op_par_loop(&twice, "address", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
  EXPECT_EQ(third(), 10);
}

TEST_F(CppKernels, Lambdas) {
  const auto local = [](const double *in, double *o) { *o = in[1] - in[0] * in[0]; };
  op_par_loop(local, "local", cells, op2::read(q), op2::write(out));
  EXPECT_EQ(third(), 6 - 25);
  op_par_loop([](const double *in, double *o) { *o = in[1]; }, "literal", cells, op2::read(q), op2::write(out));
  EXPECT_EQ(third(), 6);
  op_par_loop([](auto *in, auto *o) { *o = 5 * in[1]; }, "generic", cells, op2::read(q), op2::write(out));
  EXPECT_EQ(third(), 30);
  op_par_loop(functor(), "functor", cells, op2::read(q), op2::write(out));
  EXPECT_EQ(third(), 35);
}

template <class T>
void scale_by(op_set set, const op2::dat<double, 2> &in, const op2::dat<double, 1> &out) {
  op_par_loop((pick<0, static_cast<int>(sizeof(T)) / 8>), "inside a template", set, op2::read(in), op2::write(out));
}

TEST_F(CppKernels, LoopsInsideTemplates) {
  scale_by<int>(cells, q, out);
  EXPECT_EQ(third(), 55);
  scale_by<double>(cells, q, out);
  EXPECT_EQ(third(), 65);
}

TEST_F(CppKernels, EmptySet) {
  const op2::set none(0, "none");
  const op2::dat<double, 2> in(none, std::vector<double>(), "in");
  double total = 3;
  op_par_loop([](const double *x, double *s) { *s += x[0]; }, "none", none, op2::read(in), op2::gbl_inc(&total));
  EXPECT_EQ(total, 3);
}

TEST_F(CppKernels, PlainFunctionIsReached) {
  const op_arg args[] = {op2::read(q), op2::write(out)};
  EXPECT_EQ((op_par_loop)(reinterpret_cast<op_kernel_fn>(&twice), "plain", cells, 2, args), OP_OK);
  EXPECT_EQ(third(), 10);
}

} // namespace

// SPDX-License-Identifier: MIT
