// rows.cpp: runs the tables of all headers, with OP2_ERROR=return and with the default handler, and counts whether
// every parameter of every function has a row.
#include <map>
#include <set>
#include <tuple>

#include "refuse.hpp"

namespace badinput {

namespace {

std::vector<const std::vector<Wrong> *> tables() {
  return {&wrong_starts(),      &wrong_handles(), &wrong_declarations(), &wrong_data(),
          &wrong_arguments(),   &wrong_loops(),   &wrong_orders(),       &wrong_partitions(),
          &wrong_reports(),     &wrong_files(),   &wrong_meshes(),       &wrong_views(),
          &wrong_checkpoints(), &wrong_traces(),  &wrong_particles(),    &wrong_changes()};
}

std::vector<Wrong> all_rows() {
  std::vector<Wrong> rows;
  for (const std::vector<Wrong> *table : tables()) rows.insert(rows.end(), table->begin(), table->end());
  return rows;
}

class Row : public InSession, public testing::WithParamInterface<Wrong> {};
TEST_P(Row, IsRefusedAndChangesNothing) {
  expect_refused(GetParam());
  expect_refused(GetParam()); // again, now that the library may remember something
}
INSTANTIATE_TEST_SUITE_P(Each, Row, testing::ValuesIn(all_rows()), name_of);

class RowByDefault : public Library {
 protected:
  void SetUp() override {
    Library::SetUp();
    unsetenv("OP2_ERROR");
    start_world();
  }
  void TearDown() override {
    end_world();
    Library::TearDown();
  }
};
// One row for each parameter and status: a process for each row would take long.
TEST_F(RowByDefault, EachEndsTheProcessWithOneLine) {
  std::set<std::tuple<std::string, std::string, op_status>> seen;
  for (const Wrong &wrong : all_rows()) {
    if (wrong.status == OP_OK || !seen.insert({wrong.function, wrong.parameter, wrong.status}).second) continue;
    SCOPED_TRACE(testing::PrintToString(wrong));
    expect_end_of_process(reporter_of(wrong), wrong.status, [&] {
      if (wrong.outside) op_exit();
      wrong.call();
    });
  }
}

TEST(Rows, EveryParameterOfEveryFunctionHasOne) {
  std::map<std::string, std::set<std::string>> parameters;
  for (const Wrong &wrong : all_rows()) parameters[wrong.function].insert(wrong.parameter);
  for (const Function &f : functions())
    EXPECT_EQ(f.parameters, static_cast<int>(parameters[f.name].size()))
        << f.name << " has rows for " << testing::PrintToString(parameters[f.name]);
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
