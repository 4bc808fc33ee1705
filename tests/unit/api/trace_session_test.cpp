// trace_session_test.cpp: what a program that runs with OP2_TRACE finds in its file, and what it costs when something
// is wrong with it.
#include <cstdio>
#include <stdexcept>

#include "trace.hpp"

namespace {

using unit::contains;
using unit::Environment;
using unit::events_of;
using unit::Json;
using unit::spans;

constexpr int loops = 1, plans = 2, data = 3, exchanges = 4, io = 5; // lanes

class TraceSessionTest : public unit::LibraryTest {
 protected:
  unit::Folder folder;
  const std::string file = folder / "trace.json";
  const Environment environment{{"OP2_TRACE", file}};

  void SetUp() override { // the base class cleans the environment
    LibraryTest::SetUp();
    setenv("OP2_TRACE", file.c_str(), 1);
  }

  op_set cells = nullptr, edges = nullptr;
  op_map to_cells = nullptr;
  op_dat q = nullptr, res = nullptr;
  void declare() {
    static const int ends[] = {0, 1, 1, 2, 2, 3};
    cells = op_decl_set(4, "cells");
    edges = op_decl_set(3, "edges");
    to_cells = op_decl_map(edges, cells, 2, ends, "to_cells");
    q = op_decl_dat(cells, 2, "double", nullptr, "q");
    res = op_decl_dat(cells, 1, "double", nullptr, "res");
  }
  void flux(const char *name = "flux") const {
    EXPECT_OK(unit::run(
        [](double *a, double *b) { *a += 1, *b -= 1; }, name, edges,
        {op_arg_dat(res, 0, to_cells, 1, "double", OP_INC), op_arg_dat(res, 1, to_cells, 1, "double", OP_INC)}));
  }
  void update(const char *name = "update") const {
    EXPECT_OK(
        unit::run([](double *v, const double *r) { v[0] = *r, v[1] = 0; }, name, cells,
                  {op_arg_dat(q, -1, OP_ID, 2, "double", OP_WRITE), op_arg_dat(res, -1, OP_ID, 1, "double", OP_READ)}));
  }
};

TEST_F(TraceSessionTest, ShowsEveryCall) {
  for (const char *timing : {"on", "off"}) {
    const Environment more{{"OP2_TIMING", timing}};
    ASSERT_EQ(OP_OK, init("seq"));
    declare();
    for (int i = 0; i < 20; ++i) {
      flux();
      if (i % 4 == 0) update();
    }
    ASSERT_EQ(OP_OK, op_exit());
    const std::vector<Json> events = events_of(file);
    unit::expect_order(events);
    EXPECT_EQ(25u, spans(events, loops).size());
    EXPECT_EQ(2u, spans(events, plans).size());
    const std::vector<Json> all = spans(events, loops, "flux");
    ASSERT_EQ(20u, all.size());
    for (int i = 0; i < 20; ++i) {
      const Json &about = all[static_cast<std::size_t>(i)]["args"];
      EXPECT_EQ(i + 1, about["call"].value);
      EXPECT_EQ("edges", about["set"].text);
      EXPECT_EQ(3, about["elements"].value);
      EXPECT_EQ(4 * 8 * 2 + 3 * 2 * 4, about["bytes"].value); // rows of res there and back, two columns of the map
      EXPECT_EQ("element", about["form"].text);
      EXPECT_EQ("seq", about["executor"].text);
    }
    const std::vector<Json> prepared = spans(events, plans, "prepare flux");
    ASSERT_EQ(1u, prepared.size());
    const Json &plan = prepared[0]["args"];
    EXPECT_EQ("flux", plan["loop"].text);
    EXPECT_EQ("seq", plan["executor"].text);
    EXPECT_EQ("built", plan["plan"].text);
    EXPECT_GE(plan["blocks"].value, 1);
    EXPECT_FALSE(plan["kind"].text.empty());
    EXPECT_LE(prepared[0]["ts"].value + prepared[0]["dur"].value, all[0]["ts"].value + 0.0011);
    std::filesystem::remove(file);
  }
}

TEST_F(TraceSessionTest, ShowsColoursAndSharedPlans) {
  const Environment more{{"OP2_PLUGIN_PATH", OP2_BUILT_PLUGINS}, {"OP2_RACE", "colour"}};
  const op_status started = init("openmp", 2);
  if (started == OP_ERR_BACKEND) GTEST_SKIP() << "executor openmp is not there: " << op_last_error();
  ASSERT_EQ(OP_OK, started) << op_last_error();
  declare();
  flux("one");
  flux("two");
  ASSERT_EQ(OP_OK, op_exit());
  const std::vector<Json> events = events_of(file);
  const std::vector<Json> one = spans(events, plans, "prepare one"), two = spans(events, plans, "prepare two");
  ASSERT_EQ(1u, one.size());
  ASSERT_EQ(1u, two.size());
  EXPECT_EQ("block colours", one[0]["args"]["kind"].text);
  EXPECT_EQ(1, one[0]["args"]["colours"].value); // one block
  EXPECT_EQ("built", one[0]["args"]["plan"].text);
  EXPECT_EQ("shared", two[0]["args"]["plan"].text);
  EXPECT_EQ("openmp", spans(events, loops, "one").at(0)["args"]["executor"].text);
}

TEST_F(TraceSessionTest, ShowsDataOfTheUser) {
  ASSERT_EQ(OP_OK, init("seq"));
  declare();
  double values[8] = {};
  EXPECT_OK(op_put_data(q, values));
  EXPECT_OK(op_fetch_data(q, values));
  EXPECT_OK(op_fetch_data_idx(q, values, 1, 2));
  EXPECT_OK(op_put_data_idx(q, values, 1, 3));
  EXPECT_OK(op_barrier());
  ASSERT_EQ(OP_OK, op_exit());
  const std::vector<Json> events = events_of(file);
  unit::expect_order(events);
  const auto bytes = [&](int lane, const std::string &name) {
    std::vector<double> out;
    for (const Json &span : spans(events, lane, name)) {
      EXPECT_EQ("cells", span["args"]["set"].text);
      EXPECT_EQ("q", span["args"]["dat"].text);
      out.push_back(span["args"]["bytes"].value);
    }
    return out;
  };
  EXPECT_EQ((std::vector<double>{64, 48}), bytes(data, "put q"));
  EXPECT_EQ((std::vector<double>{64, 32}), bytes(data, "fetch q"));
  EXPECT_EQ(1u, spans(events, exchanges, "barrier").size());
  EXPECT_EQ(0u, spans(events, loops).size());
}

TEST_F(TraceSessionTest, ShowsCopiesToAnExecutorWithMemoryOfItsOwn) {
  const Environment more{{"OP2_PLUGIN_PATH", unit::plugins("faraway")}};
  ASSERT_EQ(OP_OK, init("faraway"));
  declare();
  double values[8] = {};
  EXPECT_OK(op_put_data(q, values));
  flux();
  flux();
  update();
  EXPECT_OK(op_fetch_data(q, values));
  EXPECT_OK(op_fetch_data(q, values));
  ASSERT_EQ(OP_OK, op_exit());
  const std::vector<Json> events = events_of(file);
  unit::expect_order(events);
  EXPECT_EQ(1u, spans(events, data, "upload res").size());
  EXPECT_EQ(1u, spans(events, data, "download q").size());
  EXPECT_EQ(2u, spans(events, data, "fetch q").size());
  EXPECT_EQ(0u, spans(events, data, "download res").size());
}

TEST_F(TraceSessionTest, NamesMayHoldAnything) {
  const std::string name = "a \"flux\"\\\n\x01 \xc3\xa4 \xe4";
  ASSERT_EQ(OP_OK, init("seq"));
  declare();
  flux(name.c_str());
  ASSERT_EQ(OP_OK, op_exit());
  EXPECT_EQ(1u, spans(events_of(file), loops, "a \"flux\"\\\n\x01 \xc3\xa4 \xef\xbf\xbd").size());
}

TEST_F(TraceSessionTest, MoreCallsThanTheBufferHolds) {
  ASSERT_EQ(OP_OK, init("seq"));
  declare();
  constexpr int calls = 20000;
  for (int i = 0; i < calls; ++i) flux();
  EXPECT_GT(std::filesystem::file_size(file), 1000000u); // on the way already
  ASSERT_EQ(OP_OK, op_exit());
  const std::vector<Json> events = events_of(file);
  unit::expect_order(events);
  const std::vector<Json> all = spans(events, loops, "flux");
  ASSERT_EQ(static_cast<std::size_t>(calls), all.size());
  for (int i = 0; i < calls; ++i) ASSERT_EQ(i + 1, all[static_cast<std::size_t>(i)]["args"]["call"].value);
  EXPECT_GE(spans(events, io, "write trace").size(), 2u);
}

TEST_F(TraceSessionTest, NothingIsWrittenWithoutTheSetting) {
  for (const char *value : {"", static_cast<const char *>(nullptr)}) {
    value ? setenv("OP2_TRACE", value, 1) : unsetenv("OP2_TRACE");
    ASSERT_EQ(OP_OK, init("seq"));
    declare();
    flux();
    ASSERT_EQ(OP_OK, op_exit());
    EXPECT_EQ(0u, folder.files());
  }
}

TEST_F(TraceSessionTest, AnUnwritableFileRefusesTheStart) {
  const std::string wrong = folder / "no_such_folder/t.json";
  setenv("OP2_TRACE", wrong.c_str(), 1);
  EXPECT_STATUS(OP_ERR_FILE, init("seq"));
  EXPECT_TRUE(contains(op_last_error(),
                       "setting OP2_TRACE='" + wrong + "': cannot write '" + wrong + "': No such file or directory"));
  EXPECT_EQ(0, op_is_initialised());
  unsetenv("OP2_TRACE");
  EXPECT_OK(init("seq"));
}

TEST_F(TraceSessionTest, EveryContextHasAFile) {
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(OP_OK, init("seq"));
    declare();
    for (int k = 0; k < i; ++k) flux();
    ASSERT_EQ(OP_OK, op_exit());
  }
  EXPECT_EQ(1u, spans(events_of(file), loops).size());
  EXPECT_EQ(2u, spans(events_of(folder / "trace-2.json"), loops).size());
  EXPECT_EQ(3u, spans(events_of(folder / "trace-3.json"), loops).size());
}

TEST_F(TraceSessionTest, ALoopThatFailsIsThere) {
  ASSERT_EQ(OP_OK, init("seq"));
  declare();
  EXPECT_STATUS(OP_ERR_KERNEL, unit::run([](double *) { throw std::runtime_error("negative pressure"); }, "bad", cells,
                                         {op_arg_dat(q, -1, OP_ID, 2, "double", OP_RW)}));
  EXPECT_STATUS(OP_ERR_STATE, op_barrier()); // the context is unusable, its trace is not
  ASSERT_EQ(OP_OK, op_exit());
  EXPECT_EQ(1u, spans(events_of(file), loops, "bad").size());
}

// The default handler ends the process; the trace is complete all the same.
TEST_F(TraceSessionTest, AnErrorThatEndsTheProgramFinishesTheTrace) {
  EXPECT_EXIT(
      {
        op_set_error_handler(nullptr, nullptr);
        init("seq");
        declare();
        flux();
        op_decl_set(-1, "wrong");
      },
      testing::ExitedWithCode(EXIT_FAILURE), "op2: error: op_decl_set");
  EXPECT_EQ(1u, spans(events_of(file), loops, "flux").size());
}

} // namespace

// SPDX-License-Identifier: MIT
