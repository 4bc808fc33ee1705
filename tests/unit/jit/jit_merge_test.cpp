// Several kernels as one: what they share, and which texts cannot stand beside each other.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "jit/merge.hpp"
#include "jit_text.hpp"

namespace op2::core::jit {
namespace {

using op2_test::text_of;

KernelPart part(const std::string &text, std::vector<int> position, bool c_language = false) {
  return {text_of(text, c_language), std::move(position)};
}

std::string refusal(const KernelPart &a, const KernelPart &b) {
  try {
    merge_kernels(std::vector{a, b});
  } catch (const Refusal &refusal) {
    return refusal.what();
  }
  return "";
}

TEST(JitMerge, CallsOneKernelAfterTheOther) {
  const char *const limit = "const double limit = 2;", *const half = "double half(double x) { return 0.5 * x; }";
  const KernelText merged = merge_kernels(std::vector{
      part(std::string(limit) + half + "double gam; void step(const double *a, double *b) { *b = gam * half(*a); }",
           {0, 1}),
      part(std::string(limit) + half + "void keep(const double *b, const double *x, double *a) { *a = half(*b) * *x; }",
           {1, 2, 0})});
  ASSERT_EQ(3U, merged.kernel.parameters.size());
  EXPECT_FALSE(merged.kernel.parameters[0].is_const); // another kernel changes it
  EXPECT_FALSE(merged.kernel.parameters[1].is_const);
  EXPECT_TRUE(merged.kernel.parameters[2].is_const);
  const Tokens calls = tokenize(
      "{ merged_kernel_0(merged_row_0, merged_row_1); merged_kernel_1(merged_row_1, merged_row_2, merged_row_0); }");
  EXPECT_EQ(spell(calls), spell(merged.kernel.body));
  ASSERT_EQ(3U, merged.helpers.size()); // half, once, and the kernels
  EXPECT_EQ("half", merged.helpers[0].name);
  EXPECT_EQ(1U, merged.constants.size());
  EXPECT_EQ(std::vector<std::string>{"gam"}, merged.declared);
}

TEST(JitMerge, RefusesNamesOfDifferentThings) {
  const KernelPart plain = part("void a(double *x) { *x = 1; }", {0});
  EXPECT_EQ("", refusal(plain, plain));
  const auto helper = [](const char *value) {
    return part(std::string("double f(double x) { return ") + value + "; } void a(double *x) { *x = f(*x); }", {0});
  };
  EXPECT_EQ("", refusal(helper("x"), helper("x")));
  const char *const apart = "'f' means different things in the kernels that are to run as one";
  EXPECT_EQ(apart, refusal(helper("x"), helper("x + 1")));
  EXPECT_EQ(apart, refusal(helper("x"), part("double f; void a(double *x) { *x = f; }", {0})));
  EXPECT_EQ(apart, refusal(helper("x"), part("const double f = 2; void a(double *x) { *x = f; }", {0})));
  // a variable of a kernel hides what another one reads
  EXPECT_EQ(apart, refusal(helper("x"), part("void a(double *f) { *f = 1; }", {0})));
  EXPECT_EQ(apart, refusal(part("void a(double *x) { double f = *x; *x = f * f; }", {0}), helper("x")));
  EXPECT_EQ("parameter 'x' has another type in another kernel",
            refusal(plain, part("void a(float *x) { *x = 1; }", {0})));
  EXPECT_EQ("one of the kernels is C, and another one C++",
            refusal(plain, part("void a(double *x) { *x = 1; }", {0}, true)));
  EXPECT_EQ("the text of the kernel has 1 parameters and the loop 2 arguments",
            refusal(plain, part("void a(double *x) { *x = 1; }", {0, 1})));
}

} // namespace
} // namespace op2::core::jit
