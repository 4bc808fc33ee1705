// weights_test.cpp: shares of processes and weights of elements: what settings and speeds mean, what divisions make of
// them, and mistakes that only some processes make.
#include "distributed/partition/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "distributed/partition/partition.hpp"
#include "distributed/partition/quality.hpp"
#include "rank_mesh.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::contains;
using unit::Host;
using unit::RankMesh;
using unit::run_ranks;
using unit::thrown_by;

using Numbers = std::vector<double>;

TEST(Shares, FromText) {
  EXPECT_EQ(Numbers({1, 1, 2}), shares_from_text("1,1,2", 3));
  EXPECT_EQ(Numbers({0, 0.5, 100}), shares_from_text(" 0, .5 ,1e2", 3));
  EXPECT_EQ(Numbers({7}), shares_from_text("7", 0));     // any number of processes
  EXPECT_TRUE(shares_of({3, 3, 3}).requested().empty()); // as if nothing was said
  EXPECT_FALSE(shares_of({3, 3, 4}).requested().empty());
}

TEST(Shares, WrongTextIsRefused) {
  const auto refusal = [](const char *list) {
    const Error error = thrown_by([&] { shares_from_text(list, 3); });
    EXPECT_EQ(OP_ERR_ARGUMENT, error.code) << list;
    return std::string(error.what());
  };
  EXPECT_TRUE(contains(refusal("1,2"), "has 2 shares, but there are 3 processes"));
  EXPECT_TRUE(contains(refusal("1,2,3,4"), "has 4 shares, but there are 3 processes"));
  EXPECT_TRUE(contains(refusal("1,two,3"), "'two' is no number"));
  EXPECT_TRUE(contains(refusal("1,,3"), "'' is no number"));
  EXPECT_TRUE(contains(refusal("1,2,3x"), "'3x' is no number"));
  EXPECT_TRUE(contains(refusal("1,-2,3"), "-2 cannot be the share"));
  EXPECT_TRUE(contains(refusal("1,nan,3"), "nan cannot be the share"));
  EXPECT_TRUE(contains(refusal("1,inf,3"), "inf cannot be the share"));
  EXPECT_TRUE(contains(refusal("0,0,0"), "gives no process a share"));
}

TEST(Shares, ProcessesThatAreAlikeGetTheSame) {
  EXPECT_EQ(Numbers({1, 1, 1}), shares_from_speeds({1e8, 1.09e8, 1.05e8}));
  EXPECT_EQ(Numbers({2, 1, 2, 1}), shares_from_speeds({2.04e8, 1.02e8, 1.96e8, 0.98e8}));
  EXPECT_EQ(Numbers({1, 1.2}), shares_from_speeds({1e8, 1.2e8}));
}

TEST(Shares, OfSpeedsHaveTwoDigits) {
  EXPECT_EQ(Numbers({1, 1.9, 37}), shares_from_speeds({1e6, 1.873e6, 37.4e6}));
  EXPECT_EQ(Numbers({1, 120}), shares_from_speeds({1e6, 123.4e6}));
}

TEST(Shares, WhatWasNotMeasuredCountsAsEqual) {
  EXPECT_EQ(Numbers({1, 1}), shares_from_speeds({1e6, 0}));
  EXPECT_EQ(Numbers({1, 1}), shares_from_speeds({1e6, std::nan("")}));
  EXPECT_EQ(Numbers({1, 1}), shares_from_speeds({1e6, std::numeric_limits<double>::infinity()}));
}

// --- on ranks ---

// A line of so many elements, each rank declares its part; x is the place of an element, w its weight.
struct Line {
  RankMesh rank;
  Mesh &mesh;
  Dat *x = nullptr, *w = nullptr;
  Log log{OP_LOG_ERROR};
  Partitioning partitioning;

