// compiler_test.cpp: the fake NVRTC compiles what the real one does, and says what is wrong in the same places.
#include "driver.hpp"

#include <unistd.h>

#include <filesystem>

namespace {

using cuda::compile;
using cuda::prelude;

constexpr int compilation = 6; // NVRTC_ERROR_COMPILATION

bool real() {
  const char *path = std::getenv("FAKE_NVRTC_REAL");
  return path && *path;
}

// Without the real compiler's opinion, which may come first.
class Without {
 public:
  explicit Without(const char *name) : name_(name), old_(std::getenv(name) ? std::getenv(name) : "") { unsetenv(name); }
  ~Without() { setenv(name_, old_.c_str(), 1); }

 private:
  const char *name_;
  std::string old_;
};

const std::string struct_and_kernel = std::string(prelude) + R"(
struct one { int *out; };
OP2_KERNEL(fill, one) { op2_at(p.out)[threadIdx.x] = VALUE; }
)";

TEST(Compiler, GivesAnObject) {
  const auto compiled = compile(struct_and_kernel.c_str(), {}, {"--gpu-architecture=sm_90", "-DVALUE=7"});
  EXPECT_EQ(compiled.code, 0) << compiled.log;
  EXPECT_GT(compiled.object.size(), 1000u);
}

TEST(Compiler, ErrorsHaveTheUsersFileAndLine) {
  const char *const source = "\n#line 41 \"kernel_of_user.h\"\nint good;\nint bad = no_such_name;\n";
  const Without only_host("FAKE_NVRTC_REAL");
  const auto compiled = compile(source);
  EXPECT_EQ(compiled.code, compilation);
  EXPECT_NE(compiled.log.find("kernel_of_user.h:42:"), std::string::npos) << compiled.log;
  EXPECT_NE(compiled.log.find("no_such_name"), std::string::npos) << compiled.log;
  EXPECT_NE(compile("int bad = no_such_name;").log.find("kernel.cu:1:"), std::string::npos);
}

TEST(Compiler, HeadersAreThoseGiven) {
  const std::string source = "#include <folder/limits.h>\n" + struct_and_kernel;
  EXPECT_EQ(compile(source.c_str(), {{"folder/limits.h", "#define VALUE 7\n"}}).code, 0);
  EXPECT_EQ(compile(source.c_str()).code, compilation);
  EXPECT_EQ(compile("#include <math.h>\n").code, compilation) << "NVRTC knows no standard headers";
}

TEST(Compiler, MathematicsIsThere) {
  const std::string source = std::string(prelude) + R"(
struct two { double *out; float *small; };
OP2_KERNEL_INDEPENDENT(mathematics, two) {
  double x = op2_at(p.out)[0];
  float y = op2_at(p.small)[0];
  x = sqrt(x) + pow(x, 2.0) + pow(x, 2) + fabs(x) + fmin(x, 1.0) + exp(log(x)) + atan2(x, 2.0) + fma(x, x, x) + cbrt(x);
  y = sqrtf(y) + sqrt(y) + fabsf(y) + powf(y, 2.0f) + fmaxf(y, 0.0f) + rsqrtf(y) + floor(y) + max(y, 1.0f) + abs(y);
  op2_at(p.out)[0] = isnan(x) ? max(1, 2) : x;
  op2_at(p.small)[0] = isfinite(y) ? y : 0;
}
)";
  const auto compiled = compile(source.c_str());
  EXPECT_EQ(compiled.code, 0) << compiled.log;
}

TEST(Compiler, UndefinedNamesAreErrors) {
  const Without only_host("FAKE_NVRTC_REAL"); // which links nothing
  const std::string source = std::string(prelude) + R"(
int elsewhere(int);
struct one { int *out; };
OP2_KERNEL(fill, one) { op2_at(p.out)[0] = elsewhere(1); }
)";
  EXPECT_EQ(compile(source.c_str()).code, compilation);
}

TEST(Compiler, TheRealOneHasTheLastWord) {
  if (!real()) GTEST_SKIP() << "no CUDA toolkit here: FAKE_NVRTC_REAL is empty";
  const auto refused = [](const char *condition) {
    const std::string source = std::string("#if ") + condition + "\n#error seen by the real one\n#endif\n";
    const auto compiled = compile(source.c_str());
    return compiled.code == compilation && compiled.log.find("seen by the real one") != std::string::npos;
  };
  EXPECT_TRUE(refused("defined(__CUDACC_RTC__)"));
  // Each program for one of two architectures.
  int for_80 = 0, for_90 = 0;
  for (int n = 0; n < 16; ++n) {
    const std::string condition = " || defined(MACRO_" + std::to_string(n) + ")";
    for_80 += refused(("__CUDA_ARCH__ == 800" + condition).c_str()) ? 1 : 0;
    for_90 += refused(("__CUDA_ARCH__ == 900" + condition).c_str()) ? 1 : 0;
    EXPECT_TRUE(refused(("__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900" + condition).c_str()));
    EXPECT_FALSE(refused(("__CUDA_ARCH__ == 1200" + condition).c_str()));
  }
  EXPECT_GT(for_80, 0);
  EXPECT_GT(for_90, 0);
}

TEST(Compiler, ResultsAreKept) {
  const std::string folder = testing::TempDir() + "fake_nvrtc_cache_test_" + std::to_string(getpid());
  std::filesystem::remove_all(folder);
  const char *const usual = std::getenv("FAKE_NVRTC_CACHE");
  const std::string before = usual ? usual : "";
  setenv("FAKE_NVRTC_CACHE", folder.c_str(), 1);
  const auto first = compile(struct_and_kernel.c_str(), {}, {"-DVALUE=7", "-arch=sm_90"});
  const Without compiler("FAKE_NVRTC_CXX");
  const auto files = [&] { return std::distance(std::filesystem::directory_iterator(folder), {}); };
  const auto kept = files();
  EXPECT_EQ(kept, real() ? 2 : 1);
  const auto again = compile(struct_and_kernel.c_str(), {}, {"-DVALUE=8", "-arch=sm_90"});
  EXPECT_GT(files(), kept) << "other options are another program";
  setenv("FAKE_NVRTC_CACHE", before.c_str(), 1);
  std::filesystem::remove_all(folder);
}

} // namespace

// SPDX-License-Identifier: MIT
