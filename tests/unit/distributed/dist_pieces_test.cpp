// dist_pieces_test.cpp: what halos are made with: groups of messages, global numbers to rows, the directory that is
// spread over the ranks, and agreement between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "distributed/directory.hpp"
#include "distributed/global_index.hpp"
#include "distributed/groups.hpp"
#include "host/agreement.hpp"
#include "ranks.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::contains;
using unit::lacks;
using unit::run_ranks;
using unit::thrown_by;

using Random = std::mt19937_64;
int below(Random &random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// --- groups ---

TEST(Groups, of_nothing) {
  const std::vector<std::vector<int>> empty_ones = {{}, {-1, -1, -5}};
  for (const std::vector<int> &ranks : empty_ones) {
    const Groups groups = group_by_rank(ranks);
    EXPECT_EQ(groups.count(), 0);
    EXPECT_EQ(groups.offset, std::vector<std::size_t>{0});
    EXPECT_TRUE(groups.order.empty());
  }
}

TEST(Groups, keep_the_order_of_items) {
  const std::vector<int> ranks = {7, 2, -1, 7, 0, 2, 2, -1, 7};
  const Groups groups = group_by_rank(ranks);
  EXPECT_EQ(groups.ranks, (std::vector<int>{0, 2, 7}));
  EXPECT_EQ(groups.offset, (std::vector<std::size_t>{0, 1, 4, 7}));
  EXPECT_EQ(groups.order, (std::vector<int>{4, 1, 5, 6, 0, 3, 8}));
  EXPECT_EQ(std::vector<int>(groups.items(1).begin(), groups.items(1).end()), (std::vector<int>{1, 5, 6}));
}

TEST(Groups, of_random_items) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> ranks(static_cast<std::size_t>(below(random, 200)));
    const int most = 1 + below(random, 40);
    for (int &rank : ranks) rank = below(random, most + 1) - 1;
    std::map<int, std::vector<int>> wanted;
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (ranks[i] >= 0) wanted[ranks[i]].push_back(static_cast<int>(i));
    const Groups groups = group_by_rank(ranks);
    ASSERT_EQ(groups.count(), static_cast<int>(wanted.size()));
    int g = 0;
    for (const auto &[rank, items] : wanted) {
      EXPECT_EQ(groups.ranks[static_cast<std::size_t>(g)], rank);
      EXPECT_TRUE(std::ranges::equal(groups.items(g++), items));
    }
  }
}

// Each rank sends words (from, to, count) to random ranks, and gets back the sum of those of each sender.
TEST(Groups, are_posted_and_answered) {
  struct Word {
    int from, to, count;
  };
  for (int processes = 1; processes <= 5; ++processes)
    run_ranks(processes, [&](Communicator &ranks) {
      Random random(static_cast<unsigned>(ranks.rank()));
      std::vector<Word> words;
      std::vector<int> to;
      std::map<int, long long> sums;
      for (int i = below(random, 30); i > 0; --i) {
        to.push_back(below(random, ranks.size() + 1) - 1);
        words.push_back({ranks.rank(), to.back(), i});
        if (to.back() >= 0) sums[to.back()] += i;
      }
      const Groups groups = group_by_rank(to);
      const SparseMessages received = post<Word>(ranks, groups, words);
      std::vector<long long> values;
      for (int m = 0; m < received.count(); ++m) {
        long long sum = 0;
        int last = 1000;
        for (const Word &word : received.values<Word>(m)) {
          EXPECT_EQ(word.from, received.sender(m));
          EXPECT_EQ(word.to, ranks.rank());
          EXPECT_LT(word.count, last); // as they were sent
          last = word.count;
          sum += word.count;
        }
        values.push_back(sum);
        values.push_back(-sum);
      }
      const SparseMessages answers = answer(ranks, received, values, [](int) { return 2; });
      ASSERT_EQ(answers.count(), groups.count());
      for (int m = 0; m < answers.count(); ++m) {
        EXPECT_EQ(answers.sender(m), groups.ranks[static_cast<std::size_t>(m)]);
        ASSERT_EQ(answers.values<long long>(m).size(), 2u);
        EXPECT_EQ(answers.values<long long>(m)[0], sums[answers.sender(m)]);
        EXPECT_EQ(answers.values<long long>(m)[1], -sums[answers.sender(m)]);
      }
    });
}

