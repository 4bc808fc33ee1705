// Kernels that add to a component at an index of each element (jit/loop/components.hpp): which of them are known, and
// what the scalar form makes of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "jit/loop/components.hpp"
#include "jit/loop/loop_code.hpp"
#include "jit_text.hpp"

namespace {

using namespace op2::core::jit;

KernelText kernel(const std::string &body) {
  return op2_test::text_of(
      "const int last = 3; int table[4] = {1, 0, 3, 2}; double helper(double *a, int i) { a[i] += 1; return a[0]; "
      "}\n"
      "void k(const int *i, const double *x, double *p, double *q) {" +
      body + "}");
}
Components of(const std::string &body, int dim = 9) { return added_components(kernel(body), 2, dim); }

TEST(JitComponents, OnceAtAnIndexOfTheElement) {
  for (const char *body : {"p[i[0]] += x[0];", "p[i[0]] -= x[0] * x[1];", "p[i[0]]++;", "--p[i[1]];",
                           "(p[table[i[0]]]) += 1;", "const int there = i[0]; p[there] += x[there];",
                           "if (x[0] > 0) p[i[0]] += x[0]; else { q[0] += 1; p[i[1]] -= x[1]; }",
                           "if (x[0] < 0) return; for (int j = 0; j < 4; ++j) q[j] += x[j]; p[i[0]] += x[1];",
                           "if (x[0] > 0) { *p += x[0]; } else p[i[0]] += 1;"})
    EXPECT_EQ(Components::once, of(body)) << body;
}

TEST(JitComponents, AFewTimes) {
  const std::string two = "p[i[0]] += x[0]; p[i[1]] -= x[1];", loop = "for (int j = 0; j < 3; ++j) p[i[j]] += x[j];",
                    constant_too = "p[0] += x[0]; if (x[0] > 1) p[i[0]] -= x[1];",
                    repeated = "while (q[0] < x[0]) { q[0] += 1; p[i[0]] += x[0]; }";
  EXPECT_EQ(Components::few, of(two, 8));
  EXPECT_EQ(Components::any, of(two, 9)) << "more comparisons than a row of zeros costs";
  for (const std::string &body : {two, loop, constant_too, repeated}) EXPECT_EQ(Components::few, of(body, 4)) << body;
  EXPECT_EQ(Components::any, of(loop, 5));
  EXPECT_EQ(Components::any, of(repeated, 5)) << "it may run more than once";
}

TEST(JitComponents, NotWhereSomethingElseIsDone) {
  for (const char *body :
       {"", "p[0] += x[0];", "p[last] += x[0];", "p[last - 1] += x[0];", "for (int j = 0; j < 4; ++j) p[j] += x[j];",
        "p[i[0]] = x[0];", "p[i[0]] *= x[0];", "p[i[0]] += p[0];", "p[p[0] > 0 ? 1 : 2] += 1;", "q[0] = p[i[0]];",
        "p[i[0]] += x[0]; q[0] += p[1];", "double *r = p + 1; r[i[0]] += x[0];", "p[i[0]] += x[0]; helper(p, 2);",
        "p += i[0]; *p += x[0];", "const double y = (p[i[0]] += x[0]); q[0] = y;", "if (p[i[0]] += x[0]) q[0] += 1;",
        "for (int j = 0; j < i[0]; p[i[j]] += x[j]) ++j;", "p[i[0]] += x[0], q[0] += x[1];",
        "const auto add = [&](int c) { p[c] += x[0]; }; add(i[0]);"})
    EXPECT_EQ(Components::any, of(body, 4)) << body;
  EXPECT_EQ(Components::any, of("p[i[0]] += x[0];", 1));
}

// ---- the text of the scalar form

LoopShape shape_with(int dim) {
  LoopShape out;
  out.name = "k";
  const auto argument = [&](int kind, op_access access, Scalar scalar, int values, int dat, int column) {
    ArgShape arg;
    arg.kind = kind;
    arg.access = access;
    arg.scalar = scalar;
    arg.type_size = scalar == Scalar::int32 ? 4 : 8;
    arg.dim = values;
    arg.dat = dat;
    arg.map = kind == OP_RANGE_INDIRECT ? 0 : -1;
    arg.column = column;
    arg.columns = kind == OP_RANGE_INDIRECT ? 2 : 0;
    out.args.push_back(arg);
  };
  argument(OP_RANGE_DIRECT, OP_READ, Scalar::int32, 4, 0, 0);
  argument(OP_RANGE_DIRECT, OP_READ, Scalar::float64, 4, 1, 0);
  argument(OP_RANGE_INDIRECT, OP_INC, Scalar::float64, dim, 2, 0);
  argument(OP_RANGE_INDIRECT, OP_INC, Scalar::float64, dim, 2, 1);
  return out;
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(JitComponents, HaveNoRowOfZerosInScalarCode) {
  const LoopShape shape = shape_with(9);
  const KernelText text = kernel("p[i[0]] += x[0]; for (int j = 0; j < 9; ++j) q[j] += x[1];");
  const LoopCode code = generate(text, shape, 32);
  ASSERT_GT(code.lanes, 0) << code.why_scalar;
  EXPECT_FALSE(contains(code.text, "one_component<double> t2;")) << "vectors have rows of their own";
  for (const bool quick : {false, true}) {
    const std::optional<LoopCode> scalar = scalar_form(text, shape, code, quick);
    ASSERT_TRUE(scalar);
    EXPECT_TRUE(contains(scalar->text, "one_component<double> t2;")) << scalar->text;
    EXPECT_FALSE(contains(scalar->text, "double t2[9];"));
    EXPECT_TRUE(contains(scalar->text, "double t3[9];")) << "all of its components are added to";
  }
  const LoopShape short_rows = shape_with(4);
  const KernelText twice = kernel("for (int j = 0; j < 3; ++j) { p[i[j]] += x[j]; q[j] -= x[j]; }");
  const std::optional<LoopCode> scalar = scalar_form(twice, short_rows, generate(twice, short_rows, 32));
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(contains(scalar->text, "few_components<double, 4> t2;")) << scalar->text;
  EXPECT_TRUE(contains(scalar->text, "double t3[4];"));
}

// Code that gives the bits of the program's own lets kernels change rows themselves.
TEST(JitComponents, AreOnlyForCodeThatAddsToSomethingLocal) {
  const LoopCode code = generate(kernel("p[i[0]] += x[0];"), shape_with(9), 0);
  EXPECT_EQ("scalar", code.form);
  EXPECT_FALSE(contains(code.text, "one_component<double> t2;"));
  EXPECT_FALSE(contains(code.text, "double t2[9];"));
}

} // namespace

// SPDX-License-Identifier: MIT
