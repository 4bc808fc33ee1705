// pieces_test.cpp: arrays of several pieces, in any order of rows, compressed or not; and the memory beside them.
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>

#include "op2/checkpoint.h"
#include "op2/hdf5.h"
#include "op2/heads.h"
#include "op2/order.h"
#include "support.hpp"

namespace files {

namespace {

constexpr int count = 700001; // elements: five pieces of the dat, two of the map

class Pieces : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    std::mt19937 random(5);
    x.resize(3 * std::size_t{count});
    for (double &value : x) value = static_cast<double>(random()) / 7;
    next.resize(count); // a ring without order
    std::iota(next.begin(), next.end(), 0);
    std::shuffle(next.begin(), next.end(), random);
    file = path("mesh.h5");
  }
  void declare() {
    const op_set cells = op_decl_set(count, "cells");
    to_next = op_decl_map(cells, cells, 1, next.data(), "next");
    dat = op_decl_dat(cells, 3, "double", x.data(), "x");
  }
  void read() {
    const op_set cells = op_decl_set_hdf5(file.c_str(), "cells");
    to_next = op_decl_map_hdf5(cells, cells, 1, file.c_str(), "next");
    dat = op_decl_dat_hdf5(cells, 3, "double", file.c_str(), "x");
    ASSERT_TRUE(to_next && dat) << op_last_error();
  }
  // A map that is read when rows have another order is that of the declaration, too.
  void expect_late_map() {
    const std::string late = path("late.h5");
    RawFile(late, RawFile::make).add("late", H5T_NATIVE_INT, {count, 1}, next);
    ASSERT_TRUE(op_decl_map_hdf5(dat->set, dat->set, 1, late.c_str(), "late")) << op_last_error();
    expect_dump();
    EXPECT_TRUE(next == RawFile(file, RawFile::read).values<int>("late", H5T_NATIVE_INT, next.size()));
  }
  void expect_dump() {
    ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
    const RawFile raw(file, RawFile::read);
    EXPECT_TRUE(x == raw.values<double>("x", H5T_NATIVE_DOUBLE, x.size()));
    EXPECT_TRUE(next == raw.values<int>("next", H5T_NATIVE_INT, next.size()));
  }
  void expect_values() {
    std::vector<double> got(x.size());
    ASSERT_EQ(OP_OK, op_fetch_data(dat, got.data())) << op_last_error();
    EXPECT_TRUE(x == got);
  }

  std::vector<double> x;
  std::vector<int> next;
  op_map to_next = nullptr;
  op_dat dat = nullptr;
  std::string file;
};

TEST_F(Pieces, GoToFilesAndComeBack) {
  for (const char *deflate : {"0", "1"}) {
    setenv("OP2_HDF5_DEFLATE", deflate, 1);
    restart();
    declare();
    expect_dump();
    restart();
    read();
    expect_values();
    expect_dump();
  }
}

TEST_F(Pieces, AreInTheOrderOfTheDeclaration) {
  declare();
  ASSERT_EQ(OP_OK, op_renumber(to_next)) << op_last_error();
  expect_dump();
  expect_late_map();
  const op_dat again = op_decl_dat_hdf5(dat->set, 3, "double", file.c_str(), "x"); // a second one
  std::vector<double> got(x.size());
  ASSERT_EQ(OP_OK, op_fetch_data(again, got.data())) << op_last_error();
  EXPECT_TRUE(x == got);
}

TEST_F(Pieces, OfCheckpointsComeBack) {
  declare();
  const std::string saved = path("saved.h5");
  ASSERT_EQ(OP_OK, op_checkpoint(saved.c_str())) << op_last_error();
  const std::vector<double> zeros(x.size());
  ASSERT_EQ(OP_OK, op_put_data(dat, zeros.data())) << op_last_error();
  ASSERT_EQ(OP_OK, op_restart(saved.c_str())) << op_last_error();
  expect_values();
}

TEST_F(Pieces, NameTheRowOfAnEntry) {
  next[650000] = count;
  RawFile(file, RawFile::make).add("next", H5T_NATIVE_INT, {count, 1}, next);
  const op_set cells = op_decl_set(count, "cells");
  EXPECT_EQ(nullptr, op_decl_map_hdf5(cells, cells, 1, file.c_str(), "next"));
  expect_failure(OP_ERR_RANGE, {"map 'next', row 650000, column 0", "entry 700001 is outside set 'cells'"});
}

// A line of this process's status, in MiB.
double status_of(const std::string &key) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.rfind(key, 0) == 0) return std::atof(line.c_str() + key.size()) / 1024;
  return 0;
}

// How much more memory than before, or than after it, a step takes for a while.
template <class Step>
double memory_beside(const Step &step) {
  malloc_trim(0);                                // what was freed must not hide what is needed
  std::ofstream("/proc/self/clear_refs") << "5"; // the highest so far is forgotten
  const double before = status_of("VmRSS:");
  step();
  const double highest = status_of("VmHWM:");
  malloc_trim(0);
  return highest - std::max(before, status_of("VmRSS:"));
}

TEST_F(Pieces, TakeTheMemoryOfPieces) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "freed memory is kept";
#endif
  declare();
  expect_dump();
  restart();
  constexpr double most = 12; // MiB; an array is 16, and was there twice
  EXPECT_LT(memory_beside([&] { read(); }), most);
  EXPECT_LT(memory_beside([&] { EXPECT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())); }), most);
  EXPECT_LT(memory_beside([&] { EXPECT_EQ(OP_OK, op_checkpoint(path("saved.h5").c_str())); }), most);
  EXPECT_LT(memory_beside([&] { EXPECT_EQ(OP_OK, op_restart(path("saved.h5").c_str())); }), most);
  ASSERT_EQ(OP_OK, op_renumber(to_next)) << op_last_error();
  EXPECT_LT(memory_beside([&] { EXPECT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())); }), most);
}

// Neither a map nor a dat is in memory as a whole when it is read under a limit, not even for a moment.
TEST_F(Pieces, AreReadWithinTheLimit) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "freed memory is kept";
#endif
  constexpr int width = 16; // 45 MB
  std::vector<int> entries(std::size_t{width} * count);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<int>(i * 7 % count);
  RawFile(file, RawFile::make).add("wide", H5T_NATIVE_INT, {count, width}, entries);
  RawFile(file, RawFile::change).add("x", H5T_NATIVE_DOUBLE, {count, 3}, x);
  setenv("OP2_MEMORY_LIMIT", "4M", 1);
  setenv("OP2_OOC_DIR", folder.c_str(), 1);
  restart();
  unsetenv("OP2_MEMORY_LIMIT");
  unsetenv("OP2_OOC_DIR");
  const op_set cells = op_decl_set(count, "cells");
  constexpr double limit = 4, pieces = 12; // MiB
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = status_of("VmRSS:");
  const op_map wide = op_decl_map_hdf5(cells, cells, width, file.c_str(), "wide");
  dat = op_decl_dat_hdf5(cells, 3, "double", file.c_str(), "x");
  ASSERT_TRUE(wide && dat) << op_last_error();
  EXPECT_LT(status_of("VmHWM:") - before, limit + pieces);
  expect_values();
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(path("again.h5").c_str())) << op_last_error();
  EXPECT_TRUE(entries == RawFile(path("again.h5"), RawFile::read).values<int>("wide", H5T_NATIVE_INT, entries.size()));
}

} // namespace

} // namespace files

// SPDX-License-Identifier: MIT
