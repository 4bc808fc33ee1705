// jit_preprocess_test.cpp: macros, conditions and included files of users' text.
#include "jit/preprocess/preprocess.hpp"

#include <gtest/gtest.h>

#include "jit/preprocess/condition.hpp"
#include "rounds.hpp"

namespace op2::core::jit {
namespace {

struct Given {
  std::string text;
  bool cpp = true;
  std::vector<std::pair<std::string, std::string>> headers = {};

  Preprocessed read() const {
    SourceFiles files;
    for (const auto &[path, header] : headers) files.embed(path, header);
    return preprocess("dir/a.cpp", text, 0, cpp, files);
  }
};

// What is left; what is in doubt stands in <>.
std::string left(const Given &given) {
  std::string out;
  for (const SourceToken &token : given.read().tokens) {
    if (!out.empty()) out += " ";
    out += token.doubt >= 0 ? "<" + token.token.text + ">" : token.token.text;
  }
  return out;
}
std::string left(const char *text) { return left(Given{text}); }

TEST(JitPreprocess, ExpandsMacros) {
  EXPECT_EQ(left("#define N 4\nx[N]"), "x [ 4 ]");
  EXPECT_EQ(left("#define SQUARE(x) ((x)*(x))\nSQUARE(a + b)"), "( ( a + b ) * ( a + b ) )");
  EXPECT_EQ(left("#define MAX(a,b) ((a)>(b)?(a):(b))\nMAX(f(x, y), MAX(1, 2))"),
            "( ( f ( x , y ) ) > ( ( ( 1 ) > ( 2 ) ? ( 1 ) : ( 2 ) ) ) ? ( f ( x , y ) ) : ( ( ( 1 ) > ( 2 ) ? ( 1 ) : "
            "( 2 ) ) ) )");
  EXPECT_EQ(left("#define F(x) x\n F F (1) F"), "F 1 F");
  EXPECT_EQ(left("#define F (1)\nF(2)"), "( 1 ) ( 2 )");
  EXPECT_EQ(left("#define E()\n a E() b"), "a b");
  EXPECT_EQ(left("#define F(x) [x]\nF(\n1\n)"), "[ 1 ]");
  EXPECT_EQ(left("#define F(x) \\\n  x + \\\n x\nF(1)"), "1 + 1");
  EXPECT_EQ(left("#define N 1\n#undef N\nN"), "N");
  EXPECT_EQ(left("#define G F\n#define F(x) <x>\nG(2)"), "< 2 >");
}

TEST(JitPreprocess, ExpandsAMacroOnlyOnceWithinItself) {
  EXPECT_EQ(left("#define a b\n#define b a\na b"), "a b");
  EXPECT_EQ(left("#define f(x) f(x + 1)\nf(f(2))"), "f ( f ( 2 + 1 ) + 1 )");
  EXPECT_EQ(left("#define x x.y\nx"), "x . y");
  // an example of the C standard (6.10.3.5), as far as it needs no #
  EXPECT_EQ(left("#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n"
                 "#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n"
                 "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1); g(x+(3,4)-w) | h 5) & m(f)^m(m);"),
            "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; "
            "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;");
}

TEST(JitPreprocess, GivesExpandedTokensTheLineOfTheMacrosName) {
  const Preprocessed out = Given{"#define N 4 + \\\n 5\n\nx\nN"}.read();
  ASSERT_EQ(out.tokens.size(), 4U);
  EXPECT_EQ(out.tokens[0].token.line, 4);
  EXPECT_EQ(out.tokens[3].token.line, 5);
  EXPECT_EQ(out.place(out.tokens[3]), "dir/a.cpp:5");
}

TEST(JitPreprocess, DoubtsWhatItCannotExpand) {
  EXPECT_EQ(left("#define J(a,b) a##b\nx J(1,2)"), "x <J> ( 1 , 2 )");
  EXPECT_EQ(left("#define V(...) f(__VA_ARGS__)\nV(1)"), "<V> ( 1 )");
  EXPECT_EQ(left("#define F(a,b) a\nF(1) F(1,2)"), "<F> ( 1 ) 1");
  EXPECT_EQ(left("#define J(a,b) a##b\n x"), "x"); // harmless as long as nobody uses it
}

TEST(JitPreprocess, KnowsTheConstantsOfTheStandardHeaders) {
  EXPECT_EQ(left("M_PI INFINITY"), "3.14159265358979323846 __builtin_inff ( )");
  EXPECT_EQ(left("#define M_PI 3.0\nM_PI"), "3.0");
  // the usual definition, in case the header has none
  EXPECT_EQ(left("#ifndef M_PI\n#define M_PI 3.141592653589793\n#endif\nM_PI"), "3.14159265358979323846");
  EXPECT_EQ(left("#ifndef M_PI\n#define M_PI 3.1416\n#endif\nM_PI"), "<M_PI>");
}

TEST(JitPreprocess, FollowsConditionsThatTheTextSettles) {
  EXPECT_EQ(left("#if 0\na\n#else\nb\n#endif"), "b");
  EXPECT_EQ(left("#if 1\na\n#elif X\nb\n#else\nc\n#endif"), "a");
  EXPECT_EQ(left("#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#endif"), "a");
  EXPECT_EQ(left("#define N 3\n#if N > 2 && defined(N) && !(N % 2 == 0)\na\n#endif"), "a");
  EXPECT_EQ(left("#define A\n#undef A\n#if defined A\na\n#else\nb\n#endif"), "b");
  EXPECT_EQ(left("#if 0\ndon't \"\n#if 1\n#else\n#endif\n#error no\n#endif\nx"), "x");
  EXPECT_EQ(left("#ifdef __cplusplus\na\n#endif"), "a");
  EXPECT_EQ(left(Given{"#ifdef __cplusplus\na\n#else\nb\n#endif", false}), "b");
  EXPECT_EQ(left("#if 0 && UNKNOWN\na\n#endif\n#if 1 || UNKNOWN\nb\n#endif"), "b");
  EXPECT_EQ(left("#if (1 ? 2 : 0) == 2\na\n#endif\n#if -1 < 0 && 1 << 3 == 8 && (5 & 4) && (1 | 2) == 3\nb\n#endif"),
            "a b");
}

TEST(JitPreprocess, DoubtsWhatDependsOnTheUnknown) {
  EXPECT_EQ(left("a\n#ifdef DEBUG\nb\n#else\nc\n#endif\nd"), "a <b> <c> d");
  EXPECT_EQ(left("#ifdef SINGLE\n#define REAL float\n#else\n#define REAL double\n#endif\nREAL x"), "<REAL> x");
  EXPECT_EQ(left("#ifndef N\n#define N 4\n#endif\nN"), "<N>");
  EXPECT_EQ(left("#define N 4\n#ifdef X\n#undef N\n#endif\nN"), "<N>");
  EXPECT_EQ(left("#ifdef X\n#define N 1\n#endif\n#undef N\n#define N 2\nN"), "2");
  EXPECT_EQ(left("#if __cplusplus >= 201703L\na\n#endif"), "<a>");
  EXPECT_EQ(left("#if X\na\n#elif 1\nb\n#else\nc\n#endif"), "<a> <b>");
  EXPECT_EQ(left("#if 1 / 0\na\n#endif\n#if nonsense(\nb\n#endif\n#if\nc\n#endif"), "<a> <b> <c>");
  const Preprocessed out = Given{"\n#if defined(X)  &&  Y > 2\na\n#else\nb\n#endif"}.read();
  ASSERT_EQ(out.tokens.size(), 2U);
  for (const SourceToken &token : out.tokens)
    EXPECT_EQ(out.doubts[static_cast<std::size_t>(token.doubt)],
              "the condition '#if defined(X) && Y > 2' (dir/a.cpp:2)");
}

TEST(JitPreprocess, KeepsBracesInPairsWhereAConditionSplitsThem) {
  EXPECT_EQ(left("#ifdef X\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\nb"),
            "<void> <f> <(> <int> <a> <)> <{> <> } b");
  EXPECT_EQ(left("#ifdef X\nnamespace n {\n#endif\na\n#ifdef X\n}\n#endif"), "<> a <>");
}

TEST(JitPreprocess, IncludesFilesRelativeToTheIncludingOne) {
  const Given given{"#include \"sub/b.h\"\nx", true, {{"dir/sub/b.h", "#include \"c.h\"\nb"}, {"dir/sub/c.h", "c"}}};
  EXPECT_EQ(left(given), "c b x");
  const Preprocessed out = given.read();
  EXPECT_EQ(out.place(out.tokens[0]), "dir/sub/c.h:1");
  EXPECT_EQ(out.place(out.tokens[1]), "dir/sub/b.h:2");
}

TEST(JitPreprocess, IncludesGuardedFilesOnce) {
  for (const char *guarded :
       {"#ifndef B_H\n#define B_H\nb\n#endif\n", "#if !defined(B_H)\n#define B_H 1\nb\n#endif", "#pragma once\nb",
        "/* about b */\n#ifndef B_H\n#define B_H\n#ifdef __cplusplus\nb\n#else\nc\n#endif\n#endif // B_H"})
    EXPECT_EQ(left(Given{"#include \"b.h\"\n#include \"b.h\"\nx", true, {{"dir/b.h", guarded}}}), "b x") << guarded;
}

TEST(JitPreprocess, SettlesGuardsThatAreNotAroundTheWholeFile) {
  for (const char *guarded :
       {"b\n#ifndef B_H\n#define B_H\nc\n#endif\nd", "b\n#if !defined B_H\n#define B_H // guard\nc\n#else\n#endif\nd",
        "b\n#if 1\n#if !defined(B_H)\n#define B_H\nc\n#endif\n#endif\nd"})
    EXPECT_EQ(left(Given{"#include \"b.h\"\n#include \"b.h\"\nx", true, {{"dir/b.h", guarded}}}), "b c d b d x")
        << guarded;
  EXPECT_EQ(left("#ifndef FAST\n#define FAST\n#endif\n#ifdef FAST\na\n#endif"), "a"); // defined in any case
  // the command line may give these names a value, or none of these macros is about the condition's name
  EXPECT_EQ(left("#ifndef N\n#define N 4\nb\n#endif\na"), "<b> a");
  EXPECT_EQ(left("#ifndef N\n#define M\nb\n#endif\na"), "<b> a");
  EXPECT_EQ(left("#ifdef X\n#define B_H\n#endif\n#ifndef B_H\n#define B_H\nb\n#endif"), "<b>");
}

// OP2's headers are in no folder of the program's. Their macros count from where they are included.
TEST(JitPreprocess, KnowsTheMacrosOfOp2) {
  const std::string types = "typedef unsigned int uint ; typedef long long ll ; typedef unsigned long long ull ; ";
  for (const char *include : {"\"op_seq.h\"", "<op_seq.h>", "\"op_lib_cpp.h\""}) {
    const std::string line = std::string("#include ") + include + "\n";
    EXPECT_EQ(left(Given{"MIN(a, b)\n" + line + "MIN(a, b)\n" + line}),
              "MIN ( a , b ) " + types + "( ( a ) < ( b ) ? ( a ) : ( b ) )");
    EXPECT_EQ(left(Given{"#define MAX(a, b) max2(a, b)\n" + line + "MAX(1, 2) ROUND_UP_64(n)\n"}),
              types + "max2 ( 1 , 2 ) ( ( ( n ) + 63 ) & ~ 63 )");
    EXPECT_TRUE((Given{line}).read().missing.empty());
  }
  // all of them have the same, so a condition around one changes nothing
  for (const char *header : {"op_lib_mpi.h", "op_mpi_core.h", "op_hdf5.h", "op_profile.h", "op_util.h"})
    EXPECT_EQ(left(Given{std::string("#ifdef USE_MPI\n#include \"") + header +
                         "\"\n#endif\n#include \"op_seq.h\"\nMAX(a, b)"}),
              types + "( ( a ) > ( b ) ? ( a ) : ( b ) )");
  EXPECT_EQ(left(Given{"#include \"op_seq.h\"\nMIN(1, 2)", true, {{"dir/op_seq.h", "#define MIN(a, b) own"}}}), "own");
  const Given user{"#define OP_USER_DATATYPES\n#include <op_seq.h>\n#include \"op_lib_cpp.h\"\nuser_type u;",
                   true,
                   {{"dir/op_user_datatypes.h", "struct user_type {};"}}};
  const std::string lines = left(user), type = "struct user_type { } ;";
  EXPECT_TRUE(lines.ends_with(type + " user_type u ;")) << lines;
  EXPECT_EQ(lines.find(type), lines.rfind(type)) << lines;
}

TEST(JitPreprocess, RemembersWhatItDoesNotFind) {
  const Preprocessed out = Given{
      "#include <math.h>\n#include \"solver.h\"\n#define H \"b.h\"\n#include H\nx",
      true,
      {{"dir/b.h", "b"}}}.read();
  ASSERT_EQ(out.tokens.size(), 2U);
  EXPECT_EQ(out.headers, std::vector<std::string>{"<math.h>"});
  EXPECT_EQ(out.missing, std::vector<std::string>{"\"solver.h\" (dir/a.cpp:2)"});
}

std::string refusal(const Given &given) {
  try {
    given.read();
  } catch (const Refusal &refusal) {
    return refusal.what();
  }
  return "";
}

TEST(JitPreprocess, RefusesTextThatIsNotWhole) {
  EXPECT_EQ(refusal({"x\n#if 1\n"}), "dir/a.cpp:2: #if without #endif");
  EXPECT_EQ(refusal({"#endif"}), "dir/a.cpp:1: #endif without #if");
  EXPECT_EQ(refusal({"#if 1\n#else\n#else\n#endif"}), "dir/a.cpp:3: #else without #if");
  EXPECT_EQ(refusal({"x\n#error no compiler"}), "dir/a.cpp:2: #error no compiler");
  EXPECT_EQ(refusal({"/*"}), "dir/a.cpp: the comment that begins in line 1 does not end");
  EXPECT_NE(
      refusal({"#include \"b.h\"", true, {{"dir/b.h", "#include \"b.h\"\n#include \"b.h\""}}}).find("includes itself"),
      std::string::npos);
}

TEST(JitPreprocess, RefusesMacrosThatGrowWithoutEnd) {
  std::string bomb = "#define A0 x x\n";
  for (int n = 1; n < 60; ++n)
    bomb += "#define A" + std::to_string(n) + " A" + std::to_string(n - 1) + " A" + std::to_string(n - 1) + "\n";
  EXPECT_NE(refusal({bomb + "A59"}).find("macros expand to more than"), std::string::npos);
  EXPECT_EQ(refusal({bomb + "x"}), "");
  std::string open = "#define F(x) x\n";
  for (int n = 0; n < unit::rounds(100000); ++n) open += "F( ";
  EXPECT_NE(refusal({open}), "");
}

TEST(JitPreprocess, MacrosAreRememberedAtTheLineOfTheLoop) {
  SourceFiles files;
  const Preprocessed out =
      preprocess("a.cpp", "#define K first\nloop(K);\n#undef K\n#define K second\n", 2, true, files);
  ASSERT_NE(out.macros.find("K"), nullptr);
  EXPECT_EQ(out.macros.find("K")->body[0].text, "first");
}

// Loops of one file share its text, with the macros that are defined at each of them.
TEST(JitPreprocess, FilesAreKeptWithTheMacrosOfEachLine) {
  SourceFiles files;
  files.embed("a.cpp", "#define N 1\nint one;\nint two;\n#define N 2\nint three;\n");
  const SourceFile &file = *files.find("a.cpp");
  PreprocessedFiles known;
  const auto n_at = [&](int line) {
    const Preprocessed text = known.get(file, line, true, files);
    EXPECT_EQ(9u, text.tokens.size());
    const Macro *const n = text.macros.find("N");
    return n ? n->body.at(0).text : "none";
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ("none", n_at(1));
    EXPECT_EQ("1", n_at(2));
    EXPECT_EQ("1", n_at(3));
    EXPECT_EQ("1", n_at(4));
    EXPECT_EQ("2", n_at(5));
    EXPECT_EQ("2", n_at(0)); // a line that nobody knows: the last one
  }
}

} // namespace
} // namespace op2::core::jit
