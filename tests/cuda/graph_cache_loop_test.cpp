// graph_cache_loop_test.cpp: a small time step of five loops, many times, through the plugin: in CUDA graphs, and with
// what breaks them. It is computed with plain loops beside.
#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <regex>

#include "loop_mesh.hpp"

using namespace loop_test;
using samples::Loop;
using samples::program;

namespace {

constexpr int edges = 300, cells = 120;

// A loop and its kernel.
struct Step {
  Loop loop;
  std::unique_ptr<Kernel> kernel;
  Step(const std::string &name, const std::string &text, int size, const std::string &constants = "")
      : loop(name, program(text, constants), size) {}
  void create(Executor &executor) {
    kernel.reset();
    kernel = std::make_unique<Kernel>(executor, loop);
    ASSERT_EQ(kernel->created, OP_OK) << message(executor);
  }
};

// What the program of these tests computes: edges carry a flow, which cells take up.
struct State {
  std::vector<double> flow, speed, taken;
  double total = 0;
};

struct Program {
  Executor executor;
  Mesh mesh{edges, cells};
  State host;
  double push = 0, loss = 1; // a global and a constant
  std::unique_ptr<Array<double>> flow, speed, spare, taken;
  std::unique_ptr<Array<int>> map;
  Step turn{"turn", "(const double *g, const double *flow, double *speed) { *speed = *g - *flow; }", edges};
  Step move{"move", "(const double *speed, double *flow) { *flow += *speed; }", edges};
  Step take{"take", "(const double *flow, double *a, double *b) { *a += *flow; *b -= *flow; }", edges};
  Step leak{"leak", "(double *taken) { *taken += *taken > 0 ? -loss : loss; }", cells, "double loss;"};
  Step swap{"swap", "(const double *flow, double *spare) { *spare = 3 - *flow; }", edges};
  Step sum{"sum", "(const double *taken, double *total) { *total += *taken; }", cells};

  explicit Program(const std::string &graphs = "auto") : executor("auto", {{"OP2_CUDA_GRAPHS", graphs}}) {
    host = {mesh.values<double>(edges), mesh.values<double>(edges), mesh.values<double>(cells), 0};
    flow = std::make_unique<Array<double>>(executor, host.flow);
    speed = std::make_unique<Array<double>>(executor, host.speed);
    spare = std::make_unique<Array<double>>(executor, host.flow);
    taken = std::make_unique<Array<double>>(executor, host.taken);
    map = std::make_unique<Array<int>>(executor, mesh.table);
    turn.loop.global(d, 1).direct(0, OP_READ, d, 1).direct(1, OP_WRITE, d, 1).done();
    move.loop.direct(0, OP_READ, d, 1).direct(1, OP_RW, d, 1).done();
    take.loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 1).through(1, 0, 1, OP_INC, d, 1).done();
    leak.loop.direct(0, OP_RW, d, 1).constant(&loss, 0, sizeof loss).done();
    swap.loop.direct(0, OP_READ, d, 1).direct(1, OP_WRITE, d, 1).done();
    sum.loop.direct(0, OP_READ, d, 1).reduced(OP_INC, d, 1).done();
    for (Step *step : {&turn, &move, &take, &leak, &swap, &sum}) step->create(executor);
  }
  void run(Step &step) {
    ASSERT_EQ(step.kernel->run(Plan(0, step.loop.signature.set_size)), OP_OK) << message(executor);
  }
  // One round; its two dats of flow change places at the end.
  void round(int number) {
    push = number % 10;
    run_on_device();
    for (size_t e = 0; e < host.flow.size(); ++e) host.speed[e] = number % 10 - host.flow[e];
    for (size_t e = 0; e < host.flow.size(); ++e) host.flow[e] += host.speed[e];
    for (int e = 0; e < edges; ++e) {
      of(host.taken, mesh.at(e, 0)) += of(host.flow, e);
      of(host.taken, mesh.at(e, 1)) -= of(host.flow, e);
    }
    for (double &value : host.taken) value += value > 0 ? -loss : loss;
    for (double &value : host.flow) value = 3 - value;
  }
  void run_on_device() {
    turn.kernel->global(0, &push).dat(1, *flow).dat(2, *speed);
    run(turn);
    push = -1000; // the executor has it by now
    move.kernel->dat(0, *speed).dat(1, *flow);
    run(move);
    take.kernel->dat(0, *flow).dat(1, *taken).map(1, *map, 2).dat(2, *taken).map(2, *map, 2);
    run(take);
    leak.kernel->dat(0, *taken);
    run(leak);
    swap.kernel->dat(0, *flow).dat(1, *spare);
    run(swap);
    std::swap(flow, spare);
  }
  double fetch_sum() {
    sum.kernel->dat(0, *taken);
    run(sum);
    return *sum.kernel->place<double>(sum.kernel->result, 1);
  }
  double sum_on_host() const {
    double total = 0;
    for (const double value : host.taken) total += value;
    return total;
  }
  bool right() const { return flow->get() == host.flow && taken->get() == host.taken; }
  // Of the line that the executor writes when it is closed.
  struct Report {
    int launches = -1, in_graphs = -1, runs = -1, graphs = -1, changed = -1;
  };
  Report close() {
    for (Step *step : {&turn, &move, &take, &leak, &swap, &sum}) step->kernel.reset();
    executor.close();
    std::smatch found;
    const std::regex line("(\\d+) launches, (\\d+) of them in (\\d+) runs of (\\d+) graphs, in which (\\d+) were");
    if (!std::regex_search(executor.host.messages, found, line)) return {};
    const auto number = [&](size_t i) { return std::stoi(found[i]); };
    return {number(1), number(2), number(3), number(4), number(5)};
  }
};

