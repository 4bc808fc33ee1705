// cpp_api_test.cpp: op2.hpp as a program uses it: what the compiler knows of arguments, objects, errors.
#include "cpp_api.hpp"

// ---- what the compiler knows (of things that are declared only) ----------------------------------------------

namespace facts {

template <class A, class T, int Kind, int Dim, int Column, int Access, bool Optional = false>
constexpr bool is_arg = std::is_same_v<op2::detail::arg_facts_t<A>, op2::arg<T, Kind, Dim, Column, Access, Optional>>;

constexpr int unknown = op2::unknown;
using row4 = op2::dat<double, 4>;
using row_n = op2::dat<float>;

const row4 &q4();
const row_n &qn();
op_dat raw();
op_map to_nodes();
int number();
extern double variable;
extern const int fixed_values[3];

static_assert(is_arg<decltype(op2::read(q4())), double, OP_RANGE_DIRECT, 4, unknown, OP_READ>);
static_assert(is_arg<decltype(op2::write(qn())), float, OP_RANGE_DIRECT, unknown, unknown, OP_WRITE>);
static_assert(is_arg<decltype(op2::rw(q4(), 1, to_nodes())), double, OP_RANGE_INDIRECT, 4, unknown, OP_RW>);
static_assert(is_arg<decltype(op2::inc(q4(), op2::col<1>, to_nodes())), double, OP_RANGE_INDIRECT, 4, 1, OP_INC>);
static_assert(is_arg<decltype(op2::inc(q4(), op2::all<3>, to_nodes())), double, OP_RANGE_VECTOR, 4, 3, OP_INC>);
static_assert(is_arg<decltype(op2::opt(true, op2::read(q4()))), double, OP_RANGE_DIRECT, 4, unknown, OP_READ, true>);

static_assert(is_arg<decltype(op2::gbl_inc(&variable)), double, OP_RANGE_GLOBAL, 1, unknown, OP_INC>);
static_assert(is_arg<decltype(op2::gbl_min<2>(&variable)), double, OP_RANGE_GLOBAL, 2, unknown, OP_MIN>);
static_assert(is_arg<decltype(op2::gbl_max(&variable, number())), double, OP_RANGE_GLOBAL, unknown, unknown, OP_MAX>);
static_assert(is_arg<decltype(op2::gbl_read<3>(fixed_values)), int, OP_RANGE_GLOBAL, 3, unknown, OP_READ>);
static_assert(is_arg<decltype(op2::index()), int, OP_RANGE_INDEX, 1, unknown, OP_READ>);
static_assert(is_arg<decltype(op2::index(1, to_nodes())), int, OP_RANGE_MAP_INDEX, 1, unknown, OP_READ>);

// OP2's spelling: literals become types, other expressions are unknown.
constexpr int four = 4;
template <int N>
struct inside_a_template {
  static_assert(is_arg<decltype(op_arg_dat(raw(), N, to_nodes(), N + 1, "double", OP_READ)), void, OP_RANGE_INDIRECT,
                       N + 1, N, OP_READ>);
};
template struct inside_a_template<2>;
static_assert(
    is_arg<decltype(op_arg_dat(raw(), -1, OP_ID, 4, "double", OP_READ)), void, OP_RANGE_DIRECT, 4, unknown, OP_READ>);
static_assert(
    is_arg<decltype(op_arg_dat(raw(), 0, to_nodes(), four, "double", OP_INC)), void, OP_RANGE_INDIRECT, 4, 0, OP_INC>);
static_assert(
    is_arg<decltype(op_arg_dat(raw(), -3, to_nodes(), 2, "double", OP_READ)), void, OP_RANGE_VECTOR, 2, 3, OP_READ>);
static_assert(is_arg<decltype(op_arg_dat(raw(), number(), to_nodes(), 2, "double", OP_READ)), void, unknown, 2, unknown,
                     OP_READ>);
static_assert(is_arg<decltype(op_arg_dat(raw(), -1, OP_ID, number(), "double", number())), void, OP_RANGE_DIRECT,
                     unknown, unknown, unknown>);
static_assert(
    is_arg<decltype(op_arg_dat(q4(), 1, to_nodes(), 4, "double", OP_RW)), double, OP_RANGE_INDIRECT, 4, 1, OP_RW>);
static_assert(is_arg<decltype(op_opt_arg_dat(number(), raw(), -1, OP_ID, 4, "double", OP_READ)), void, OP_RANGE_DIRECT,
                     4, unknown, OP_READ, true>);
static_assert(
    is_arg<decltype(op_arg_gbl(&variable, 1, "double", OP_INC)), double, OP_RANGE_GLOBAL, 1, unknown, OP_INC>);
static_assert(is_arg<decltype(op_arg_gbl(fixed_values, 3, "int", OP_READ)), int, OP_RANGE_GLOBAL, 3, unknown, OP_READ>);
static_assert(is_arg<decltype(op_arg_idx(-1, OP_ID)), int, OP_RANGE_INDEX, 1, unknown, OP_READ>);
static_assert(is_arg<decltype(op_arg_idx(number(), to_nodes())), int, unknown, 1, unknown, OP_READ>);
static_assert(std::is_same_v<decltype((op_arg_dat)(raw(), -1, OP_ID, 4, "double", OP_READ)), op_arg>);

// Which arguments are taken to share a dat and a map.
template <class... A>
using edge_groups =
    op2::detail::groups<op2::detail::types<std::enable_if_t<!std::is_void_v<A>, const double *>...>, A...>;
template <int Column, int Dim>
using through = op2::arg<double, OP_RANGE_INDIRECT, Dim, Column, OP_READ>;

using listed = edge_groups<through<0, 2>, through<1, 2>, through<0, 4>, through<1, 4>>;
static_assert(listed::leader(1) == 0 && listed::leader(2) == 2 && listed::leader(3) == 2);
static_assert(listed::stride(0) == 2 && listed::stride(3) == 2 && listed::shift(3) == 1);
using mixed = edge_groups<through<0, 4>, through<0, 4>, through<1, 4>, through<1, 4>, through<0, 1>>;
static_assert(mixed::leader(2) == 0 && mixed::leader(3) == 1 && mixed::stride(2) == 2 && mixed::stride(4) == 1);
using counted = edge_groups<through<unknown, 2>, through<unknown, 2>, through<unknown, 4>>;
static_assert(counted::leader(1) == 0 && counted::shift(1) == 1 && counted::stride(1) == 2 &&
              counted::stride(2) == unknown);

static_assert(!std::is_copy_constructible_v<op2::context> && std::is_move_constructible_v<op2::context>);
static_assert(!std::is_copy_constructible_v<op2::window<double>> && std::is_move_assignable_v<op2::window<double>>);
static_assert(!std::is_copy_constructible_v<op2::temp_dat<double, 1>> &&
              std::is_move_assignable_v<op2::temp_dat<double, 1>>);
static_assert(std::is_convertible_v<row4, op_dat> && std::is_convertible_v<op2::set, op_set>);
static_assert(std::is_convertible_v<op2::map, op_map> && !std::is_convertible_v<op_set, op2::set>);

} // namespace facts

