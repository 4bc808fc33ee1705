// far_job.cpp: files, checkpoints and views of a program whose loops run in memory that the host does not see.
//   far_job FOLDER
// Loops run between all calls with files, so each time either the device or the host has the only good copy; what the
// files hold, and what loops make of what was read, is compared with numbers that this program computes by itself. They
// are whole, so any order of adding up gives the same.
#include <hdf5.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "op2/checkpoint.h"
#include "op2/op2.hpp"
#include "op2/partition.h"

namespace {

constexpr int node_count = 601, dim = 5; // rows that lie in another layout on some devices
int failures = 0, rank = 0;

void expect(bool good, const std::string &what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "far_job, process %d: %s (%s)\n", rank, what.c_str(), op_last_error());
}

// Along a ring of nodes.
void flow(const double *left, const double *right, double *to_left, double *to_right) {
  for (int c = 0; c < 5; ++c) {
    to_right[c] += left[c] + c;
    to_left[c] += right[c];
  }
}
void update(double *q, double *sum) {
  for (int c = 0; c < 5; ++c) {
    q[c] = sum[c] - q[c];
    sum[c] = 0;
  }
}

using Values = std::vector<double>;
std::size_t at(int node, int c) { return static_cast<std::size_t>((node + node_count) % node_count * dim + c); }

// The same by hand.
Values first_values() {
  Values out;
  for (int n = 0; n < node_count; ++n)
    for (int c = 0; c < dim; ++c) out.push_back(n % 7 - 2 * c);
  return out;
}
Values after_step(const Values &q) {
  Values out(q.size());
  for (int n = 0; n < node_count; ++n)
    for (int c = 0; c < dim; ++c) out[at(n, c)] = q[at(n - 1, c)] + c + q[at(n + 1, c)] - q[at(n, c)];
  return out;
}

struct Ring {
  op_set nodes, edges;
  op_map ends;
  op_dat q, sum, x;
  op_view view;
  Values wanted = first_values();

  Ring() {
    const int parts = op_comm_size(), first = node_count * rank / parts, last = node_count * (rank + 1) / parts;
    std::vector<int> table;
    Values places;
    for (int i = first; i < last; ++i) {
      table.insert(table.end(), {i, (i + 1) % node_count});
      places.insert(places.end(), {1.0 * i, 0.5 * i});
    }
    nodes = op_decl_set(last - first, "nodes");
    edges = op_decl_set(last - first, "edges");
    ends = op_decl_map(edges, nodes, 2, table.data(), "ends");
    q = op_decl_dat(nodes, dim, "double", wanted.data() + at(first, 0), "q");
    sum = op_decl_dat(nodes, dim, "double", nullptr, "sum");
    x = op_decl_dat(nodes, 2, "double", places.data(), "x");
    view = op_decl_view(x, "ring");
    expect(op_view_cells(view, ends, OP_CELL_LINE) == OP_OK, "cells of the view");
    expect(op_view_field(view, q, nullptr) == OP_OK, "a field of the view");
    if (parts > 1) expect(op_partition("RANDOM", "", nodes, nullptr, nullptr) == OP_OK, "cannot be divided");
  }
  void step() { // the device has the good copy after it
    const op_status moved =
        op_par_loop(flow, "flow", edges, op_arg_dat(q, 0, ends, dim, "double", OP_READ),
                    op_arg_dat(q, 1, ends, dim, "double", OP_READ), op_arg_dat(sum, 0, ends, dim, "double", OP_INC),
                    op_arg_dat(sum, 1, ends, dim, "double", OP_INC));
    const op_status made = op_par_loop(update, "update", nodes, op_arg_dat(q, -1, OP_ID, dim, "double", OP_RW),
                                       op_arg_dat(sum, -1, OP_ID, dim, "double", OP_RW));
    expect(moved == OP_OK && made == OP_OK, "a step");
    wanted = after_step(wanted);
  }
  void check(const std::string &what) const {
    Values found(wanted.size());
    expect(op_fetch_data_all(q, found.data()) == OP_OK && found == wanted, what);
  }
};

// Process 0 reads what the others wait for.
void expect_file(const std::string &file, const std::string &dataset, const Values &wanted) {
  if (rank != 0) return;
  Values found(wanted.size(), -1e300);
  const hid_t open = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
              set = H5Dopen2(open, dataset.c_str(), H5P_DEFAULT);
  const bool read = set >= 0 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0;
  if (set >= 0) H5Dclose(set);
  if (open >= 0) H5Fclose(open);
  expect(read && found == wanted, file + ", " + dataset);
}

