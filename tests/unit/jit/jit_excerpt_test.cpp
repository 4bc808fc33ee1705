// Kernels that the Reader refuses, word for word with all that they need; and what is not taken even so.
#include <gtest/gtest.h>

#include <string>

#include "kernel_source.hpp"

namespace {

using namespace kernel_source;

std::string squeezed(const std::string &text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

std::string excerpt(const std::string &program) { return squeezed(found(program).excerpt); }

bool takes(const std::string &program, const std::string &part) {
  return excerpt(program).find(squeezed(part)) != std::string::npos;
}

const std::string kernel = // which the Reader refuses
    "void k(double *a) { struct Local { double v; }; Local l{a[1]}; a[0] = f(l.v); }";

TEST(JitExcerpt, OnlyStandsInForWhatTheReaderRefuses) {
  EXPECT_EQ("", found("double f(double x) { return x; }\nvoid k(double *a) { a[0] = f(a[1]); }").excerpt);
  const KernelText text = found("double f(double x) { return x; }\nnamespace n { " + kernel + " }", "n::k");
  EXPECT_NE("", text.excerpt);
  EXPECT_EQ("::n::k", text.callee);
  EXPECT_NE(std::string::npos, text.why_excerpt.find("kernel 'n::k' ")) << text.why_excerpt;
}

TEST(JitExcerpt, HasWhatIsNeededAndNothingElse) {
  const std::string program = R"(#include <cmath>
#include <mpi.h>
int unused() { return 3; }
namespace m {
struct Base { double norm() const; double v; };
double Base::norm() const { return v; }
template <class T, int N> struct Small : Base { T v[N]; };
template <class T> T operator*(double s, const Small<T, 2> &x) { return s * x.v[0]; }
constexpr double half = 0.5;
enum class Kind { wall, flow };
using Pair = Small<double, 2>;
template <class T> T sq(T x) { return x * x; }
}
inline double f(double x) { m::Pair p{{x, x}}; return m::half * p + m::sq(x) + static_cast<int>(m::Kind::flow) + std::exp(x); }
)" + kernel;
  const KernelText text = found(program);
  EXPECT_EQ("#include <cmath>\n", text.excerpt_headers);
  for (const char *part :
       {"namespace m { template <class T, int N> struct Small : Base { T v[N]; }", "double Base::norm() const {",
        "T operator*(double s", "constexpr double half = 0.5;", "enum class Kind { wall, flow };",
        "using Pair = Small<double, 2>;", "template <class T> T sq(T x)", "op2m::exp(x)", "void k(double * a)"})
    EXPECT_TRUE(takes(program, part)) << part << "\nin\n" << text.excerpt;
  EXPECT_FALSE(takes(program, "unused"));
}

TEST(JitExcerpt, LocalVariablesMayHaveNamesOfFunctions) {
  const std::string program =
      "#include <vector>\nstd::vector<int> values(int n) { return std::vector<int>(n); }\n"
      "double f(double x) { double values = x; return values; }\n" +
      kernel;
  EXPECT_FALSE(takes(program, "vector"));
}

TEST(JitExcerpt, FunctionsOfTheTextsOwnMayHaveNamesOfMathematics) {
  for (const char *own :
       {"double f(double x) { auto exp = [](double y) { return 2 * y; }; return exp(x); }",
        "template <class F> double g(F exp, double x) { return exp(x); }\n"
        "double f(double x) { return g([](double y) { return y; }, x); }",
        "struct S { double v; double exp(double x) const { return v * x; } double h() const { return exp(v); } };\n"
        "double f(double x) { return S{x}.h(); }"}) {
    const std::string program = std::string(own) + "\n" + kernel;
    EXPECT_TRUE(takes(program, "exp(")) << program;
    EXPECT_FALSE(takes(program, "op2m::c_exp")) << program;
  }
  EXPECT_TRUE(takes("double f(double x) { return x * exp(x); }\n" + kernel, "x * op2m::c_exp(x)"));
}

TEST(JitExcerpt, IsRefusedWhereItWouldNotBeTheProgramsCode) {
  for (const char *declarations :
       {"double gain = 2; double f(double x) { return gain * x; }", // may change
        "const double *table; double f(double x) { return table[0] * x; }",
        "extern const double gain; double f(double x) { return gain * x; }",
        "double f(double x);", // defined elsewhere
        "double f(double x) { static int calls; return x * ++calls; }",
        "struct S { static double last; }; double f(double x) { S s; return x; }",
        "double f(double x) { printf(\"%g\", x); return x; }",
        "double f(double x) { double *p = new double; return x + *p; }",
        "#pragma pack(1)\nstruct S { char c; double d; };\ndouble f(double x) { S s{1, x}; return s.d; }"})
    try {
      const KernelText text = found(std::string(declarations) + "\n" + kernel);
      ADD_FAILURE() << declarations << "\ntaken as\n" << text.excerpt;
    } catch (const Refusal &reason) { // the Reader's
      EXPECT_NE(std::string::npos, std::string(reason.what()).find("kernel 'k'")) << reason.what();
    }
}

// What op_decl_const() told of a variable makes it a constant, if it is what the text says.
TEST(JitExcerpt, DeclaredConstantsAreNamedAsSuch) {
  const Constants constants = {
      {"gain", Scalar::float64, 1}, {"weights", Scalar::float64, 3}, {"steps", Scalar::int32, 1}};
  const KernelText text =
      Program{
          "double gain; extern double weights[3];\n"
          "double f(double x) { struct S { double gain; } s{x}; return s.gain; }\n"
          "double g(double x) { return gain * x + weights[1]; }\n"
          "void k(double *a) { struct Local { double v; }; Local l{a[1]}; a[0] = f(l.v) + g(a[1]) + gain; }",
          "k.cpp", 0, constants}
          .find("k");
  const std::string written = squeezed(text.excerpt);
  for (const char *part : {"return OP2_CONSTANT_gain * x + OP2_CONSTANT_weights[1];", "g(a[1]) + OP2_CONSTANT_gain;",
                           "S { double gain; } s{x}; return s.gain;"})
    EXPECT_NE(std::string::npos, written.find(squeezed(part))) << part << "\nin\n" << text.excerpt;
  EXPECT_EQ(std::string::npos, written.find(squeezed("double weights"))) << text.excerpt;
  EXPECT_EQ((std::vector<std::string>{"gain", "weights"}), text.declared);
  EXPECT_EQ((std::vector<std::string>{"weights"}), text.declared_arrays);
  for (const char *other : {"float gain;", "double *gain;", "int steps, gain;"})
    EXPECT_THROW(
        (Program{std::string(other) + "\ndouble f(double x) { return ::gain * x; }\n" + kernel, "k.cpp", 0, constants}
             .find("k")),
        Refusal)
        << other;
  EXPECT_THROW(
      (Program{"float gain;\ndouble f(double x) { return gain * x; }\n" + kernel, "k.cpp", 0, constants}.find("k")),
      Refusal);
}

TEST(JitExcerpt, IsNotForTextInC) {
  Program program{
      "double f(double x) { return x; }\nvoid k(double *a) { union { double d; } u; u.d = a[1]; a[0] = u.d; }"};
  program.file = "k.c";
  EXPECT_THROW(program.find("k"), Refusal);
}

} // namespace

// SPDX-License-Identifier: MIT
