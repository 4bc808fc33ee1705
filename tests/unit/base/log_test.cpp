// log_test.cpp: OP2_LOG: which levels there are, one line for each decision, and docs/tracing.md shows what really
// comes.
#include <fstream>
#include <regex>

#include "support.hpp"

namespace {

using unit::contains;
using unit::Environment;
using unit::lacks;

class LogTest : public unit::LibraryTest {
 protected:
  // What a short program says on stderr: two loops, the first of them called twice.
  static std::string said(const char *level, const char *backend) {
    const Environment environment{{"OP2_LOG", level}};
    testing::internal::CaptureStderr();
    EXPECT_OK(init(backend, 1));
    static const int ends[] = {0, 1, 1, 2, 2, 3};
    const op_set cells = op_decl_set(4, "cells"), edges = op_decl_set(3, "edges");
    const op_map to_cells = op_decl_map(edges, cells, 2, ends, "edge_cells");
    const op_dat res = op_decl_dat(cells, 1, "double", nullptr, "res");
    for (int i = 0; i < 2; ++i)
      EXPECT_OK(unit::run(
          [](double *a, double *b) { *a += 1, *b -= 1; }, "flux", edges,
          {op_arg_dat(res, 0, to_cells, 1, "double", OP_INC), op_arg_dat(res, 1, to_cells, 1, "double", OP_INC)}));
    EXPECT_OK(
        unit::run([](double *a) { *a = 0; }, "clear", cells, {op_arg_dat(res, -1, OP_ID, 1, "double", OP_WRITE)}));
    EXPECT_OK(op_exit());
    return testing::internal::GetCapturedStderr();
  }
  static std::vector<std::string> lines(const std::string &text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  // Times differ from run to run.
  static std::string without_times(const std::string &line) {
    return std::regex_replace(line, std::regex("[0-9.]+ ms"), "# ms");
  }
};

TEST_F(LogTest, OneLineForEachDecision) {
  const std::vector<std::string> all = lines(said("info", "seq"));
  ASSERT_EQ(3u, all.size()) << said("info", "seq");
  EXPECT_EQ(
      "op2: back end self+seq, threads: 1; OP2_BACKEND='seq' (program): executor seq (named), communicator self (none "
      "named)",
      all[0]);
  EXPECT_EQ(
      "op2: loop 'flux' on set 'edges', 3 elements: form element (no vectors: the set has fewer than 256 elements "
      "(OP2_JIT_MIN_ELEMENTS)); plan built, blocks: 1, colours: 0; prepared in # "
      "ms",
      without_times(all[1]));
  EXPECT_EQ(
      "op2: loop 'clear' on set 'cells', 4 elements: form element (no vectors: the set has fewer than 256 elements "
      "(OP2_JIT_MIN_ELEMENTS)); plan built, blocks: 1, colours: 0; prepared in # "
      "ms",
      without_times(all[2]));
}

TEST_F(LogTest, LevelsByNameAndByNumber) {
  for (const char *quiet : {"error", "0", "warn", "1"}) EXPECT_EQ("", said(quiet, "seq")) << quiet;
  EXPECT_EQ(without_times(said("info", "seq")), without_times(said("2", "seq")));
  EXPECT_EQ(without_times(said("debug", "auto")), without_times(said("3", "auto")));
  const Environment environment{{"OP2_LOG", "4"}};
  EXPECT_STATUS(OP_ERR_ARGUMENT, init("seq"));
  EXPECT_TRUE(contains(op_last_error(), "setting OP2_LOG='4' (environment) is not one of error, warn, info, debug, 0"));
}

TEST_F(LogTest, AnAutomaticChoiceShowsItsReasons) {
  const Environment environment{{"OP2_PLUGIN_PATH", unit::plugins("best") + ":" + unit::plugins("failing")}};
  const std::string all = said("info", "auto");
  EXPECT_TRUE(contains(all, "back end self+small, "));
  EXPECT_TRUE(contains(all, "OP2_BACKEND='auto' (program): executor small (best of "));
  EXPECT_TRUE(contains(all, "small 1000"));
  EXPECT_TRUE(contains(all, "seq 10"));
  EXPECT_TRUE(contains(all, "), communicator self (best of self 10)"));
  EXPECT_TRUE(contains(said("info", "auto+seq"), "executor seq (named), communicator self (best of self 10)"));
}

TEST_F(LogTest, APluginThatIsPassedOverSaysWhy) {
  const Environment environment{{"OP2_PLUGIN_PATH", unit::plugins("wrong_abi") + ":" + unit::plugins("no_score")}};
  EXPECT_TRUE(contains(said("info", "auto"), "small 0: refused: it was built for plugin ABI 2"));
  EXPECT_TRUE(contains(said("debug", "auto"), "op2: debug: refused " + unit::plugins("wrong_abi")));
  EXPECT_TRUE(lacks(said("info", "auto"), "debug: "));
  EXPECT_TRUE(lacks(said("info", "seq"), "refused")); // nobody asked for it
}

// The example of the documentation is the output of this program.
TEST_F(LogTest, DocumentationShowsTheseLines) {
  std::ifstream in(std::string(OP2_SOURCE_FOLDER) + "/docs/tracing.md");
  ASSERT_TRUE(in) << "docs/tracing.md is missing";
  std::string shown;
  for (std::string line; std::getline(in, line);)
    if (line.rfind("op2: ", 0) == 0) shown += line + "\n";
  setenv("OP2_BACKEND", "seq", 1);
  EXPECT_EQ(without_times(said("info", nullptr)), without_times(shown));
}

} // namespace

// SPDX-License-Identifier: MIT