// Single dats, at once and in the background; the loops that follow must not be in the file.
void write_dats(Ring &ring) {
  std::vector<Values> wanted;
  const auto place = [&] { return "step/" + std::to_string(wanted.size()); };
  for (int i = 0; i < 6; ++i) {
    ring.step();
    const auto write = i % 2 == 0 ? op_fetch_data_hdf5_file_path : op_fetch_data_hdf5_file_path_async;
    expect(write(ring.q, "dats.h5", place().c_str()) == OP_OK, "writing " + place());
    wanted.push_back(ring.wanted);
  }
  ring.step();
  // From the host's copy: what the program gives is in the file, and loops go on from it.
  Values given = first_values();
  for (double &value : given) value += 3;
  expect(op_put_data_all(ring.q, given.data()) == OP_OK, "values given");
  ring.wanted = given;
  expect(op_fetch_data_hdf5_file_path(ring.q, "dats.h5", place().c_str()) == OP_OK, "writing what was given");
  wanted.push_back(given);
  ring.step();
  expect(op_io_wait(nullptr) == OP_OK, "all is written");
  for (std::size_t i = 0; i < wanted.size(); ++i) expect_file("dats.h5", "step/" + std::to_string(i), wanted[i]);
  ring.check("after dats were written");
}

void write_all(Ring &ring) {
  ring.step();
  expect(op_dump_to_hdf5("all.h5") == OP_OK, "everything");
  const Values before = ring.wanted;
  ring.step();
  expect_file("all.h5", "q", before);
  expect_file("all.h5", "sum", Values(before.size()));
}

void write_views(Ring &ring) {
  for (const char *file : {"one.vtkhdf", "two.vtkhdf"}) {
    ring.step();
    expect(op_write_view(ring.view, file) == OP_OK, file);
    const Values before = ring.wanted;
    ring.step();
    expect_file(file, "VTKHDF/PointData/q", before);
  }
  ring.check("after views were written");
}

// The device's copy is newer than the checkpoint when the run goes back to it. Returns what it holds.
Values checkpoint(Ring &ring) {
  ring.step();
  expect(op_checkpoint("state.h5") == OP_OK, "a checkpoint");
  const Values saved = ring.wanted;
  ring.step();
  ring.step();
  expect(op_restart("state.h5") == OP_OK, "going back");
  ring.wanted = saved;
  ring.check("what was gone back to");
  ring.step(); // on the device, from there
  ring.check("a step from there");

  expect(op_restart("state.h5") == OP_OK, "going back again");
  ring.wanted = saved;
  ring.step(); // without anybody's look at it before
  ring.check("a step at once");

  expect(op_restart("state.h5") == OP_OK, "going back a third time");
  expect(op_fetch_data_hdf5_file_path(ring.q, "again.h5", "q") == OP_OK, "writing what was read");
  expect(op_io_wait(nullptr) == OP_OK, "it is written");
  expect_file("again.h5", "q", saved);
  ring.wanted = saved;
  return saved;
}

// Each in the background, while the next step runs.
void checkpoint_periodically(Ring &ring) {
  Values last;
  for (int i = 0; i < 3; ++i) {
    ring.step();
    expect(op_checkpoint_if_due("run", 0, 2) == OP_OK, "a checkpoint that is due");
    last = ring.wanted;
  }
  ring.step();
  int found = 0;
  expect(op_restart_latest("run", &found) == OP_OK && found == 1, "the latest checkpoint");
  ring.wanted = last;
  ring.step();
  ring.check("a step from the latest checkpoint");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2 || op_init(argc, argv, 0) != OP_OK) return 2;
  op_rank(&rank);
  const std::filesystem::path folder = argv[1];
  if (rank == 0) std::filesystem::remove_all(folder);
  if (rank == 0) std::filesystem::create_directories(folder);
  op_barrier();
  std::filesystem::current_path(folder);
  Values saved;
  {
    Ring ring;
    write_dats(ring);
    write_all(ring);
    write_views(ring);
    saved = checkpoint(ring);
    checkpoint_periodically(ring);
  }
  // A new context, which has run loops on other values, goes on from there.
  expect(op_exit() == OP_OK, "the end");
  if (op_init(argc, argv, 0) != OP_OK) return 2;
  Ring ring;
  ring.step();
  expect(op_restart("state.h5") == OP_OK, "a new context goes on from the checkpoint");
  ring.wanted = saved;
  ring.step();
  ring.check("a step in a new context");
  expect(op_exit() == OP_OK, "the end of all");
  if (rank == 0 && failures == 0) std::filesystem::remove_all(folder);
  return failures > 0 ? 1 : 0;
}

// SPDX-License-Identifier: MIT
