// jit_tokens_test.cpp: text into tokens and back.
#include "jit/text/tokens.hpp"

#include <gtest/gtest.h>

#include <random>

namespace op2::core::jit {
namespace {

std::vector<std::string> words(std::string_view source) {
  std::vector<std::string> out;
  for (const Token &token : tokenize(source)) out.push_back(token.text);
  return out;
}
using Words = std::vector<std::string>;

TEST(JitTokens, TakesTheLongestSign) {
  EXPECT_EQ(words("a+++b"), (Words{"a", "++", "+", "b"}));
  EXPECT_EQ(words("x<<=y>>z->w"), (Words{"x", "<<=", "y", ">>", "z", "->", "w"}));
  EXPECT_EQ(words("std::max(a,b)"), (Words{"std", "::", "max", "(", "a", ",", "b", ")"}));
  EXPECT_EQ(words("a&&b||!c"), (Words{"a", "&&", "b", "||", "!", "c"}));
}

TEST(JitTokens, ReadsNumbersAsTheyAreSpelled) {
  for (const char *number :
       {"1", "1.", ".5f", "1e-3", "1.5E+10L", "0x1F", "0x1.8p-3", "0b101", "1'000'000ull", "1.0e5f"})
    EXPECT_EQ(words(number), Words{number});
  EXPECT_EQ(words("0x1e+1"), (Words{"0x1e", "+", "1"})); // as everybody means it
  EXPECT_EQ(words("1-2"), (Words{"1", "-", "2"}));
  EXPECT_EQ(words("x.5"), (Words{"x", ".5"}));
}

TEST(JitTokens, StepsOverComments) {
  EXPECT_EQ(words("a /* } { \" */ b // c { ' \n d"), (Words{"a", "b", "d"}));
  EXPECT_EQ(words("a/**/b"), (Words{"a", "b"}));
  EXPECT_EQ(words("// goes on \\\n here\n x"), (Words{"x"}));
  EXPECT_EQ(words("a \"/* no comment */\" b"), (Words{"a", "\"/* no comment */\"", "b"}));
}

TEST(JitTokens, KnowsLiteralsAndTheirPrefixes) {
  EXPECT_EQ(words(R"(f("a\"b{", '\'', L"w", u8"x"))"),
            (Words{"f", "(", "\"a\\\"b{\"", ",", "'\\''", ",", "L\"w\"", ",", "u8\"x\"", ")"}));
  EXPECT_EQ(words("R\"(a\"b\\)\" x"), (Words{"R\"(a\"b\\)\"", "x"}));
  EXPECT_EQ(words("R\"end(a)\" )end\" x"), (Words{"R\"end(a)\" )end\"", "x"}));
  EXPECT_EQ(words("R\"()\" x"), (Words{"R\"()\"", "x"}));
  EXPECT_EQ(tokenize("'a'")[0].kind, TokenKind::literal);
}

TEST(JitTokens, JoinsContinuedLines) {
  EXPECT_EQ(words("dou\\\nble x"), (Words{"double", "x"}));
  EXPECT_EQ(words("a +\\\r\n= b"), (Words{"a", "+=", "b"}));
}

TEST(JitTokens, CountsLines) {
  const Tokens tokens = tokenize("a\n/* two\nlines */ b \\\n c\n\nd", 10);
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_EQ(tokens[0].line, 10);
  EXPECT_EQ(tokens[1].line, 12);
  EXPECT_EQ(tokens[2].line, 13);
  EXPECT_EQ(tokens[3].line, 15);
}

TEST(JitTokens, LeavesOutLinesOfThePreprocessor) {
  EXPECT_EQ(words("#define a \\\n b\nx # y\n  # include <z>\nw"), (Words{"x", "#", "y", "w"}));
  EXPECT_EQ(words("#error don't\nx"), (Words{"x"}));
}

std::string refusal(const char *source) {
  try {
    tokenize(source);
  } catch (const Refusal &refusal) {
    return refusal.what();
  }
  return "";
}

TEST(JitTokens, RefusesWhatDoesNotEnd) {
  EXPECT_EQ(refusal("a\n/* b"), "the comment that begins in line 2 does not end");
  EXPECT_EQ(refusal("\n\n\"abc\n\""), "the literal that begins in line 3 does not end");
  EXPECT_EQ(refusal("'"), "the literal that begins in line 1 does not end");
  EXPECT_EQ(refusal("R\"(abc"), "the raw string that begins in line 1 does not end");
  EXPECT_EQ(refusal("R\"abc"), "the raw string that begins in line 1 does not end");
}

void expect_round_trip(const std::string &source) {
  const Tokens tokens = tokenize(source);
  const std::string spelled = spell(tokens);
  const Tokens again = tokenize(spelled);
  ASSERT_EQ(again.size(), tokens.size()) << source << "\n" << spelled;
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    ASSERT_EQ(again[n].text, tokens[n].text) << spelled;
    ASSERT_EQ(again[n].kind, tokens[n].kind) << spelled;
  }
}

TEST(JitTokens, SpellsTextThatHasTheSameTokens) {
  for (const char *source : {"a - -b",
                             "a + +b",
                             "a - --b",
                             "a & &b",
                             "x = y / *p",
                             "0x1e + 1",
                             "1 . x",
                             "a < ::b",
                             "L \"x\"",
                             "return -1;",
                             "for (int i = 0; i < n; ++i) { x[i] += *p++; }",
                             "a ? b : ::c",
                             "- - -x",
                             "* * p",
                             "x = R\"(a\nb)\";",
                             "a > > b",
                             "do { } while (x);",
                             "if (a) { b; } else { c; }",
                             "double x[3] = {1, 2, 3};",
                             "a . * b",
                             "f (- 1 , & x)"})
    expect_round_trip(source);
}

TEST(JitTokens, SpellsReadably) {
  EXPECT_EQ(spell(tokenize("for(int n=0;n<4;++n){if(x[n]>0)y[n]=-f(*p,a.b);}")),
            "for (int n = 0; n < 4; ++n) {\n  if (x[n] > 0) y[n] = -f(*p, a.b);\n}");
  std::string sum = "x";
  for (int n = 0; n < 60; ++n) sum += " + y";
  for (std::size_t at = 0, end; at < sum.size(); at = end + 1) {
    const std::string spelled = spell(tokenize(sum));
    end = std::min(spelled.find('\n', at), spelled.size());
    EXPECT_LE(end - at, 110U);
  }
}

TEST(JitTokens, AnyTokensSurviveTheWayThroughText) {
  const std::vector<std::string> parts = {"a",  "b1", "1", "1.5f", "0x1e", ".5",  "\"s\"", "'c'", "+", "-",  "++",
                                          "--", "*",  "/", "&",    "&&",   "<",   ">",     "<<",  "=", "==", "!",
                                          "~",  "?",  ":", "::",   ".",    "...", "->",    "(",   ")", "[",  "]",
                                          "{",  "}",  ";", ",",    "%",    "^",   "|",     "L",   "R", "u8", "return"};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string source;
    for (int n = 0; n < 20; ++n) source += parts[random() % parts.size()] + " ";
    expect_round_trip(source);
  }
}

} // namespace
} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
