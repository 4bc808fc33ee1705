// subfiles_job.cpp: a job whose processes write files of their own in the background, which a master file shows as one.
//   subfiles_job FOLDER write|die|read
// "write" leaves a master there; "die" ends while another write is on its way; "read" finds the first one.
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef TEST_OWN_MPI
#include <mpi.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "op2/hdf5.h"
#include "op2/info.h"
#include "op2/op2.h"
#include "op2/partition.h"
#include "op2/user_types.h"

namespace {

constexpr int node_count = 5003;
const std::string master = "fl ow%b.h5"; // HDF5 has a meaning for %b
int failures = 0, rank = 0;

void expect(bool good, const std::string &what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "subfiles_job, process %d: %s (%s)\n", rank, what.c_str(), op_last_error());
}
void expect_error(op_status found, const std::string &word, const std::string &what) {
  const std::string message = op_last_error();
  expect(found == OP_ERR_FILE && message.find(word) != std::string::npos, what);
  op_clear_error();
}

std::vector<double> values(int first, int last, double shift) {
  std::vector<double> out;
  for (int i = first; i < last; ++i) out.insert(out.end(), {0.1 * i + shift, shift, -1.0 * i});
  return out;
}

struct Mesh {
  int first = 0, last = node_count;
  op_set nodes, none;
  op_dat q, flag, own, nothing;

  Mesh() {
    const bool whole = std::string(op_setting("OP2_DECLARE")) != "local";
    const int part = whole ? 0 : rank, parts = whole ? 1 : op_comm_size();
    first = node_count * part / parts;
    last = node_count * (part + 1) / parts;
    nodes = op_decl_set(last - first, "nodes");
    none = op_decl_set(0, "none");
    q = op_decl_dat(nodes, 3, "double:soa", values(first, last, 0).data(), "q");
    std::vector<int> flags, pairs;
    for (int i = first; i < last; ++i) flags.push_back(7 * i);
    for (int i = first; i < last; ++i) pairs.insert(pairs.end(), {i, -i});
    flag = op_decl_dat(nodes, 1, "int", flags.data(), "flag");
    own = op_decl_dat_char(nodes, 1, "pair", 8, reinterpret_cast<char *>(pairs.data()), "own");
    nothing = op_decl_dat(none, 2, "double", nullptr, "nothing");
    expect(op_partition("RANDOM", "", nodes, nullptr, nullptr) == OP_OK, "cannot be divided");
  }
  void shift(double by) { expect(op_put_data(q, values(first, last, by).data()) == OP_OK, "new values"); }
  bool in_file(const char *name, double by) {
    const op_dat found = op_decl_dat_hdf5(nodes, 3, "double", master.c_str(), name);
    std::vector<double> rows(3 * node_count);
    return found && op_fetch_data_all(found, rows.data()) == OP_OK && rows == values(0, node_count, by);
  }
};

int files() {
  op_barrier();
  int count = 0;
  for (const auto &each : std::filesystem::directory_iterator(".")) count += each.is_regular_file() ? 1 : 0;
  op_barrier();
  return count;
}
// Of those files that are no masters, one.
std::string a_subfile() {
  std::string out;
  for (const auto &each : std::filesystem::directory_iterator(".")) {
    const std::string name = each.path().filename().string();
    if (!name.ends_with(".h5") && name > out) out = name;
  }
  return out;
}

op_status write(op_dat dat, const char *name) { return op_fetch_data_hdf5_file_path_async(dat, master.c_str(), name); }

// All bytes of a dataset as HDF5 itself gives them.
std::vector<char> raw(const std::string &file, const char *name) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(opened, name, H5P_DEFAULT),
              type = H5Dget_type(set), space = H5Dget_space(set);
  std::vector<char> out(H5Tget_size(type) * static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  expect(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) >= 0, file + ", " + name);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  H5Fclose(opened);
  return out;
}

