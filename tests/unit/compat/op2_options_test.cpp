// op2_options_test.cpp: options of OP2's programs set this library's settings, or say why they have no effect.
#include "compat/op2_program.hpp"

#include "support.hpp"

namespace op2::core {
namespace {

using unit::contains;
using unit::Environment;
using unit::thrown_by;

Settings load(std::vector<const char *> arguments = {}) {
  arguments.insert(arguments.begin(), "program");
  return load_settings(static_cast<int>(arguments.size()), arguments.data());
}

class Op2Options : public testing::Test {
 protected:
  void SetUp() override { unit::clear_environment(); }
};

// Options of OP2 that are settings here, on the command line and in the environment.
TEST_F(Op2Options, AreSettings) {
  struct Case {
    const char *option, *setting, *value;
  };
  const Case cases[] = {{"OP_BLOCK_SIZE=64", "OP2_BLOCK_SIZE", "64"},
                        {"OP_AUTO_SOA", "OP2_LAYOUT", "soa"},
                        {"OP_AUTO_SOA=1", "OP2_LAYOUT", "soa"},
                        {"OP_AUTO_SOA=0", "OP2_LAYOUT", "auto"},
                        {"OP_HYBRID_BALANCE=2.5", "OP2_PARTITION_WEIGHTS", "gpu=2.5"},
                        {"OP_FALLBACK_MODE=error", "OP2_FALLBACK", "error"},
                        {"OP_FALLBACK_MODE=silent", "OP2_FALLBACK", "warn"},
                        {"-gpudirect", "OP2_GPU_DIRECT", "mpi"},
                        {"gpudirect", "OP2_GPU_DIRECT", "auto"},
                        {"OP_BLOCK_SIZE", "OP2_BLOCK_SIZE", "0"}};
  for (const Case &one : cases) {
    const Settings settings = load({one.option});
    EXPECT_EQ(one.value, settings.get(one.setting)) << one.option;
    EXPECT_TRUE(settings.warnings().empty()) << one.option;
    const std::string option = one.option;
    const std::size_t equals = option.find('=');
    if (option.find("gpudirect") != std::string::npos || equals == std::string::npos) continue;
    const Environment environment{{option.substr(0, equals).c_str(), option.substr(equals + 1).c_str()}};
    EXPECT_EQ(one.value, load().get(one.setting)) << one.option;
  }
  EXPECT_EQ(OP_ERR_ARGUMENT, thrown_by([] { load({"OP_FALLBACK_MODE=never"}); }).code);
  const Environment present{{"OP_AUTO_SOA", ""}};
  EXPECT_EQ("soa", load().get("OP2_LAYOUT"));
}

TEST_F(Op2Options, OurNamesAndTheSmallerBlockCountMore) {
  EXPECT_EQ("32", load({"OP_PART_SIZE=32", "OP_BLOCK_SIZE=64"}).get("OP2_BLOCK_SIZE"));
  EXPECT_EQ("32", load({"OP2_BLOCK_SIZE=32", "OP_BLOCK_SIZE=64"}).get("OP2_BLOCK_SIZE"));
  EXPECT_EQ("aos", load({"OP_AUTO_SOA", "OP2_LAYOUT=aos"}).get("OP2_LAYOUT"));
  const Environment environment{{"OP2_LAYOUT", "declared"},
                                {"OP_AUTO_SOA", "1"},
                                {"OP_PART_SIZE", "32"},
                                {"OP_BLOCK_SIZE", "64"},
                                {"OP_MAPS_BASE_INDEX", "1"}};
  EXPECT_EQ("declared", load().get("OP2_LAYOUT"));
  EXPECT_EQ("32", load().get("OP2_BLOCK_SIZE"));
  EXPECT_EQ("1", load().get("OP2_MAPS_BASE_INDEX"));
  EXPECT_EQ("64", load({"OP_BLOCK_SIZE=64"}).get("OP2_BLOCK_SIZE")); // an argument beats the environment
}

TEST_F(Op2Options, WithoutSettingsSayOnceWhatIsThere) {
  const Environment environment{{"OP_NO_REALLOC", ""}};
  const Settings settings = load({"OP_NO_REALLOC", "OP_CACHE_LINE_SIZE=64", "OP_TEST_FREQ=10",
                                  "OP_CUDA_REDUCTIONS_MIB=5", "OP_WHITELIST=loops.txt", "OP_CACHE_LINE_SIZE=128"});
  std::vector<std::string> warnings = settings.warnings();
  ASSERT_EQ(5u, warnings.size());
  EXPECT_TRUE(contains(warnings[0], "OP_NO_REALLOC of OP2 has no effect: what is declared is copied"));
  EXPECT_TRUE(contains(warnings[1], "OP_CACHE_LINE_SIZE of OP2 has no effect: op_timing_output() counts"));
  EXPECT_TRUE(contains(warnings[2], "messages move on by themselves"));
  EXPECT_TRUE(contains(warnings[3], "OP2_CUDA_SUMS"));
  EXPECT_TRUE(contains(warnings[4], "OP2_FALLBACK"));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
