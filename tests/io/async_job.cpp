// async_job.cpp: a job that writes in the background while its processes exchange and reduce.
//   async_job FOLDER
// The file is that of the same calls without a thread, byte for byte, and what fails on one process is told to all.
#include <sys/resource.h>
#ifdef TEST_OWN_MPI
#include <mpi.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "op2/info.h"
#include "op2/op2.hpp"
#include "op2/partition.h"

namespace {

constexpr int node_count = 20011, steps = 8;
int failures = 0, rank = 0;

void expect(bool good, const std::string &what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "async_job, process %d: %s (%s)\n", rank, what.c_str(), op_last_error());
}

std::string bytes_of(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Along a line of nodes.
void flow(const double *left, const double *right, double *sum, double *total) {
  for (int c = 0; c < 3; ++c) sum[c] += 0.5 * left[c] + 0.25 * right[c];
  *total += left[0];
}
void update(double *q, double *sum) {
  for (int c = 0; c < 3; ++c) {
    q[c] = 0.75 * q[c] + sum[c];
    sum[c] = 0;
  }
}

struct Line {
  op_set nodes, edges;
  op_map ends;
  op_dat q, sum;
  double total = 0;

  Line() {
    const bool root = std::string(op_setting("OP2_DECLARE")) == "root";
    const int part = root ? 0 : rank, parts = root ? 1 : op_comm_size();
    const auto first = [&](int p) { return static_cast<int>(static_cast<long long>(node_count) * p / parts); };
    std::vector<int> table;
    std::vector<double> values;
    for (int i = first(part); i < first(part + 1); ++i) {
      table.insert(table.end(), {i, (i + 1) % node_count});
      values.insert(values.end(), {1.0 * i, 2.0 * i, 0.125});
    }
    nodes = op_decl_set(first(part + 1) - first(part), "nodes");
    edges = op_decl_set(first(part + 1) - first(part), "edges");
    ends = op_decl_map(edges, nodes, 2, table.data(), "ends");
    q = op_decl_dat(nodes, 3, "double", values.data(), "q");
    sum = op_decl_dat(nodes, 3, "double", nullptr, "sum");
    expect(op_partition("RANDOM", "", nodes, nullptr, nullptr) == OP_OK, "cannot be divided");
  }
  void step() {
    op_par_loop(flow, "flow", edges, op_arg_dat(q, 0, ends, 3, "double", OP_READ),
                op_arg_dat(q, 1, ends, 3, "double", OP_READ), op_arg_dat(sum, 1, ends, 3, "double", OP_INC),
                op_arg_gbl(&total, 1, "double", OP_INC));
    op_par_loop(update, "update", nodes, op_arg_dat(q, -1, OP_ID, 3, "double", OP_RW),
                op_arg_dat(sum, -1, OP_ID, 3, "double", OP_RW));
  }
};

// All steps of one run, on new handles; returns what they reduced.
double run(const std::string &file, bool in_background) {
  Line line;
  for (int step = 0; step < steps; ++step) {
    const std::string place = "step/" + std::to_string(step);
    const op_status given = in_background ? op_fetch_data_hdf5_file_path_async(line.q, file.c_str(), place.c_str())
                                          : op_fetch_data_hdf5_file_path(line.q, file.c_str(), place.c_str());
    expect(given == OP_OK, "step " + std::to_string(step));
    line.step();
    if (step == 3) expect(op_partition("BLOCK", "", line.nodes, nullptr, nullptr) == OP_OK, "is not divided again");
  }
  expect((in_background ? op_fetch_data_hdf5_file_async : op_fetch_data_hdf5_file)(line.q, file.c_str()) == OP_OK,
         "the last values");
  return line.total;
}

void restart(int argc, char **argv) {
  expect(op_exit() == OP_OK, "the end");
  if (op_init(argc, argv, 0) != OP_OK) std::exit(2);
}

// Process 0 has no room.
void fail(const std::string &file) {
  const op_set set = op_decl_set(400000, "large");
  const op_dat dat = op_decl_dat(set, 1, "double", nullptr, "values");
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{1 << 20, limit.rlim_max};
  if (rank == 0) setrlimit(RLIMIT_FSIZE, &little);
  const auto told = [&](op_status found, const char *what) {
    const std::string message = op_last_error();
    expect(found == OP_ERR_FILE &&
               message.find("op_fetch_data_hdf5_file_async() of dat 'values'") != std::string::npos &&
               message.find("File too large") != std::string::npos,
           what);
  };
  expect(op_fetch_data_hdf5_file_async(dat, file.c_str()) == OP_OK, "is not known yet");
  told(op_io_wait(file.c_str()), "waiting tells it");
  expect(op_io_wait(nullptr) == OP_OK, "and only once");
  expect(op_fetch_data_hdf5_file_async(dat, file.c_str()) == OP_OK, "the next one");
  told(op_fetch_data_hdf5_file(dat, file.c_str()), "a call without a thread tells it");
  expect(op_fetch_data_hdf5_file_async(dat, file.c_str()) == OP_OK, "the last one");
  told(op_exit(), "the end tells it");
  expect(op_is_initialised() == 0, "the context ends all the same");
  setrlimit(RLIMIT_FSIZE, &limit);
}

} // namespace

int main(int argc, char **argv) {
#ifdef TEST_OWN_MPI
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  setenv("OP2_IO_DRIVER", "hdf5", 1); // of the file to compare with
#endif
  if (argc != 2 || op_init(argc, argv, 0) != OP_OK) return 2;
  op_rank(&rank);
  const std::filesystem::path folder = argv[1];
  if (rank == 0) std::filesystem::remove_all(folder);
  if (rank == 0) std::filesystem::create_directories(folder);
  if (rank == 0) std::filesystem::current_path(folder); // process 0 decides where files are
  const std::string now = "now.h5", later = "later.h5", bad = "bad.h5";
  op_barrier();
  const double total = run(now, false);
#ifdef TEST_OWN_MPI
  unsetenv("OP2_IO_DRIVER");
#endif
  restart(argc, argv);
  expect(run(later, true) == total, "the same sum");
  expect(op_exit() == OP_OK, "the end waits for all");
  if (rank == 0) expect(!bytes_of(now).empty() && bytes_of(now) == bytes_of(later), "the same file");
  if (op_init(argc, argv, 0) != OP_OK) return 2;
  fail(bad);
  if (rank == 0) {
    int files = 0;
    for (const auto &each : std::filesystem::directory_iterator(folder)) files += each.is_regular_file() ? 1 : 0;
    expect(files == 2, "something is left over");
    std::filesystem::remove_all(folder);
  }
#ifdef TEST_OWN_MPI
  MPI_Finalize();
#endif
  return failures > 0 ? 1 : 0;
}

// SPDX-License-Identifier: MIT
