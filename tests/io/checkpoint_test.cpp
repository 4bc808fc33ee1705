// checkpoint_test.cpp: checkpoints and restarts of one process: what comes back, what is refused, which one is taken.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "op2/checkpoint.h"
#include "op2/compat.h"
#include "op2/hdf5.h"
#include "support.hpp"

namespace files {

namespace {

class Checkpoint : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    declare();
    file = path("run.h5");
  }
  // The program as it starts.
  void declare(int nodes_size = 100, int last_entry = 99, double cfl = 0.9) {
    nodes = op_decl_set(nodes_size, "nodes");
    edges = op_decl_set(3, "edges");
    const std::array<int, 6> ends = {0, 1, 1, 2, 98, last_entry};
    op_decl_map(edges, nodes, 2, ends.data(), "ends");
    x = op_decl_dat(nodes, 2, "double", nullptr, "x");
    op_decl_const_named("cfl", 1, "double", &cfl);
    iteration = 0;
    ASSERT_EQ(OP_OK, op_checkpoint_value("iteration", "int", 1, &iteration));
  }
  void begin_again() {
    restart();
    declare();
  }
  void fill(double value) {
    const std::vector<double> values(200, value);
    ASSERT_EQ(OP_OK, op_put_data(x, values.data()));
    iteration = static_cast<int>(value);
  }
  double first_value() const {
    std::vector<double> values(200);
    op_fetch_data(x, values.data());
    EXPECT_EQ(200, std::count(values.begin(), values.end(), values[0]));
    return values[0];
  }
  std::string numbered(int number) const { return path("run.00000" + std::to_string(number) + ".h5"); }

  op_set nodes = nullptr, edges = nullptr;
  op_dat x = nullptr;
  int iteration = 0;
  std::string file;
};

TEST_F(Checkpoint, GoesOn) {
  fill(7);
  EXPECT_OK(op_checkpoint(file.c_str()));
  begin_again();
  EXPECT_EQ(0, first_value());
  EXPECT_OK(op_restart(file.c_str()));
  EXPECT_EQ(7, first_value());
  EXPECT_EQ(7, iteration);
  fill(8);
  EXPECT_OK(op_checkpoint(file.c_str())); // in place of the old one
  fill(9);
  EXPECT_OK(op_restart(file.c_str())); // in the same session
  EXPECT_EQ(8, first_value());
}

TEST_F(Checkpoint, NothingButSets) {
  restart();
  op_decl_set(0, "nothing");
  EXPECT_OK(op_checkpoint(file.c_str()));
  EXPECT_OK(op_restart(file.c_str()));
  restart();
  EXPECT_OK(op_checkpoint(file.c_str()));
  EXPECT_OK(op_restart(file.c_str()));
}

TEST_F(Checkpoint, ReadableAsOtherFiles) {
  fill(7);
  EXPECT_OK(op_checkpoint(file.c_str()));
  const op_dat copy = op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "dats/x");
  ASSERT_NE(nullptr, copy);
}

TEST_F(Checkpoint, TemporaryDatsStay) {
  const op_dat scratch = op_decl_dat_temp(nodes, 1, "double", "scratch");
  const std::vector<double> values(100, 3);
  EXPECT_OK(op_checkpoint(file.c_str()));
  EXPECT_OK(op_put_data(scratch, values.data()));
  EXPECT_OK(op_restart(file.c_str()));
  double value = 0;
  EXPECT_OK(op_fetch_data_idx(scratch, &value, 5, 5));
  EXPECT_EQ(3, value);
  EXPECT_OK(op_free_dat_temp(scratch));
  EXPECT_OK(op_restart(file.c_str())); // nor do freed ones count
}

TEST_F(Checkpoint, Values) {
  std::array<float, 3> times = {1, 2, 3};
  bool ready = true;
  EXPECT_OK(op_checkpoint_value("times", "float", 3, times.data()));
  EXPECT_OK(op_checkpoint_value("odd name:\n 7", "bool", 1, &ready));
  EXPECT_OK(op_checkpoint(file.c_str()));
  times = {0, 0, 0};
  ready = false;
  EXPECT_OK(op_restart(file.c_str()));
  EXPECT_EQ((std::array<float, 3>{1, 2, 3}), times);
  EXPECT_TRUE(ready);
  EXPECT_OK(op_checkpoint_value("times", nullptr, 0, nullptr)); // forgotten
  EXPECT_STATUS(OP_ERR_STATE, op_restart(file.c_str()));
  expect_failure(OP_ERR_STATE, {"value 'times' is in it and is not declared here"});
  EXPECT_OK(op_checkpoint_value("times", "double", 1, &times));
  EXPECT_STATUS(OP_ERR_STATE, op_restart(file.c_str()));
  expect_failure(OP_ERR_STATE, {"value 'times' is 3 x float there and 1 x double here"});
}