  Line(Communicator &ranks, Host &host, int size, const std::function<double(int)> &weight)
      : rank(ranks, host, Declare::local),
        mesh(rank.mesh),
        partitioning(*host.registry, host.services, host.settings, log) {
    const int first = size * ranks.rank() / ranks.size(), last = size * (ranks.rank() + 1) / ranks.size();
    Set &set = mesh.declare().set(last - first, "points");
    Set &links = mesh.declare().set(last - first, "links");
    std::vector<op_gindex> ends;
    Numbers place, weights;
    for (int n = first; n < last; ++n) {
      ends.insert(ends.end(), {n, std::min(n + 1, size - 1)});
      place.push_back(n);
      weights.push_back(weight(n));
    }
    mesh.declare().map(&links, &set, 2, ends.data(), "ends");
    x = &mesh.declare().dat(&set, 1, "double", 0, place.data(), "x", false);
    w = &mesh.declare().dat(&set, 1, "double", 0, weights.data(), "w", false);
  }
  // Elements of each rank after a division.
  std::vector<int> divide(PartitionRequest request) {
    request.asked = true;
    mesh.declare().settle();
    distribute(mesh, partitioning.division(mesh, request).choose);
    std::vector<int> out;
    for (const std::string &each : mesh.communicator().allgather(std::to_string(x->set->size)))
      out.push_back(std::stoi(each));
    return out;
  }
  PartitionRequest by(const char *library) const {
    PartitionRequest request;
    request.library = library;
    request.coordinates = x;
    return request;
  }
};

double one(int) { return 1; }
using Sizes = std::vector<int>;

TEST(Weights, SharesOfTheSetting) {
  for (const char *library : {"RCB", "HILBERT", "INERTIAL", "RANDOM", "BLOCK"})
    run_ranks(3, [&](Communicator &ranks, Host &host) {
      host.settings.set("OP2_PARTITION_WEIGHTS", "1,1,2", "test");
      Line line(ranks, host, 400, one);
      EXPECT_EQ(Sizes({100, 100, 200}), line.divide(line.by(library))) << library;
      EXPECT_EQ(Sizes({100, 100, 200}), line.divide(line.by(library))) << library << " again";
    });
}

// OP2's balance between processes with GPUs and without. These ranks have none.
TEST(Weights, ShareWithGpu) {
  EXPECT_EQ(2.5, share_with_gpu("gpu=2.5"));
  EXPECT_FALSE(share_with_gpu("equal") || share_with_gpu("1,2"));
  for (const char *wrong : {"gpu=", "gpu=-1", "gpu=much", "gpu=nan"})
    EXPECT_EQ(OP_ERR_ARGUMENT, thrown_by([&] { share_with_gpu(wrong); }).code) << wrong;
  run_ranks(2, [&](Communicator &ranks, Host &host) {
    host.settings.set("OP2_PARTITION_WEIGHTS", "gpu=7", "test");
    Line line(ranks, host, 400, one);
    EXPECT_EQ(Sizes({200, 200}), line.divide(line.by("RCB")));
  });
}

TEST(Weights, SharesOfTheProgramAreStronger) {
  run_ranks(3, [&](Communicator &ranks, Host &host) {
    host.settings.set("OP2_PARTITION_WEIGHTS", "1,1,2", "test");
    Line line(ranks, host, 400, one);
    PartitionRequest request = line.by("RCB");
    request.shares = {3, 0, 1};
    EXPECT_EQ(Sizes({300, 0, 100}), line.divide(request));
  });
}

// Sets that no map connects have their shares, too.
TEST(Weights, SharesOfSetsInBlocks) {
  run_ranks(3, [&](Communicator &ranks, Host &host) {
    host.settings.set("OP2_PARTITION_WEIGHTS", "1,0,3", "test");
    Line line(ranks, host, 400, one);
    Set &apart = line.mesh.declare().set(20, "apart");
    line.divide(line.by("RCB"));
    EXPECT_EQ(ranks.rank() == 0 ? 15 : ranks.rank() == 1 ? 0 : 45, apart.size);
  });
}

TEST(Weights, OfElements) {
  const auto heavy_start = [](int n) { return n < 100 ? 3.0 : 1.0; };
  for (const char *library : {"RCB", "HILBERT", "INERTIAL", "BLOCK"})
    run_ranks(2, [&](Communicator &ranks, Host &host) {
      Line line(ranks, host, 400, heavy_start);
      PartitionRequest request = line.by(library);
      request.weights = line.w;
      EXPECT_EQ(Sizes({100, 300}), line.divide(request)) << library;
      request.shares = {1, 3};
      EXPECT_EQ(Sizes({50, 350}), line.divide(request)) << library;
    });
}

