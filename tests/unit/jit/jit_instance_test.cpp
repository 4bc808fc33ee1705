// jit_instance_test.cpp: kernels that are one of several functions: instances of templates, overloads.
#include <gtest/gtest.h>

#include <array>

#include "kernel_source.hpp"

namespace {

using namespace kernel_source;

TEST(JitInstance, ATemplateIsWrittenOut) {
  const std::string text =
      "namespace m { const double two = 2; inline double half(double x) { return x / two; } }\n"
      "namespace m::n {\n"
      "template <class T, int N, bool More = N == 3> inline void k(const T *a, T b[N], int *c) {\n"
      "  T sum = T(0);\n"
      "  for (int i = 0; i < N; ++i) sum += half(a[i]) * N;\n"
      "  if (More) b[N - 1] = sum;\n"
      "}\n}";
  KernelText kernel = found(text, "m::n::k<double, 1 + 2>");
  EXPECT_EQ(kernel.kernel.name, "op2_instance_of_k");
  EXPECT_EQ(spell(kernel.kernel.body),
            "{\n  double sum = double(0);\n  for (int i = 0; i < (1 + 2); ++i) sum += half(a[i]) * (1 + 2);\n"
            "  if (((1 + 2) == 3)) b[(1 + 2) - 1] = sum;\n}");
  EXPECT_EQ(kernel.kernel.parameters.size(), 3u);
  EXPECT_EQ(spell(kernel.kernel.parameters[0].type), "const double *");
  EXPECT_EQ(kernel.helpers.size(), 1u);
  EXPECT_EQ(kernel.kernel.line, 3);
  EXPECT_EQ(body("template <int N> __attribute__((always_inline)) inline void k(double *a) { a[N] = 1; }", "k<2>"),
            "{\n  a[2] = 1;\n}");
  EXPECT_EQ(body("const int M = 1;\n"
                 "template <typename> struct S;\ntemplate <class, int N> void k(double *a) { a[N] = 1; }",
                 "(k<S<int>, -M>)"),
            "{\n  a[(-M)] = 1;\n}");
}

TEST(JitInstance, HelpersThatAreTemplatesGetTheirArguments) {
  const std::string text =
      "#include <limits>\nconst int T = 7;\ntypedef float real;\n"
      "namespace m { inline double two(double x) { return 2 * x; }\n"
      "template <typename T> T limit(T x) { const T most = std::numeric_limits<T>::max(); return two(x) < most ? x : "
      "0; }\n"
      "template <class T, int N, int> inline void solve(T a[N][N], T *b) {\n"
      "  static const double w[N] = {1}; T sum = T(0);\n"
      "  for (int i = 0; i < N; ++i) sum += limit<T>(a[i][N - 1] * w[i]); b[N * 0] = (T)sum;\n}\n}\n"
      "void k(const double *x, double *y) {\n"
      "  double a[3][3] = {}; float f[2][2] = {};\n"
      "  m::solve<double, 3, 1>(a, y); { using m::two; m::solve<real, 2, 0>(f, &f[0][0]); } m::solve<double, 3, 1>(a, "
      "y + T);\n"
      "}";
  const KernelText all = found(text);
  ASSERT_EQ(all.helpers.size(), 5u) << all.why_excerpt;
  EXPECT_EQ(all.helpers[0].name, "two");
  const auto at = [&](std::size_t n) { return all.helpers[n].name + " " + spell(all.helpers[n].body); };
  const std::string limit = "op2_instance_of_limit_double", solve = "op2_instance_of_solve_double_3_1";
  EXPECT_EQ(at(1), limit + " {\n  const double most = 1.7976931348623157e+308;\n  return two(x) < most ? x : 0;\n}");
  EXPECT_EQ(at(2),
            solve + " {\n  const double w[3] = {1};\n  double sum = double(0);\n  for (int i = 0; i < 3; ++i) sum += " +
                limit + "(a[i][3 - 1] * w[i]);\n  b[3 * 0] = (double) sum;\n}");
  EXPECT_EQ(spell(all.helpers[2].parameters[0].type), "double(*)[3]");
  EXPECT_EQ(all.helpers[3].result, Scalar::float32);
  EXPECT_EQ(spell(all.helpers[4].parameters[0].type), "float(*)[2]");
  EXPECT_NE(spell(all.kernel.body).find(solve + "(a, y);"), std::string::npos);
  EXPECT_NE(spell(all.kernel.body).find(solve + "(a, y + T);"), std::string::npos);
}

TEST(JitInstance, HelpersThatNeedMoreThanNumbers) {
  const auto says = [](const std::string &text, const std::string &call, const std::string &message) {
    const std::string reason = refused(text + "\nvoid k(double *a) { " + call + "; }");
    EXPECT_NE(reason.find(message), std::string::npos) << reason;
  };
  const std::string plain = "template <int N> double f(double x) { return x + N; }";
  says(plain, "a[0] = f<3>(a[0], 1)", "with 2 arguments where 1 are known");
  says(plain, "a[0] = f<-3>(a[0])", "has an argument of a template");
  says(plain, "a[0] = f<1 + 2>(a[0])", "has an argument of a template");
  says(plain, "a[0] = f<3u>(a[0])", "has an argument of a template");
  says(plain, "const int n = 3; a[0] = f<n>(a[0])", "has an argument of a template");
  says(plain, "a[0] = f<double>(a[0])", "has the template parameter 'N'");
  says(plain, "auto g = f<3>", "without calling it");
  says(plain, "static const double x = f<3>(1)", "to initialise a constant");
  says(plain + "\ntemplate <> double f<4>(double x) { return 4; }", "a[0] = f<3>(a[0])", "is a template that is not");
  says(plain + "\ntemplate <class T> double f(T x) { return 4; }", "a[0] = f<3>(a[0])", "is a template or deleted");
  says(plain + "\ndouble f(double x) { return 4; }", "a[0] = f<3>(a[0])", "is a template or deleted");
  says(plain + "\ntemplate <int N> double f(float x) requires (N > 2) { return 4; }", "a[0] = f<3>(a[0])", "template");
  says(plain + "\nnamespace n { struct S { int x; }; double f(S s) { return 1; } }", "a[0] = f<3>(a[0])", "template");
  says("template <unsigned N> double f(double x) { return x - N; }", "a[0] = f<3>(a[0])", "has the template parameter");
  says("template <bool N> double f(double x) { return x - N; }", "a[0] = f<3>(a[0])", "has the template parameter");
  says("template <class T> double f(T x) { return x; }", "a[0] = f<3>(a[0])", "has the template parameter 'T'");
  says("template <class T> double f(T x) { return x; }", "a[0] = f<const double>(a[0])", "has an argument");
  says("struct S { int x; };\ntemplate <class T> double f(T x) { return x; }", "a[0] = f<S>(a[0])", "has an argument");
  says("template <class T> double f(T x) { return x; }", "a[0] = f(a[0])", "is a template or deleted");
  says("template <class T, int N = 2> double f(T x) { return x; }", "a[0] = f<double>(a[0])", "without an argument");
  says("template <int... N> double f(double x) { return x; }", "a[0] = f<3>(a[0])", "any number of parameters");
  says("template <int N> double f(double x);", "a[0] = f<3>(a[0])", "is a template that is not understood");
  says("template <int N> double f(double x) { return f<N>(x); }", "a[0] = f<3>(a[0])", "recursively");
  says("template <int N> __attribute__((weak)) double f(double x) { return 1; }", "a[0] = f<3>(a[0])", "declared weak");
}

TEST(JitInstance, OfSeveralFunctionsOfOneNameTheOneThatHasAsManyParametersIsTaken) {
  Program program{"void k(double *a);\nvoid k(double *a, int *b) { b[0] = 2; }\nvoid k(double *a) { a[0] = 1; }"};
  for (const int parameters : {1, 2}) {
    program.parameters = parameters;
    EXPECT_EQ(program.find("k").kernel.parameters.size(), static_cast<std::size_t>(parameters));
  }
  program.parameters = 3;
  EXPECT_NE(program.refusal(), "");
  program.text += "void k(float *a) { }";
  program.parameters = 1;
  EXPECT_NE(program.refusal().find("is defined more than once"), std::string::npos);
}

TEST(JitInstance, WhatIsNotEnough) {
  for (const auto &[text, expression, message] : std::initializer_list<std::array<const char *, 3>>{
           {"template <class T, int n> void k(T *a) { }", "k<double>", "has parameters that only its arguments tell"},
           {"template <int n> void k(double *a) { }", "k<1, 2>", "has fewer parameters than arguments are given"},
           {"template <int... n> void k(double *a) { }", "k<1, 2>", "has a list of any number of parameters"},
           {"template <template <class> class T> void k(T<int> *a) { }", "k<A>", "has a template as parameter"},
           {"template <int n> void k(double *a) { }\ntemplate <> void k<2>(double *a) { a[0] = 1; }", "k<3>",
            "is a template with specialisations"},
           {"template <int n> template <class T> void k(T *a) { }", "k<3>",
            "is a template of a form that is not understood"},
       })
    EXPECT_EQ(refused(text, expression), "kernel '" + std::string(expression) + "' " + message) << text;
  const auto meaning = [](const char *text, const char *expression, int line) {
    return Program{text, "k.cpp", line}.refusal(expression).find("'M', whose name means something else") !=
           std::string::npos;
  };
  EXPECT_TRUE(meaning("const int M = 1; template <int n> void k(double *a) { int M = 2; a[n] = M; }", "k<M>", 0));
  EXPECT_TRUE(meaning("const int M = 1; template <int n> void k(double *M) { M[n] = 1; }", "k<2 * M>", 0));
  const char *const spaces =
      "namespace a { const int M = 1; template <int n> void k(double *x) { x[0] = n; } }\n"
      "const int M = 2;\nvoid f() {\n\n}";
  EXPECT_TRUE(meaning(spaces, "a::k<M>", 4));
  EXPECT_FALSE(meaning(spaces, "a::k<a::M>", 4));
  EXPECT_TRUE(meaning(
      "const int M = 1; template <int n> void k(double *a) { a[0] = n; }\nvoid f() {\nconstexpr int M = 2;\n\n}",
      "k<M>", 4));
  EXPECT_TRUE(
      meaning("typedef float M; template <class T> void k(T *a) { }\ntemplate <class M> void f() {\n\n}", "k<M>", 3));
  EXPECT_EQ(refused("template <class T> void k(T *a) { }\nvoid k(double *a) { }", "k<int>"),
            "kernel 'k<int>' is given by an expression that is not the name of a function");
}

} // namespace

// SPDX-License-Identifier: MIT