TEST_F(Checkpoint, Constants) {
  EXPECT_OK(op_checkpoint(file.c_str()));
  double cfl = 0.5;
  op_decl_const_named("cfl", 1, "double", &cfl);
  EXPECT_STATUS(OP_ERR_STATE, op_restart(file.c_str()));
  expect_failure(OP_ERR_STATE, {"constant 'cfl' has another value there", "op_checkpoint_value()"});
  EXPECT_OK(op_checkpoint_value("cfl", "double", 1, &cfl));
  EXPECT_OK(op_checkpoint(file.c_str()));
  cfl = 0.25;
  op_decl_const_named("cfl", 1, "double", &cfl);
  EXPECT_OK(op_restart(file.c_str()));
  EXPECT_EQ(0.5, cfl);
  EXPECT_OK(op_checkpoint_value("cfl", nullptr, 0, nullptr)); // the constant itself has its value back, too
  EXPECT_OK(op_checkpoint(path("other.h5").c_str()));
  op_decl_const_named("cfl", 1, "double", &cfl);
  EXPECT_OK(op_restart(path("other.h5").c_str()));
}

TEST_F(Checkpoint, OtherPrograms) {
  fill(7);
  EXPECT_OK(op_checkpoint(file.c_str()));
  const auto expect_refused = [&](const std::vector<std::string> &words) {
    EXPECT_STATUS(OP_ERR_STATE, op_restart(file.c_str()));
    expect_failure(OP_ERR_STATE, {"file '" + file + "'", "another program or mesh"});
    EXPECT_STATUS(OP_ERR_STATE, op_restart(file.c_str()));
    expect_failure(OP_ERR_STATE, words);
  };
  restart();
  declare(101);
  expect_refused({"set 'nodes' has 100 elements there and 101 here"});
  restart();
  declare(100, 97);
  expect_refused({"map 'ends' has other entries there"});
  begin_again();
  op_decl_dat(edges, 1, "int", nullptr, "more");
  op_decl_set(3, "faces");
  expect_refused({"set 'faces' is not in it; dat 'more' is not in it"});
  restart();
  nodes = op_decl_set(100, "nodes");
  op_decl_dat(nodes, 3, "float", nullptr, "x");
  expect_refused({"set 'edges' is in it and is not declared here", "map 'ends' is in it",
                  "dat 'x' is 2 x double of 8 bytes there and 3 x float of 4 bytes here", "constant 'cfl' is in it"});
}

TEST_F(Checkpoint, AcquiredDat) {
  EXPECT_OK(op_checkpoint(file.c_str()));
  ASSERT_NE(nullptr, op_dat_acquire(x, OP_RW));
  EXPECT_STATUS(OP_ERR_STATE, op_checkpoint(file.c_str()));
  expect_failure(OP_ERR_STATE, {"dat 'x' is acquired"});
  EXPECT_STATUS(OP_ERR_STATE, op_restart(file.c_str()));
  op_dat_release(x);
  EXPECT_OK(op_restart(file.c_str()));
}

TEST_F(Checkpoint, LastOnesAreKept) {
  const std::string stem = path("run");
  int found = 7;
  EXPECT_OK(op_restart_latest(stem.c_str(), &found));
  EXPECT_EQ(0, found);
  std::array<char, 256> host{};
  ASSERT_EQ(0, gethostname(host.data(), host.size() - 1));
  const std::string here = path("run.000001.h5.") + host.data() + ".", there = path("run.000001.h5.no.such.machine.");
  write_bytes(here + "99999999.unfinished", "left by a process that is no more");
  write_bytes(here + "99999999_3.unfinished", "by another one of that number");
  write_bytes(here + std::to_string(getpid()) + ".unfinished", "by an earlier one with our number");
  write_bytes(here + std::to_string(getppid()) + ".unfinished", "of one that lives");
  write_bytes(here + "99999999.more.unfinished", "somebody else's");
  write_bytes(there + "7.unfinished", "of one that may live");
  write_bytes(there + "8.unfinished", "left long ago");
  std::filesystem::last_write_time(there + "8.unfinished",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  write_bytes(path("run.data.h5"), "mine");
  for (int n = 1; n <= 5; ++n) {
    fill(n);
    EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0, 2));
  }
  EXPECT_EQ(6u, files_in(folder)); // two, and four that are not ours to remove
  fill(9);
  EXPECT_OK(op_checkpoint_if_due(path("other").c_str(), 1e6, 2)); // not due
  EXPECT_EQ(6u, files_in(folder));
  begin_again();
  EXPECT_OK(op_restart_latest(stem.c_str(), &found));
  EXPECT_EQ(1, found);
  EXPECT_EQ(5, first_value());
  EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0, 2));
  EXPECT_TRUE(std::filesystem::exists(numbered(6)) && std::filesystem::exists(numbered(5)));
  EXPECT_EQ(6u, files_in(folder));
}

