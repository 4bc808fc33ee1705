// coherence_test.cpp: which copy of a dat holds the truth, against a model that really has two copies and compares
// values.
#include "mesh/coherence.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace op2::core {
namespace {

constexpr std::array all_accesses = {OP_READ, OP_WRITE, OP_RW, OP_INC};
using Rows = std::array<int, 3>;

// Two memories, moved only when the state machine says so, and the values a single memory would have.
struct Model {
  explicit Model(bool separate) : state(separate), separate(separate) {}

  Rows &mine(bool on_exec) { return on_exec && separate ? exec : host; }

  // One access by the host or by the executor. `written`: which rows a writing access reaches. Counts the copies.
  void access(bool on_exec, op_access mode, std::array<bool, 3> written, int stamp) {
    const bool partial = written != std::array<bool, 3>{true, true, true};
    const bool other_newer = separate && !(on_exec ? state.exec_valid() : state.host_valid());
    const bool copy = on_exec ? state.copy_to_exec(mode, partial) : state.copy_to_host(mode, partial);
    if (copy) {
      ASSERT_TRUE(separate);
      ASSERT_TRUE(other_newer) << "a copy of what is current already";
      (on_exec ? exec : host) = on_exec ? host : exec;
      state.copied();
      ++copies;
    }
    Rows &rows = mine(on_exec);
    if (reads_old(mode)) {
      ASSERT_EQ(truth, rows) << "an access with mode " << mode << " sees old values";
    }
    if (writes_new(mode)) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (written[i]) rows[i] = truth[i] = stamp;
      halo_stale = true;
    }
    on_exec ? state.used_by_exec(mode) : state.used_by_host(mode);
    check();
  }

  void check() {
    ASSERT_TRUE(state.host_valid() || state.exec_valid()) << "nobody holds the truth";
    if (state.host_valid()) {
      ASSERT_EQ(truth, mine(false)) << "the host's copy is said to be valid";
    }
    if (state.exec_valid()) {
      ASSERT_EQ(truth, mine(true)) << "the executor's copy is said to be valid";
    }
    ASSERT_EQ(halo_stale, state.halo_stale());
  }

  Coherence state;
  bool separate;
  Rows host{}, exec{}, truth{};
  bool halo_stale = true; // nothing was ever exchanged
  int copies = 0;
};

class Memories : public testing::TestWithParam<bool> {};

TEST_P(Memories, RandomAccessesAlwaysSeeTheTruth) {
  const bool separate = GetParam();
  int copies = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Model model(separate);
    for (int step = 1; step <= 60; ++step) {
      std::array<bool, 3> written = {true, true, true};
      if (random() % 2)
        for (bool &row : written) row = random() % 2;
      model.access(random() % 2, all_accesses[random() % all_accesses.size()], written, step);
      ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", step " << step;
    }
    copies += model.copies;
  }
  if (separate) {
    EXPECT_GT(copies, 1000); // the sequences do go back and forth
  } else {
    EXPECT_EQ(0, copies);
  }
}

INSTANTIATE_TEST_SUITE_P(Coherence, Memories, testing::Bool(),
                         [](const auto &info) { return info.param ? "Separate" : "Shared"; });

// ---- each rule by itself -------------------------------------------------------------------------------------------

TEST(Coherence, SharedMemoryIsAlwaysCurrent) {
  Coherence state(false);
  for (const op_access access : all_accesses) {
    state.used_by_exec(access);
    state.used_by_host(access);
    for (const bool partial : {false, true}) {
      EXPECT_FALSE(state.copy_to_exec(access, partial));
      EXPECT_FALSE(state.copy_to_host(access, partial));
    }
    EXPECT_TRUE(state.host_valid() && state.exec_valid());
  }
}

TEST(Coherence, WholeWriteNeedsNoOldValues) {
  Coherence state(true);
  state.used_by_host(OP_WRITE);
  EXPECT_FALSE(state.exec_valid());
  EXPECT_FALSE(state.copy_to_exec(OP_WRITE, false));
  EXPECT_TRUE(state.copy_to_exec(OP_WRITE, true));
  for (const op_access access : {OP_READ, OP_RW, OP_INC}) EXPECT_TRUE(state.copy_to_exec(access, false)) << access;
  state.used_by_exec(OP_WRITE);
  EXPECT_TRUE(state.exec_valid());
  EXPECT_FALSE(state.host_valid());
  EXPECT_TRUE(state.copy_to_host(OP_READ, false));
}

TEST(Coherence, ReadingKeepsBothCopies) {
  Coherence state(true);
  state.used_by_exec(OP_READ);
  state.used_by_host(OP_READ);
  EXPECT_TRUE(state.host_valid() && state.exec_valid());
  EXPECT_FALSE(state.copy_to_exec(OP_READ, true) || state.copy_to_host(OP_READ, true));
}

TEST(Coherence, CopyIsNeededOnce) {
  Coherence state(true);
  state.used_by_exec(OP_INC);
  EXPECT_TRUE(state.copy_to_host(OP_READ, false));
  state.copied();
  EXPECT_FALSE(state.copy_to_host(OP_READ, false));
  EXPECT_TRUE(state.host_valid() && state.exec_valid());
}

TEST(Coherence, ACopyMadeLaterIsFilledFirst) {
  Coherence state;
  state.used_by_host(OP_WRITE);
  state.separate();
  EXPECT_TRUE(state.host_valid());
  EXPECT_TRUE(state.copy_to_exec(OP_READ, false));
  state.copied();
  state.used_by_exec(OP_WRITE);
  EXPECT_TRUE(state.copy_to_host(OP_READ, false));
}

// All copies of other processes' rows, or those that a map reaches.
TEST(Coherence, WhatArrivesIsInOneMemory) {
  for (const bool all : {true, false})
    for (const bool on_exec : {true, false})
      for (const bool separate : {true, false}) {
        Coherence state(separate);
        all ? state.exchanged(true, true, on_exec) : state.exchanged_by(3, on_exec);
        EXPECT_EQ(state.exec_valid(), on_exec || !separate) << all;
        EXPECT_EQ(state.host_valid(), !on_exec || !separate) << all;
        EXPECT_EQ(state.copy_to_exec(OP_READ, false), separate && !on_exec) << all;
        EXPECT_EQ(state.copy_to_host(OP_READ, false), separate && on_exec) << all;
      }
}

TEST(Coherence, CopiesThatAMapReachesAreFreshUntilRowsChange) {
  Coherence state(true);
  EXPECT_TRUE(state.stale_by(3));
  state.exchanged_by(3, true);
  EXPECT_FALSE(state.stale_by(3));
  EXPECT_TRUE(state.stale_by(4));
  EXPECT_TRUE(state.exec_stale() && state.nonexec_stale()); // the others have not come
  state.used_by_exec(OP_READ);
  EXPECT_FALSE(state.stale_by(3));
  state.used_by_exec(OP_INC);
  EXPECT_TRUE(state.stale_by(3));
}

TEST(Coherence, AccessModesSayWhatTheyNeed) {
  EXPECT_TRUE(reads_old(OP_READ) && reads_old(OP_RW) && reads_old(OP_INC));
  EXPECT_FALSE(reads_old(OP_WRITE));
  EXPECT_TRUE(writes_new(OP_WRITE) && writes_new(OP_RW) && writes_new(OP_INC));
  EXPECT_FALSE(writes_new(OP_READ));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
