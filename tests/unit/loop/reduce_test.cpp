// reduce_test.cpp: global reductions: the record's layout, combining partial results, ties, payloads, against plain
// loops.
#include "loop/reduce/reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <random>

namespace op2::core {
namespace {

// The arguments of a loop, with the variables they belong to.
struct Arguments {
  std::vector<LoopArg> checked;
  std::vector<op_arg> given;
  std::deque<std::vector<char>> variables;

  template <class T, class Values = std::initializer_list<T>>
  std::size_t global(const char *type, op_access access, const Values &values) {
    LoopArg arg;
    arg.kind = OP_RANGE_GLOBAL;
    arg.access = access;
    arg.element = parse_type(type);
    if (!arg.element.builtin()) arg.element.size = sizeof(T);
    arg.dim = static_cast<int>(std::size(values));
    return add(arg, std::data(values), sizeof(T) * std::size(values));
  }
  template <class T, class Values = std::initializer_list<T>>
  std::size_t payload(std::size_t extremum, const char *type, const Values &values) {
    const std::size_t i = global<T, Values>(type, checked[extremum].access, values);
    checked[i].payload_of = static_cast<int>(extremum);
    return i;
  }
  template <class T>
  std::vector<T> value(std::size_t i) const {
    std::vector<T> out(variables[i].size() / sizeof(T));
    std::memcpy(out.data(), variables[i].data(), variables[i].size());
    return out;
  }

 private:
  std::size_t add(const LoopArg &arg, const void *values, std::size_t bytes) {
    checked.push_back(arg);
    const char *from = static_cast<const char *>(values);
    variables.emplace_back(from, from + bytes);
    op_arg given_arg{};
    given_arg.data = variables.back().data();
    given.push_back(given_arg);
    return checked.size() - 1;
  }
};

// A partial result as an executor makes it: a copy of the start record, in which a place can be changed.
class Record {
 public:
  Record(const Reduction &reduction, ReductionRun &run)
      : reduction_(reduction), run_(run), bytes_(run.start(), run.start() + size()) {}
  template <class T>
  T *place(int number) {
    return reinterpret_cast<T *>(bytes_.data() + reduction_.table()->offset[number]);
  }
  void combine_into_result() { reduction_.table()->combine(reduction_.table(), run_.result(), bytes_.data()); }

