// checkpoint_bad_test.cpp: checkpoints that are damaged or cannot be written. No flipped bit gets into a run.
#include <fcntl.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdint>

#include "op2/checkpoint.h"
#include "op2/hdf5.h"
#include "support.hpp"

namespace files {

namespace {

class BadCheckpoint : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    const op_set nodes = op_decl_set(50, "nodes"), edges = op_decl_set(20, "edges");
    std::vector<int> ends;
    for (int n = 0; n < 40; ++n) ends.push_back(n);
    op_decl_map(edges, nodes, 2, ends.data(), "ends");
    for (std::size_t n = 0; n < 100; ++n) x_values.push_back(std::sin(static_cast<double>(n)));
    for (int n = 0; n < 20; ++n) flags.push_back(n * n);
    x = op_decl_dat(nodes, 2, "double", x_values.data(), "x");
    flag = op_decl_dat(edges, 1, "int", flags.data(), "flag");
    op_decl_const_named("gam", 1, "double", x_values.data());
    op_checkpoint_value("iteration", "int", 1, &iteration);
    file = path("run.h5");
    ASSERT_EQ(OP_OK, op_checkpoint(file.c_str())) << op_last_error();
    good = bytes_of(file);
  }
  bool as_before() const {
    std::vector<double> now(x_values.size());
    std::vector<int> flags_now(flags.size());
    op_fetch_data(x, now.data());
    op_fetch_data(flag, flags_now.data());
    return now == x_values && flags_now == flags && iteration == 5;
  }
  // Other values than those in the file.
  void change() {
    const std::vector<double> zeros(100, 0);
    const std::vector<int> none(20, -1);
    op_put_data(x, zeros.data());
    op_put_data(flag, none.data());
    iteration = 6;
  }
  bool changed() const {
    double value = 1;
    int one = 0;
    op_fetch_data_idx(flag, &one, 7, 7);
    std::array<double, 2> row = {1, 1};
    op_fetch_data_idx(x, row.data(), 7, 7);
    value = row[0] + row[1];
    return value == 0 && one == -1 && iteration == 6;
  }

  op_dat x = nullptr, flag = nullptr;
  int iteration = 5;
  std::vector<double> x_values;
  std::vector<int> flags;
  std::string file, good;
};

// Wherever it is: in the data, in what HDF5 keeps for itself, in between, in the seal.
TEST_F(BadCheckpoint, FlippedBits) {
  std::uint64_t state = 7;
  for (int round = 0; round < 300; ++round) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::string bytes = good;
    const std::size_t place = static_cast<std::size_t>(state >> 33) % bytes.size();
    bytes[place] = static_cast<char>(bytes[place] ^ 1 << (state >> 29 & 7));
    write_bytes(file, bytes);
    change();
    ASSERT_STREQ(op_status_name(OP_ERR_FILE), op_status_name(op_restart(file.c_str()))) << "byte " << place;
    ASSERT_TRUE(changed()) << "byte " << place << ": " << op_last_error();
    op_clear_error();
  }
}

// Of what the program has given, every byte counts (one in five is tried).
TEST_F(BadCheckpoint, EveryByteOfTheData) {
  const std::string rows(reinterpret_cast<const char *>(x_values.data()), 100 * sizeof(double));
  const std::string ints(reinterpret_cast<const char *>(flags.data()), 20 * sizeof(int));
  for (const std::string &data : {rows, ints, std::string("op2 checkpoint 1\n"), std::string("value 9:iteration")}) {
    const std::size_t begin = good.find(data);
    ASSERT_NE(std::string::npos, begin);
    for (std::size_t n = 0; n < data.size(); n += 5) {
      std::string bytes = good;
      bytes[begin + n] = static_cast<char>(bytes[begin + n] ^ 1 << n % 8);
      write_bytes(file, bytes);
      change();
      ASSERT_STREQ(op_status_name(OP_ERR_FILE), op_status_name(op_restart(file.c_str()))) << n;
      ASSERT_TRUE(changed());
      expect_failure(OP_ERR_FILE, {file, "damaged"});
    }
  }
}

TEST_F(BadCheckpoint, CutOff) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{7}, good.size() / 3, good.size() / 2, good.size() - 1}) {
    write_bytes(file, good.substr(0, bytes));
    change();
    EXPECT_STATUS(OP_ERR_FILE, op_restart(file.c_str()));
    expect_failure(OP_ERR_FILE, {"file '" + file + "'"});
    EXPECT_TRUE(changed());
  }
  std::filesystem::remove(file);
  EXPECT_STATUS(OP_ERR_FILE, op_restart(file.c_str()));
  expect_failure(OP_ERR_FILE, {file, "there is no such file"});
}

TEST_F(BadCheckpoint, OtherFiles) {
  const std::string other = path("mesh.h5");
  EXPECT_OK(op_dump_to_hdf5(other.c_str()));
  EXPECT_STATUS(OP_ERR_FILE, op_restart(other.c_str()));
  expect_failure(OP_ERR_FILE, {other, "it is no checkpoint"});
  {
    RawFile raw(file, RawFile::change);
    H5Ldelete(raw.id(), "dats/flag", H5P_DEFAULT);
  }
  change();
  EXPECT_STATUS(OP_ERR_FILE, op_restart(file.c_str()));
  expect_failure(OP_ERR_FILE, {"damaged"});
  EXPECT_TRUE(changed());
}

// No room, no folder, a folder in the way: the checkpoint before is as it was, and nothing is left over.
TEST_F(BadCheckpoint, CannotBeWritten) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{2048, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  EXPECT_STATUS(OP_ERR_FILE, op_checkpoint(file.c_str()));
  EXPECT_STATUS(OP_ERR_FILE, op_checkpoint_if_due(path("run").c_str(), 0, 1));
  setrlimit(RLIMIT_FSIZE, &limit);
  expect_failure(OP_ERR_FILE, {"run", "File too large"});
  EXPECT_TRUE(good == bytes_of(file));
  EXPECT_STATUS(OP_ERR_FILE, op_checkpoint((path("no_folder") + "/run.h5").c_str()));
  expect_failure(OP_ERR_FILE, {"no_folder", "No such file or directory"});
  EXPECT_STATUS(OP_ERR_FILE, op_checkpoint_if_due((path("no_folder") + "/run").c_str(), 0, 1));
  EXPECT_STATUS(OP_ERR_FILE, op_checkpoint(folder.string().c_str()));
  expect_failure(OP_ERR_FILE, {"it is a folder"});
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_checkpoint_if_due((folder.string() + "/").c_str(), 0, 1));
  int found = 0;
  EXPECT_STATUS(OP_ERR_FILE, op_restart_latest((path("no_folder") + "/run").c_str(), &found));
  op_clear_error();
  EXPECT_EQ(1u, files_in(folder));
  EXPECT_OK(op_restart(file.c_str()));
}

} // namespace

} // namespace files

// SPDX-License-Identifier: MIT
