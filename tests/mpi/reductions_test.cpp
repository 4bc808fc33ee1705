// reductions_test.cpp: every type and operation, and records of any kind, in the order of ranks and in the promised
// shape.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "support.hpp"

namespace mpi {
namespace {

// What the tree makes of the values of ranks first, first + 1, ... before first + width.
template <class T, class Operation>
T tree(const std::vector<T> &values, std::size_t first, std::size_t width, const Operation &operation) {
  if (width == 1) return values[first];
  const std::size_t half = width / 2, second = first + half;
  const T a = tree(values, first, half, operation);
  return second < values.size() ? operation(a, tree(values, second, half, operation)) : a;
}

template <class T, class Operation>
T tree(const std::vector<T> &values, const Operation &operation) {
  std::size_t width = 1;
  while (width < values.size()) width *= 2;
  return tree(values, 0, width, operation);
}

template <class T>
T value(std::mt19937 &generator) {
  if constexpr (std::is_same_v<T, bool>)
    return below(generator, 4) == 0;
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(below(generator, 2'000'001) - 1'000'000) / static_cast<T>(977);
  else
    return static_cast<T>(below(generator, 2001) - 1000); // of unsigned types: very large ones
}

template <class T>
void check_type(Job &job, op_type_id type, std::size_t count) {
  const std::size_t processes = static_cast<std::size_t>(job.size()), rank = static_cast<std::size_t>(job.rank());
  std::vector<std::vector<T>> of_value(count); // [value][process]
  for (std::size_t p = 0; p < processes; ++p) {
    std::mt19937 generator = random(p, type, count);
    for (std::size_t i = 0; i < count; ++i) of_value[i].push_back(value<T>(generator));
  }
  const std::function<T(T, T)> operations[3] = {[](T a, T b) {
                                                  if constexpr (std::is_same_v<T, bool>)
                                                    return a || b;
                                                  else
                                                    return static_cast<T>(a + b);
                                                },
                                                [](T a, T b) { return std::min(a, b); },
                                                [](T a, T b) { return std::max(a, b); }};
  for (const int operation : {OP_COMM_SUM, OP_COMM_MIN, OP_COMM_MAX}) {
    const std::unique_ptr<T[]> data(new T[count + 1]);
    for (std::size_t i = 0; i < count; ++i) data[i] = of_value[i][rank];
    job->allreduce(data.get(), count, type, operation);
    for (std::size_t i = 0; i < count; ++i) {
      const T expected = tree(of_value[i], operations[operation]);
      ASSERT_EQ(0, std::memcmp(&expected, &data[i], sizeof(T)))
          << "type " << type << ", operation " << operation << ", value " << i << ": " << data[i] << " instead of "
          << expected;
    }
  }
}

TEST(Reductions, EveryTypeAndOperationInTheShapeOfTheTree) {
  Job job;
  for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
    check_type<double>(job, OP_TYPE_DOUBLE, count);
    check_type<float>(job, OP_TYPE_FLOAT, count);
    check_type<int>(job, OP_TYPE_INT, count);
    check_type<unsigned>(job, OP_TYPE_UINT, count);
    check_type<long long>(job, OP_TYPE_LL, count);
    check_type<unsigned long long>(job, OP_TYPE_ULL, count);
    check_type<bool>(job, OP_TYPE_BOOL, count);
  }
}

TEST(Reductions, LongArraysGoInPieces) {
  Job job;
  std::vector<double> data(400'001); // 3.2 MB
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<double>(i) + job.rank();
  job->allreduce(data.data(), data.size(), OP_TYPE_DOUBLE, OP_COMM_MAX);
  for (std::size_t i = 0; i < data.size(); ++i)
    ASSERT_EQ(static_cast<double>(i) + job.size() - 1, data[i]) << "value " << i;
}

TEST(Reductions, SumsHaveTheSameBitsEverywhere) {
  Job job;
  for (int round = 0; round < 50; ++round) {
    std::mt19937 generator = random(job.rank(), round);
    double sum = value<double>(generator);
    job->allreduce(&sum, 1, OP_TYPE_DOUBLE, OP_COMM_SUM);
    job.expect_same_everywhere(sum);
  }
}

TEST(Reductions, OverflowWrapsAround) {
  Job job;
  int largest = std::numeric_limits<int>::max();
  const unsigned expected = static_cast<unsigned>(largest) * static_cast<unsigned>(job.size());
  job->allreduce(&largest, 1, OP_TYPE_INT, OP_COMM_SUM);
  EXPECT_EQ(static_cast<int>(expected), largest);
}

TEST(Reductions, UserTypesNeedRecords) {
  Job job;
  char bytes[8] = {};
  try {
    job->allreduce(bytes, 1, OP_TYPE_USER, OP_COMM_SUM);
    ADD_FAILURE() << "accepted";
  } catch (const Error &error) {
    EXPECT_EQ(OP_ERR_TYPE, error.code);
    EXPECT_NE(std::string::npos, std::string(error.what()).find("allreduce_record")) << error.what();
  }
}

// Text of some length in a record of fixed size. Order matters.
struct Text {
  int length = 0;
  char letters[200] = {};
  static void append(void *calls, void *into, const void *later) {
    Text &a = *static_cast<Text *>(into);
    const Text &b = *static_cast<const Text *>(later);
    std::memcpy(a.letters + a.length, b.letters, static_cast<std::size_t>(b.length));
    a.length += b.length;
    ++*static_cast<int *>(calls);
  }
};

TEST(Records, AreCombinedInTheOrderOfRanks) {
  Job job;
  for (int round = 0; round < 100; ++round) {
    std::string expected;
    for (int p = 0; p < job.size(); ++p) expected += std::to_string(p * round) + ".";
    const std::string own = std::to_string(job.rank() * round) + ".";
    Text text;
    text.length = static_cast<int>(own.size());
    std::memcpy(text.letters, own.data(), own.size());
    int calls = 0;
    job->allreduce_record(&text, sizeof text, Text::append, &calls);
    ASSERT_EQ(expected, std::string(text.letters, static_cast<std::size_t>(text.length)));
    // Each record once; or on processors of one kind on each process that needs it, as often as the tree is high; or in
    // shared memory, where all see all records, by each process.
    int high = 0;
    while (1 << high < job.size()) ++high;
    const bool doubled = 1 << high == job.size() && job->min(calls) == high && job->max(calls) == high;
    const bool all = job->min(calls) == job.size() - 1 && job->max(calls) == job.size() - 1;
    EXPECT_TRUE(doubled || all || job->sum(calls) == job.size() - 1) << calls << " of " << job->sum(calls);
  }
}

TEST(Records, OfAnyLength) {
  Job job;
  const auto add = [](void *context, void *into, const void *later) {
    for (std::size_t i = 0; i < *static_cast<std::size_t *>(context); ++i)
      static_cast<long long *>(into)[i] += static_cast<const long long *>(later)[i];
  };
  for (std::size_t count : {0u, 1u, 7u, 4096u, 300'000u}) {
    std::vector<long long> values(count + 1, job.rank());
    values[count] = -1; // behind the record
    job->allreduce_record(values.data(), count * sizeof(long long), add, &count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(job.size() * (job.size() - 1) / 2, values[i]) << i;
    EXPECT_EQ(-1, values[count]);
  }
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