 private:
  std::size_t size() const { return reduction_.table()->record_bytes; }
  const Reduction &reduction_;
  ReductionRun &run_;
  std::vector<char> bytes_;
};

TEST(Reduction, LoopWithoutReducedArgumentsHasNone) {
  Arguments args;
  args.global<double>("double", OP_READ, {1, 2});
  args.checked.emplace_back(); // an argument that is off
  LoopArg row;
  row.kind = OP_RANGE_DIRECT;
  row.access = OP_INC;
  args.checked.push_back(row);
  const Reduction reduction(args.checked);
  EXPECT_TRUE(reduction.empty());
  EXPECT_EQ(nullptr, reduction.table());
  EXPECT_TRUE(Reduction(std::span<const LoopArg>{}).empty());
}

TEST(Reduction, RecordHasAPlaceForEachReducedArgument) {
  Arguments args;
  args.global<float>("float", OP_INC, {0, 0, 0});
  args.global<double>("double", OP_READ, {1});
  args.global<bool>("bool", OP_MAX, {false});
  args.global<double>("double", OP_MIN, std::vector<double>(9));
  const Reduction reduction(args.checked);
  const op_exec_reduce &table = *reduction.table();
  EXPECT_EQ(sizeof(op_exec_reduce), table.size);
  ASSERT_EQ(3, table.count);
  EXPECT_EQ(std::vector<std::int32_t>({0, 2, 3}), std::vector<std::int32_t>(table.arg, table.arg + 3));
  EXPECT_EQ(0u, table.record_bytes % 64);
  const std::size_t bytes[] = {12, 1, 72};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(0u, table.offset[i] % 16) << "place " << i << " is not aligned for every scalar";
    EXPECT_LE(table.offset[i] + bytes[i], i < 2 ? table.offset[i + 1] : table.record_bytes) << "place " << i;
  }
}

TEST(Reduction, StartsFromWhatChangesNothing) {
  op_reduction_core product{"product", parse_type("double"), nullptr, {}};
  const double one = 1;
  product.identity.assign(reinterpret_cast<const char *>(&one), reinterpret_cast<const char *>(&one) + sizeof one);
  Arguments args;
  args.global<double>("double", OP_INC, {5, 6});
  args.global<int>("int", OP_MIN, {7});
  const std::size_t reduced = args.global<double>("double", OP_REDUCE, {3, 4});
  args.checked[reduced].reduction = &product;
  args.payload<int>(1, "int", {42});
  const Reduction reduction(args.checked);
  ReductionRun run(reduction);
  run.begin(args.given);
  Record record(reduction, run);
  EXPECT_EQ(0, record.place<double>(0)[0]);
  EXPECT_EQ(0, record.place<double>(0)[1]);
  EXPECT_EQ(7, *record.place<int>(1));
  EXPECT_EQ(1, record.place<double>(2)[0]); // the identity, for each component
  EXPECT_EQ(1, record.place<double>(2)[1]);
  EXPECT_EQ(42, *record.place<int>(3));
}

TEST(Reduction, WithoutElementsTheVariablesKeepTheirValues) {
  Arguments args;
  const std::size_t sum = args.global<double>("double", OP_INC, {5});
  const std::size_t least = args.global<int>("int", OP_MIN, {7});
  const std::size_t where = args.payload<int>(least, "int", {42});
  const Reduction reduction(args.checked);
  ReductionRun run(reduction);
  run.begin(args.given);
  run.finish(args.given);
  EXPECT_EQ(std::vector<double>({5}), args.value<double>(sum));
  EXPECT_EQ(std::vector<int>({7}), args.value<int>(least));
  EXPECT_EQ(std::vector<int>({42}), args.value<int>(where));
}

TEST(Reduction, RunsAgainFromTheNewValues) {
  Arguments args;
  const std::size_t sum = args.global<double>("double", OP_INC, {1});
  const Reduction reduction(args.checked);
  ReductionRun run(reduction);
  for (int times = 0; times < 3; ++times) {
    run.begin(args.given);
    Record record(reduction, run);
    *record.place<double>(0) += 10;
    record.combine_into_result();
    run.finish(args.given);
  }
  EXPECT_EQ(std::vector<double>({31}), args.value<double>(sum));
}

TEST(Reduction, FirstOfEqualExtremaKeepsItsPayload) {
  for (const op_access access : {OP_MIN, OP_MAX}) {
    Arguments args;
    const std::size_t extremum = args.global<int>("int", access, {access == OP_MIN ? 100 : -100});
    const std::size_t where = args.payload<int>(extremum, "int", {-1});
    const Reduction reduction(args.checked);
    ReductionRun run(reduction);
    run.begin(args.given);
    for (int element = 0; element < 5; ++element) { // elements 2 and 4 share the extremum
      Record record(reduction, run);
      *record.place<int>(0) = element % 2 ? 50 : element == 0 ? 60 : access == OP_MIN ? 3 : 97;
      *record.place<int>(1) = element;
      record.combine_into_result();
    }
    run.finish(args.given);
    EXPECT_EQ(std::vector<int>({access == OP_MIN ? 3 : 97}), args.value<int>(extremum));
    EXPECT_EQ(std::vector<int>({2}), args.value<int>(where)) << "access " << access;
  }
}

TEST(Reduction, EqualToTheStartKeepsThePayloadOfTheProgram) {
  Arguments args;
  const std::size_t extremum = args.global<double>("double", OP_MAX, {8});
  const std::size_t where = args.payload<int>(extremum, "int", {-1});
  const Reduction reduction(args.checked);
  ReductionRun run(reduction);
  run.begin(args.given);
  Record record(reduction, run);
  *record.place<double>(0) = 8;
  *record.place<int>(1) = 4;
  record.combine_into_result();
  run.finish(args.given);
  EXPECT_EQ(std::vector<int>({-1}), args.value<int>(where));
}

TEST(Reduction, PayloadFollowsItsOwnComponent) {
  struct Place { // a user type may travel too
    char name[3];
  };
  Arguments args;
  const std::size_t most = args.global<double>("double", OP_MAX, {0, 0, 0});
  const std::size_t least = args.global<double>("double", OP_MIN, {9, 9, 9});
  const std::size_t pairs = args.payload<int>(most, "int", std::vector<int>(6)); // two for each component
  const std::size_t places = args.payload<Place>(most, "place", std::vector<Place>(3));
  const std::size_t other = args.payload<int>(least, "int", {0, 0, 0});
  const Reduction reduction(args.checked);
  ReductionRun run(reduction);
  run.begin(args.given);
  for (int element = 0; element < 3; ++element) { // element e is the best of component e only
    Record record(reduction, run);
    for (int c = 0; c < 3; ++c) {
      record.place<double>(0)[c] = c == element ? 5 : 1;
      record.place<double>(1)[c] = 20; // never better
      record.place<int>(2)[2 * c] = 10 * element;
      record.place<int>(2)[2 * c + 1] = 10 * element + 1;
      std::memcpy(record.place<Place>(3)[c].name, element == 0 ? "a0" : element == 1 ? "b1" : "c2", 3);
      record.place<int>(4)[c] = 77;
    }
    record.combine_into_result();
  }
  run.finish(args.given);
  EXPECT_EQ(std::vector<double>({5, 5, 5}), args.value<double>(most));
  EXPECT_EQ(std::vector<double>({9, 9, 9}), args.value<double>(least));
  EXPECT_EQ(std::vector<int>({0, 1, 10, 11, 20, 21}), args.value<int>(pairs));
  EXPECT_EQ(std::vector<int>({0, 0, 0}), args.value<int>(other));
  const std::vector<Place> got = args.value<Place>(places);
  EXPECT_STREQ("a0", got[0].name);
  EXPECT_STREQ("b1", got[1].name);
  EXPECT_STREQ("c2", got[2].name);
}

TEST(Reduction, OfTheProgramsOwnKeepsTheOrder) {
  // Joining digits is associative but not commutative: "first the earlier ones" shows.
  op_reduction_core join{"join", parse_type("ll"), nullptr, {}};
  const long long empty = 1; // a leading one marks the length
  join.identity.assign(reinterpret_cast<const char *>(&empty), reinterpret_cast<const char *>(&empty) + sizeof empty);
  join.combine = [](void *into, const void *from, int dim) {
    for (int i = 0; i < dim; ++i) {
      long long a, b;
      std::memcpy(&a, static_cast<char *>(into) + 8 * i, 8);
      std::memcpy(&b, static_cast<const char *>(from) + 8 * i, 8);
      long long scale = 1;
      while (b >= 10 * scale) scale *= 10;
      a = a * scale + (b - scale);
      std::memcpy(static_cast<char *>(into) + 8 * i, &a, 8);
    }
  };
  Arguments args;
  const std::size_t digits = args.global<long long>("ll", OP_REDUCE, {17, 18});
  args.checked[digits].reduction = &join;
  const Reduction reduction(args.checked);
  ReductionRun run(reduction);
  run.begin(args.given);
  for (const long long part : {123LL, 14LL, 1LL, 156LL}) {
    Record record(reduction, run);
    record.place<long long>(0)[0] = record.place<long long>(0)[1] = part;
    record.combine_into_result();
  }
  run.finish(args.given);
  EXPECT_EQ(std::vector<long long>({1723456, 1823456}), args.value<long long>(digits));
}

// ---- all types against plain loops ---------------------------------------------------------------------------------

template <class T>
class OfType : public testing::Test {};
using BuiltinTypes = testing::Types<double, float, int, unsigned, long long, unsigned long long, bool>;
TYPED_TEST_SUITE(OfType, BuiltinTypes);

template <class T>
const char *name_of() {
  if (std::is_same_v<T, double>) return "double";
  if (std::is_same_v<T, float>) return "float";
  if (std::is_same_v<T, int>) return "int";
  if (std::is_same_v<T, unsigned>) return "uint";
  if (std::is_same_v<T, long long>) return "ll";
  if (std::is_same_v<T, unsigned long long>) return "ull";
  return "bool";
}

TYPED_TEST(OfType, AgreesWithAPlainLoop) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const auto value = [&] { return static_cast<T>(random() % 50); }; // small whole numbers: sums are exact
    T sum = value(), least = value(), most = value();
    int where = -1;
    Arguments args;
    args.global<T>(name_of<T>(), OP_INC, {sum});
    args.global<T>(name_of<T>(), OP_MIN, {least});
    args.global<T>(name_of<T>(), OP_MAX, {most});
    args.payload<int>(2, "int", {where});
    const Reduction reduction(args.checked);
    ReductionRun run(reduction);
    run.begin(args.given);
    int element = 0;
    for (std::size_t block = random() % 6; block > 0; --block) {
      Record record(reduction, run);
      for (std::size_t i = random() % 4; i > 0; --i, ++element) {
        const T v = value();
        sum = std::is_same_v<T, bool> ? static_cast<T>(sum || v) : static_cast<T>(sum + v);
        least = std::min(least, v);
        if (most < v) most = v, where = element;
        T &partial = *record.template place<T>(0);
        partial = std::is_same_v<T, bool> ? static_cast<T>(partial || v) : static_cast<T>(partial + v);
        *record.template place<T>(1) = std::min(*record.template place<T>(1), v);
        if (*record.template place<T>(2) < v)
          *record.template place<T>(2) = v, *record.template place<int>(3) = element;
      }
      record.combine_into_result();
    }
    run.finish(args.given);
    T got[3];
    for (std::size_t i = 0; i < 3; ++i) std::memcpy(&got[i], args.variables[i].data(), sizeof(T));
    ASSERT_EQ(sum, got[0]) << "seed " << seed;
    ASSERT_EQ(least, got[1]) << "seed " << seed;
    ASSERT_EQ(most, got[2]) << "seed " << seed;
    ASSERT_EQ(std::vector<int>({where}), args.value<int>(3)) << "seed " << seed;
  }
}

