// The forms for lanes give the bits of the scalar forms: for many kernels, compilers, instruction sets and widths.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "jit/text/tokens.hpp"
#include "jit_lanes_program.hpp"

namespace {

struct Target {
  std::string name, compiler, flags;
  int width;
};

void PrintTo(const Target &target, std::ostream *out) { *out << target.name; }

bool can_run(const std::string &flags) {
#if defined(__x86_64__)
  if (flags.find("x86-64-v4") != std::string::npos)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (flags.find("x86-64-v3") != std::string::npos)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  return true;
#else
  return flags.find("x86-64") == std::string::npos;
#endif
}

class SameBits : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("op2_lanes_" + GetParam().name + "_" + std::to_string(std::rand()) +
                                                  std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                                                  "_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // What the command prints; its status is checked.
  std::string run(const std::string &command) {
    std::FILE *pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return "popen failed";
    std::string out;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
    const int status = pclose(pipe);
    return status == 0 ? "" : command + "\n" + out + "\n(status " + std::to_string(status) + ")";
  }

  std::filesystem::path folder_;
};

std::vector<op2_test::Case> all_cases() {
  std::vector<op2_test::Case> out;
  for (const auto &cases : {op2_test::airfoil_cases(), op2_test::branch_cases(), op2_test::loop_cases(),
                            op2_test::type_cases(), op2_test::helper_cases(), op2_test::lambda_cases()})
    out.insert(out.end(), cases.begin(), cases.end());
  return out;
}

TEST_P(SameBits, OfScalarsAndLanes) {
  const Target &target = GetParam();
  if (target.compiler.empty()) GTEST_SKIP() << "this compiler was not found when the tests were configured";
  if (!can_run(target.flags)) GTEST_SKIP() << "this processor does not execute " << target.flags;
  for (const bool c_language : {false, true}) {
    const std::filesystem::path source = folder_ / "forms.cpp", program = folder_ / "forms";
    std::ofstream(source) << op2_test::comparing_program(all_cases(), target.width, c_language);
    const std::string compile = target.compiler + " -std=c++17 -Wno-psabi -ffp-contract=off " + target.flags + " -o " +
                                program.string() + " " + source.string() + " -lm";
    ASSERT_EQ(run(compile), "");
    EXPECT_EQ(run(program.string()), "");
  }
}

// gcc 12 makes fused operations of scalar code when it vectorises straight code, in spite of -ffp-contract=off.
const std::string gcc = "-fno-tree-slp-vectorize ";

INSTANTIATE_TEST_SUITE_P(Compilers, SameBits,
                         testing::Values(Target{"gcc_plain", OP2_TEST_GCC, gcc + "-O2", 2},
                                         Target{"gcc_avx2", OP2_TEST_GCC, gcc + "-O2 -march=x86-64-v3", 4},
                                         Target{"gcc_avx512", OP2_TEST_GCC, gcc + "-O3 -march=x86-64-v4", 8},
                                         Target{"gcc_wider_than_vectors", OP2_TEST_GCC, gcc + "-O1", 8},
                                         Target{"clang_plain", OP2_TEST_CLANG, "-O2", 2},
                                         Target{"clang_avx2", OP2_TEST_CLANG, "-O2 -march=x86-64-v3", 4},
                                         Target{"clang_avx512", OP2_TEST_CLANG, "-O3 -march=x86-64-v4", 8}),
                         [](const auto &info) { return info.param.name; });

} // namespace

// SPDX-License-Identifier: MIT
