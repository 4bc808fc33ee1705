// badinput.cpp: a program that does one thing wrong, on one process or on all: `mpi_badinput <case> [process]`, started
// by badinput.sh. Without `process` it is wrong on all of them. It prints for each process what the wrong call gave,
// how often a handler of the program's heard of it, and whether the library still works then; with OP2_ERROR=abort it
// does not come that far.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "case.hpp"
#include "op2/partition.h"

namespace {

int told = 0; // how often the handler was called
void hear(const op_error *, void *) { ++told; }

void idle(double *value) { *value += 1; }
void idle_int(int *value) { *value += 1; }

// Loops that add one to a dat.
void loop_over(op_set set, op_dat dat, const char *name) {
  op_par_loop(idle, name, set, op_arg_dat(dat, -1, OP_ID, 2, "double", OP_RW));
}

void divide(const std::function<void(op_partition_params &)> &how) {
  op_partition_params params = OP_PARTITION_PARAMS;
  params.library = "RANDOM";
  how(params);
  op_partition_with(&params);
}

Cases cases() {
  Cases out;
  out["set_size"] = [] { op_decl_set(wrong() ? ncell + 1 : ncell, "cells"); };
  out["set_negative"] = [] { op_decl_set(wrong() ? -1 : ncell, "cells"); };
  out["set_name"] = [] { op_decl_set(ncell, wrong() ? "zellen" : "cells"); };
  out["set_or_dat"] = [] {
    const op_set cells = op_decl_set(ncell, "cells");
    if (wrong())
      op_decl_dat(cells, 1, "int", nullptr, "n");
    else
      op_decl_set(ncell, "edges");
  };
  out["map_entry"] = [] {
    const World world;
    std::vector<int> entries = chain(total(ncell));
    if (wrong()) entries[7] = total(ncell);
    op_decl_map(world.edges, world.cells, 2, entries.data(), "neighbours");
  };
  out["map_null"] = [] {
    const World world;
    const std::vector<int> entries = chain(total(ncell));
    op_decl_map(world.edges, world.cells, 2, wrong() ? nullptr : entries.data(), "neighbours");
  };
  out["map_handle"] = [] {
    const World world;
    const std::vector<int> entries = chain(total(ncell));
    op_decl_map(wrong() ? no_set() : world.edges, world.cells, 2, entries.data(), "neighbours");
  };
  out["map_dim"] = [] {
    const World world;
    const std::vector<int> entries = chain(total(ncell));
    op_decl_map(world.edges, world.cells, wrong() ? 1 : 2, entries.data(), "neighbours");
  };
  out["map_name"] = [] {
    const World world;
    const std::vector<int> entries = chain(total(ncell));
    op_decl_map(world.edges, world.cells, 2, entries.data(), wrong() ? "n" : "neighbours");
  };
  out["compose"] = [] {
    const World world;
    op_map_compose(world.edge_cells, wrong() ? world.edge_cells : world.edge_cells, "twice");
  };
  out["dat_dim"] = [] {
    const World world;
    op_decl_dat(world.cells, wrong() ? 3 : 2, "double", nullptr, "r");
  };
  out["dat_type"] = [] {
    const World world;
    op_decl_dat(world.cells, 2, wrong() ? "float" : "double", nullptr, "r");
  };
  out["dat_unknown_type"] = [] {
    const World world;
    op_decl_dat(world.cells, 2, wrong() ? "quaternion" : "double", nullptr, "r");
  };
  out["dat_set"] = [] {
    const World world;
    op_decl_dat(wrong() ? world.edges : world.cells, 2, "double", nullptr, "r");
  };
  out["temp_name"] = [] {
    const World world;
    op_decl_dat_temp(world.cells, 1, "double", wrong() ? "q" : "scratch");
  };
  out["fetch_null"] = [] {
    const World world;
    op_fetch_data(world.q, wrong() ? nullptr : buffer);
  };
  out["fetch_handle"] = [] {
    const World world;
    op_fetch_data(wrong() ? no_dat() : world.q, buffer);
  };
  out["fetch_other"] = [] {
    const World world;
    op_fetch_data(wrong() ? world.part : world.q, buffer);
  };
  out["fetch_range"] = [] {
    const World world;
    op_fetch_data_idx(world.q, buffer, 0, wrong() ? 100000 : 5);
  };
  out["put_null"] = [] {
    const World world;
    op_put_data(world.q, wrong() ? nullptr : buffer);
  };
  out["acquire_access"] = [] {
    const World world;
    if (op_dat_acquire(world.q, wrong() ? OP_INC : OP_READ)) op_dat_release(world.q);
  };
  out["no_map"] = [] {
    op_decl_set(ncell, "cells");
    op_partition("PTSCOTCH", "KWAY", nullptr, nullptr, nullptr);
  };
  out["unknown_partitioner"] = [] {
    const World world;
    op_partition("ZOLTAN", "KWAY", nullptr, world.edge_cells, nullptr);
  };
  out["other_partitioner"] = [] {
    const World world;
    op_partition(wrong() ? "RANDOM" : "BLOCK", "", nullptr, world.edge_cells, nullptr);
  };
  out["geom_without_points"] = [] {
    const World world;
    op_partition("GEOM", "", nullptr, nullptr, wrong() ? nullptr : world.q);
  };
  out["geom_nan"] = [] {
    const World world;
    std::vector<double> points(2 * ncell, 1.0);
    if (wrong()) points[7] = std::nan("");
    op_put_data(world.q, points.data());
    op_partition("GEOM", "", nullptr, nullptr, world.q);
  };
  out["external"] = [] {
    const World world;
    std::vector<int> parts(ncell, 0);
    if (wrong()) parts[5] = processes;
    op_put_data(world.part, parts.data());
    op_partition("EXTERNAL", "", nullptr, nullptr, world.part);
  };
  out["weights_negative"] = [] {
    const World world;
    std::vector<int> weights(ncell, 1);
    if (wrong()) weights[5] = -1;
    op_put_data(world.part, weights.data());
    divide([&](op_partition_params &p) { p.weights = world.part; });
  };
  out["weights_none"] = [] {
    const World world;
    const std::vector<int> weights(ncell, 0);
    op_put_data(world.part, weights.data());
    divide([&](op_partition_params &p) { p.weights = world.part; });
  };
  out["weights_dim"] = [] {
    const World world;
    divide([&](op_partition_params &p) { p.weights = wrong() ? world.q : world.part; });
  };
  out["weights_missing"] = [] {
    const World world;
    divide([&](op_partition_params &p) { p.weights = wrong() ? nullptr : world.part; });
  };
  out["shares_count"] = [] {
    const World world;
    const std::vector<double> shares(8, 1.0);
    divide([&](op_partition_params &p) {
      p.shares = shares.data();
      p.nshares = wrong() ? processes + 1 : processes;
    });
  };
  out["shares_nan"] = [] {
    const World world;
    std::vector<double> shares(static_cast<std::size_t>(processes), 1.0);
    if (wrong()) shares[1] = std::nan("");
    divide([&](op_partition_params &p) {
      p.shares = shares.data();
      p.nshares = processes;
    });
  };
  out["shares_other"] = [] {
    const World world;
    std::vector<double> shares(static_cast<std::size_t>(processes), 1.0);
    if (wrong()) shares[1] = 1.5;
    divide([&](op_partition_params &p) {
      p.shares = shares.data();
      p.nshares = processes;
    });
  };
  out["shares_nearly"] = [] { // no message shows so many digits
    const World world;
    std::vector<double> shares(static_cast<std::size_t>(processes), 1.0);
    if (wrong()) shares[1] += 1e-12;
    divide([&](op_partition_params &p) {
      p.shares = shares.data();
      p.nshares = processes;
    });
  };
  out["doubt_no_map"] = [] {
    const op_set cells = op_decl_set(ncell, "cells");
    op_get_size(cells);
  };
  out["doubt_data"] = [] {
    const World world;
    const std::vector<double> values(2 * ncell, wrong() ? rank : 0);
    op_decl_dat(world.cells, 2, "double", values.data(), "mine");
    op_get_size(world.cells);
  };
  out["loop_name"] = [] {
    const World world;
    loop_over(world.cells, world.q, wrong() ? "mine" : "common");
  };
  out["loop_argument"] = [] {
    const World world;
    loop_over(world.cells, wrong() ? no_dat() : world.q, "common");
  };
  out["loop_type"] = [] {
    const World world;
    if (wrong())
      op_par_loop(idle_int, "common", world.cells, op_arg_dat(world.q, -1, OP_ID, 2, "int", OP_RW));
    else
      loop_over(world.cells, world.q, "common");
  };
  add_running_cases(out);
  add_file_cases(out);
  return out;
}

} // namespace

int main(int argc, char **argv) {
  if (op_init(argc, argv, 1) != OP_OK || argc < 2) return 2;
  op_rank(&rank);
  processes = op_comm_size();
  if (argc > 2) guilty = std::atoi(argv[2]);
  const auto all = cases();
  const auto found = all.find(argv[1]);
  if (found == all.end()) {
    std::fprintf(stderr, "there is no case %s\n", argv[1]);
    return 2;
  }
  if (std::string(op_setting("OP2_ERROR")) == "return") op_set_error_handler(hear, nullptr);
  found->second();
  op_set_error_handler(nullptr, nullptr);
  const std::string status = op_status_name(op_last_status()), message = op_last_error();
  op_clear_error();
  std::vector<double> ones(1, 1.0);
  const op_set after = op_decl_set(1, "after");
  const op_dat one = op_decl_dat(after, 1, "double", ones.data(), "one");
  const bool works = op_barrier() == OP_OK && after && one;
  std::printf("process %d: %s, told %d times; afterwards: %s; %s\n", rank, status.c_str(), told,
              works ? "works" : op_last_error(), message.c_str());
  op_exit();
  return 0;
}

// SPDX-License-Identifier: MIT