// ---- with OP2_REPRODUCIBLE=1: processes that own some elements each, in an order of their own

std::vector<double> terms;            // of the kernel, by number
thread_local std::vector<int> places; // number of each element of the process that runs

// One element after another, as the program's own code does: a sum, and the least term's sign with its number.
void some_kernel(const op_range_ctx *ctx, int begin, int end) {
  for (int n = begin; n < end; ++n) {
    const int number = places[static_cast<std::size_t>(n)];
    const double term = terms[static_cast<std::size_t>(number)];
    *reinterpret_cast<double *>(ctx->args[0].base) += term;
    *reinterpret_cast<int *>(ctx->args[1].base) += 1;
    if (term < 0 && *reinterpret_cast<float *>(ctx->args[2].base) > -1) {
      *reinterpret_cast<float *>(ctx->args[2].base) = -1;
      *reinterpret_cast<int *>(ctx->args[3].base) = number;
    }
  }
}

// The same for code that gets rows.
void some_code(const op_range_ctx *ctx, int begin, int end) {
  for (int n = begin; n < end; ++n) {
    op_range_arg args[4];
    for (int i = 0; i < 4; ++i) {
      args[i] = ctx->args[i];
      args[i].base += n * args[i].stride;
    }
    op_range_ctx one = *ctx;
    one.args = args;
    some_kernel(&one, n, n + 1);
  }
}