TEST_F(Checkpoint, DamagedOnesAreLeftOut) {
  const std::string stem = path("run");
  for (int n = 1; n <= 3; ++n) {
    fill(n);
    EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0, 3));
  }
  std::string bytes = bytes_of(numbered(3));
  const double value = 3;
  const std::size_t place = bytes.find(std::string(reinterpret_cast<const char *>(&value), sizeof value));
  ASSERT_NE(std::string::npos, place);
  bytes[place + 3] ^= 4;
  write_bytes(numbered(3), bytes);
  setenv("OP2_LOG", "warn", 1);
  begin_again();
  int found = 0;
  testing::internal::CaptureStderr();
  EXPECT_OK(op_restart_latest(stem.c_str(), &found));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("checkpoint '" + numbered(3) + "' cannot be used")) << said;
  EXPECT_NE(std::string::npos, said.find("damaged")) << said;
  EXPECT_EQ(1, found);
  EXPECT_EQ(2, first_value());
  fill(4);
  EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0, 2)); // number 4; the damaged one does not count as kept
  EXPECT_TRUE(std::filesystem::exists(numbered(2)));
  for (const int n : {2, 4}) write_bytes(numbered(n), "nothing");
  EXPECT_STATUS(OP_ERR_FILE, op_restart_latest(stem.c_str(), &found));
  expect_failure(OP_ERR_FILE, {"none of the 3 checkpoints"});
  EXPECT_EQ(4, first_value());
}

TEST_F(Checkpoint, AnotherMeshIsNoReasonToGoBack) {
  const std::string stem = path("run");
  EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0, 3));
  restart();
  declare(101);
  int found = 0;
  EXPECT_STATUS(OP_ERR_STATE, op_restart_latest(stem.c_str(), &found));
}

TEST_F(Checkpoint, Setting) {
  const std::string stem = path("run");
  const auto with = [&](const char *value) {
    setenv("OP2_CHECKPOINT_SECONDS", value, 1);
    begin_again();
    unsetenv("OP2_CHECKPOINT_SECONDS");
  };
  with("never");
  EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0, 1));
  EXPECT_EQ(0u, files_in(folder));
  with("0");
  EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 1e6, 1));
  EXPECT_EQ(1u, files_in(folder));
  with("soon");
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_checkpoint_if_due(stem.c_str(), 1, 1));
  expect_failure(OP_ERR_ARGUMENT, {"OP2_CHECKPOINT_SECONDS='soon'"});
}

// As many calls as happen in no time must not make those that take long wait for as many.
TEST_F(Checkpoint, CallsThatTakeLonger) {
  const std::string stem = path("run");
  const auto expect_late_by_one = [&] {
    for (int n = 0; n < 1000; ++n) ASSERT_EQ(OP_OK, op_checkpoint_if_due(stem.c_str(), 0.2, 100));
    const std::size_t files = files_in(folder);
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0.2, 100));
    EXPECT_EQ(files + 1, files_in(folder));
  };
  expect_late_by_one();
  expect_late_by_one();
  int found = 0;
  EXPECT_OK(op_restart_latest(stem.c_str(), &found));
  EXPECT_EQ(1, found);
  expect_late_by_one();
}

// What failed in the background says nothing about checkpoints: the newest is not passed over, and none is missed.
TEST_F(Checkpoint, AFailureInTheBackground) {
  const std::string stem = path("run"), bad = path("bad.h5");
  EXPECT_OK(op_fetch_data_hdf5_file_path(op_decl_dat_temp(nodes, 1, "int", "other"), bad.c_str(), "q"));
  for (int n = 1; n <= 2; ++n) {
    fill(n);
    EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0, 9));
  }
  fill(7);
  const auto fail_later = [&] { EXPECT_OK(op_fetch_data_hdf5_file_path_async(x, bad.c_str(), "q")); };
  fail_later();
  int found = 7;
  EXPECT_STATUS(OP_ERR_FILE, op_restart_latest(stem.c_str(), &found));
  expect_failure(OP_ERR_FILE, {"op_fetch_data_hdf5_file_path_async() of dat 'x'"});
  EXPECT_EQ(0, found);
  EXPECT_EQ(7, first_value());
  EXPECT_OK(op_restart_latest(stem.c_str(), &found));
  EXPECT_EQ(1, found);
  EXPECT_EQ(2, first_value());
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  fail_later();
  EXPECT_STATUS(OP_ERR_FILE, op_checkpoint_if_due(stem.c_str(), 0.2, 9));
  EXPECT_FALSE(std::filesystem::exists(numbered(3)));
  EXPECT_OK(op_checkpoint_if_due(stem.c_str(), 0.2, 9)) << "is still due";
  EXPECT_TRUE(std::filesystem::exists(numbered(3)));
}

TEST_F(Checkpoint, DueByTheClock) {
  const std::string stem = path("run");
  op_timers_core(nullptr, nullptr);
  double begin = 0, time = 0;
  op_timers_core(nullptr, &begin);
  for (int n = 0; time < 0.5; ++n) { // with the clock looked at now and then only
    ASSERT_EQ(OP_OK, op_checkpoint_if_due(stem.c_str(), 0.1, 100));
    op_timers_core(nullptr, &time);
    time -= begin;
  }
  const std::size_t count = files_in(folder);
  EXPECT_GE(count, 1u);
  EXPECT_LE(count, 5u);
}

} // namespace

} // namespace files

// SPDX-License-Identifier: MIT
