// What became of a loop in an earlier run is recalled without reading its text, as long as that has not changed.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "jit/specialiser.hpp"

namespace op2::core::jit {
namespace {

namespace fs = std::filesystem;

void scale(const double *a, double *b) { *b = 2 * *a; }

class JitMemory : public testing::Test {
 protected:
  JitMemory() {
    fs::create_directories(folder_);
    give("void scale(const double *a, double *b) { *b = 2 * *a; }\n");
  }
  ~JitMemory() override { fs::remove_all(folder_); }

  void give(const std::string &text) { // op_kernel_source()
    for (const char *name : {"scale", "unknown", "other"}) given_.add_kernel({nullptr, name, text});
  }
  Settings settings() const {
    Settings out = Settings::load(0, nullptr);
    out.set("OP2_JIT_CACHE", (folder_ / "cache").string(), "test");
    return out;
  }
  SpecialiseRequest request(const char *kernel = "scale") const {
    SpecialiseRequest out{};
    out.loop = "scale";
    out.element = reinterpret_cast<op_kernel_fn>(&scale);
    out.expression = kernel;
    out.file = "k.cpp";
    out.line = 1;
    out.vectors = true;
    for (int i = 0; i < 2; ++i) {
      ArgShape arg;
      arg.kind = OP_RANGE_DIRECT;
      arg.access = i == 0 ? OP_READ : OP_WRITE;
      arg.scalar = Scalar::float64;
      arg.type_size = 8;
      arg.dim = 1;
      arg.dat = i;
      out.shape.args.push_back(arg);
    }
    return out;
  }

  fs::path folder_ = fs::temp_directory_path() / ("op2_jit_memory_" + std::to_string(::getpid()));
  Log log_{OP_LOG_ERROR};
  GivenTexts given_;
};

TEST_F(JitMemory, CodeIsRecalledUntilItsTextChanges) {
  std::string form;
  {
    Specialiser first(settings(), log_, given_);
    if (!first.store().compiler().found()) GTEST_SKIP() << first.store().compiler().missing();
    EXPECT_FALSE(first.recall(request()));
    const Draft draft = first.draft(request());
    ASSERT_EQ("", draft.why);
    form = first.finish(draft).form;
  }
  {
    Specialiser later(settings(), log_, given_);
    const std::optional<Draft> known = later.recall(request());
    ASSERT_TRUE(known);
    EXPECT_FALSE(known->source) << "the text was read";
    const Specialised code = later.finish(*known);
    EXPECT_TRUE(code.range);
    EXPECT_EQ(form, code.form);
    SpecialiseRequest other = request();
    other.shape.args[0].access = OP_RW;
    EXPECT_FALSE(later.recall(other)) << "another loop";
    EXPECT_FALSE(later.recall(request("other"))) << "another kernel";
  }
  give("void scale(const double *a, double *b) { *b = 3 * *a; } // edited\n");
  EXPECT_FALSE(Specialiser(settings(), log_, given_).recall(request()));
}

TEST_F(JitMemory, SoIsARefusal) {
  const Draft draft = Specialiser(settings(), log_, given_).draft(request("unknown"));
  ASSERT_NE("", draft.why);
  const std::optional<Draft> known = Specialiser(settings(), log_, given_).recall(request("unknown"));
  ASSERT_TRUE(known);
  EXPECT_EQ(draft.why, known->why);
  give("void unknown(const double *a, double *b) { *b = 2 * *a; }\n");
  EXPECT_FALSE(Specialiser(settings(), log_, given_).recall(request("unknown")));
}

} // namespace
} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