// --- global numbers to rows ---

// Looks up numbers in and around those that are there.
void expect_same(const GlobalIndex &index, const std::map<op_gindex, int> &wanted, Random &random) {
  const auto row = [&](op_gindex number) {
    const auto at = wanted.find(number);
    return at == wanted.end() ? -1 : at->second;
  };
  for (const auto &[number, _] : wanted)
    for (op_gindex near = std::max<op_gindex>(0, number - 1); near <= number + 1; ++near)
      ASSERT_EQ(index.find(near), row(near)) << near;
  for (int i = 0; i < 50; ++i) {
    const op_gindex number = static_cast<op_gindex>(random() >> (1 + below(random, 62)));
    ASSERT_EQ(index.find(number), row(number)) << number;
  }
}

TEST(GlobalIndexTest, without_numbers) {
  const GlobalIndex empty;
  EXPECT_EQ(empty.find(0), -1);
  EXPECT_EQ(empty.find(1ll << 62), -1);
  GlobalIndex grown;
  grown.add(1ll << 62, 5);
  EXPECT_EQ(grown.find(1ll << 62), 5);
  EXPECT_EQ(grown.find(0), -1);
}

// Close together, far apart, beyond 32 bits; then more are added inside, below and above what was there.
TEST(GlobalIndexTest, against_a_map) {
  Random random(2);
  for (int round = 0; round < 400; ++round) {
    const op_gindex first = static_cast<op_gindex>(random() >> (2 + below(random, 61)));
    const op_gindex width = 1 + static_cast<op_gindex>(random() >> (20 + below(random, 40)));
    std::map<op_gindex, int> wanted;
    std::vector<op_gindex> numbers;
    const auto fresh = [&](op_gindex number) {
      return number >= 0 && wanted.emplace(number, static_cast<int>(wanted.size())).second;
    };
    for (int i = below(random, 120); i > 0; --i) {
      const op_gindex number = first + static_cast<op_gindex>(random() % static_cast<std::uint64_t>(width));
      if (fresh(number)) numbers.push_back(number);
    }
    GlobalIndex index(numbers);
    expect_same(index, wanted, random);
    for (int i = below(random, 300); i > 0; --i) {
      const op_gindex number = first - width + static_cast<op_gindex>(random() % static_cast<std::uint64_t>(3 * width));
      const int row = static_cast<int>(wanted.size());
      if (fresh(number)) index.add(number, row);
    }
    expect_same(index, wanted, random);
  }
}

// Numbers that end in the same bits are what a weak hash stumbles over.
TEST(GlobalIndexTest, of_numbers_far_apart_in_equal_steps) {
  for (int shift = 4; shift < 50; ++shift) {
    std::vector<op_gindex> numbers;
    for (op_gindex i = 0; i < 1000; ++i) numbers.push_back(i << shift);
    const GlobalIndex index(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(index.find(numbers[i]), static_cast<int>(i));
      ASSERT_EQ(index.find(numbers[i] + 1), -1);
    }
  }
}

// --- the directory ---