namespace {

// ---- objects ------------------------------------------------------------------------------------------------

TEST_F(CppApi, ContextSetAndMap) {
  EXPECT_EQ(op_is_initialised(), 1);
  EXPECT_NE(std::string(context.backend()).find("seq"), std::string::npos);
  EXPECT_EQ(cells.size(), n);
  EXPECT_EQ(cells.global_size(), n);
  EXPECT_STREQ(cells.name(), "cells");
  EXPECT_EQ(ring.dim(), 2);
  EXPECT_STREQ(ring.name(), "ring");
  EXPECT_EQ(static_cast<op_set>(ring.from()), static_cast<op_set>(edges));
  EXPECT_EQ(static_cast<op_set>(ring.to()), static_cast<op_set>(cells));
  const std::vector<long long> wide = {0, 1};
  const op2::set two(2, "two");
  const op2::map back(two, edges, 1, wide, "back");
  EXPECT_EQ(op2::compose(back, ring, "back_ring").dim(), 2);

  op2::context moved(std::move(context));
  EXPECT_EQ(op_is_initialised(), 1);
  context = std::move(moved);
  EXPECT_EQ(op_is_initialised(), 1);
}

TEST_F(CppApi, DatIsFetchedAndPut) {
  EXPECT_EQ(q.dim(), 2);
  EXPECT_STREQ(q.name(), "q");
  EXPECT_EQ(q.fetch(), counting(2 * n, 1));
  EXPECT_EQ(q.fetch_range(3, 4), (std::vector<double>{7, 8, 9, 10}));
  std::vector<double> other = counting(2 * n, -5), out(other.size());
  q.put(other);
  q.fetch(out.data());
  EXPECT_EQ(out, other);
  q.put(counting(2 * n, 8).data());
  EXPECT_EQ(q.fetch(), counting(2 * n, 8));

  const op2::set two(2, "two");
  const op2::dat<int, 2> list(two, {1, 2, 3, 4}, "list");
  EXPECT_EQ(list.fetch(), (std::vector<int>{1, 2, 3, 4}));
  const op2::dat<float, 3> zeros(two, nullptr, "zeros");
  EXPECT_EQ(zeros.fetch(), std::vector<float>(6, 0));
  const op2::dat<unsigned> run_time(two, 2, {7, 6, 5, 4}, "run_time");
  EXPECT_EQ(run_time.dim(), 2);
  EXPECT_EQ(run_time.fetch(), (std::vector<unsigned>{7, 6, 5, 4}));
  const op2::dat<bool, 1> flags(two, {1, 0}, "flags");
  EXPECT_EQ(flags.fetch(), (std::vector<unsigned char>{1, 0}));
  const op2::dat<long long, 1> long_ints(two, {1LL << 40, -1}, "long_ints");
  EXPECT_EQ(long_ints.fetch()[0], 1LL << 40);
  const op2::dat<state, 1> states(two, {{1, 2}, {3, 4}}, "states");
  EXPECT_EQ(states.fetch()[1].pressure, 4);

  const op2::dat<double, 2> same(static_cast<op_dat>(q));
  EXPECT_EQ(same.fetch(), q.fetch());
}

TEST_F(CppApi, WindowOpensAndCloses) {
  {
    auto window = q.window(OP_RW);
    ASSERT_EQ(window.size(), n);
    ASSERT_EQ(window.dim(), 2);
    EXPECT_EQ(window[3][1], 8);
    EXPECT_EQ(window.data() + 6, window[3]);
    window[3][1] = -8;
    const auto moved = std::move(window);
    EXPECT_EQ(moved[3][1], -8);
  }
  auto again = q.window(OP_READ);
  EXPECT_EQ(again[3][1], -8);
  again.release();
  EXPECT_EQ(again.data(), nullptr);
  EXPECT_EQ(q.fetch()[7], -8);
}

TEST_F(CppApi, TemporaryDatIsFreed) {
  {
    op2::temp_dat<double, 3> scratch(cells, "scratch");
    EXPECT_EQ(scratch.fetch(), std::vector<double>(3 * n, 0));
    const op2::temp_dat<double, 3> moved = std::move(scratch);
    EXPECT_EQ(static_cast<op_dat>(scratch), nullptr);
    EXPECT_EQ(moved.dim(), 3);
  }
  const op2::temp_dat<float> again(cells, 2, "scratch"); // the name is free again
  EXPECT_EQ(again.dim(), 2);
}

TEST(CppApiLife, TemporaryDatOutlivesItsContext) {
  op2::context context("seq");
  const op2::set cells(3, "cells");
  const op2::temp_dat<double, 1> scratch(cells, "scratch");
  context = op2::context(std::move(context));
  { const op2::context ends = std::move(context); }
  EXPECT_EQ(op_is_initialised(), 0);
  const op2::context next("seq");
} // scratch is destroyed quietly

TEST(CppApiLife, UnknownBackEnd) {
  op_set_error_handler(op_error_return, nullptr);
  try {
    const op2::context context("no_such_back_end");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const op2::error &error) {
    EXPECT_EQ(error.code(), OP_ERR_BACKEND);
    EXPECT_NE(std::string(error.what()).find("no_such_back_end"), std::string::npos);
  }
  EXPECT_EQ(op_is_initialised(), 0);
  op_set_error_handler(nullptr, nullptr);
}

TEST_F(CppApi, ConstantsAreDeclared) {
  const double values[3] = {1, 2, 3};
  const std::array<int, 2> pair = {4, 5};
  op2::constant("gam", 1.4);
  op2::constant("values", values);
  op2::constant("pair", pair);
  op2::constant("values", values, 2);
  op2::constant("far", state{1, 2});
  EXPECT_EQ(op_last_status(), OP_OK);
}

// ---- errors -------------------------------------------------------------------------------------------------

void twice(const double *in, double *out) { *out = 2 * in[0]; }

class CppErrors : public CppApi {
 protected:
  void SetUp() override { op_set_error_handler(op_error_return, nullptr); }
  void TearDown() override { op_set_error_handler(nullptr, nullptr); }

