// verdict.cpp: at the end of the program: was every exported function really called with bad input?
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "coverage.hpp"

namespace badinput {

namespace {

class EveryFunctionIsCovered : public testing::Environment {
  void TearDown() override {
    if (GTEST_FLAG_GET(filter) != "*") return; // some tests only
    const std::map<std::string, std::size_t> least_in = {{"op2.map", 80}, {"op2_trace.map", 10}};
    std::set<std::string> exported;
    for (const auto &[name, least] : least_in) {
      const std::string file = OP2_MAP_FOLDER "/" + name;
      std::ifstream map(file);
      EXPECT_TRUE(map) << file << " cannot be read";
      const std::set<std::string> its = exported_functions(map);
      EXPECT_GT(its.size(), least) << file << " is not what it was";
      exported.insert(its.begin(), its.end());
    }
    for (const std::string &complaint : complaints(exported, all_covered())) ADD_FAILURE() << complaint;
    std::cout << all_covered().size() << " of " << exported.size()
              << " exported functions were called with bad input\n";
  }
};

[[maybe_unused]] const testing::Environment *const verdict =
    testing::AddGlobalTestEnvironment(new EveryFunctionIsCovered); // GoogleTest deletes it

TEST(Verdict, NoticesWhatIsMissing) {
  std::istringstream map(
      "# op_comment;\nOP2_1.0 {\n  global:\n    op_init; # starts\n    op_new;\n  local: *;\n};\n"
      "OP2_1.1 {\n  global:\n    op_newer;\n} OP2_1.0;\n");
  const std::set<std::string> exported = exported_functions(map);
  EXPECT_EQ((std::set<std::string>{"op_init", "op_new", "op_newer"}), exported);
  EXPECT_EQ((std::vector<std::string>{"op_new has no test with bad input", "op_old is tested but not exported"}),
            complaints(exported, {"op_init", "op_newer", "op_old"}));
  EXPECT_TRUE(complaints(exported, exported).empty());
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
