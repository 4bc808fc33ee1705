// jit_fuzz_test.cpp: no text makes the search for kernels crash, hang or read outside of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kernel_source.hpp"
#include "rounds.hpp"

namespace {

using namespace kernel_source;

std::string airfoil() { return without_directives(OP2_SOURCE_FOLDER "/examples/airfoil/airfoil_kernels.h"); }

// Whatever comes out is all right as long as it is text or a refusal, and the text is whole.
int search(const std::string &text, const std::string &expression) {
  const Program program{text, "k.h", 0, airfoil_constants};
  const int last = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  (Program{text, "k.h", last, airfoil_constants}).refusal(expression); // of a loop behind all of it
  try {
    const Tokens body = program.find(expression).kernel.body;
    EXPECT_TRUE(body.empty() || (body.front().is("{") && body.back().is("}")));
    EXPECT_EQ(tokenize(spell(body)).size(), body.size()) << spell(body);
    return 1;
  } catch (const Refusal &refusal) {
    EXPECT_FALSE(std::string(refusal.what()).empty());
    return 0;
  }
}

TEST(JitFuzz, TruncatedFiles) {
  const std::string text = airfoil();
  ASSERT_GT(text.size(), 1000U);
  int found = 0;
  const std::size_t step = unit::rounds(8) == 8 ? 5 : 40;
  for (std::size_t size = 0; size < text.size(); size += step) {
    found += search(text.substr(0, size), "res_calc");
    found += search(text.substr(size), "update");
  }
  EXPECT_EQ(search(text, "update"), 1);
  EXPECT_GT(found, step == 5 ? 5 : 0);
}

TEST(JitFuzz, FilesWithCharactersChanged) {
  std::mt19937 random(1);
  const std::string text = airfoil(), characters = "{}()[];,#\"'/*\\\n \t<>=+-&|:.a0\x80";
  for (int round = 0; round < unit::rounds(1000); ++round) {
    std::string changed = text;
    for (unsigned n = 0; n <= random() % 4; ++n) {
      const std::size_t at = random() % changed.size();
      const char c = characters[random() % characters.size()];
      switch (random() % 3) {
        case 0:
          changed[at] = c;
          break;
        case 1:
          changed.insert(at, 1, c);
          break;
        default:
          changed.erase(at, random() % 30);
      }
    }
    search(changed, round % 2 ? "update" : "bres_calc");
  }
}

// Pieces in any order, often with a whole kernel around them.
TEST(JitFuzz, RandomTokens) {
  const std::vector<std::string> parts = {"void",
                                          "k",
                                          "(",
                                          ")",
                                          "{",
                                          "}",
                                          "double",
                                          "*",
                                          "a",
                                          ",",
                                          ";",
                                          "=",
                                          "[",
                                          "]",
                                          "1.5",
                                          "struct",
                                          "enum",
                                          "typedef",
                                          "const",
                                          "static",
                                          "template",
                                          "<",
                                          ">",
                                          "::",
                                          "std",
                                          "sqrt",
                                          "namespace",
                                          "using",
                                          "operator",
                                          "~",
                                          "if",
                                          "else",
                                          "for",
                                          "while",
                                          "do",
                                          "switch",
                                          "case",
                                          "default",
                                          ":",
                                          "?",
                                          "return",
                                          "class",
                                          "public",
                                          "extern",
                                          "\"C\"",
                                          "[[",
                                          "]]",
                                          "__attribute__",
                                          "->",
                                          "...",
                                          "auto",
                                          "decltype",
                                          "sizeof",
                                          "&",
                                          "&&",
                                          "noexcept",
                                          "=",
                                          "\n#pragma weak k\n",
                                          "\n#pragma pack(1)\n",
                                          "\n# 1 \"other.h\" 1\n",
                                          "\n#include <cmath>\n",
                                          "gam",
                                          "static_cast",
                                          "numeric_limits",
                                          "constexpr",
                                          "this",
                                          "friend",
                                          "\n",
                                          "'c'",
                                          ".",
                                          "++",
                                          "final",
                                          "alignas",
                                          "T",
                                          "inline",
                                          "union",
                                          "static_assert",
                                          "[]",
                                          "concept",
                                          "void k(double *a) {",
                                          "}\n",
                                          "struct T {",
                                          "};\n",
                                          "enum E {",
                                          "a[0] =",
                                          "T t;",
                                          "E",
                                          "typedef T"};
  std::mt19937 random(2);
  for (int round = 0; round < unit::rounds(3000); ++round) {
    std::string text;
    for (unsigned n = 0; n < 1 + random() % 60; ++n) text += parts[random() % parts.size()] + " ";
    search(text, round % 7 ? "k" : text);
    search("struct T { double x; " + text + " };\nvoid k(double *a) { T t; }", "k");
    search("void k(double *a) { " + text + " }", "k");
    search("typedef int E;\n" + text + "\nvoid k(double *a) { E e; a[0] = gam; }", "k");
  }
}

TEST(JitFuzz, LongTextsTakeNoLongerThanTheyAreLong) {
  const auto many = [](const std::string &part, int count) {
    std::string out;
    for (int n = 0; n < count; ++n) out += part;
    return out;
  };
  const std::string kernel = "\nvoid k(double *a) { a[0] = 1; }\n";
  for (const char *part : {"template<int> ",
                           "a < ",
                           "namespace n { ",
                           "namespace n { } ",
                           "x(",
                           "int f(); ",
                           "\"\\\"",
                           "'",
                           "\\\n",
                           "# 1 \"k.h\"\n",
                           "[[",
                           "enum { A, ",
                           "typedef int T; ",
                           "typedef T T; ",
                           "::",
                           "struct S { ",
                           "using namespace n; ",
                           "a, ",
                           "* ",
                           "operator ",
                           "#include <cmath>\n",
                           "x = {",
                           "int x = 1, ",
                           "const ",
                           "#pragma once\n",
                           "/*",
                           "R\"(",
                           "-> ",
                           "f() : "})
    search(many(part, unit::rounds(20000)) + kernel, "k");
  for (const char *part : {"a[0] = 1; ", "if (a) ", "a ? ", "-", "(double)", "double x; ", "*", "[", "{", "a, ",
                           "[](){", "a->", "case 1: ", "else ", "struct T "})
    search("void k(double *a) { " + many(part, unit::rounds(20000)) + "; }", "k");
}

} // namespace

// SPDX-License-Identifier: MIT
