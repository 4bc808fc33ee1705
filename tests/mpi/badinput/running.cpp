// running.cpp: cases of badinput.cpp in a program that is well under way: its loops have run before, copies of other
// processes' rows are to be exchanged, and then one process does something else.
#include <cstdlib>
#include <stdexcept>

#include "case.hpp"
#include "op2/compat.h"
#include "op2/fortran_support.h"
#include "op2/order.h"
#include "op2/partition.h"

namespace {

bool throwing = false;              // the next element, or the next combination, throws
int combined = 0, throwing_at = -1; // combinations of results so far; the one that throws
bool anywhere = false;              // on whichever process it happens: not all combine what others have

void spread(double *cell) {
  if (throwing && wrong()) throw std::runtime_error("no more");
  cell[0] += 1;
}
void gather(const double *left, const double *right, double *edge) {
  if (throwing && wrong()) throw std::runtime_error("no more");
  *edge = left[0] - right[0];
}
void scatter(double *left, double *right, const double *scale) {
  if (throwing && wrong()) throw std::runtime_error("no more");
  left[0] += *scale;
  right[0] += *scale;
}
void sum(const double *cell, double *total) { *total += cell[0]; }
void sum_with(const double *cell, double *total) { *total += cell[0]; }
void add(void *into, const void *later, int count) {
  if ((throwing || combined == throwing_at) && (anywhere || wrong())) throw std::runtime_error("cannot be combined");
  ++combined;
  for (int i = 0; i < count; ++i) static_cast<double *>(into)[i] += static_cast<const double *>(later)[i];
}

// A mesh whose loops are known to the library.
struct Running : World {
  op_dat jump = op_decl_dat(edges, 1, "double", nullptr, "jump");
  op_dat scratch = op_decl_dat_temp(cells, 2, "double", "scratch");
  op_reduction adding = nullptr;
  double amount = 0;
  Running() {
    const double nothing = 0;
    adding = op_decl_reduction("adding", "double", 8, add, &nothing);
    for (int i = 0; i < 3; ++i) loops(q, jump);
  }
  void loop_spread(op_dat dat) { op_par_loop(spread, "spread", cells, op_arg_dat(dat, -1, OP_ID, 2, "double", OP_RW)); }
  void loop_gather(op_dat from, op_dat to, op_map map, int dim) {
    op_par_loop(gather, "gather", edges, op_arg_dat(from, 0, map, dim, "double", OP_READ),
                op_arg_dat(from, 1, map, 2, "double", OP_READ), op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE));
  }
  void loop_scatter(op_dat dat) {
    const double one = 1;
    op_par_loop(scatter, "scatter", edges, op_arg_dat(dat, 0, edge_cells, 2, "double", OP_INC),
                op_arg_dat(dat, 1, edge_cells, 2, "double", OP_INC), op_arg_gbl(&one, 1, "double", OP_READ));
  }
  void loop_sum(double *total) {
    op_par_loop(sum, "sum", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(total, 1, "double", OP_INC));
  }
  void loop_sum_with(double *total) {
    op_par_loop(sum_with, "sum_with", cells, op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl_reduce(total, 1, "double", adding));
  }
  void loops(op_dat from, op_dat to) {
    loop_spread(from);
    loop_gather(from, to, edge_cells, 2);
    loop_scatter(from);
    loop_scatter(scratch);
    loop_sum(&amount);
    loop_sum_with(&amount);
  }
};

// A chain whose loops reduce into a global of the library: at its fourth run, in tiles, the combination throws that so
// many others precede. Each loop combines what its blocks have, twice, and processes what both loops have.
void chain_throws(int preceded_by) {
  Running running;
  const op_global total = op_decl_global(1, "double", nullptr, "total");
  op_arg summed;
  op_arg_global_reduce_to(&summed, total, 1, "double", running.adding);
  for (int run = 0; run < 4; ++run) {
    if (run == 3) throwing_at = combined + preceded_by;
    op_chain_begin("throws");
    for (int i = 0; i < 2; ++i) {
      running.loop_scatter(running.q);
      running.loop_gather(running.q, running.jump, running.edge_cells, 2);
      op_par_loop(sum_with, "sum_with", running.cells, op_arg_dat(running.q, -1, OP_ID, 2, "double", OP_READ), summed);
    }
    op_chain_end();
  }
}

op_map no_map() { return nullptr; }

