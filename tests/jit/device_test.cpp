// The text of a kernel for an executor with a compiler of its own: it stands by itself, computes what the program
// computes, and has the constants where it says.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "generated.hpp"
#include "jit/loop/device_text.hpp"

namespace {

using namespace op2::core;
using jit::Scalar;
using std::abs, std::fabs, std::fma, std::fmin, std::isfinite, std::isnan, std::llround, std::lrint, std::lround,
    std::max, std::min, std::pow, std::signbit, std::sqrt;

#ifdef __clang__ // fabsf of a double is what the test asks for
#pragma clang diagnostic ignored "-Wabsolute-value"
#endif

// One text for both compilers.
#define KERNEL(...) \
  __VA_ARGS__       \
  const char *const text_of_kernel = #__VA_ARGS__

KERNEL(void functions(const double *d, const float *f, const int *i, double *r) {
  const double x = d[0], y = d[1];
  const float a = f[0], b = f[1];
  int k = 0;
  r[k++] = sqrt(fabs(x));
  r[k++] = exp(x);
  r[k++] = log(fabs(y) + 1);
  r[k++] = sin(x) + cos(y) * tan(x);
  r[k++] = pow(fabs(x), y);
  r[k++] = atan2(y, x);
  r[k++] = hypot(x, y);
  r[k++] = fmod(x, y);
  r[k++] = floor(x) + ceil(y);
  r[k++] = trunc(x) + round(y) + rint(x);
  r[k++] = fmin(x, y) - fmax(x, y);
  r[k++] = copysign(x, y);
  r[k++] = fma(x, y, x);
  r[k++] = tanh(x) + sinh(y) + cosh(x);
  r[k++] = erf(x) + cbrt(y) + log1p(fabs(x)) + expm1(y);
  r[k++] = ldexp(x, i[0]);
  r[k++] = sqrtf(fabsf(a));
  r[k++] = sqrt(fabs(a)) * 3;
  r[k++] = pow(fabs(a), b);
  r[k++] = a + fmin(a, b) * fmaxf(a, b);
  r[k++] = sizeof(sqrt(a)) + 10 * sizeof(sqrt(x)) + 100 * sizeof(sqrt(i[0])) + 1000 * sizeof(pow(a, x)) +
           10000 * sizeof(fabsf(x));
  r[k++] = abs(i[0]) + abs(x) + abs(a);
  r[k++] = min(i[0], i[1]) + max(x, y) + min(a, b);
  r[k++] = isnan(x) + 2 * isfinite(y) + 4 * signbit(a) + 8 * isnan((x - x) / (x - x));
  r[k++] = (double)(lround(x) + lrint(y) + llround(a));
});
constexpr int results = 25;

jit::LoopShape shape_of(std::vector<std::pair<Scalar, int>> args) {
  jit::LoopShape out;
  out.name = "test";
  for (const auto &[scalar, dim] : args) {
    jit::ArgShape arg;
    arg.kind = OP_RANGE_DIRECT;
    arg.access = OP_RW;
    arg.scalar = scalar;
    arg.dim = dim;
    arg.dat = static_cast<int>(out.args.size());
    out.args.push_back(arg);
  }
  return out;
}

// A shared object with the text and a function around it, made by the host's compiler.
class Device : public testing::Test {
 protected:
  void *compile(const jit::DeviceText &text, const std::string &function) {
    if (!store_) return nullptr;
    library_ = store_
                   ->get("#include <math.h>\n" + text.text + "extern \"C\" __attribute__((visibility(\"default\"))) " +
                             function + "\n",
                         "test")
                   .library;
    return library_->find("run");
  }
  std::string reason_;
  const Log log_{OP_LOG_ERROR};
  std::unique_ptr<jit::CodeStore> store_ = generated::store_for({"native", ""}, log_, reason_);
  std::shared_ptr<CodeLibrary> library_;
};

TEST_F(Device, FunctionsGiveWhatTheProgramGets) {
  if (!store_) GTEST_SKIP() << reason_;
  const jit::DeviceText text = jit::device_text(
      generated::kernel_of("functions", text_of_kernel),
      shape_of({{Scalar::float64, 2}, {Scalar::float32, 2}, {Scalar::int32, 2}, {Scalar::float64, results}}));
  EXPECT_EQ(std::string::npos, text.text.find("#include"));
  EXPECT_NE(std::string::npos, text.title.find("functions"));
  EXPECT_EQ(0u, text.declared_bytes);
  const auto run = reinterpret_cast<void (*)(const double *, const float *, const int *, double *)>(compile(
      text,
      "void run(const double *d, const float *f, const int *i, double *r) { op2_program().op2_kernel(d, f, i, r); }"));
  ASSERT_NE(nullptr, run);
  for (int n = 0; n < 50; ++n) {
    const double d[] = {std::sin(n) * 3, n == 7 ? 0.0 : std::cos(3 * n) * 2};
    const float f[] = {static_cast<float>(d[1]), -static_cast<float>(d[0])};
    const int i[] = {n % 5 - 2, 3 - n % 7};
    double known[results], made[results];
    functions(d, f, i, known);
    run(d, f, i, made);
    for (int k = 0; k < results; ++k)
      if (std::isnan(known[k])) {
        ASSERT_TRUE(std::isnan(made[k])) << "n " << n << ", result " << k;
      } else {
        ASSERT_EQ(known[k], made[k]) << "n " << n << ", result " << k;
      }
  }
}

TEST_F(Device, ConstantsLieWhereItSays) {
  if (!store_) GTEST_SKIP() << reason_;
  const std::vector<jit::DeclaredConstant> declared = {{"flag", Scalar::boolean, 1},
                                                       {"gam", Scalar::float64, 1},
                                                       {"small", Scalar::float32, 1},
                                                       {"qinf", Scalar::float64, 4},
                                                       {"count", Scalar::int32, 1}};
  const jit::KernelText kernel = generated::kernel_of(
      "k", "void k(double *x) { x[0] = small + flag + gam; x[1] = qinf[2]; x[2] = count; }", declared);
  jit::LoopShape shape = shape_of({{Scalar::float64, 3}});
  for (const jit::DeclaredConstant &constant : declared)
    shape.constants.push_back({constant.name, constant.scalar, constant.dim});
  const jit::DeviceText text = jit::device_text(kernel, shape);

  std::vector<double> place(text.declared_bytes / sizeof(double) + 1);
  char *const values = reinterpret_cast<char *>(place.data());
  const auto put = [&](std::size_t i, const auto &value) {
    ASSERT_EQ(sizeof value, text.bytes[i]);
    std::memcpy(values + text.offset[i], &value, sizeof value);
  };
  put(0, true);
  put(1, 1.5);
  put(2, 0.25F);
  const double qinf[] = {5, 6, 7, 8};
  put(3, qinf);
  put(4, 42);
  const auto run = reinterpret_cast<std::size_t (*)(void *, double *)>(
      compile(text,
              "unsigned long run(void *values, double *x) { ((op2_program *)values)->op2_kernel(x); return "
              "sizeof(op2_declared); }"));
  ASSERT_NE(nullptr, run);
  double x[3] = {};
  EXPECT_EQ(text.declared_bytes, run(values, x));
  EXPECT_EQ(2.75, x[0]);
  EXPECT_EQ(7, x[1]);
  EXPECT_EQ(42, x[2]);
}

TEST_F(Device, RefusesMoreConstantsThanDevicesTake) {
  const std::vector<jit::DeclaredConstant> declared = {{"table", Scalar::float64, 9000}};
  const jit::KernelText kernel = generated::kernel_of("k", "void k(double *x) { x[0] = table[7]; }", declared);
  jit::LoopShape shape = shape_of({{Scalar::float64, 1}});
  shape.constants.push_back({"table", Scalar::float64, 9000});
  EXPECT_THROW(jit::device_text(kernel, shape), jit::Refusal);
  EXPECT_THROW(jit::device_text(kernel, shape_of({{Scalar::float32, 1}})), jit::Refusal)
      << "another type than the loop's";
}

TEST_F(Device, CSaysThatSqrtIsADouble) {
  jit::KernelText kernel = generated::kernel_of("k", "void k(float *x) { x[0] = sizeof(sqrt(x[0])); }");
  kernel.c_language = true;
  const jit::DeviceText text = jit::device_text(kernel, shape_of({{Scalar::float32, 1}}));
  if (!store_) GTEST_SKIP() << reason_;
  const auto run =
      reinterpret_cast<void (*)(float *)>(compile(text, "void run(float *x) { op2_program().op2_kernel(x); }"));
  ASSERT_NE(nullptr, run);
  float x = 2;
  run(&x);
  EXPECT_EQ(8, x);
}

} // namespace

// SPDX-License-Identifier: MIT