TEST(CudaGraphCacheLoop, ASmallTimeStepGoesInGraphs) {
  Program program;
  for (int i = 0; i < 100; ++i) program.round(i);
  EXPECT_TRUE(program.right());
  const Program::Report report = program.close();
  EXPECT_EQ(report.launches, 500) << program.executor.host.messages;
  EXPECT_GE(report.in_graphs, 400);
  EXPECT_LE(report.runs, 35) << "three rounds in each";
  EXPECT_LE(report.graphs, 2) << "dats that change places need another graph at most";
  EXPECT_GT(report.changed, 0) << "a global has other values in every round";
}

TEST(CudaGraphCacheLoop, OffIsOff) {
  Program program("off");
  for (int i = 0; i < 20; ++i) program.round(i);
  EXPECT_TRUE(program.right());
  EXPECT_EQ(program.close().in_graphs, 0);
}

TEST(CudaGraphCacheLoop, EveryRoundEndsWithAResult) {
  Program program;
  for (int i = 0; i < 60; ++i) {
    program.round(i);
    ASSERT_EQ(program.fetch_sum(), program.sum_on_host()) << i;
  }
  EXPECT_TRUE(program.right());
  const Program::Report report = program.close();
  EXPECT_EQ(report.launches, 360);
  EXPECT_GE(report.in_graphs, 300) << "the loop that sums is the last of the pattern";
  EXPECT_EQ(report.in_graphs, 6 * report.runs);
}

// Copies to and from the device and zeros come between loops that are held back.
TEST(CudaGraphCacheLoop, WhatTheHostDoesComesInBetween) {
  Program program;
  for (int i = 0; i < 90; ++i) {
    program.round(i);
    ASSERT_TRUE((i % 20 != 8 && i % 20 != 17) || program.right()) << i;
    if (i % 20 == 11) {
      program.host.taken.assign(cells, 0);
      ASSERT_EQ(program.executor.ops->mem_zero(program.executor.exec, OP_SPACE_CUDA, program.taken->address,
                                               cells * sizeof(double)),
                OP_OK);
    }
    if (i % 20 > 3 && i % 20 < 7) program.loss += 2; // wherever in a pattern
    if (i % 20 == 13) {
      for (double &value : program.host.flow) value = i;
      program.flow->put(program.host.flow);
    }
  }
  EXPECT_TRUE(program.right());
  EXPECT_GT(program.close().in_graphs, 100);
}

