// OP2_CHECK, and what happens after a finding.
#include "support.hpp"

#include <stdexcept>

namespace check_test {

using Settings = Ring;

void touches(double *q, double *out) { *out = *q, *q = 0; }
op_status run_touches(op_set cells, op_dat q, op_dat out) {
  return op_par_loop(touches, "touches", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                     op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
}

TEST_F(Settings, AKindCanBeLeftOut) {
  start({"OP2_CHECK=-read"});
  EXPECT_EQ(OP_OK, run_touches(cells, cell_dat(1, "q"), cell_dat(1, "out"))) << op_last_error();
}

TEST_F(Settings, OrNamedAlone) {
  start({"OP2_CHECK=nan,write"});
  EXPECT_EQ(OP_OK, run_touches(cells, cell_dat(1, "q"), cell_dat(1, "out"))) << op_last_error();
  start({"OP2_CHECK=nan,read"});
  EXPECT_EQ(OP_ERR_CHECK, run_touches(cells, cell_dat(1, "q"), cell_dat(1, "out")));
}

TEST_F(Settings, WordsComeInAnyOrder) {
  start({"OP2_CHECK=nan,,warn,read"});
  EXPECT_EQ(OP_OK, run_touches(cells, cell_dat(1, "q"), cell_dat(1, "out"))) << op_last_error();
  start({"OP2_CHECK=warn,write"}); // read is not looked for
  testing::internal::CaptureStderr();
  EXPECT_EQ(OP_OK, run_touches(cells, cell_dat(1, "q"), cell_dat(1, "out"))) << op_last_error();
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
  start({"OP2_CHECK=-nan,,-read"});
  EXPECT_EQ(OP_OK, run_touches(cells, cell_dat(1, "q"), cell_dat(1, "out"))) << op_last_error();
}

// A finding of one kind does not hide another.
TEST_F(Settings, AfterAWarningTheOrderIsStillJudged) {
  start({"OP2_CHECK=warn"});
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const auto both = [](const double *x, double *a, double *b) { *a = *x / (*x - 5), *b = *x; };
  testing::internal::CaptureStderr();
  EXPECT_EQ(OP_OK, op_par_loop(both, "both", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                               op_arg_dat(out, 0, ends, 1, "double", OP_WRITE),
                               op_arg_dat(out, 1, ends, 1, "double", OP_WRITE)));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("[check: nan]")) << said;
  EXPECT_NE(std::string::npos, said.find("[check: order]")) << said;
}

TEST_F(Settings, WarnGoesOnAndSaysItOnce) {
  testing::internal::CaptureStderr();
  start({"OP2_CHECK=warn"});
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  EXPECT_EQ(OP_OK, run_touches(cells, q, out)) << op_last_error();
  EXPECT_EQ(OP_OK, run_touches(cells, q, out)) << op_last_error();
  const std::string said = testing::internal::GetCapturedStderr();
  const std::size_t first = said.find("argument 0");
  ASSERT_NE(std::string::npos, first) << said;
  EXPECT_EQ(std::string::npos, said.find("argument 0", first + 1)) << said;
  for (const char *word : {"loop 'touches'", "settings.cpp:", "[check: read]"})
    EXPECT_NE(std::string::npos, said.find(word)) << said;
  EXPECT_EQ(std::vector<double>(size, 0.0), values(q)); // the loop ran
}

TEST_F(Settings, AnExceptionTellsItsElement) {
  const op_dat q = cell_dat(1, "q");
  const auto refuse = [](const double *x) {
    if (*x == 8) throw std::runtime_error("eight is too much");
  };
  EXPECT_EQ(OP_ERR_KERNEL, op_par_loop(refuse, "refuse", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ)));
  EXPECT_NE(std::string::npos, std::string(op_last_error()).find("eight is too much (at element 7 of set 'cells')"))
      << op_last_error();
}

TEST_F(Settings, AnUnknownWordIsRefused) {
  start({"OP2_CHECK=reed"});
  EXPECT_EQ(0, op_is_initialised());
  const std::string message = op_last_error();
  for (const char *word : {"OP2_CHECK", "'reed'", "read"}) EXPECT_NE(std::string::npos, message.find(word)) << message;
}

TEST_F(Settings, TheDefaultHandlerEndsTheProgram) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  EXPECT_EXIT(
      {
        op_set_error_handler(nullptr, nullptr);
        run_touches(cells, q, out);
      },
      testing::ExitedWithCode(1), "op2: error: op_par_loop.*touches.*argument 0.*settings.cpp.*OP_ERR_CHECK");
}

TEST_F(Settings, AutoNeverTakesIt) {
  EXPECT_EQ(OP_OK, op_exit());
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "auto";
  ASSERT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
  EXPECT_EQ(std::string::npos, std::string(op_backend()).find("check")) << op_backend();
}

} // namespace check_test

// SPDX-License-Identifier: MIT
