// graphs_test.cpp: launches held back and sent as graphs, on a driver of this file's own that writes down what reaches
// the stream: it must always be what was asked for, in that order.
#include "launch/graph_cache.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <random>

using namespace op2::exec_cuda;

namespace {

using Ran = std::pair<int, int>; // a function and its parameter

// What the driver's entry points share.
struct Device {
  struct Made {
    std::vector<Ran> nodes;
  };
  std::vector<Ran> ran;
  std::deque<Made> graphs; // instances are copies
  int calls = 0, graph_calls = 0, instances = 0, updates = 0, destroyed = 0;
  const char *refuses = "";
  std::string log;
};
Device device;

int number(CUfunction function) { return static_cast<int>(reinterpret_cast<intptr_t>(function)); }
Ran ran(const CUDA_KERNEL_NODE_PARAMS &node) {
  return {number(node.func), *static_cast<const int *>(*node.kernelParams)};
}
CUresult answer(const char *call) {
  return std::string(device.refuses) == call ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

Driver make_driver() {
  Driver driver;
  driver.cuGetErrorName = [](CUresult, const char **name) {
    *name = "NAME";
    return CUDA_SUCCESS;
  };
  driver.cuGetErrorString = driver.cuGetErrorName;
  driver.cuStreamSynchronize = [](CUstream) { return CUDA_SUCCESS; };
  driver.cuLaunchKernel = [](CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             CUstream, void **parameters, void **) {
    if (answer("launch") != CUDA_SUCCESS) return CUDA_ERROR_LAUNCH_FAILED;
    ++device.calls;
    device.ran.push_back({number(function), *static_cast<const int *>(*parameters)});
    return CUDA_SUCCESS;
  };
  driver.cuGraphCreate = [](CUgraph *graph, unsigned) {
    *graph = reinterpret_cast<CUgraph>(&device.graphs.emplace_back());
    return answer("create");
  };
  driver.cuGraphAddKernelNode = [](CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                   const CUDA_KERNEL_NODE_PARAMS *params) {
    auto &nodes = reinterpret_cast<Device::Made *>(graph)->nodes;
    EXPECT_EQ(count, nodes.empty() ? 0u : 1u);
    EXPECT_TRUE(count == 0 || reinterpret_cast<size_t>(*before) == nodes.size()) << "not the node before";
    nodes.push_back(ran(*params));
    *node = reinterpret_cast<CUgraphNode>(nodes.size());
    return answer("add");
  };
  driver.cuGraphInstantiateWithFlags = [](CUgraphExec *instance, CUgraph graph, unsigned long long) {
    if (answer("instantiate") != CUDA_SUCCESS) return answer("instantiate");
    ++device.instances;
    *instance = reinterpret_cast<CUgraphExec>(&device.graphs.emplace_back(*reinterpret_cast<Device::Made *>(graph)));
    return CUDA_SUCCESS;
  };
  driver.cuGraphExecKernelNodeSetParams = [](CUgraphExec instance, CUgraphNode node,
                                             const CUDA_KERNEL_NODE_PARAMS *params) {
    ++device.updates;
    Ran &there = reinterpret_cast<Device::Made *>(instance)->nodes.at(reinterpret_cast<size_t>(node) - 1);
    EXPECT_EQ(there.first, number(params->func));
    there = ran(*params);
    return answer("update");
  };
  driver.cuGraphLaunch = [](CUgraphExec instance, CUstream) {
    if (answer("run") != CUDA_SUCCESS) return answer("run");
    ++device.graph_calls;
    const auto &nodes = reinterpret_cast<Device::Made *>(instance)->nodes;
    device.ran.insert(device.ran.end(), nodes.begin(), nodes.end());
    return CUDA_SUCCESS;
  };
  driver.cuGraphExecDestroy = [](CUgraphExec) {
    ++device.destroyed;
    return CUDA_SUCCESS;
  };
  driver.cuGraphDestroy = [](CUgraph) { return CUDA_SUCCESS; };
  return driver;
}

class CudaGraphCache : public testing::Test {
 protected:
  CudaGraphCache() {
    device = {};
    host_.log = [](const op_host_v1 *, int, const char *line) { device.log += line; };
  }
  // A launch of a function with one parameter.
  void ask(int function, int parameter = 0, unsigned grid = 1) {
    asked_.push_back({function, parameter});
    graphs_->launch(shape(function, grid), &parameter, "a loop"); // which is gone at once
  }
  static LaunchShape shape(int function, unsigned grid = 1) {
    return {reinterpret_cast<CUfunction>(static_cast<intptr_t>(function)), grid, 32, 0, sizeof(int)};
  }
  void use(const std::string &setting) {
    graphs_ = std::make_unique<GraphCache>(driver_, &host_, nullptr, setting, 100);
  }
  void expect_all() {
    graphs_->flush();
    EXPECT_EQ(device.ran, asked_);
  }

  Driver driver_ = make_driver();
  op_host_v1 host_{};
  std::unique_ptr<GraphCache> graphs_ = std::make_unique<GraphCache>(driver_, &host_, nullptr, "auto", 100);
  std::vector<Ran> asked_;
};

TEST_F(CudaGraphCache, WhatComesAgainAndAgainGoesInGraphs) {
  for (int turn = 0; turn < 100; ++turn)
    for (int f = 1; f <= 5; ++f) ask(f);
  expect_all();
  EXPECT_EQ(device.instances, 1);
  EXPECT_EQ(device.updates, 0);
  EXPECT_GE(device.graph_calls, 28) << "three rounds in each";
  EXPECT_LE(device.calls, 60);
}

TEST_F(CudaGraphCache, OffMeansOff) {
  use("off");
  for (int turn = 0; turn < 100; ++turn)
    for (int f = 1; f <= 5; ++f) {
      ask(f);
      EXPECT_EQ(device.ran.size(), asked_.size());
    }
  EXPECT_EQ(device.instances, 0);
}

// A result that the host waits for ends every round; the graph goes off before that.
TEST_F(CudaGraphCache, RoundsThatEndWithAFetch) {
  for (int turn = 0; turn < 100; ++turn) {
    for (int f = 1; f <= 7; ++f) ask(f, f == 3 ? turn : 0);
    EXPECT_TRUE(turn <= 10 || device.ran.size() == asked_.size()) << "the pattern is complete";
    graphs_->flush();
    EXPECT_EQ(device.ran, asked_);
  }
  EXPECT_EQ(device.instances, 1);
  EXPECT_GE(device.graph_calls, 90);
  EXPECT_EQ(device.updates, device.graph_calls - 1) << "one launch has a new parameter each time";
}

TEST_F(CudaGraphCache, LongRoundsStartEarly) {
  for (int turn = 0; turn < 40; ++turn) {
    for (int f = 1; f <= 70; ++f) {
      ask(f, turn % 2); // all parameters change in turn: another instance, not 70 changes
      EXPECT_LE(asked_.size() - device.ran.size(), 32u);
    }
    graphs_->flush();
  }
  expect_all();
  EXPECT_EQ(device.updates, 0);
  EXPECT_LT(device.calls, 70 * 20);
}

// As in a step of several stages, whose end looks like the beginning of another stage.
TEST_F(CudaGraphCache, RoundsWithinRounds) {
  for (int turn = 0; turn < 200; ++turn) {
    ask(9);
    for (int stage = 0; stage < 4; ++stage) {
      for (int f = 1; f <= 5; ++f) ask(f);
      graphs_->flush();
    }
  }
  expect_all();
  EXPECT_EQ(device.instances, 2) << "with the first loop and without";
  EXPECT_LT(device.calls, 21 * 40);
}

TEST_F(CudaGraphCache, LargeLoopsAreNeverHeldBack) {
  for (int turn = 0; turn < 100; ++turn) {
    for (int f = 1; f <= 6; ++f) ask(f);
    ask(7, turn, 101);
    EXPECT_EQ(device.ran, asked_);
  }
  EXPECT_GE(device.graph_calls, 80);
}

TEST_F(CudaGraphCache, ThreeLoopsAreNoPattern) {
  for (int turn = 0; turn < 100; ++turn) {
    for (int f = 1; f <= 3; ++f) ask(f);
    graphs_->flush();
  }
  EXPECT_EQ(device.instances, 0);
}

TEST_F(CudaGraphCache, ABrokenPatternLosesNothing) {
  for (int turn = 0; turn < 300; ++turn) {
    for (int f = 1; f <= 5; ++f) {
      if (turn > 50 && turn % 7 == f) graphs_->flush();
      if (turn > 50 && turn % 5 == f) ask(9, turn);
      ask(f, turn % 3);
    }
    if (turn % 50 == 0) expect_all();
  }
  expect_all();
  EXPECT_GT(device.graph_calls, 10);
}

TEST_F(CudaGraphCache, AForgottenFunctionIsInNoGraph) {
  for (int turn = 0; turn < 50; ++turn)
    for (int f = 1; f <= 5; ++f) ask(f);
  EXPECT_EQ(device.instances, 1);
  graphs_->forget(shape(4).function);
  EXPECT_EQ(device.ran, asked_) << "what was held back went first";
  EXPECT_EQ(device.destroyed, 1);
  for (int turn = 0; turn < 200; ++turn)
    for (int f = 1; f <= 5; ++f) ask(f); // another function at its address, say
  expect_all();
  EXPECT_EQ(device.instances, 2);
}

TEST_F(CudaGraphCache, TimedLoopsAreNotHeldBack) {
  for (int turn = 0; turn < 50; ++turn)
    for (int f = 1; f <= 5; ++f) {
      asked_.push_back({f, turn});
      graphs_->launch_now(shape(f), &turn, "a loop");
      EXPECT_EQ(device.ran, asked_);
    }
}

TEST_F(CudaGraphCache, WithoutGraphsLoopsRunAllTheSame) {
  for (const char *call : {"create", "add", "instantiate", "update", "run"}) {
    use("auto");
    device = {};
    asked_.clear();
    device.refuses = call;
    for (int turn = 0; turn < 100; ++turn)
      for (int f = 1; f <= 5; ++f) ask(f, f == 1 ? turn : 0);
    expect_all();
    EXPECT_NE(device.log.find("one by one"), std::string::npos) << call;
    EXPECT_EQ(device.log.find("one by one"), device.log.rfind("one by one")) << call << ": told once";
  }
}

TEST_F(CudaGraphCache, AnErrorNamesTheLoop) {
  for (int turn = 0; turn < 50; ++turn)
    for (int f = 1; f <= 5; ++f) ask(f);
  ask(1);
  device.refuses = "launch";
  try {
    graphs_->flush();
    FAIL() << "nothing was held back";
  } catch (const Failure &failure) {
    EXPECT_NE(std::string(failure.what()).find("'a loop'"), std::string::npos) << failure.what();
  }
  EXPECT_NO_THROW(graphs_->flush());
}

// Chains: all launches are there at once.
class CudaGraphsOfChains : public CudaGraphCache {
 protected:
  // A chain of functions with one parameter each, of so many blocks.
  bool ask_chain(const std::vector<int> &functions, int parameter, unsigned grid = 1000) {
    list_.clear();
    for (const int function : functions) {
      asked_.push_back({function, parameter});
      list_.add(shape(function, grid), &parameter, "a loop");
    }
    return graphs_->launch_chain(pattern_, list_, failed_);
  }
  Pattern &pattern_ = graphs_->open();
  LaunchList list_;
  size_t failed_ = 0;
};

TEST_F(CudaGraphsOfChains, AreOneGraphFromTheFirstTimeOn) {
  for (int turn = 0; turn < 10; ++turn) {
    EXPECT_TRUE(ask_chain({1, 2, 3, 2}, turn / 5)); // large loops, too
    EXPECT_EQ(device.ran, asked_);
  }
  EXPECT_EQ(device.instances, 2) << "all parameters have changed once";
  EXPECT_EQ(device.graph_calls, 10);
  EXPECT_EQ(device.calls, 0);
}

TEST_F(CudaGraphsOfChains, FollowLaunchesThatChange) {
  for (int turn = 0; turn < 12; ++turn) {
    EXPECT_TRUE(ask_chain(turn % 4 == 3 ? std::vector{1, 2, 4} : std::vector{1, 2, 3}, 0, turn < 6 ? 1000 : 500));
    EXPECT_EQ(device.ran, asked_);
  }
  EXPECT_EQ(device.instances, 7);
  EXPECT_EQ(device.destroyed, 6) << "graphs of other launches";
  graphs_->close(pattern_);
  EXPECT_EQ(device.destroyed, 7);
}

TEST_F(CudaGraphsOfChains, ComeAfterWhatIsHeldBack) {
  for (int turn = 0; turn < 60; ++turn) {
    for (int f = 1; f <= 5; ++f) ask(f);
    if (turn > 40) ask_chain({7, 8}, turn);
    EXPECT_TRUE(turn <= 40 || device.ran == asked_);
  }
  EXPECT_GT(device.graph_calls, 25);
}

TEST_F(CudaGraphsOfChains, HaveNoForgottenFunction) {
  ask_chain({1, 2, 3}, 0);
  graphs_->forget(shape(2).function);
  EXPECT_EQ(device.destroyed, 1);
  EXPECT_TRUE(ask_chain({1, 2, 3}, 0)); // another function at its address, say
  EXPECT_EQ(device.instances, 2);
  EXPECT_EQ(device.ran, asked_);
}

TEST_F(CudaGraphsOfChains, RunWithoutGraphs) {
  EXPECT_FALSE(ask_chain({1}, 0)) << "a single launch";
  device.refuses = "instantiate";
  EXPECT_FALSE(ask_chain({1, 2, 3}, 0));
  EXPECT_EQ(device.ran, asked_);
  device.refuses = "";
  EXPECT_FALSE(ask_chain({1, 2, 3}, 1));
  EXPECT_EQ(device.ran, asked_);
  EXPECT_EQ(device.graph_calls, 0);
}

// Programs that change what they do all the time.
TEST_F(CudaGraphCache, AnySequenceArrivesAsItWasAsked) {
  for (const char *setting : {"auto", "always"})
    for (unsigned seed = 0; seed < 40; ++seed) {
      device = {};
      asked_.clear();
      use(setting);
      std::mt19937 random(seed);
      const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
      for (int phase = 0; phase < 12; ++phase) {
        std::vector<std::function<void()>> round;
        for (int i = 1 + below(phase % 3 == 0 ? 90 : 12); i > 0; --i) {
          const int function = 1 + below(6), grid = below(20) == 0 ? 200 : 1, changing = below(4);
          if (below(12) == 0)
            round.push_back([&] { expect_all(); });
          else if (below(50) == 0)
            round.push_back([this, function] { graphs_->forget(shape(function).function); });
          else
            round.push_back([this, function, grid, changing, &below] {
              ask(function, changing == 0 ? below(3) : 0, static_cast<unsigned>(grid));
            });
        }
        for (int turn = 0; turn < 25; ++turn)
          for (const auto &step : round)
            if (below(400) != 0) step();
      }
      expect_all();
    }
  EXPECT_GT(device.graph_calls, 100);
}

} // namespace

// SPDX-License-Identifier: MIT