struct Results {
  double sum = 0.1;
  int count = 7;
  float least = 5;
  int where = -3;
  bool operator==(const Results &other) const { // bits, but not those between the members
    return std::memcmp(&sum, &other.sum, sizeof sum) == 0 && std::memcmp(&least, &other.least, sizeof least) == 0 &&
           count == other.count && where == other.where;
  }
};

// owners[number]: its process. Blocks of each process are combined in any order, and so are processes.
Results results_of(const std::vector<int> &owners, int processes, bool by_rows, std::mt19937 &random) {
  Arguments args;
  const Results start;
  args.global<double>("double", OP_INC, {start.sum});
  args.global<int>("int", OP_INC, {start.count});
  args.global<float>("float", OP_MIN, {start.least});
  args.payload<int>(2, "int", {start.where});
  std::vector<char> all;
  std::deque<Reduction> reductions;
  std::deque<ReductionRun> runs;
  for (int process = 0; process < processes; ++process) {
    std::vector<op_gindex> global;
    for (std::size_t n = 0; n < owners.size(); ++n)
      if (owners[n] == process) global.push_back(static_cast<op_gindex>(n));
    std::shuffle(global.begin(), global.end(), random);
    places.assign(global.begin(), global.end());
    ElementNumbers numbers;
    numbers.global = global;
    numbers.own = static_cast<int>(global.size());
    const Reduction &reduction = reductions.emplace_back(args.checked, numbers, true);
    ReductionRun &run = runs.emplace_back(reduction);
    run.begin(args.given);
    const ReducedRange code = reduction.wrap(by_rows ? some_code : some_kernel, by_rows && reduction.by_rows());
    run.use(code);
    if (all.empty()) all.assign(run.start(), run.start() + reduction.bytes());
    for (int begin = 0, end = 0; begin < numbers.own; begin = end) {
      end = std::min(begin + 1 + static_cast<int>(random() % 700), numbers.own);
      std::vector<char> record(run.start(), run.start() + reduction.bytes());
      op_range_arg places_in_record[4] = {};
      for (int i = 0; i < 4; ++i) {
        places_in_record[i].kind = OP_RANGE_GLOBAL;
        places_in_record[i].access = args.checked[static_cast<std::size_t>(i)].access;
        places_in_record[i].base = record.data() + reduction.table()->offset[i];
      }
      const op_range_ctx ctx{sizeof ctx, places_in_record, 4, 0, nullptr, nullptr};
      code.call(&ctx, begin, end);
      const bool first = random() % 2 == 0;
      std::vector<char> &into = first ? record : all, &later = first ? all : record;
      reduction.table()->combine(reduction.table(), into.data(), later.data());
      if (first) all = record;
    }
  }
  std::memcpy(runs.front().result(), all.data(), all.size());
  runs.front().finish(args.given);
  return {args.value<double>(0)[0], args.value<int>(1)[0], args.value<float>(2)[0], args.value<int>(3)[0]};
}