// Each number is entered by one rank or by nobody; everybody asks for any numbers, also several times.
TEST(DirectoryTest, of_random_numbers) {
  for (const int processes : {1, 2, 3, 5, 7})
    for (const int size : {0, 1, 2, 4, 6, 7, 50, 1001})
      for (const int entered_in_10 : {0, 1, 10})
        run_ranks(processes, [&](Communicator &ranks) {
          Random shared(static_cast<unsigned>(size + 17 * processes)); // the same choices on all ranks
          std::vector<int> value(static_cast<std::size_t>(size), -1);
          std::vector<op_gindex> numbers;
          std::vector<int> values;
          std::vector<op_gindex> shuffled(value.size());
          std::iota(shuffled.begin(), shuffled.end(), 0);
          std::shuffle(shuffled.begin(), shuffled.end(), shared);
          for (const op_gindex number : shuffled) {
            const int by = below(shared, processes);
            if (below(shared, 10) >= entered_in_10) continue;
            value[static_cast<std::size_t>(number)] = below(shared, 1000);
            if (by != ranks.rank()) continue;
            numbers.push_back(number);
            values.push_back(value[static_cast<std::size_t>(number)]);
          }
          Directory directory(ranks, size);
          directory.enter(numbers, values);
          Random own(static_cast<unsigned>(ranks.rank()));
          std::vector<op_gindex> questions;
          for (int i = size > 0 && ranks.rank() != 1 ? 30 : 0; i > 0; --i) questions.push_back(below(own, size));
          const std::vector<int> answers = directory.ask(questions);
          ASSERT_EQ(answers.size(), questions.size());
          for (std::size_t i = 0; i < questions.size(); ++i)
            EXPECT_EQ(answers[i], value[static_cast<std::size_t>(questions[i])]) << "number " << questions[i];
        });
}

TEST(DirectoryTest, of_ranges) {
  for (const int processes : {1, 2, 3, 5, 7})
    for (int round = 0; round < 30; ++round)
      run_ranks(processes, [&](Communicator &ranks) {
        Random shared(static_cast<unsigned>(100 * processes + round));
        std::vector<int> value;
        std::vector<std::pair<op_gindex, op_gindex>> ranges; // some of them empty, with a gap behind each
        for (int r = 0; r < processes; ++r) {
          ranges.push_back({static_cast<op_gindex>(value.size()), below(shared, 3) == 0 ? 0 : below(shared, 40)});
          value.insert(value.end(), static_cast<std::size_t>(ranges.back().second), 10 + r);
          value.insert(value.end(), static_cast<std::size_t>(below(shared, 3)), -1);
        }
        Directory directory(ranks, static_cast<op_gindex>(value.size()));
        const auto [first, count] = ranges[static_cast<std::size_t>(ranks.rank())];
        directory.enter_range(first, count, 10 + ranks.rank());
        std::vector<op_gindex> questions(value.size());
        std::iota(questions.rbegin(), questions.rend(), 0);
        std::reverse(value.begin(), value.end());
        EXPECT_EQ(directory.ask(questions), value);
      });
}

// --- agreement ---

TEST(AgreementTest, of_one_is_always_there) {
  run_ranks(1, [](Communicator &ranks) {
    Agreement agreement(ranks);
    EXPECT_TRUE(agreement.alone());
    EXPECT_TRUE(agreement.agree("anything", 5));
    const Error error = thrown_by([&] { agreement.together("it", [&]() -> int { fail(OP_ERR_DIM, "no"); }); });
    EXPECT_EQ(error.code, OP_ERR_DIM);
    EXPECT_STREQ(error.what(), "no");
  });
}

TEST(AgreementTest, compares_contents) {
  run_ranks(4, [](Communicator &ranks) {
    Agreement agreement(ranks);
    EXPECT_TRUE(agreement.agree("set 'a'"));
    EXPECT_TRUE(agreement.agree("set 'a'", ~0ull));
    EXPECT_FALSE(agreement.agree("set 'a'", ranks.rank() == 2 ? 6 : 7));
    EXPECT_FALSE(agreement.agree("set 'a'", static_cast<std::uint64_t>(ranks.rank())));
    EXPECT_FALSE(agreement.agree("set 'a'", ranks.rank() < 2 ? 0 : 1ull << 63));
    EXPECT_TRUE(agreement.agree("set 'b'", 3));
    EXPECT_EQ(agreement.together("sum", [&] { return 10 + ranks.rank(); }), 10 + ranks.rank());
  });
}

TEST(AgreementTest, tells_who_does_what) {
  run_ranks(5, [](Communicator &ranks) {
    Agreement agreement(ranks);
    const Error error = thrown_by([&] { agreement.agree(ranks.rank() == 3 ? "map 'm'" : "set 'a'"); });
    EXPECT_EQ(error.code, OP_ERR_STATE);
    EXPECT_STREQ(error.what(),
                 "the processes do not do the same: processes 0 to 2: set 'a'; process 3: map 'm'; process 4: set 'a'");
    EXPECT_TRUE(error.agreed);
    EXPECT_FALSE(error.poisons);
    EXPECT_TRUE(agreement.agree("and on")); // all are at the same place again
  });
}