  template <class Call>
  static op_status code_of(const Call &call) {
    try {
      call();
    } catch (const op2::error &error) {
      EXPECT_STRNE(error.what(), "");
      return error.code();
    }
    return OP_OK;
  }
};

TEST_F(CppErrors, DeclarationsThrow) {
  EXPECT_EQ(code_of([] { op2::set(-1, "negative"); }), OP_ERR_ARGUMENT);
  EXPECT_EQ(code_of([&] { op2::map(edges, cells, 2, std::vector<int>(2 * n, n), "outside"); }), OP_ERR_RANGE);
  EXPECT_EQ(code_of([&] { op2::map(edges, cells, 2, std::vector<int>(7), "short"); }), OP_ERR_ARGUMENT);
  EXPECT_EQ(code_of([&] { op2::map(edges, cells, 2, {0, 1}, "in braces, short"); }), OP_ERR_ARGUMENT);
  EXPECT_EQ(code_of([&] { op2::dat<double, 2>(cells, std::vector<double>(3), "short"); }), OP_ERR_ARGUMENT);
  EXPECT_EQ(code_of([] { op2::dat<double, 2>(nullptr, nullptr, "no set"); }), OP_ERR_HANDLE);
  EXPECT_EQ(code_of([&] { op2::dat<float, 2>(static_cast<op_dat>(q)); }), OP_ERR_TYPE);
  EXPECT_EQ(code_of([&] { op2::dat<double, 3>(static_cast<op_dat>(q)); }), OP_ERR_DIM);
  EXPECT_EQ(code_of([] { op2::context("no such back end"); }), OP_ERR_STATE);
}

TEST_F(CppErrors, DataAccessThrows) {
  EXPECT_EQ(code_of([&] { (void)q.fetch_range(5, n); }), OP_ERR_RANGE);
  EXPECT_EQ(code_of([&] { q.put(std::vector<double>(3)); }), OP_ERR_ARGUMENT);
  const auto window = q.window(OP_READ);
  EXPECT_EQ(code_of([&] { (void)q.window(OP_READ); }), OP_ERR_STATE);
}

TEST_F(CppErrors, ChainsThrow) {
  EXPECT_THROW(op2::chain(nullptr), op2::error);
  {
    op2::chain chain("chain");
    chain.end();
    chain.end(); // does nothing
    EXPECT_EQ(op_chain_end(), OP_ERR_STATE);
  }
  EXPECT_EQ(op_chain_end(), OP_ERR_STATE);
}

TEST_F(CppErrors, GlobalsThrow) {
  EXPECT_EQ(code_of([] { (void)op2::global<double>().fetch(); }), OP_ERR_HANDLE);
  EXPECT_EQ(code_of([] { op2::global<double>().put(1); }), OP_ERR_HANDLE);
  EXPECT_EQ(code_of([] { op2::global<double>(nullptr); }), OP_ERR_ARGUMENT);
}

TEST_F(CppErrors, LoopsReturnTheirStatus) {
  const op2::dat<double, 1> out(cells, nullptr, "out");
  EXPECT_EQ(op_par_loop(twice, "no set", nullptr, op2::read(q), op2::write(out)), OP_ERR_HANDLE);
  EXPECT_EQ(op_par_loop(twice, "other set", edges, op2::read(q), op2::write(out)), OP_ERR_SET);
  EXPECT_EQ(op_par_loop(twice, "column", edges, op2::read(q, 2, ring), op2::write(w)), OP_ERR_RANGE);
  EXPECT_EQ(op_par_loop(twice, "dim", cells, op_arg_dat(q, -1, OP_ID, 3, "double", OP_READ), op2::write(out)),
            OP_ERR_DIM);
  EXPECT_EQ(op_par_loop(twice, "type", cells, op_arg_dat(q, -1, OP_ID, 2, "float", OP_READ), op2::write(out)),
            OP_ERR_TYPE);
  EXPECT_EQ(
      code_of([&] {
        op2::check(op_par_loop(twice, "dim", cells, op_arg_dat(q, -1, OP_ID, 3, "double", OP_READ), op2::write(out)));
      }),
      OP_ERR_DIM);
  EXPECT_EQ(out.fetch(), std::vector<double>(n, 0));
}

TEST_F(CppErrors, KernelOfOtherTypeIsNoticed) {
  const op_dat raw_q = q;
  float sum = 0;
  EXPECT_EQ(op_par_loop([](const float *x, float *s) { *s += *x; }, "floats", cells,
                        op_arg_dat(raw_q, -1, OP_ID, 2, "double", OP_READ), op2::gbl_inc(&sum)),
            OP_ERR_TYPE);
}

} // namespace

// SPDX-License-Identifier: MIT
