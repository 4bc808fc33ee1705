// jit_kernel_test.cpp: kernels are found in texts as users write them, with all they need and nothing else.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "jit/loop/antisymmetric.hpp"
#include "kernel_source.hpp"

namespace {

using namespace kernel_source;
using Names = std::vector<std::string>;

// ---- the text of the kernel ----

std::string airfoil() { return without_directives(OP2_SOURCE_FOLDER "/examples/airfoil/airfoil_kernels.h"); }

TEST(JitKernel, AllKernelsOfAirfoilAreFoundInBothLanguages) {
  for (const char *program : {"airfoil.cpp", "airfoil.c"})
    for (const char *kernel : {"save_soln", "adt_calc", "res_calc", "bres_calc", "update"}) {
      const Program unit{airfoil(), program, 0, airfoil_constants};
      const KernelText text = unit.find(kernel);
      EXPECT_EQ(text.kernel.name, kernel);
      EXPECT_EQ(text.kernel.file, program);
      EXPECT_GT(text.kernel.line, 20);
      EXPECT_EQ(text.c_language, unit.file.ends_with(".c"));
      EXPECT_TRUE(text.helpers.empty() && text.constants.empty() && text.types.empty());
    }
}

TEST(JitKernel, ParametersAreUnderstood) {
  const KernelText text = found(
      "void k(const double *x, double *const y, const float q[4], int **z, const double &w, long n,\n"
      "       unsigned char *c, double (*m)[3], const double a[2][3], float *, bool b) { *y = *x; }");
  const std::vector<Parameter> &p = text.kernel.parameters;
  ASSERT_EQ(p.size(), 11U);
  const auto is = [&](std::size_t n, const char *name, Scalar scalar, bool is_const, int pointers, bool reference) {
    EXPECT_EQ(p[n].name, name);
    EXPECT_EQ(p[n].scalar, scalar) << name;
    EXPECT_EQ(p[n].is_const, is_const) << name;
    EXPECT_EQ(p[n].reference, reference) << name;
    if (scalar != Scalar::other) {
      EXPECT_EQ(p[n].pointers, pointers) << name;
    }
  };
  is(0, "x", Scalar::float64, true, 1, false);
  is(1, "y", Scalar::float64, false, 1, false);
  is(2, "q", Scalar::float32, true, 1, false);
  is(3, "z", Scalar::int32, false, 2, false);
  is(4, "w", Scalar::float64, true, 0, true);
  is(5, "n", Scalar::int64, false, 0, false);
  is(6, "c", Scalar::other, false, 1, false);
  is(7, "m", Scalar::other, false, 1, false);
  is(8, "a", Scalar::other, true, 1, false);
  is(9, "", Scalar::float32, false, 1, false);
  is(10, "b", Scalar::boolean, false, 0, false);
  EXPECT_EQ(spell(p[0].type), "const double *");
  EXPECT_EQ(spell(p[2].type), "const float *");
  EXPECT_EQ(spell(p[7].type), "double(*)[3]");
  EXPECT_EQ(spell(p[8].type), "const double(*)[3]");
  EXPECT_EQ(text.kernel.result, Scalar::none);
}

TEST(JitKernel, WordsThatDoNotMatterAreDropped) {
  for (const char *head :
       {"void k(double *a)", "static inline void k(double *a)", "inline void k(double *__restrict__ a)",
        "extern \"C\" void k(double *restrict a)", "[[gnu::always_inline]] inline void k([[maybe_unused]] double *a)",
        "__attribute__((always_inline)) static void k(double *a)", "static __inline__ void k(double *a) noexcept",
        "void __attribute__((noinline)) k(double a[])", "constexpr void k(double *a) noexcept(true)",
        "auto k(double *a) -> void", "inline auto k(double *a) noexcept -> void",
        "void k(double *__restrict a) /* } */", "inline\n\nvoid\nk\n(double\n*a)",
        "static void k(double *a) __attribute__((hot))"}) {
    const KernelText text = found(std::string(head) + " { register double b = 1; a[0] = b; }");
    EXPECT_EQ(spell(text.kernel.body), "{\n  double b = 1;\n  a[0] = b;\n}") << head;
    ASSERT_EQ(text.kernel.parameters.size(), 1U) << head;
    EXPECT_EQ(spell(text.kernel.parameters[0].type), "double *") << head;
    EXPECT_EQ(text.kernel.result, Scalar::none) << head;
  }
}

TEST(JitKernel, BracesAndNamesInCommentsAndStringsAreNoText) {
  EXPECT_EQ(body("// void k(int *a) { }\n/* void k() { } */ const char *s = \"void k() {\"; const char c = '{';\n"
                 "void other() { puts(\"k(1) }}\"); }\n"
                 "void k(double *a) { /* } */ a[0] = 1; // }\n }"),
            "{\n  a[0] = 1;\n}");
}

TEST(JitKernel, ExpressionsThatNameAKernel) {
  const char *program = "namespace ns { namespace { inline void k(double *a) { a[0] = 1; } } }\n";
  for (const char *expression : {"ns::k", "&ns::k", "(ns::k)", "(&ns::k)", "k", "::ns::k", "((k))"})
    EXPECT_EQ(found(program, expression).kernel.name, "k") << expression;
  EXPECT_EQ(found("extern \"C\" { void k(int *a) { a[0] = 1; } }").kernel.line, 1);
  EXPECT_EQ(found("namespace a::b { inline namespace v1 { void k(int *a) { a[0] = 1; } } }", "a::b::v1::k").kernel.name,
            "k");
}

TEST(JitKernel, APrototypeBeforeTheDefinitionIsFine) {
  EXPECT_EQ(found("void k(double *);\nstatic double h(double);\nint main() { op_par_loop(k); }\n"
                  "void k(double *a) { a[0] = h(a[0]); }\nstatic double h(double x) { return x; }")
                .helpers.size(),
            1U);
}

TEST(JitKernel, LambdasAsTheMacroRecordsThem) {
  const Program program{
      "const double g = 2.0;\ninline double h(double x) { return g * x; }\n"
      "int main() {\n  op_par_loop([](const double *a, double *b) { }, s);\n}\n",
      "k.cpp", 4};
  const KernelText text =
      program.find("[](const double *a, double *b) { for (int i = 0; i < 3; ++i) b[i] = h(a[i]); }");
  EXPECT_EQ(text.kernel.name, "op2_kernel");
  EXPECT_EQ(text.kernel.line, 4);
  EXPECT_EQ(spell(text.kernel.body), "{\n  for (int i = 0; i < 3; ++i) b[i] = h(a[i]);\n}");
  EXPECT_EQ(names(text.helpers), Names{"h"});
  EXPECT_EQ(names(text.constants), Names{"g"});
  EXPECT_EQ(program.find("+[](double *a) noexcept -> void { a[0] = 1; }").kernel.parameters.size(), 1U);
  EXPECT_EQ(program.find("([](double *a) mutable { a[0] = 1; })").kernel.parameters.size(), 1U);
}

TEST(JitKernel, LambdasInVariables) {
  const std::string local = "int main() {\n  const auto k = [](double *a) { a[0] = 1; };\n  op_par_loop(k, s);\n}\n";
  EXPECT_EQ(spell((Program{local, "k.cpp", 3}.find("k").kernel.body)), "{\n  a[0] = 1;\n}");
  EXPECT_EQ(body("constexpr auto k = [](double *a) { a[0] = 2; };"), "{\n  a[0] = 2;\n}");
}

TEST(JitKernel, TextThatTheProgramGives) {
  const auto given = [](const std::string &text, const std::string &expression = "k") {
    const Preprocessed tokens = tokens_of_given(text);
    KernelRequest request;
    request.file = "nowhere.cpp";
    request.expression = expression;
    request.unit = &tokens;
    request.given = true;
    return find_kernel(request);
  };
  const std::string helper = "#include <cmath>\nstatic double h(double x) { return x + 1; }\n";
  const KernelText text = given(helper + "static void k(double *a) { a[0] = h(a[0]); }");
  EXPECT_EQ(names(text.helpers), Names{"h"});
  EXPECT_EQ(text.kernel.file, "");
  EXPECT_EQ(text.kernel.line, 3);
  const std::string lambda = "[](double *a) { a[0] = h(a[0]); }";
  EXPECT_EQ(given(helper + lambda).kernel.name, "op2_kernel");
  EXPECT_EQ(names(given(helper + lambda, lambda).helpers), Names{"h"});
  EXPECT_EQ(names(given(helper, lambda).helpers), Names{"h"});
}

TEST(JitKernel, AliasesOfTypesAreReplaced) {
  for (const char *front :
       {"typedef double REAL;\n", "using REAL = double;\n", "typedef double base;\ntypedef base REAL;\n",
        "typedef double base;\nusing REAL = base;\n"}) {
    const KernelText text =
        found(std::string(front) + "void k(const REAL *a, REAL *b) { REAL c = (REAL)1 / REAL(2); b[0] = a[0] * c; }");
    EXPECT_EQ(spell(text.kernel.body), "{\n  double c = (double) 1 / double(2);\n  b[0] = a[0] * c;\n}") << front;
    EXPECT_EQ(text.kernel.parameters[0].scalar, Scalar::float64);
    EXPECT_TRUE(text.types.empty());
  }
  EXPECT_EQ(body("typedef unsigned int uint;\nvoid k(uint *a) { const uint b = uint(3); a[0] = b + uint(a[1]); }"),
            "{\n  const unsigned int b = (unsigned int)(3);\n  a[0] = b + (unsigned int)(a[1]);\n}");
  EXPECT_EQ(body("void k(int *a) { typedef double real; using wide = long; real x = 1; wide y = 2; a[0] = x + y; }"),
            "{\n  double x = 1;\n  long y = 2;\n  a[0] = x + y;\n}");
  EXPECT_EQ(found("void k(const std::int32_t *a, size_t *b, int64_t *c) { }").kernel.parameters[1].scalar,
            Scalar::uint64);
}

TEST(JitKernel, TheStandardLibrarysMathematicsLosesItsNamespace) {
  EXPECT_EQ(body("void k(double *a) { a[0] = std::sqrt(std::max(a[1], std::abs(a[2]))) + ::std::pow(a[3], 2); }"),
            "{\n  a[0] = sqrt(max(a[1], abs(a[2]))) + pow(a[3], 2);\n}");
  EXPECT_EQ(body("void k(double *a) { using std::sqrt; using namespace std; a[0] = sqrt(min(a[1], a[2])); }"),
            "{\n  a[0] = sqrt(min(a[1], a[2]));\n}");
  EXPECT_EQ(body("void k(double *a) { a[0] = std::numeric_limits<double>::max(); std::size_t n = 1; a[n] = 0; }"),
            "{\n  a[0] = 1.7976931348623157e+308;\n  unsigned long n = 1;\n  a[n] = 0;\n}");
}

TEST(JitKernel, StatementsOfAllKinds) {
  const char *source =
      "void k(const double *a, double *b, int *n) {\n"
      "  int i = 0, *p = n, m[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
      "  const double c[] = {1.0, 2.0};\n"
      "  for (;;) { if (i > 3) break; else ++i; }\n"
      "  for (int j = 0, l = 1; j < 2; j++, --l) { if (j == 1) continue; b[j] = l; }\n"
      "  while (i > 0) i--;\n"
      "  do { ++i; } while (i < 2);\n"
      "  switch (*n) { case 1: b[0] = 1; break; case 2 + 1: { b[1] = c[0]; } default: b[0] = -a[0]; }\n"
      "  double x = a[0] > 0.0 ? a[0] : a[1] < 1e-3f ? 0x1p-2 : .5;\n"
      "  if (const double y = x; y > 1) b[0] = y;\n"
      "  for (double v : c) x += v;\n"
      "  const auto f = [&](double t) { return t * x; };\n"
      "  double (*rows)[3] = nullptr; (void)rows;\n"
      "  b[m[1][2]] = f(x), *p = sizeof(double) + static_cast<int>(x) + (int)sizeof x + !i + ~i;\n"
      "  b[0] = true and not false ? 'a' : 0;\n"
      "  static_assert(sizeof(int) == 4, \"int\");\n"
      "  [[maybe_unused]] int unused; ;\n"
      "  { double x = 2; b[1] = x; }\n"
      "  return;\n"
      "}\n";
  const std::string text = body(source);
  EXPECT_NE(text.find("b[0] = true && !false"), std::string::npos) << text;
  EXPECT_EQ(text.find("static_assert"), std::string::npos);
  EXPECT_EQ(text.find("maybe_unused"), std::string::npos);
}

// ---- what it needs ----

TEST(JitKernel, HelpersComeBeforeTheirCallers) {
  const KernelText text = found(
      "double unused(double x) { return x; }\nstatic double c(double x);\n"
      "static double a(double x) { return c(x) + 1; }\nstatic double c(double x) { return x * x; }\n"
      "inline float b(float x, int n) { return n > 0 ? a(c(x)) : 0.0f; }\nvoid k(double *x) { x[0] = b(a(x[0]), 2); }");
  EXPECT_EQ(names(text.helpers), (Names{"c", "a", "b"}));
  EXPECT_EQ(text.helpers[0].result, Scalar::float64);
  EXPECT_EQ(text.helpers[2].result, Scalar::float32);
  EXPECT_EQ(text.helpers[2].parameters[1].scalar, Scalar::int32);
  EXPECT_EQ(text.helpers[2].line, 5);
}

TEST(JitKernel, HelpersOfNamespacesLoseThem) {
  const KernelText text = found(
      "namespace maths { inline double sq(double x) { return x * x; } const double two = 2; }\n"
      "namespace app { using namespace maths; inline double q(double x) { return sq(x); }\n"
      "void k(double *a) { a[0] = maths::sq(a[1]) * maths::two + q(a[2]); } }",
      "app::k");
  EXPECT_EQ(names(text.helpers), (Names{"sq", "q"}));
  EXPECT_EQ(spell(text.kernel.body), "{\n  a[0] = sq(a[1]) * two + q(a[2]);\n}");
}

TEST(JitKernel, AUsingDeclarationInABodySaysWhatANameMeans) {
  const std::string text =
      "double f(double x) { return 1; }\nnamespace n { namespace m { double f(double x) { return 2; } } "
      "double g(double x) { return f(x); } }\n";
  const KernelText all = found(text + "void k(double *a) { { using n::m::f; a[0] = f(a[1]); } }");
  ASSERT_EQ(names(all.helpers), (Names{"f"}));
  EXPECT_EQ(spell(all.helpers[0].body), "{\n  return 2;\n}");
  EXPECT_EQ(spell(all.kernel.body), "{\n  {\n    a[0] = f(a[1]);\n  }\n}");
  const std::string in =
      "namespace n { void k(double *a) { using m::f; a[0] = f(a[1]); { double f = 3; a[1] = f; } } }";
  EXPECT_EQ(spell(found(text + in, "n::k").helpers[0].body), "{\n  return 2;\n}");
  EXPECT_EQ(names(found(text + "void k(double *a) { using n::g; { using n::m::f; } a[0] = g(1); }").helpers),
            (Names{"f", "g"})); // that of g's own place
}

TEST(JitKernel, TheInnermostScopeCounts) {
  const KernelText text = found(
      "inline double h(double x) { return 1; }\n"
      "namespace n { inline double h(double x) { return 2; } void k(double *a) { a[0] = h(a[1]); } }");
  EXPECT_EQ(spell(text.helpers[0].body), "{\n  return 2;\n}");
}

TEST(JitKernel, PointersFromHelpers) {
  const KernelText text = found(
      "static const double *row(const double *a, int n) { return a + 4 * n; }\n"
      "void k(const double *a, double *b) { b[0] = row(a, 2)[1]; }");
  EXPECT_EQ(text.helpers[0].result, Scalar::other);
  EXPECT_EQ(spell(text.helpers[0].result_type), "const double *");
}

TEST(JitKernel, ConstantsOfTheText) {
  const KernelText text = found(
      "const double a = 1.5, b = 2 * a;\nstatic const int n = 4;\nconstexpr float f{0.5f};\nconst double unused = 3;\n"
      "static const double w[2][2] = {{1, 2}, {3, 4}};\ninline constexpr double r = sqrt(2.0);\n"
      "void k(double *x) { double l[n]; l[0] = b; x[0] = l[0] + f + w[0][1] + r; }\n");
  EXPECT_EQ(names(text.constants), (Names{"a", "b", "n", "f", "w", "r"}));
  EXPECT_EQ(spell(text.constants[1].declaration), "const double b = 2 * a;");
  EXPECT_EQ(spell(text.constants[3].declaration), "const float f = {0.5f};");
  EXPECT_EQ(text.constants[2].scalar, Scalar::int32);
  EXPECT_EQ(text.constants[5].scalar, Scalar::float64);
  EXPECT_TRUE(text.constants[4].array);
  EXPECT_FALSE(text.constants[0].array);
}

TEST(JitKernel, ConstantsOfALocalKindKeepNoStorage) {
  EXPECT_EQ(body("void k(double *x) { static const double w[2] = {1, 2}; static constexpr int n = 1; x[0] = w[n]; }"),
            "{\n  const double w[2] = {1, 2};\n  constexpr int n = 1;\n  x[0] = w[n];\n}");
}

TEST(JitKernel, Enumerations) {
  const KernelText text = found(
      "enum { N = 4, M = 2 * N };\nenum class Side : int { left = 1, right };\ntypedef enum { wall, far } Bound;\nenum "
      "Other { x };\n"
      "void k(double *a, const int *b) { if (*b == wall && *b != (int)Side::right) a[M] = N; Bound c = far; a[0] = c; "
      "}");
  ASSERT_EQ(text.constants.size(), 3U);
  EXPECT_EQ(text.constants[0].name, "");
  EXPECT_EQ(spell(text.constants[1].declaration), "enum class Side : int {\n  left = 1, right\n};");
  EXPECT_EQ(spell(text.constants[2].declaration), "typedef enum {\n  wall, far\n} Bound;");
}

TEST(JitKernel, Structures) {
  const KernelText text = found(
      "const int dim = 2;\nstruct unused { int x; };\nstruct vec { double v[dim]; double len = 0; };\n"
      "typedef struct { vec a; float b; } pair;\ntypedef double triple[3];\n"
      "inline vec make(double x) { vec out; out.v[0] = x; out.v[1] = -x; return out; }\n"
      "void k(double *a) { pair p; p.a = make(a[0]); const vec *q = &p.a; triple t = {1, 2, 3}; a[0] = q->v[1] + t[2]; "
      "}");
  ASSERT_EQ(text.types.size(), 3U);
  EXPECT_EQ(spell(text.types[0]), "struct vec {\n  double v[dim];\n  double len = 0;\n};");
  EXPECT_EQ(spell(text.types[1]), "typedef struct {\n  vec a;\n  float b;\n} pair;");
  EXPECT_EQ(spell(text.types[2]), "typedef double triple[3];");
  EXPECT_EQ(names(text.constants), Names{"dim"});
  EXPECT_EQ(text.helpers[0].result, Scalar::other);
}

TEST(JitKernel, StructuresWithMemberFunctionsAreTakenWhole) {
  const KernelText text = found(
      "inline double sq(double x) { return x * x; }\n"
      "struct vec { double x, y; vec(double a, double b) : x(a), y(b) {} double norm() const { return std::sqrt(sq(x) "
      "+ dot(*this)); }\n"
      "  double dot(const vec &o) const { return x * o.x + this->y * o.y; } vec operator+(const vec &o) const { return "
      "vec(x + o.x, y + o.y); } };\n"
      "void k(double *a) { vec v(a[0], a[1]); a[0] = (v + v).norm(); }");
  ASSERT_EQ(text.types.size(), 1U);
  EXPECT_NE(spell(text.types[0]).find("return sqrt(sq(x) + dot(*this));"), std::string::npos) << spell(text.types[0]);
  EXPECT_EQ(names(text.helpers), Names{"sq"});
}

TEST(JitKernel, StructuresOfC) {
  Program program{
      "struct cell { double cell; };\ntypedef struct cell cell_t;\nstatic double cell(struct cell *c) { return "
      "c->cell; }\n"
      "void k(double *a) { struct cell c = {1}; cell_t d; d.cell = 2; a[0] = cell(&c) + cell(&d); }",
      "k.c"};
  const KernelText text = program.find("k");
  EXPECT_TRUE(text.c_language);
  EXPECT_EQ(text.types.size(), 2U);
}

TEST(JitKernel, ConstantsWhoseTextIsNotUnderstoodAreTakenAsDeclared) {
  const Program program{"double read_it();\nconst double gam = read_it();\nvoid k(double *a) { a[0] = gam + gam; }",
                        "k.cpp", 0, airfoil_constants};
  EXPECT_EQ(program.find("k").declared, Names{"gam"});
  EXPECT_TRUE(program.find("k").constants.empty());
}

// <cmath> puts sqrt(float) into std only; a sqrt without std:: is that of C, which computes in double.
TEST(JitKernel, FunctionsOfCInCpp) {
  const std::string kernel = "void k(float *a) { a[0] = exp(a[1]) + std::exp(a[2]) + pow(a[0], 2) + expf(a[3]); }\n";
  const std::string own = "{\n  a[0] = exp(a[1]) + exp(a[2]) + pow(a[0], 2) + expf(a[3]);\n}";
  const std::string c = "{\n  a[0] = exp((double)(a[1])) + exp(a[2]) + pow((double)(a[0]), 2) + expf(a[3]);\n}";
  EXPECT_EQ(body("#include <cmath>\n" + kernel), c);
  EXPECT_EQ(body("#include <random>\n" + kernel), c);
  EXPECT_EQ(body("#include <cmath>\n#include <math.h>\n" + kernel), own);
  EXPECT_EQ(body("#include <cmath>\nusing namespace std;\n" + kernel), own);
  EXPECT_EQ(body("#include <cmath>\nusing std::exp; using std::pow;\n" + kernel), own);
  EXPECT_EQ(body("#include <cmath>\nvoid k(double *a) { a[0] = exp(a[1]); }"), "{\n  a[0] = exp(a[1]);\n}"); // no float
  EXPECT_NE(refused("#include <cmath>\nvoid k(double *a) { a[0] = abs(a[1]); }").find("write std::abs or fabs"),
            std::string::npos);
  EXPECT_EQ(refused("#include <cmath>\nvoid k(double *a) { a[0] = std::abs(a[1]); }"), "");
}

// What leaves one cell enters its neighbour: only if the text says so, and twice the same.
TEST(JitKernel, OppositeIncrements) {
  const auto opposite = [](const std::string &lines) {
    const std::string helpers = "double half(double x) { return x / 2; }\ndouble next(double *x) { return *x += 1; }\n";
    const KernelText text =
        found(helpers + "void k(const double *f, double *a, double *b) { double s = 0;\n" + lines + "}");
    return antisymmetric_increments(text.kernel, text.kernel.parameters[1], text.kernel.parameters[2], 2);
  };
  EXPECT_TRUE(opposite("a[0] += f[0]; b[0] -= f[0]; b[1] -= sqrt(f[1]) * s; a[1] += sqrt(f[1]) * s;"));
  EXPECT_FALSE(opposite("a[0] += f[0]; b[0] -= f[0];"));
  EXPECT_FALSE(opposite("a[0] += f[0]; b[0] -= f[1]; a[1] += f[1]; b[1] -= f[1];"));
  EXPECT_FALSE(opposite("if (f[0] > 0) return; a[0] += f[0]; b[0] -= f[0]; a[1] += f[1]; b[1] -= f[1];"));
  EXPECT_FALSE(opposite("a[0] += f[0]; b[0] -= f[0]; if (f[0] > 0) { a[1] += f[1]; b[1] -= f[1]; }"));
  // a function of the program may change what it is given, and give another value the second time
  EXPECT_FALSE(opposite("a[0] += next(&s); b[0] -= next(&s); a[1] += f[1]; b[1] -= f[1];"));
  EXPECT_FALSE(opposite("a[0] += half(f[0]); b[0] -= half(f[0]); a[1] += f[1]; b[1] -= f[1];"));
  // as Fortran writes them, whole arrays too
  EXPECT_TRUE(
      opposite("a[0] = (a[0] + f[0]); a[1] = (a[1] + (s - f[1])); b[0] = (b[0] - f[0]); b[1] = (b[1] - (s - f[1]));"));
  EXPECT_TRUE(
      opposite("a[0] += f[0]; b[0] = b[0] - f[0]; a[1] = a[1] + s * f[1]; a[0] += s; b[0] -= s; b[1] -= s * f[1];"));
  EXPECT_FALSE(opposite("a[0] = (a[0] + f[0]); a[1] = (a[1] + f[1]); b[0] = (b[0] - f[1]); b[1] = (b[1] - f[0]);"));
  EXPECT_FALSE(opposite("a[0] += f[0]; a[0] += s; b[0] -= s; b[0] -= f[0]; a[1] += s; b[1] -= s;")); // in another order
  EXPECT_FALSE(opposite("a[0] += s; s = f[0]; b[0] -= s; a[1] += s; b[1] -= s;"));                   // another s
  EXPECT_FALSE(opposite("a[0] = a[0] + f[0] + s; b[0] -= f[0] + s; a[1] += s; b[1] -= s;"));         // (a + f) + s
  EXPECT_FALSE(opposite("a[0] = (a[1] + f[0]); b[0] -= f[0]; a[1] += s; b[1] -= s;"));
  EXPECT_FALSE(opposite("a[0] = (a[0] - f[0]); b[0] = (b[0] + f[0]); a[1] += s; b[1] -= s;")); // b to a
  EXPECT_FALSE(opposite("a[0] += b[1]; b[0] -= b[1]; a[1] += s; b[1] -= s;"));
}

TEST(JitKernel, DeclaredConstants) {
  const Program program{
      "extern double gam;\nstatic double qinf[4];\nconst double eps = 0.1;\ndouble mach;\nnamespace c { double cfl; }\n"
      "void k(double *a) { a[0] = gam * qinf[1] + eps + c::cfl; { double mach = 1; a[1] = mach; } }\n",
      "k.cpp", 0, airfoil_constants};
  const KernelText text = program.find("k");
  EXPECT_EQ(text.declared, (Names{"gam", "qinf", "cfl"}));
  EXPECT_EQ(names(text.constants), Names{"eps"}); // as the program has it, whatever was declared under this name
  EXPECT_NE(spell(text.kernel.body).find("+ eps + cfl;"), std::string::npos);
  // a parameter of that name is the parameter
  EXPECT_TRUE((Program{"double gam;\nvoid k(double *gam) { gam[0] = 1; }", "k.cpp", 0, airfoil_constants}
                   .find("k")
                   .declared.empty()));
  // the text may lack the global
  EXPECT_EQ((Program{"void k(double *a) { a[0] = gam; }", "k.cpp", 0, airfoil_constants}.find("k").declared),
            Names{"gam"});
}

// A device cannot run initialisers, so what the program has declared counts.
TEST(JitKernel, DeclaredConstantsThatAreComputed) {
  const Program program{
      "const double u = sqrt(1.4) * 0.4;\nconst double qinf[4] = {1.0, 1.0 * u, 0.0, 2.0};\nconst double gm1 = 0.4;\n"
      "const double own = sqrt(2.0);\nvoid k(double *a) { a[0] = qinf[1] * gm1 + own; }\n",
      "k.cpp", 0, airfoil_constants};
  const KernelText text = program.find("k");
  EXPECT_EQ(text.declared, Names{"qinf"});
  EXPECT_EQ(names(text.constants), (Names{"gm1", "own"}));
}

// Without "std::" the function has the name of a local, which makes way.
TEST(JitKernel, LocalsCalledLikeFunctions) {
  const KernelText text =
      Program{"void k(const int *d, int *min) { const int min_ = 1; *min = std::min(*d, *min) + min_; }"}.find("k");
  EXPECT_EQ(text.kernel.parameters[1].name, "min__");
  EXPECT_NE(spell(text.kernel.body).find("*min__ = min(*d, *min__) + min_;"), std::string::npos)
      << spell(text.kernel.body);
  EXPECT_EQ(body("struct box { double max; };\nvoid k(double *a, box *b) { double max = std::max(a[0], b->max); a[0] = "
                 "max; }"),
            "{\n  double max_ = max(a[0], b->max);\n  a[0] = max_;\n}");
}

TEST(JitKernel, DeclaredConstantsOfHelpers) {
  const Program program{
      "double gam, eps;\nstatic double p(double x) { return gam * x; }\nvoid k(double *a) { a[0] = p(eps) + p(gam); }",
      "k.cpp", 0, airfoil_constants};
  EXPECT_EQ(program.find("k").declared, (Names{"gam", "eps"}));
}

TEST(JitKernel, UnknownMacrosOfHeadersAroundTheKernelDoNotHarm) {
  EXPECT_EQ(body("OP_RANGE_FN(k_range, k(OP_DIRECT(0, double, 1)))\nBEGIN_DECLS\nTEST(a, b) { if (x) { } }\nclass A : "
                 "public B { void k(); };\n"
                 "template <class T> T twice(T x) { return 2 * x; }\nA::A(int x) : y(x), z{x} {}\nstd::vector<double> "
                 "v = {1, 2};\n"
                 "static void k(double *a) { a[0] = 1; }\nint main(int argc, char **argv) { op_par_loop(k, \"k\"); "
                 "return 0; }"),
            "{\n  a[0] = 1;\n}");
}

// ---- and all of it compiles ----

TEST(JitKernel, WhatIsFoundCompiles) {
  const std::vector<std::pair<Program, std::string>> programs = {
      {{"const int n = 2;\nstruct vec { double v[n]; vec() : v{0, 0} {} double sum() const { return v[0] + v[1]; } };\n"
        "typedef struct { vec a; float b; } pair;\nvoid k(double *a) { pair p; a[0] = p.a.sum(); }"},
       "k"},
      {{"enum { N = 4 };\nenum class Side { left, right };\ntypedef enum { wall, far } Bound;\nconstexpr double w[] = "
        "{1, N};\n"
        "static double h(const double (*m)[3], Bound b) { return b == far ? m[1][2] : w[1]; }\n"
        "void k(double *a, const double m[2][3]) { a[0] = h(m, wall) + (Side::left == Side::right); }"},
       "k"},
      {{"namespace a { typedef unsigned int uint; const uint two = 2u; inline uint f(uint x) { return uint(x) * two; } "
        "}\n"
        "void k(int *x) { x[0] = static_cast<int>(a::f(std::uint32_t(3))); }"},
       "k"},
      {{"typedef double triple[3];\nusing row = const double *;\nvoid k(triple t, row r) { triple u = {1, 2, 3}; t[0] "
        "= u[1] + std::fmax(r[0], 3.5) * __builtin_inff(); }"},
       "k"}};
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("op2_jit_compiles_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "all.cpp").string();
  std::ofstream out(path);
  out << "#include <algorithm>\n#include <cmath>\nusing std::max; using std::min;\n";
  for (std::size_t n = 0; n < programs.size(); ++n)
    out << "namespace n" << n << " {\n" << kernel_source::program(programs[n].first.find(programs[n].second)) << "}\n";
  for (const char *kernel : {"save_soln", "adt_calc", "update"}) {
    const Program unit{airfoil(), "airfoil.c", 0, airfoil_constants};
    out << "namespace " << kernel << "_ {\nstatic const double gam = 1, gm1 = 1, cfl = 1;\n"
        << kernel_source::program(unit.find(kernel)) << "}\n";
  }
  out.close();
  const std::string command = std::string(OP2_CXX_COMPILER) + " -std=c++17 -fsyntax-only -w " + path;
  EXPECT_EQ(std::system(command.c_str()), 0) << path;
  std::filesystem::remove_all(folder);
}

} // namespace

// SPDX-License-Identifier: MIT
