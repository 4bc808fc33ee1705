// chain_test.cpp: programs in chains on executor cuda: what reaches the driver, by the trace of the fake one, and that
// results have the bits of loop after loop.
#include <gtest/gtest.h>
#include <op2/compat.h>
#include <op2/kernel.h>
#include <unistd.h>
#include <op2/op2.hpp>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

constexpr int table_size = 300; // doubles: more than travels with a launch

static inline void start(const double *from, const double *a, double *b) { b[0] = from[0] - 0.5 * a[0]; }
static inline void spread(const double *b, double *left, double *right) { left[0] += b[0], right[0] -= 0.25 * b[0]; }
static inline void settle(const double *c, double *d) { d[0] = 0.5 * d[0] + 1.0 / (2.0 + c[0] * c[0]); }
static inline void look_up(const double *table, double *a) { a[0] = 0.25 * a[0] + table[(int)(a[0] * a[0]) % 300]; }
static inline void measure(const double *b, double *sum, double *most) {
  sum[0] += b[0], sum[1] -= b[0] * b[0];
  if (most[0] < b[0]) most[0] = b[0];
}
static inline void weigh(const double *factor, const double *d, double *sum) { *sum += *factor * d[0]; }
static inline void refuse(const double *limit, double *d) {
  if (d[0] > *limit) throw 7;
  d[0] += 1;
}
static inline void stray(const double *wild, double *d) {
  if (*wild > 5) *(double *)8 = 1;
  d[0] += 1;
}

