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