TEST(CudaGraphCacheLoop, KernelsAndMemoryMayGoAtAnyTime) {
  Program program;
  for (int i = 0; i < 120; ++i) {
    program.round(i);
    if (i % 40 == 20) program.leak.create(program.executor);
    if (i % 40 == 31) program.move.kernel.reset(), program.move.create(program.executor);
    if (i % 40 == 36) { // the dat that is written before it is read
      program.speed.reset();
      program.speed = std::make_unique<Array<double>>(program.executor, std::vector<double>(edges));
    }
  }
  EXPECT_TRUE(program.right());
  EXPECT_GT(program.close().in_graphs, 100);
}

// Rows are packed beside the loops; they are those of the moment.
TEST(CudaGraphCacheLoop, HalosSeeWhatWasAskedForBefore) {
  Program program;
  const std::vector<int32_t> offset = {0, 4}, rows = {3, 5, 90, 17};
  const op_exec_halo_lists lists = {sizeof lists, 1, 0, offset.data(), rows.data()};
  const op_exec_ops_v1 &ops = *program.executor.ops;
  op_exec *const exec = program.executor.exec;
  op_exec_halo *halo = nullptr;
  ASSERT_EQ(ops.halo_upload(exec, &lists, 1, &halo), OP_OK);
  for (int i = 0; i < 100; ++i) {
    program.round(i);
    if (i % 10 < 6) continue;
    const op_exec_halo_item item = {static_cast<char *>(program.taken->address), sizeof(double), 0, 0, 0, 0};
    double packed[4];
    op_event done = nullptr;
    ASSERT_EQ(ops.halo_pack(exec, halo, &item, 1, packed, OP_SPACE_HOST, &done), OP_OK);
    ASSERT_EQ(program.taken->finish(done), OP_OK);
    for (size_t row = 0; row < rows.size(); ++row) {
      ASSERT_EQ(packed[row], of(program.host.taken, rows[row])) << i;
      of(program.host.taken, rows[row]) = packed[row] = i;
    }
    ASSERT_EQ(ops.halo_unpack(exec, halo, &item, 1, packed, OP_SPACE_HOST, &done), OP_OK);
    ASSERT_TRUE(!done || program.taken->finish(done) == OP_OK);
  }
  EXPECT_TRUE(program.right());
  ops.halo_free(exec, halo);
  EXPECT_GT(program.close().in_graphs, 100);
}

// The driver of a process reads what mistakes to make once, so a copy of it makes them.
struct Mistaken {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("op2_graphs_" + std::to_string(getpid()));
  const std::string before = cuda_path();
  explicit Mistaken(const char *fault) {
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(before + "/libcuda.so.1", folder / "libcuda.so.1",
                               std::filesystem::copy_options::overwrite_existing);
    setenv("OP2_CUDA_PATH", (folder.string() + ":" + before).c_str(), 1);
    setenv("FAKE_CUDA_FAULT", fault, 1);
  }
  ~Mistaken() {
    unsetenv("FAKE_CUDA_FAULT");
    setenv("OP2_CUDA_PATH", before.c_str(), 1);
    std::filesystem::remove_all(folder);
  }
};

void run_without(const char *part) {
  const Mistaken mistaken(part);
  Program program;
  for (int i = 0; i < 60; ++i) program.round(i);
  EXPECT_TRUE(program.right()) << part;
  EXPECT_NE(program.executor.host.messages.find("one by one from now on"), std::string::npos) << part;
}
TEST(CudaGraphCacheLoop, WithoutGraphs) {
  if (cuda_path().empty()) GTEST_SKIP() << "a real driver makes graphs";
  run_without("graph_instantiate");
}
TEST(CudaGraphCacheLoop, WithoutChangesToGraphs) {
  if (cuda_path().empty()) GTEST_SKIP() << "a real driver changes graphs";
  run_without("graph_update");
}
TEST(CudaGraphCacheLoop, WithoutLaunchesOfGraphs) {
  if (cuda_path().empty()) GTEST_SKIP() << "a real driver launches graphs";
  run_without("graph_launch");
}

// That these tests would see it.
TEST(CudaGraphCacheLoop, ALostChangeIsSeen) {
  if (cuda_path().empty()) GTEST_SKIP() << "a real driver loses none";
  const Mistaken mistaken("lose_update");
  Program program;
  for (int i = 0; i < 60; ++i) program.round(i);
  EXPECT_FALSE(program.right());
}

} // namespace

// SPDX-License-Identifier: MIT
