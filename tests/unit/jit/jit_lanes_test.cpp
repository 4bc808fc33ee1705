// What becomes of a kernel's text: its scalar form, its form for lanes, and what is refused.
#include "jit/lanes/lanes.hpp"

#include <gtest/gtest.h>

#include "jit/prelude/prelude.hpp"
#include "jit_text.hpp"

namespace {

using op2::core::jit::Refusal;
using op2::core::jit::Use;
using op2_test::text_of;

std::string lanes_of(const std::string &source, std::vector<Use> uses = {}) {
  const op2::core::jit::KernelText text = text_of(source);
  uses.resize(text.kernel.parameters.size(), Use::lanes);
  return lane_members(text, uses);
}

std::string refusal_of(const std::string &source, std::vector<Use> uses = {}) {
  try {
    return "accepted as:\n" + lanes_of(source, std::move(uses));
  } catch (const Refusal &refusal) {
    return refusal.what();
  }
}

// The text does not depend on how it is laid out in lines.
std::string squeezed(const std::string &text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

void expect_contains(const std::string &text, const std::string &part) {
  EXPECT_NE(squeezed(text).find(squeezed(part)), std::string::npos) << "no\n" << part << "\nin\n" << text;
}

void expect_lacks(const std::string &text, const std::string &part) {
  EXPECT_EQ(squeezed(text).find(squeezed(part)), std::string::npos) << part << "\nis in\n" << text;
}

// The reason names the place and the construct.
void expect_refused(const std::string &source, const std::string &construct, std::vector<Use> uses = {}) {
  const std::string reason = refusal_of(source, std::move(uses));
  EXPECT_TRUE(reason.starts_with("test.cpp:")) << reason;
  EXPECT_NE(reason.find(construct), std::string::npos) << "no '" << construct << "' in: " << reason;
}

TEST(ScalarMembers, AreTheTextWithTheNamesOfThePrelude) {
  const std::string members = scalar_members(text_of(R"(
    struct Pair { double a, b; };
    const double half = 0.5;
    enum { few = 3 };
    double gam;
    double min(double a, double b) { return a < b ? a : b; }
    void my_kernel(const double *x, int n[2]) { x[0] = min(sqrt(x[1]), fabs(gam)) * half; n[0] = few; }
  )"));
  expect_contains(members, "struct Pair { double a, b; };");
  expect_contains(members, "static inline const double half = 0.5;");
  expect_contains(members, "enum { few = 3 };");
  expect_contains(members, "void op2_kernel(const double *x, int n[2])");
  expect_contains(members, "x[0] = min(op2j::sqrt(x[1]), op2j::fabs(gam)) * half;"); // its own min()
  expect_lacks(members, "my_kernel");
}

TEST(LaneMembers, StraightCodeStaysAsItIs) {
  const std::string members = lanes_of(
      "double gam; void k(const double *q, double *out) { const double ri = 1.0 / q[0]; out[0] = sqrt(gam * ri); }");
  expect_contains(members, "void op2_kernel(const op2_double *q, op2_double *out)");
  expect_contains(members, "const op2_double ri = 1.0 / q[0]; out[0] = op2j::sqrt(gam * ri);");
}

TEST(LaneMembers, CountersStayScalars) {
  const std::string members = lanes_of(R"(void k(const int *n, double *x) {
    int i, sum = 0, three = 3;
    for (i = 0; i < three; ++i) { x[i] += 1; sum += *n; }
    x[0] = sum;
  })");
  expect_contains(members, "for (int i = 0; i < three; ++i)");
  expect_contains(members, "int three = 3;");
  expect_contains(members, "op2_int sum = 0;");
}

TEST(LaneMembers, CountersStayScalarsInLoopsThatElementsLeaveOneByOne) {
  const std::string members = lanes_of(R"(const double at[4] = {1, 2, 3, 4};
    void next(int &i) { ++i; }
    void k(const double *x, double *y) {
      int i, j, m;
      for (i = 0; i < 3; ++i) if (*x < at[i + 1]) break;
      for (j = 0; j < 3; ++j) { if (*x < at[j]) break; next(j); }
      for (m = 0; m < 3; ++m) { if (*x < at[m]) m = 2; }
      *y = at[i] + j + m;
    })");
  expect_contains(members, "i = 0;");
  expect_contains(members, "for (int op2_own_i = 0; op2_own_i < 3; ++op2_own_i, op2j::assign(i, op2_own_i, op2_b1)) {");
  expect_contains(members, "op2j::truth(*x < at[op2_own_i + 1])");
  expect_lacks(members, "op2_own_j");
  expect_lacks(members, "op2_own_m");
}

TEST(LaneMembers, UniformParametersKeepTheirType) {
  const std::string members = lanes_of(
      "void k(const double *g, const int *n, double *x) { for (int i = 0; i < *n; ++i) "
      "if (g[i] > 0) x[i] = g[i]; }",
      {Use::uniform, Use::uniform});
  expect_contains(members, "op2_kernel(const double *g, const int *n, op2_double *x)");
  expect_contains(members, "if (g[i] > 0) {");
}

TEST(LaneMembers, AssignmentsInABranchAreMasked) {
  const std::string members = lanes_of(
      "void k(const double *a, double *x) { double y = 1; if (*a > 0) { double z = *a; z += 1; "
      "y = z; *x += z; } else --y; *x = y; }");
  expect_contains(members, "const auto op2_m1 = op2j::truth(*a > 0);");
  expect_contains(members, "op2_double z = *a; z += 1;"); // of the branch alone
  expect_contains(members, "op2j::assign(y, z, op2_m1);");
  expect_contains(members, "op2j::assign(*x, *x + (z), op2_m1);");
  expect_contains(members, "const auto op2_m2 = !op2_m1;");
  expect_contains(members, "op2j::assign(y, y - 1, op2_m2);");
}

// Memory that no element asks for must not be touched: it may not be there.
TEST(LaneMembers, OnlyMemoryThatIsThereIsTouchedUnasked) {
  const char *const known = "void k(const double *a, double *x) { x[1] = a[0]; if (a[0] > 0) x[0] = 1; }";
  expect_lacks(lanes_of(known), "op2j::any");
  const char *const unknown = "void k(const double *a, double *x) { x[1] = a[0]; if (a[0] > 0) x[2] = 1; }";
  expect_contains(lanes_of(unknown), "if (op2j::any(op2_m1)) {");
  expect_contains(lanes_of("void k(const double *a, double *x) { *x = *a > 0 ? *a : a[1]; }"), "op2j::choose(");
  expect_contains(lanes_of("void k(const double *a, double *x) { *x = *a > 0 ? *a : -*a; }"), "op2j::select(");
  expect_contains(lanes_of("void k(const double *a, const double *b, double *x) { if (*a > 0 && *b > 0) *x = 1; }"),
                  "op2j::both(*a > 0, [&] { return *b > 0; })");
}

TEST(LaneMembers, UniformConditionsStayBranches) {
  const std::string members =
      lanes_of("void k(const double *a, const double *b, double *x) { if (b) *x = *b; else *x = *a; }");
  expect_contains(members, "if (b) { *x = *b; } else { *x = *a; }");
}

TEST(LaneMembers, HelpersComeInTheFormsThatAreCalled) {
  const std::string members = lanes_of(R"(
    int at(int i) { return 2 * i; }
    double half(double x) { return 0.5 * x; }
    void unused(double x) { x = 1; }
    void k(const double *a, const int *n, double *x) { x[at(1)] = half(a[at(0)]) + at(*n); })");
  expect_contains(members, "OP2J_INLINE int at(int i)");
  expect_contains(members, "OP2J_INLINE op2_int at_op2_2(op2_int i)");
  expect_contains(members, "OP2J_INLINE op2_double half(op2_double x)");
  expect_lacks(members, "unused");
}

TEST(LaneMembers, ArraysOfArraysAreParametersOfHelpers) {
  const std::string members = lanes_of(R"(
    double sum(const double (*a)[2], const double (&b)[3][2]) { return a[0][1] + b[2][1]; }
    void k(const double *x, double *y) {
      double a[3][2] = {}; const double b[3][2] = {}; a[0][1] = x[0]; *y = sum(a, b) + sum(b, b); })");
  expect_contains(members, "op2_double sum(const op2_double(*a)[2], const double(&b)[3][2])");
  expect_contains(members, "double sum_op2_2(const double(*a)[2], const double(&b)[3][2])");
}

TEST(LaneMembers, RefusedWithPlaceAndConstruct) {
  const std::string in = "void k(const double *a, double *x, const int *n, bool *f) {\n";
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {"double q[2][2] = {}; q[*n][0] = *a; *x = q[0][0];", "the index of what is written differs"},
      {"double q[2][2] = {}; *x = q[*n][0];", "the index of 'q' differs"},
      {"*x = *a > 0 ? a[*n] : 0;", "the index of 'a' differs"}, // of elements for which it is not evaluated, too
      {"double &r = x[*n]; r = 1;", "the index of what is referred to differs"},
      {"double *p = &x[*n]; *p = 1;", "the index of what is pointed to differs"},
      {"*x = (x[*n] = 1) + 2;", "an assignment at an index"},
      {"const double *p = a; if (*a > 0) p = a + 1; *x = *p;", "the pointer 'p' is assigned under a condition"},
      {"const double *p = *a > 0 ? a : x; *x = *p;", "a pointer that is chosen"},
      {"const double *p = a + *n; *x = *p;", "a pointer that differs"},
      {"switch (*n) { case 1: *x = 1; case 2: *x += 1; }", "'switch' over a value that differs"},
      {"switch (*n) { case 1: if (*a > 0) break; *x = 1; }", "'switch' over a value that differs"},
      {"switch (n[0]++) { case 1: *x = 1; }", "'switch' over a value that differs"},
      {"again: *x += 1; if (*a > 0) goto again;", "the label 'again'"},
      {"double y; if (*a > 0) *x = (y = 2) + 1;", "an assignment within a larger expression"},
      {"double y = *a > 0 ? (*x = 1) : 2; *x = y;", "an assignment in a part of an expression"},
      {"if (*a > 0 && (*x = 2) > 1) *x += 1;", "an assignment"},
      {"double y = 0; if (*a > 0) x[0] = y++;", "an assignment within a larger expression"},
      {"int i = 0; if (*a > 0) x[i++] = 1;", "the left side"},
      {"*x = *(const double *)a;", "a cast to a pointer"},
      {"*x = sizeof(double);", "'sizeof'"},
      {"static double s = 0; s += *a; *x = s;", "'static'"},
      {"union { double d; int i; } u; u.d = *a;", "'union'"},
      {"struct P { double d; } p; p.d = *a;", "a struct within a kernel"},
      {"short s = *n; *x = s;", "'s' differs between elements and is of type 'short'"},
      {"*x = (char)*n;", "a conversion to 'char'"},
      {"*x = *n & 1.5;", "'&' of real numbers"},
      {"*x = what(*a);", "a call of 'what'"},
      {"*x = what;", "'what', of which nothing is known"},
      {"*x = sqrt(*a, 1.0);", "a call of 'sqrt'"},
      {"for (double v : {1.0, 2.0}) *x += v;", "a 'for' over a range"},
      {"switch (1) { case 1: if (*a > 0) break; *x = 1; }", "a jump out of 'switch'"},
      {"op2_m1();", "op2_m1"},
      {"int op2_m1 = 0; *x = op2_m1;", "'op2_m1' is a name that generated code keeps"},
      {"throw *a;", "'throw'"},
      {"double &r = *a > 0 ? x[0] : x[1]; r = 1;", "a pointer that is chosen"},
  };
  for (const auto &[body, construct] : bodies) {
    const std::string kernel = "void k(const double *a, double *x, const int *n) {\n" + body + "\n}";
    if (body.find("r = *a >") != std::string::npos)
      expect_refused(kernel, "reference 'r'");
    else
      expect_refused(kernel, construct);
  }
  expect_refused(in + "*x = *f; }", "the parameter 'f'");
  expect_refused("void k(const char *c, double *x) { *x = *c; }", "the parameter 'c'");
  expect_refused("void k(double (*g)[2], double *x) { *x = g[0][1]; }", "the parameter 'g'", {Use::uniform});
  expect_refused("double f(double *(*p)[2]) { return *p[0][1]; } void k(double *x) { double *p[1][2]; *x = f(p); }",
                 "an array of pointers");
  expect_refused("double f(double *(*p)[2]) { return *p[0][1]; } void k(double *x) { *x = f(nullptr); }",
                 "the parameter 'p'");
  for (const std::string form : {"double (p)[2]", "double *(p)[2]", "double (&&p)[2]", "double *(&p)[2]"})
    expect_refused("double f(" + form + ") { return 1; } void k(double *x) { double y[2]; *x = f(y); }",
                   "the parameter");
  expect_refused("double f(int n, double (*p)[n]) { return p[0][1]; } void k(double *x) { *x = f(1, nullptr); }",
                 "the parameter 'p'");
  expect_refused(
      "double f(int i, const double (*a)[2]) { return a[i][1]; }"
      "void k(const int *n, double *x) { double a[2][2] = {}; *x = f(*n, a); }",
      "the index of 'a' differs");
  expect_refused("void k(double *g, double *x) { *g += *x; }", "'g' is written", {Use::uniform});
  expect_refused("void add(double *y) { *y += 1; } void k(double *g, double *x) { add(g); *x = *g; }",
                 "'g' is written by 'add'", {Use::uniform});
  expect_refused("double gam; void k(double *x) { gam = *x; }", "'gam' is written");
  expect_refused(
      "void put(double *p) { *p = 1; } int f(double *p) { put(p); return 1; }"
      "void k(const double *a, double *x) { if (*a > 0 && f(x)) *x = 2; }",
      "a call of 'f', which writes memory");
  const op2::core::jit::KernelText one = text_of("void k(double *x) { *x = 1; }");
  EXPECT_THROW(lane_members(one, std::vector<Use>(2, Use::lanes)), Refusal);
}

// A lambda is a function that gets what it captures: by reference, or a copy that is made where the lambda stands.
TEST(LaneMembers, LambdasAreFunctions) {
  const std::string references = lanes_of(
      "void k(const double *a, double *x) { double s = 0, t = *a; auto f = [&](double y) { s += y * t; }; f(a[1]); "
      "*x = s; }");
  expect_contains(references, "void op2_lambda1_op2_2(op2_double y, op2_double & s, const op2_double & t)");
  expect_contains(references, "op2_lambda1_op2_2(a[1], s, t);");
  const std::string values = lanes_of(
      "void k(const double *a, double *x) { double t = *a; auto f = [t, a](int i) { return a[i] * t; }; t = 1; "
      "*x = f(1); }");
  expect_contains(values, "op2_double op2_lambda1(int i, const op2_double * a, const op2_double op2_copy2)");
  expect_contains(values, "const op2_double op2_copy2 = t; t = 1; *x = op2_lambda1(1, a, op2_copy2);");
}

TEST(LaneMembers, LambdasThatAreRefused) {
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {"auto f = [](auto y) { return y; }; *x = f(*a);", "the parameter 'y' of a lambda"},
      {"auto f = [](double &&y) { return y; }; *x = f(1.0);", "a reference to a temporary"},
      {"auto f = [](double y = 1) { return y; }; *x = f();", "the parameter 'y' of a lambda"},
      {"auto f = [](short y) { return 1.0; }; *x = f(1);", "the parameter 'y' of a lambda"},
      {"auto f = []<class T>(T y) { return y; }; *x = f(*a);", "'<' in front of a lambda's body"},
      {"auto f = [&]() mutable { *x = *a; }; f();", "'mutable' in front of a lambda's body"},
      {"auto f = [y = *a] { return y; }; *x = f();", "the capture 'y' of a lambda"},
      {"auto f = [this] { return 1.0; }; *x = f();", "the capture 'this' of a lambda"},
      {"auto f = [a] { return a; }; *x = *f();", "a lambda whose result is of a type that is not known"},
      {"auto f = [a]() -> const double * { return a; }; *x = *f();", "the result type of a lambda"},
      {"auto f = [a] { return a[0]; }; auto g = f; *x = g();", "the lambda 'f', which is not called"},
      {"auto f = [](double y) { return y; }; apply(f, x);", "the lambda 'f', which is not called"},
      {"apply([](double y) { return y; }, x);", "a lambda that is neither the value of an 'auto' nor called"},
      {"const auto &f = [] { return 1.0; }; *x = f();", "a lambda that is neither the value of an 'auto' nor called"},
      {"auto f = [](double y) { return y; }; *x = f(1, 2);", "whose arguments are not its parameters"},
      {"double y = *a; auto f = [&] { return y; }; { double y = 2; *x = f() + y; }",
       "a call of 'f' where 'y' is not what it captures"},
      {"double y = *a; auto f = [&] { return y; }; auto g = [&] { int y = 1; return f() + y; }; *x = g();",
       "a call of 'f' where 'y' is not what it captures"},
      {"const double *p = a; auto f = [&] { ++p; }; f(); *x = *p;", "a lambda that moves the captured pointer 'p'"},
      {"const double *p = a; auto f = [p] { return *p; }; ++p; *x = f() + *p;",
       "a lambda that captures 'p' by value, which is changed"},
      {"double w[2] = {1, 2}; auto f = [w] { return w[1]; }; w[1] = *a; *x = f();",
       "a lambda that captures 'w' by value, which is changed"},
      {"double w[2] = {1, 2}; auto f = [=] { return w[1]; }; double *p = w; p[1] = *a; *x = f();",
       "a lambda that captures 'w' by value, which is changed"},
      {"double w[2] = {1, 2}, v[2], *p = v; auto f = [w] { return w[1]; }; p = w; p[1] = *a; *x = f();",
       "a lambda that captures 'w' by value, which is changed"},
      {"long m = *n; auto f = [&] { return m; }; *x = f();", "captures what is of another type than it can get: 'm'"},
      {"auto f = [] { return [] { return [] { return [] { return [] { return 1; }(); }(); }(); }(); }; *x = f();",
       "a lambda within so many others"},
      {"auto f = [](int i) { if (i > 0) return 1; return 2.0; }; *x = f(*n);",
       "a lambda that returns values of two types"},
      {"double w[2][2] = {}; auto f = [&] { return w[1][1]; }; *x = f();",
       "captures what is of another type than it can get: 'w'"},
      {"constexpr int m = 2; auto f = [] { double w[m] = {1, 2}; return w[1]; }; *x = f();",
       "a lambda that needs the captured 'm' as a constant"},
      {"constexpr int m = 2; auto f = [] { constexpr int l = m + 1; return l; }; *x = f();",
       "a lambda that needs the captured 'm' as a constant"},
      {"short s = 1; auto f = [&] { return s; }; *x = f();", "a lambda whose result is of a type that is not known"},
      {"short s = 1; auto f = [&]() -> double { return s; }; *x = f();",
       "captures what is of another type than it can get: 's'"},
      {"double y = *a; const double z = [y](double &r) { r = 1; return y; }(y) + y; *x = z;",
       "a value that is changed within the expression"},
      {"double y = *a; auto f = [](double z) { return y + z; }; *x = f(1);",
       "a lambda that uses 'y' and does not capture it"},
      {"double y = 0; auto f = [&] { ++y; }; *x = [y, &f] { f(); return y; }();",
       "a lambda that captures 'y' by value, which is changed"},
      {"*x = *a > 0 ? [&] { x[0] = 1; return 2.0; }() : 1.0;", "which writes memory, for some elements only"},
  };
  for (const auto &[body, construct] : bodies)
    expect_refused("void k(const double *a, double *x, const int *n) {\n" + body + "\n}", construct);
}

TEST(Prelude, IsTheHeaders) {
  EXPECT_NE(op2::core::jit::values_prelude().find("struct lanes"), std::string_view::npos);
  EXPECT_NE(op2::core::jit::functions_prelude().find("OP2J_WIDE(exp)"), std::string_view::npos);
  for (const std::string_view text :
       {op2::core::jit::values_prelude(), op2::core::jit::vector_math_prelude(), op2::core::jit::functions_prelude()})
    EXPECT_EQ(text.find("#include"), std::string_view::npos) << "a generated file compiles faster without any header";
}

} // namespace

// SPDX-License-Identifier: MIT
