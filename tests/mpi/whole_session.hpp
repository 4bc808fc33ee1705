// whole_session.hpp: a program of several processes as tests see it: the library with some settings, and the tables of
// times that process 0 writes.
#pragma once

#include <gtest/gtest.h>
#include <op2/op2.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace whole {

// The library with these settings on one executor; errors return.
class Session {
 public:
  explicit Session(std::vector<std::string> settings, const std::string &executor = "seq") {
    const char *name = std::getenv("OP2TEST_COMM");
    const std::string communicator = name ? name : "mpi";
    settings.insert(settings.begin(),
                    {"whole_test", "OP2_ERROR=return", "OP2_BACKEND=" + communicator + "+" + executor});
    std::vector<char *> arguments;
    for (std::string &setting : settings) arguments.push_back(setting.data());
    EXPECT_EQ(op_init(static_cast<int>(arguments.size()), arguments.data(), 0), OP_OK) << op_last_error();
    op_rank(&rank);
    processes = op_comm_size();
  }
  ~Session() { op_exit(); }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  int rank = 0, processes = 1;
};

// What `write` (op_timings_to_csv or op_timings_to_json) has written, on process 0; "" on the others. Collective.
inline std::string written_by(op_status (*write)(const char *file), int rank) {
  std::string folder = testing::TempDir() + "op2-whole-XXXXXX", text;
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  EXPECT_EQ(write((folder + "/times").c_str()), OP_OK) << op_last_error();
  if (rank == 0) std::getline(std::ifstream(folder + "/times"), text, '\0');
  std::filesystem::remove_all(folder);
  return text;
}

} // namespace whole

// SPDX-License-Identifier: MIT