// One process does this, the others declare something.
template <class Call>
void alone(Call &&call) {
  Running running;
  if (wrong())
    call(running);
  else
    op_decl_set(ncell, "others");
}

} // namespace

void add_running_cases(Cases &out) {
  out["again_handle"] = [] {
    Running running;
    running.loop_spread(running.q);
    running.loop_gather(wrong() ? no_dat() : running.q, running.jump, running.edge_cells, 2);
  };
  out["again_dim"] = [] {
    Running running;
    running.loop_spread(running.q);
    running.loop_gather(running.q, running.jump, running.edge_cells, wrong() ? 3 : 2);
  };
  out["again_map"] = [] {
    Running running;
    running.loop_spread(running.q);
    running.loop_gather(running.q, running.jump, wrong() ? no_map() : running.edge_cells, 2);
  };
  out["again_other_loop"] = [] {
    Running running;
    running.loop_spread(running.q);
    if (wrong())
      running.loop_scatter(running.q);
    else
      running.loop_gather(running.q, running.jump, running.edge_cells, 2);
  };
  out["again_null"] = [] {
    Running running;
    running.loop_sum(wrong() ? nullptr : &running.amount);
  };
  out["again_freed"] = [] {
    Running running;
    if (wrong()) op_free_dat_temp(running.scratch);
    running.loop_scatter(running.scratch);
  };
  out["loop_no_name"] = [] {
    Running running;
    op_par_loop(spread, wrong() ? nullptr : "spread", running.cells,
                op_arg_dat(running.q, -1, OP_ID, 2, "double", OP_RW));
  };
  out["kernel_throws"] = [] {
    Running running;
    throwing = true;
    running.loop_spread(running.q);
  };
  out["kernel_throws_in_exchange"] = [] {
    Running running;
    running.loop_spread(running.q);
    throwing = true;
    running.loop_gather(running.q, running.jump, running.edge_cells, 2);
  };
  out["kernel_throws_adding"] = [] {
    Running running;
    throwing = true;
    running.loop_scatter(running.q);
  };
  out["reduction_throws"] = [] {
    Running running;
    throwing = true;
    running.loop_sum_with(&running.amount);
  };
  out["reduction_throws_across"] = [] { // each process combines what its two parts have before that
    Running running;
    anywhere = true;
    throwing_at = combined + 2;
    running.loop_sum_with(&running.amount);
  };
  out["chain_throws_in_tiles"] = [] { chain_throws(1); };
  out["chain_throws_across"] = [] {
    anywhere = true;
    chain_throws(4);
  };
  out["put_range"] = [] {
    Running running;
    op_put_data_idx(running.q, buffer, wrong() ? -1 : 0, 5);
  };
  out["fetch_alone"] = [] { alone([](Running &running) { op_fetch_data(running.q, buffer); }); };
  out["loop_alone"] = [] { alone([](Running &running) { running.loop_spread(running.q); }); };
  out["barrier_alone"] = [] { alone([](Running &) { op_barrier(); }); };
  out["table_alone"] = [] { alone([](Running &) { op_timing_output(); }); };
  out["table_op2_alone"] = [] { alone([](Running &) { op_timing_write("op2", nullptr); }); };
  out["table_file_alone"] = [] { alone([](Running &) { op_timings_to_csv("/nonexistent/table.csv"); }); };
  out["exit_alone"] = [] { alone([](Running &) { op_exit(); }); };
  out["partition_alone"] = [] {
    alone([](Running &running) { op_partition("RANDOM", "", nullptr, running.edge_cells, nullptr); });
  };
  out["renumber_alone"] = [] { alone([](Running &running) { op_renumber(running.edge_cells); }); };
  out["timers_alone"] = [] {
    alone([](Running &) {
      double cpu = 0, wall = 0;
      op_timers(&cpu, &wall);
    });
  };
  out["leave"] = [] { alone([](Running &) { std::exit(0); }); };
  // These declare a mesh that is not yet divided.
  out["size_handle"] = [] {
    const World world;
    op_get_size(wrong() ? no_set() : world.cells);
  };
  out["order_handle"] = [] {
    const World world;
    std::vector<op_index> order(static_cast<std::size_t>(ncell) * 64);
    op_get_order(wrong() ? no_set() : world.cells, order.data());
  };
  out["renumber_handle"] = [] {
    const World world;
    op_renumber(wrong() ? no_map() : world.edge_cells);
  };
}

// SPDX-License-Identifier: MIT