TEST(AgreementTest, fails_everywhere_when_one_fails) {
  for (const bool poisons : {false, true})
    run_ranks(4, [&](Communicator &ranks) {
      Agreement agreement(ranks);
      const Error error = thrown_by([&] {
        agreement.together("the map", [&] {
          if (ranks.rank() != 2) return 0;
          Error own(OP_ERR_RANGE, "entry 7: outside");
          own.poisons = poisons;
          throw own;
        });
      });
      EXPECT_EQ(error.code, OP_ERR_RANGE);
      EXPECT_STREQ(error.what(), ranks.rank() == 2 ? "entry 7: outside" : "process 2: entry 7: outside");
      EXPECT_TRUE(error.agreed);
      EXPECT_EQ(error.poisons, poisons);
      EXPECT_TRUE(agreement.agree("and on"));
    });
}

// The first of those who failed is quoted; each of them keeps its own words.
TEST(AgreementTest, fails_when_several_fail) {
  run_ranks(4, [](Communicator &ranks) {
    Agreement agreement(ranks);
    const auto check = [&] {
      if (ranks.rank() == 1) fail(OP_ERR_DIM, "one");
      if (ranks.rank() == 3) fail(OP_ERR_MEMORY, "three");
      return 0;
    };
    const Error error = thrown_by([&] { agreement.together("it", check); });
    EXPECT_EQ(error.code, ranks.rank() == 3 ? OP_ERR_MEMORY : OP_ERR_DIM);
    const char *const words[] = {"process 1: one", "one", "process 1: one", "three"};
    EXPECT_STREQ(error.what(), words[ranks.rank()]);
    const Error all =
        thrown_by([&] { agreement.together("it", [&]() -> int { fail(OP_ERR_TYPE, "me, ", ranks.rank()); }); });
    EXPECT_EQ(all.what(), text("me, ", ranks.rank()));
    EXPECT_TRUE(agreement.agree("and on"));
  });
}

// A failure before anybody agreed on anything: told by whoever caught it.
TEST(AgreementTest, hears_from_one_that_fails_elsewhere) {
  run_ranks(3, [](Communicator &ranks) {
    Agreement agreement(ranks);
    if (ranks.rank() == 0) {
      Error error(OP_ERR_HANDLE, "the set is NULL");
      agreement.tell(error);
      EXPECT_TRUE(error.agreed);
      agreement.tell(error); // nobody is asked twice
    } else {
      const Error error = thrown_by([&] { agreement.agree("set 'a'"); });
      EXPECT_EQ(error.code, OP_ERR_HANDLE);
      EXPECT_STREQ(error.what(), "process 0: the set is NULL");
    }
    EXPECT_TRUE(agreement.agree("and on"));
  });
}

// What is no Error of the library's (no memory, for one) must reach the others as well.
TEST(AgreementTest, fails_everywhere_when_one_throws_something_else) {
  run_ranks(3, [](Communicator &ranks) {
    Agreement agreement(ranks);
    const auto check = [&] {
      if (ranks.rank() == 1) throw std::bad_alloc();
      return 0;
    };
    if (ranks.rank() == 1) {
      EXPECT_THROW(agreement.together("the map", check), std::exception);
    } else {
      const Error error = thrown_by([&] { agreement.together("the map", check); });
      EXPECT_TRUE(contains(error.what(), "process 1: "));
      EXPECT_TRUE(lacks(error.what(), "do not do the same"));
    }
    EXPECT_TRUE(agreement.agree("and on"));
  });
}

// The process that fails ends all of them then: it must not wait for anybody.
TEST(AgreementTest, is_left_alone_when_errors_end_the_program) {
  run_ranks(2, [](Communicator &ranks) {
    Agreement agreement(ranks);
    agreement.set_errors_return([] { return false; });
    Error error(OP_ERR_DIM, "no");
    if (ranks.rank() == 0) agreement.tell(error);
    EXPECT_FALSE(error.agreed);
  });
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