void write_all(Mesh &mesh) {
  const int parts = std::string(op_setting("OP2_DECLARE")) == "root" ? 0 : op_comm_size();
  expect(write(mesh.q, "step/0/q%") == OP_OK, "a write");
  expect(!std::filesystem::exists(master), "the master appears before all is complete");
  mesh.shift(1);
  expect(write(mesh.q, "q") == OP_OK, "a second dat");
  mesh.shift(2);
  expect(
      write(mesh.flag, "flag") == OP_OK && write(mesh.own, "own") == OP_OK && write(mesh.nothing, "nothing") == OP_OK,
      "other types");
  expect(op_io_wait(master.c_str()) == OP_OK, "waiting");
  const int full = files();
  if (parts > 0) expect(full == 1 + 4 * parts, "a file for each process and dat: " + std::to_string(full));
  expect(mesh.in_file("q", 1) && mesh.in_file("step/0/q%", 0), "the values");
  for (int i = 0; i < 3; ++i) expect(write(mesh.q, "q") == OP_OK, "again");
  expect(op_io_wait(nullptr) == OP_OK && mesh.in_file("q", 2), "the new values");
  expect(files() == full, "the old subfiles are still there");
  mesh.shift(3);
  expect(op_fetch_data_hdf5_file_path(mesh.q, master.c_str(), "q") == OP_OK, "without a thread");
  expect(op_fetch_data_hdf5_file_path(mesh.q, master.c_str(), "plain") == OP_OK, "a dataset of its own");
  expect(mesh.in_file("q", 3) && mesh.in_file("plain", 3) && mesh.in_file("step/0/q%", 0), "what was written at once");
  expect(files() == full, "no more files");
}

void compare(Mesh &mesh) {
  for (const op_dat dat : {mesh.q, mesh.flag, mesh.own})
    expect(op_fetch_data_hdf5_file(dat, "now.h5") == OP_OK, "the file to compare with");
  if (rank == 0)
    for (const char *name : {"q", "flag", "own"})
      expect(raw(master, name) == raw("now.h5", name), master + ", " + name + ": other bits");
  op_barrier();
  if (rank == 0) std::filesystem::remove("now.h5");
}

// Of the datasets with subfiles, how many are errors.
int errors(Mesh &mesh) {
  int count = 0;
  op_barrier();
  for (const char *name : {"flag", "own", "q", "step/0/q%"}) {
    if (op_decl_dat_hdf5(mesh.nodes, 0, std::strcmp(name, "own") == 0 ? "pair" : "double", master.c_str(), name))
      continue;
    ++count;
    expect_error(op_last_status(), "subfile", "the error names the subfile");
  }
  op_barrier();
  return count;
}

void damage(Mesh &mesh) {
  op_barrier();
  const std::string name = a_subfile();
  op_barrier();
  if (rank == 0) std::filesystem::rename(name, "elsewhere");
  expect(errors(mesh) == 1, "zeros instead of an error");
  if (rank == 0) std::filesystem::copy_file("elsewhere", name);
  if (rank == 0) std::filesystem::resize_file(name, std::filesystem::file_size(name) / 2);
  const int half = errors(mesh);
  expect(half == 1, std::to_string(half) + " errors for half a subfile");
  if (rank == 0) std::filesystem::rename("elsewhere", name);
  expect(errors(mesh) == 0, "all is there");
}

// The last process has no room: all are told, and the old values stay.
void fail(Mesh &mesh) {
  const int before = files();
  const op_set large = op_decl_set(rank == op_comm_size() - 1 ? 400000 : 10, "large");
  const op_dat dat = op_decl_dat(large, 1, "double", nullptr, "large");
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{1 << 20, limit.rlim_max};
  if (rank == op_comm_size() - 1) setrlimit(RLIMIT_FSIZE, &little);
  expect(write(dat, "large") == OP_OK, "is not known yet");
  expect_error(op_io_wait(master.c_str()), "File too large", "waiting tells it");
  expect(op_io_wait(nullptr) == OP_OK, "and only once");
  setrlimit(RLIMIT_FSIZE, &limit);
  expect(files() == before, "something is left over");
  expect(write(mesh.q, "flag") == OP_OK, "other extents");
  expect_error(op_io_wait(nullptr), "the dataset that is there has", "waiting tells this, too");
  expect(files() == before, "something is left over");
}

} // namespace

int main(int argc, char **argv) {
#ifdef TEST_OWN_MPI
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#endif
  if (argc != 3 || op_init(argc, argv, 0) != OP_OK) return 2;
  op_rank(&rank);
  std::filesystem::current_path(argv[1]);
  const std::string task = argv[2];
  {
    Mesh mesh;
    if (task == "write") {
      write_all(mesh);
      compare(mesh);
      damage(mesh);
      if (std::string(op_setting("OP2_DECLARE")) == "local") fail(mesh);
    }
    if (task != "read") {
      mesh.shift(9);
      expect(write(mesh.q, task == "die" ? "q" : "last") == OP_OK, "the last one");
    }
    if (task == "die") usleep(100000);
    if (task == "die") _exit(0);
    if (task == "read")
      expect(mesh.in_file("q", 3) && mesh.in_file("step/0/q%", 0) && mesh.in_file("last", 9), "what was written");
  }
  expect(op_exit() == OP_OK, "the end");
#ifdef TEST_OWN_MPI
  MPI_Finalize();
#endif
  return failures > 0 ? 1 : 0;
}

// SPDX-License-Identifier: MIT