namespace {

constexpr int edges = 700, nodes = 300, rounds = 7;

// A copy of the fake driver, which writes down what it is asked.
class TracedDriver {
 public:
  explicit TracedDriver(const char *fault = "") {
    std::filesystem::create_directories(folder_);
    std::filesystem::copy_file(before_ + "/libcuda.so.1", folder_ / "libcuda.so.1",
                               std::filesystem::copy_options::overwrite_existing);
    setenv("OP2_CUDA_PATH", (folder_.string() + ":" + before_).c_str(), 1);
    setenv("FAKE_CUDA_TRACE", (folder_ / "trace").c_str(), 1);
    setenv("FAKE_CUDA_FAULT", fault, 1);
  }
  ~TracedDriver() {
    unsetenv("FAKE_CUDA_TRACE");
    unsetenv("FAKE_CUDA_FAULT");
    setenv("OP2_CUDA_PATH", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  TracedDriver(const TracedDriver &) = delete;
  // Calls since the last query, by name. wait: those in which the host waits for the device.
  std::map<std::string, int> calls() {
    std::map<std::string, int> out;
    std::ifstream lines(folder_ / "trace");
    lines.seekg(at_);
    for (std::string line; std::getline(lines, line);) {
      const std::string name = line.substr(0, line.find(' '));
      ++out[name];
      if (name.ends_with("Synchronize") && name.starts_with("cu")) ++out["wait"];
      at_ = lines.tellg();
    }
    return out;
  }

 private:
  static inline int copies_ = 0;
  const std::string before_ = std::getenv("OP2_CUDA_PATH");
  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                        ("op2_chain_" + std::to_string(getpid()) + "_" + std::to_string(copies_++));
  std::streamoff at_ = 0;
};

using Settings = std::map<std::string, std::string>;

// The environment of one context.
class Environment {
 public:
  explicit Environment(Settings settings) : settings_(std::move(settings)) {
    settings_.insert({{"OP2_BACKEND", "cuda"}, {"OP2_RACE", "colour"}, {"OP2_LOG", "info"}, {"OP2_JIT", "off"}});
    for (const auto &[name, value] : settings_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto &[name, value] : settings_) unsetenv(name.c_str());
  }
  Environment(const Environment &) = delete;

 private:
  Settings settings_;
};

// Edges and nodes, with data that loops pass back and forth.
struct Step {
  std::vector<int> table;
  std::vector<double> first;
  op2::set on_edges{edges, "edges"}, on_nodes{nodes, "nodes"};
  op2::map map;
  op2::dat<double, 1> a, b, c, d;
  op2::global<double, 2> sums{"sums"};
  op2::global<double> most{"most"}, weight{"weight"}, other{"other"};

  Step() {
    for (int e = 0; e < edges; ++e)
      first.push_back(1.0 / (1 + e % 37)), table.insert(table.end(), {e % nodes, (7 * e + 5) % nodes});
    map = op2::map(on_edges, on_nodes, 2, table.data(), "map");
    a = op2::dat<double, 1>(on_edges, first, "a");
    b = op2::dat<double, 1>(on_edges, nullptr, "b");
    c = op2::dat<double, 1>(on_nodes, nullptr, "c");
    d = op2::dat<double, 1>(on_nodes, nullptr, "d");
  }

  // Loops that reduce come twice, with other values of what they read, into the same global and into others.
  void loops(int round) {
    double from = round % 5, factor = 1.5 + round;
    std::array<double, table_size> values;
    for (int i = 0; i < table_size; ++i) values[static_cast<std::size_t>(i)] = 1.0 / (1 + (i + round) % 11);
    op_par_loop(start, "start", on_edges, op2::gbl_read(&from), op2::read(a), op2::write(b));
    op_par_loop(spread, "spread", on_edges, op2::read(b), op2::inc(c, 0, map), op2::inc(c, 1, map));
    op_par_loop(settle, "settle", on_nodes, op2::read(c), op2::rw(d));
    sums.put({0.5, 1.0 * round});
    op_par_loop(measure, "measure", on_edges, op2::read(b), op2::gbl_inc(sums), op2::gbl_max(most));
    op_par_loop(look_up, "look_up", on_edges, op2::gbl_read(values.data(), table_size), op2::rw(a));
    values.fill(-3); // the library has them by now
    op_par_loop(weigh, "weigh", on_nodes, op2::gbl_read(&factor), op2::read(d), op2::gbl_inc(weight));
    factor = -2.5;
    for (double &value : values) value = round;
    op_par_loop(weigh, "weigh", on_nodes, op2::gbl_read(&factor), op2::read(d), op2::gbl_inc(other));
    op_par_loop(look_up, "look_up", on_edges, op2::gbl_read(values.data(), table_size), op2::rw(a));
    op_par_loop(measure, "measure", on_edges, op2::read(a), op2::gbl_inc(sums), op2::gbl_max(most));
  }
  std::vector<double> results() const {
    std::vector<double> out = {sums.fetch()[0], sums.fetch()[1], most.fetch(), weight.fetch(), other.fetch()};
    for (const auto *dat : {&a, &b, &c, &d}) {
      std::vector<double> rows(dat == &a || dat == &b ? edges : nodes);
      op_fetch_data(*dat, rows.data());
      out.insert(out.end(), rows.begin(), rows.end());
    }
    return out;
  }
};

struct Outcome {
  std::vector<double> results;
  std::string log;
};

// All rounds, each one chain. after(round): behind it.
Outcome run(
    const Settings &settings, bool in_chains, const std::function<void(int)> &after = [](int) {}) {
  const Environment environment(settings);
  Outcome out;
  testing::internal::CaptureStderr();
  {
    op2::context context;
    Step step;
    for (int round = 0; round < rounds; ++round) {
      if (in_chains) op_chain_begin("step");
      step.loops(round);
      if (in_chains) op_chain_end();
      after(round);
    }
    out.results = step.results();
  }
  out.log = testing::internal::GetCapturedStderr();
  return out;
}

bool says(const Outcome &outcome, const std::string &what) { return outcome.log.find(what) != std::string::npos; }

class CudaChain : public testing::TestWithParam<const char *> {};

TEST_P(CudaChain, IsOneGraphWithOneWait) {
  TracedDriver driver;
  const Settings settings = {{"OP2_CUDA_SUMS", GetParam()}};
  const Outcome apart = run(settings, false);
  driver.calls();
  const Outcome chained = run(settings, true, [&](int round) {
    std::map<std::string, int> calls = driver.calls();
    if (round < 2) return; // first the code of each loop is tried, then the chain comes for the first time
    EXPECT_EQ(1, calls["cuGraphLaunch"]) << round;
    EXPECT_EQ(0, calls["cuLaunchKernel"]) << round;
    EXPECT_EQ(round == 2 ? 1 : 0, calls["cuGraphInstantiateWithFlags"]) << round;
    EXPECT_EQ(1, calls["cuMemcpyDtoHAsync"]) << round;
    if (round > 2) { // memory is there
      EXPECT_EQ(1, calls["wait"]) << round;
      EXPECT_LE(1, calls["cuMemcpyHtoDAsync"]) << "values that do not travel with launches";
      EXPECT_GE(2, calls["cuMemcpyHtoDAsync"]) << "two where their ring begins anew";
    }
  });
  EXPECT_EQ(apart.results, chained.results);
  EXPECT_TRUE(says(chained, "chain 'step' of 9 loops on executor cuda: one graph of ")) << chained.log;
  EXPECT_TRUE(says(chained, " runs of 1 graphs")) << chained.log;
}
INSTANTIATE_TEST_SUITE_P(Sums, CudaChain, testing::Values("fast", "ordered"));

// Loop after loop the host waits for each loop that reduces.
TEST(CudaChains, AloneLoopsWait) {
  TracedDriver driver;
  run({}, false, [&](int round) { EXPECT_LE(4, driver.calls()["wait"]) << round; });
}

TEST(CudaChains, WithoutGraphsTheyWaitOnce) {
  const Outcome apart = run({}, false);
  {
    TracedDriver driver;
    const Outcome off = run({{"OP2_CUDA_GRAPHS", "off"}}, true, [&](int round) {
      std::map<std::string, int> calls = driver.calls();
      EXPECT_EQ(0, calls["cuGraphLaunch"]);
      EXPECT_TRUE(round < 3 || calls["wait"] == 1) << round << ": " << calls["wait"];
    });
    EXPECT_EQ(apart.results, off.results);
    EXPECT_TRUE(says(off, "launches one by one")) << off.log;
  }
  for (const char *refused : {"graph_instantiate", "graph_launch", "graph_update"}) {
    const TracedDriver driver(refused);
    EXPECT_EQ(apart.results, run({}, true).results) << refused;
  }
}

// That these tests would see a launch with the parameters of the run before.
TEST(CudaChains, ALostChangeIsSeen) {
  const Outcome apart = run({}, false);
  const TracedDriver driver("lose_update");
  EXPECT_NE(apart.results, run({}, true).results);
}

// Programs as they are: a chain ends where the program could look.
TEST(CudaChains, AreFoundInProgramsAsTheyAre) {
  const Outcome apart = run({}, false);
  TracedDriver driver;
  const Outcome found = run({{"OP2_CHAIN", "auto"}}, false, [&](int round) {
    double cpu = 0, wall = 0;
    op_timers(&cpu, &wall), (void)round;
  });
  EXPECT_EQ(apart.results, found.results);
  EXPECT_TRUE(says(found, "chain of 9 loops on executor cuda: one graph")) << found.log;
  EXPECT_LE(5, driver.calls()["cuGraphLaunch"]);
}

TEST(CudaChains, AreCutWhereALoopRunsOnTheHost) {
  const Environment environment({});
  testing::internal::CaptureStderr();
  {
    op2::context context;
    Step step;
    double limit = 1e30, from = 1;
    for (int round = 0; round < 4; ++round) {
      op2::chain chain("cut");
      op_par_loop(start, "start", step.on_edges, op2::gbl_read(&from), op2::read(step.a), op2::write(step.b));
      op_par_loop(spread, "spread", step.on_edges, op2::read(step.b), op2::inc(step.c, 0, step.map),
                  op2::inc(step.c, 1, step.map));
      op_par_loop(refuse, "refuse", step.on_nodes, op2::gbl_read(&limit), op2::rw(step.d));
      op_par_loop(settle, "settle", step.on_nodes, op2::read(step.c), op2::rw(step.d));
      op_par_loop(settle, "settle", step.on_nodes, op2::read(step.c), op2::rw(step.d));
    }
    std::vector<double> c(nodes), d(nodes), expected(nodes), b;
    for (int round = 0; round < 4; ++round) {
      for (int e = 0; e < edges; ++e) {
        const double value = from - 0.5 * step.first[static_cast<std::size_t>(e)];
        c[static_cast<std::size_t>(step.table[static_cast<std::size_t>(2 * e)])] += value;
        c[static_cast<std::size_t>(step.table[static_cast<std::size_t>(2 * e + 1)])] -= 0.25 * value;
      }
      for (std::size_t n = 0; n < nodes; ++n) {
        expected[n] += 1;
        for (int k = 0; k < 2; ++k) expected[n] = 0.5 * expected[n] + 1.0 / (2.0 + c[n] * c[n]);
      }
    }
    op_fetch_data(step.d, d.data());
    for (std::size_t n = 0; n < nodes; ++n) EXPECT_NEAR(expected[n], d[n], 1e-12) << n;
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("chain 'cut' of 5 loops on executor cuda: one graph of "), std::string::npos) << log;
  EXPECT_NE(log.find(", one graph of 2 launches; 1 by themselves: loop 'refuse' runs on the host"), std::string::npos)
      << log;
}

TEST(CudaChains, AreInTheTimingTable) {
  testing::internal::CaptureStdout();
  run({{"OP2_TIMING", "on"}}, true, [](int round) {
    if (round == rounds - 1) op_timing_output();
  });
  const std::string table = testing::internal::GetCapturedStdout();
  EXPECT_NE(table.find("no tiles: step: on executor cuda: one graph of "), std::string::npos) << table;
}

TEST(CudaChains, RunOneByOneWhereEachIsTimed) {
  const Outcome timed = run({{"OP2_TIMING", "wait"}}, true);
  EXPECT_EQ(run({}, false).results, timed.results);
  EXPECT_TRUE(says(timed, "of 9 loops, one after the other: OP2_TIMING=wait waits for each loop")) << timed.log;
}

// A fault on the device is told by the chain, which names a loop of it and says how to find the one.
TEST(CudaChains, FaultsOnTheDeviceAreToldAtTheEnd) {
  const Environment environment(Settings{{"OP2_ERROR", "return"}});
  testing::internal::CaptureStderr();
  std::string message;
  {
    op2::context context;
    Step step;
    for (const double wild : {1.0, 1.0, 9.0}) {
      op_chain_begin("faulty");
      double factor = 1;
      op_par_loop(stray, "stray", step.on_nodes, op2::gbl_read(&wild), op2::rw(step.d));
      op_par_loop(weigh, "weigh", step.on_nodes, op2::gbl_read(&factor), op2::read(step.d), op2::gbl_inc(step.weight));
      const op_status status = op_chain_end();
      EXPECT_EQ(wild > 5, status != OP_OK) << wild;
    }
    message = op_last_error();
  }
  testing::internal::GetCapturedStderr();
  for (const char *part : {"op_chain_end: loop 'weigh'", "in this loop or in another one of its chain",
                           "OP2_TIMING=wait tells which", "chain_test.cpp:"})
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
}

// A launch that the driver refuses is that of its loop.
TEST(CudaChains, RefusedLaunchesNameTheirLoop) {
  const Environment environment({{"OP2_ERROR", "return"}, {"OP2_CUDA_GRAPHS", "off"}});
  const auto third_chain = [](const std::function<void()> &before) {
    op2::context context;
    Step step;
    std::array<double, table_size> values{};
    op_status status = OP_OK;
    for (int round = 0; round < 3; ++round) {
      if (round == 2) before();
      op_chain_begin("refused");
      op_par_loop(settle, "settle", step.on_nodes, op2::read(step.c), op2::rw(step.d));
      op_par_loop(look_up, "look_up", step.on_edges, op2::gbl_read(values.data(), table_size), op2::rw(step.a));
      op_par_loop(settle, "settle", step.on_nodes, op2::read(step.c), op2::rw(step.d));
      status = op_chain_end();
    }
    return status == OP_OK ? std::string() : std::string(op_last_error());
  };
  testing::internal::CaptureStderr();
  int launches = 0;
  {
    TracedDriver driver;
    EXPECT_EQ("", third_chain([&] { launches = driver.calls()["cuLaunchKernel"]; }));
  }
  const TracedDriver driver(("refuse_launch:" + std::to_string(launches + 2)).c_str());
  const std::string message = third_chain([] {});
  testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("op_chain_end: loop 'look_up'"), std::string::npos) << message;
  EXPECT_NE(message.find("chain_test.cpp:"), std::string::npos) << message;
}

} // namespace

// SPDX-License-Identifier: MIT