TEST(Weights, OfAnyScale) {
  for (const double unit : {1e-9, 0.3, 1.0, 1e12})
    run_ranks(2, [&](Communicator &ranks, Host &host) {
      Line line(ranks, host, 400, [&](int n) { return unit * (n < 100 ? 3 : n == 399 ? 0 : 1); });
      line.mesh.declare().settle();
      for (const auto &set : line.mesh.sets())
        for (int n = 0; n < set->size; ++n) set->global.push_back(set->declared_first + n);
      const std::vector<int> weights = element_weights(line.mesh, *line.w);
      const int own = weights[1] * (ranks.rank() == 0 ? 1 : 3);
      EXPECT_NEAR(own, weights[0] * (ranks.rank() == 0 ? 1 : 3), 2);
      if (ranks.rank() == 1) {
        EXPECT_EQ(0, weights.back());
      }
    });
}

TEST(Weights, WrongOnesFailOnAllRanks) {
  const auto refused = [](const std::function<double(int)> &weight, const std::string &words) {
    run_ranks(3, [&](Communicator &ranks, Host &host) {
      Line line(ranks, host, 30, weight);
      PartitionRequest request = line.by("RCB");
      request.weights = line.w;
      const Error error = thrown_by([&] { line.divide(request); });
      EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
      EXPECT_TRUE(contains(error.what(), words)) << error.what();
    });
  };
  refused([](int n) { return n == 17 ? -1.0 : 1.0; }, "dat 'w' gives element 17 the weight -1");
  refused([](int n) { return n == 3 ? std::nan("") : 1.0; }, "dat 'w' gives element 3 the weight");
  refused([](int) { return 0.0; }, "dat 'w' gives no element a weight");
}

// --- measured speeds ---

TEST(Speeds, SharesFollowThem) {
  run_ranks(3, [&](Communicator &ranks, Host &host) {
    host.settings.set("OP2_PARTITION_WEIGHTS", "measured", "test");
    Line line(ranks, host, 400, one);
    int asked = 0;
    line.partitioning.measure_by([&] {
      return ++asked, ranks.rank() == 2 ? 2.03e8 : ranks.rank() == 1 ? 1.01e8 : 1e8;
    });
    EXPECT_EQ(Sizes({100, 100, 200}), line.divide(line.by("RCB")));
    EXPECT_EQ(Sizes({100, 100, 200}), line.divide(line.by("RCB")));
    EXPECT_EQ(1, asked); // once for all divisions
  });
}

TEST(Speeds, OfProcessesThatAreAlikeAreNotMeasured) {
  run_ranks(3, [&](Communicator &ranks, Host &host) {
    Line line(ranks, host, 300, one);
    line.partitioning.measure_by([]() -> double { throw Error(OP_ERR_INTERNAL, "measured"); });
    EXPECT_EQ(Sizes({100, 100, 100}), line.divide(line.by("RCB")));
  });
}

TEST(Speeds, ThatCannotBeMeasuredAreEqual) {
  run_ranks(2, [&](Communicator &ranks, Host &host) {
    host.settings.set("OP2_PARTITION_WEIGHTS", "measured", "test");
    Line line(ranks, host, 300, one);
    line.partitioning.measure_by([&]() -> double {
      if (ranks.rank() == 1) fail(OP_ERR_UNSUPPORTED, "no");
      return 5;
    });
    EXPECT_EQ(Sizes({150, 150}), line.divide(line.by("RCB")));
  });
}

TEST(Imbalance, IsRelativeToTheShares) {
  run_ranks(2, [](Communicator &ranks) {
    const std::vector<int> part = ranks.rank() == 0 ? Sizes{0, 0, 1} : Sizes{1, 1, 1, 1, 1};
    EXPECT_DOUBLE_EQ(1.5, part_imbalance(ranks, {}, part, PartShares(2)));
    EXPECT_DOUBLE_EQ(1, part_imbalance(ranks, {}, part, PartShares({1, 3})));
    const std::vector<int> weight(part.size(), ranks.rank() == 0 ? 5 : 1);
    EXPECT_DOUBLE_EQ(1, part_imbalance(ranks, weight, part, PartShares(2)));
  });
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