TEST(ExactReduction, DependsOnNeitherOrderNorOwners) {
  std::mt19937 random(11);
  terms.clear();
  for (int n = 0; n < 3000; ++n)
    terms.push_back(
        std::ldexp(static_cast<double>(random() % 4096) - (n < 90 ? 0 : 2048), static_cast<int>(random() % 90)));
  Results wanted;
  long double sum = 0; // far from exact
  for (const double term : terms) sum += term;
  std::optional<Results> first;
  for (const int processes : {1, 2, 5})
    for (const bool by_rows : {false, true}) {
      std::vector<int> owners(terms.size());
      for (int &owner : owners) owner = static_cast<int>(random() % static_cast<unsigned>(processes));
      const Results found = results_of(owners, processes, by_rows, random);
      if (!first) first = found;
      EXPECT_TRUE(found == *first) << processes << " processes: " << found.sum << " at " << found.where;
    }
  EXPECT_NEAR(1, first->sum / static_cast<double>(sum), 1e-9);
  EXPECT_EQ(wanted.count + 3000, first->count);
  EXPECT_EQ(-1, first->least);
  int lowest = 0;
  while (terms[static_cast<std::size_t>(lowest)] >= 0) ++lowest;
  EXPECT_EQ(lowest, first->where); // of all that tie
}

TEST(ExactReduction, WithoutElementsTheVariablesKeepTheirValues) {
  std::mt19937 random(1);
  EXPECT_TRUE(results_of({}, 1, false, random) == Results());
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
