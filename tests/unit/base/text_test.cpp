// text_test.cpp: words for messages: listings, splitting, and the nearest spelling against its definition.
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <locale>
#include <random>

#include "support.hpp"

namespace op2::core {
namespace {

bool same(char a, char b) { return std::tolower(a) == std::tolower(b); }
std::string_view without(std::string_view word, std::size_t last) { return word.substr(0, word.size() - last); }

// Letters to insert, drop, replace or swap, by the recursive definition; capital letters equal to small ones.
std::size_t distance(std::string_view a, std::string_view b) {
  if (a.empty()) return b.size();
  if (b.empty()) return a.size();
  const std::string_view a1 = without(a, 1), b1 = without(b, 1);
  std::size_t least =
      std::min({distance(a1, b) + 1, distance(a, b1) + 1, distance(a1, b1) + (same(a.back(), b.back()) ? 0 : 1)});
  if (a.size() > 1 && b.size() > 1 && same(a.back(), b1.back()) && same(a1.back(), b.back()))
    least = std::min(least, distance(without(a, 2), without(b, 2)) + 1);
  return least;
}

// The first of the candidates with the smallest distance, if that is at most a third of the word's letters, or one.
std::string plain_nearest(std::string_view word, const std::vector<std::string> &candidates) {
  std::string best;
  std::size_t best_distance = word.size();
  for (const std::string &candidate : candidates) {
    const std::size_t d = distance(word, candidate);
    if (d <= std::max<std::size_t>(1, word.size() / 3) && (best.empty() || d < best_distance)) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

TEST(Nearest, AgreesWithItsDefinitionOnRandomWords) {
  std::mt19937 random(1);
  const auto word = [&](std::size_t longest) {
    std::string out(1 + random() % longest, ' ');
    for (char &c : out) c = "abAB_"[random() % 5];
    return out;
  };
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> candidates(random() % 5);
    for (std::string &candidate : candidates) candidate = word(6);
    const std::string wanted = word(7);
    const std::string expected = plain_nearest(wanted, candidates);
    ASSERT_EQ(expected, nearest(wanted, candidates)) << wanted << " among " << listing(candidates);
    found += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(found, 200); // the words are not all too far from each other
  EXPECT_LT(found, 1800);
}

TEST(Nearest, FindsCommonMisspellings) {
  const std::vector<std::string> names = {"auto", "openmp", "seq", "self"};
  EXPECT_EQ("openmp", nearest("opnmp", names));
  EXPECT_EQ("openmp", nearest("OpenMP", names));
  EXPECT_EQ("openmp", nearest("openpm", names));
  EXPECT_EQ("auto", nearest("atuo", names));
  EXPECT_EQ("seq", nearest("sqe", names));
  EXPECT_EQ("seq", nearest("sek", names));
  EXPECT_EQ("seq", nearest("seqq", names));
}

TEST(Nearest, GivesNothingForOtherWords) {
  EXPECT_EQ("", nearest("cuda", {"auto", "openmp", "seq"}));
  EXPECT_EQ("", nearest("x", {"auto", "openmp"}));
  EXPECT_EQ("", nearest("seq", {}));
}

TEST(Nearest, TakesTheFirstOfEquals) { EXPECT_EQ("seb", nearest("sea", {"seb", "sec"})); }

TEST(Listing, JoinsWithCommasAndAnd) {
  EXPECT_EQ("", listing({}));
  EXPECT_EQ("a", listing({"a"}));
  EXPECT_EQ("a and b", listing({"a", "b"}));
  EXPECT_EQ("a, b and c", listing({"a", "b", "c"}));
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(std::vector<std::string>({""}), split("", '+'));
  EXPECT_EQ(std::vector<std::string>({"seq"}), split("seq", '+'));
  EXPECT_EQ(std::vector<std::string>({"mpi", "cuda"}), split("mpi+cuda", '+'));
  EXPECT_EQ(std::vector<std::string>({"", "a", "", ""}), split("+a++", '+'));
}

TEST(Quoted, SaysNullForNoWord) {
  EXPECT_EQ("'res'", quoted("res"));
  EXPECT_EQ("''", quoted(""));
  EXPECT_EQ("NULL", quoted(nullptr));
}

TEST(Text, PutsValuesTogether) { EXPECT_EQ("dim 4, size -1, 0.5", text("dim ", 4, ", size ", -1, ", ", 0.5)); }

TEST(Text, WritesNumbersWithAPoint) {
  EXPECT_EQ("0.500", fixed(0.5, 3));
  EXPECT_EQ("-1234567.0", fixed(-1234567.04, 1));
  EXPECT_EQ("2", fixed(2.4, 0));
  EXPECT_EQ(309u + 10u, fixed(1.7e308, 9).size());
}

// A program may choose the number format of its country; messages, settings and files keep plain digits.
TEST(Text, DoesNotDependOnTheProgramsLocale) {
  struct Grouped : std::numpunct<char> {
    char do_thousands_sep() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
    char do_decimal_point() const override { return ';'; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
  const std::string out = text(1234567, " ", 0.5);
  std::locale::global(before);
  EXPECT_EQ("1234567 0.5", out);
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
