// traces.cpp: bad input for trace.h. Lines themselves are looked at by tests/unit/tracer and tests/trace.
#include <cmath>
#include <limits>

#include "refuse.hpp"

namespace badinput {

namespace {

char text[8];
int number;
long long big;
double seeds[6] = {3, 4, 3, 4, 3, 4};
const double corner[3] = {0, 0, 0};
const op_index counts[3] = {1, 2, 1}, no_counts[3] = {1, 0, 1};
op_lines made;

op_trace_params good() {
  op_trace_params params = OP_TRACE_PARAMS;
  params.step = 0.5;
  return params;
}

// A call of op_trace with parameters that change() has spoilt.
std::function<Result()> traced(void (*change)(op_trace_params &)) {
  return [change]() -> Result {
    op_trace_params params = good();
    change(params);
    return op_trace(world().tracer, 1, seeds, &params, &made);
  };
}

Wrong allowed(const char *function, const char *parameter, const char *value, std::function<Result()> call) {
  return {function, parameter, value, OP_OK, {}, std::move(call)};
}
Wrong refused(const char *function, const char *parameter, const char *value, const char *words,
              std::function<Result()> call, op_status status = OP_ERR_ARGUMENT) {
  return {function, parameter, value, status, {words}, std::move(call)};
}

Result with(const op_trace_params &params) { return op_trace(world().tracer, 1, seeds, &params, &made); }

void add_handles(std::vector<Wrong> &rows) {
  struct OnTracer {
    const char *function;
    Result (*call)(op_tracer tracer);
  };
  static const op_trace_params params = good();
  for (const OnTracer &f :
       {OnTracer{"op_trace", [](op_tracer t) -> Result { return op_trace(t, 1, seeds, &params, &made); }},
        OnTracer{"op_locate", [](op_tracer t) -> Result { return op_locate(t, 1, seeds, &big, nullptr, nullptr); }},
        OnTracer{"op_tracer_pathlines", [](op_tracer t) -> Result { return op_tracer_pathlines(t, world().x, 1); }},
        OnTracer{"op_ftle", [](op_tracer t) -> Result { return op_ftle(t, &params, world().flow_speed); }},
        OnTracer{"op_decl_neighbours",
                 [](op_tracer t) -> Result { return op_decl_neighbours(t, world().triangle_nodes, "new"); }}}) {
    const auto add = [&](const char *value, const char *words, void *(*address)()) {
      rows.push_back(refused(
          f.function, "tracer", value, words, [f, address] { return f.call(static_cast<op_tracer>(address())); },
          OP_ERR_HANDLE));
    };
    add("NULL", "the tracer is NULL", [] { return static_cast<void *>(nullptr); });
    add("garbage", "is not a tracer of this context", [] { return garbage_memory(); });
    add("a tracer of before", "from before op_exit()", [] { return static_cast<void *>(world().old.tracer); });
  }
  struct OnLines {
    const char *function;
    Result (*call)(op_lines lines);
  };
  for (const OnLines &f :
       {OnLines{"op_lines_ints", [](op_lines l) -> Result { return op_lines_ints(l, "end", nullptr, nullptr); }},
        OnLines{"op_lines_reals", [](op_lines l) -> Result { return op_lines_reals(l, "x", nullptr, nullptr); }},
        OnLines{"op_lines_info", [](op_lines l) -> Result { return op_lines_info(l, nullptr, 0); }},
        OnLines{"op_write_lines",
                [](op_lines l) -> Result { return op_write_lines(l, "badinput_must_not_exist.vtp"); }}}) {
    rows.push_back(refused(
        f.function, "lines", "NULL", "the object of lines is NULL", [f] { return f.call(nullptr); }, OP_ERR_HANDLE));
    rows.push_back(refused(
        f.function, "lines", "none", "the handle is no object of lines",
        [f] { return f.call(reinterpret_cast<op_lines>(&number)); }, OP_ERR_HANDLE));
  }
}

void add_params(std::vector<Wrong> &rows) {
  struct Spoilt {
    const char *value, *words;
    void (*change)(op_trace_params &);
  };
  for (const Spoilt &s : {
           Spoilt{"without a size", "params.size is 0; begin with OP_TRACE_PARAMS",
                  [](op_trace_params &p) { p.size = 0; }},
           Spoilt{"without a step", "params.step is 0", [](op_trace_params &p) { p.step = 0; }},
           Spoilt{"a step that is no number", "params.step is nan", [](op_trace_params &p) { p.step = NAN; }},
           Spoilt{"an unknown method", "params.method is \"rk5\"; it can be \"rk4\"",
                  [](op_trace_params &p) { p.method = "rk5"; }},
           Spoilt{"an unknown unit", "params.unit is \"m\"; it can be \"time\"",
                  [](op_trace_params &p) { p.unit = "m"; }},
           Spoilt{"an unknown direction", "params.direction is \"up\"", [](op_trace_params &p) { p.direction = "up"; }},
           Spoilt{"an unknown division", "params.division is \"fair\"",
                  [](op_trace_params &p) { p.division = "fair"; }},
           Spoilt{"an unknown ending", "params.ending is \"happy\"", [](op_trace_params &p) { p.ending = "happy"; }},
           Spoilt{"a negative tolerance", "params.tolerance is -1", [](op_trace_params &p) { p.tolerance = -1; }},
           Spoilt{"a negative time", "params.longest_time is -2", [](op_trace_params &p) { p.longest_time = -2; }},
           Spoilt{"a negative length", "params.longest_length is -3",
                  [](op_trace_params &p) { p.longest_length = -3; }},
           Spoilt{"a negative number of steps", "params.most_steps is -4",
                  [](op_trace_params &p) { p.most_steps = -4; }},
           Spoilt{"a negative number of threads", "params.threads is -5", [](op_trace_params &p) { p.threads = -5; }},
           Spoilt{"a negative number of blocks", "params.blocks is -6", [](op_trace_params &p) { p.blocks = -6; }},
           Spoilt{"a negative batch", "params.batch is -7", [](op_trace_params &p) { p.batch = -7; }},
           Spoilt{"a negative speed", "least speed is -8", [](op_trace_params &p) { p.least_speed = -8; }},
           Spoilt{"a negative distance of points", "cannot be negative", [](op_trace_params &p) { p.every = -9; }},
           Spoilt{"a turn of more than a half", "the turn is 4", [](op_trace_params &p) { p.turn = 4; }},
       })
    rows.push_back(refused("op_trace", "params", s.value, s.words, traced(s.change)));
}

std::vector<Wrong> make_rows() {
  static const op_trace_params params = good(), timed = [] {
    op_trace_params out = good();
    out.longest_time = 1;
    return out;
  }();
  std::vector<Wrong> rows = {
      refused("op_decl_tracer", "view", "NULL", "the view is NULL", CALL(op_decl_tracer(nullptr, w.flow)),
              OP_ERR_HANDLE),
      refused("op_decl_tracer", "view", "without cells to trace through", "view 'view' has no cells that a tracer",
              CALL(op_decl_tracer(w.view, w.x)), OP_ERR_STATE),
      refused("op_decl_tracer", "velocity", "of one component", "dat 'length' has dim 1, but the coordinates 'x' have",
              CALL(op_decl_tracer(w.shape, w.length)), OP_ERR_DIM),
      refused("op_decl_tracer", "velocity", "whole numbers",
              "dat 'scratch' has type int; velocities are double or float", CALL(op_decl_tracer(w.shape, w.scratch)),
              OP_ERR_TYPE),
      refused("op_trace", "count", "-1", "argument 'count' is -1", CALL(op_trace(w.tracer, -1, seeds, &params, &made))),
      refused("op_trace", "seeds", "NULL", "argument 'seeds' is NULL; it has 1 points of 2 values",
              CALL(op_trace(w.tracer, 1, nullptr, &params, &made))),
      refused("op_trace", "params", "NULL", "argument 'params' is NULL",
              CALL(op_trace(w.tracer, 1, seeds, nullptr, &made))),
      refused("op_trace", "lines", "NULL", "argument 'lines' is NULL",
              CALL(op_trace(w.tracer, 1, seeds, &params, nullptr))),
      refused("op_tracer_pathlines", "later", "on other elements", "dat 'length' is on set 'edges'",
              CALL(op_tracer_pathlines(w.tracer, w.length, 1)), OP_ERR_SET),
      refused("op_tracer_pathlines", "later", "of one component", "dat 'scratch' has dim 1",
              CALL(op_tracer_pathlines(w.tracer, w.scratch, 1)), OP_ERR_DIM),
      refused("op_tracer_pathlines", "duration", "0", "argument 'duration' is 0",
              CALL(op_tracer_pathlines(w.tracer, w.x, 0))),
      refused("op_tracer_pathlines", "duration", "not finite", "argument 'duration' is inf",
              CALL(op_tracer_pathlines(w.tracer, w.x, std::numeric_limits<double>::infinity()))),
      refused("op_ftle", "params", "NULL", "argument 'params' is NULL", CALL(op_ftle(w.tracer, nullptr, w.scratch))),
      refused("op_ftle", "params", "without a time", "params.longest_time is 0",
              CALL(op_ftle(w.tracer, &params, w.flow_speed))),
      refused("op_ftle", "exponent", "of edges", "dat 'length' is on set 'edges', the nodes are set 'nodes'",
              CALL(op_ftle(w.tracer, &timed, w.length)), OP_ERR_SET),
      refused("op_ftle", "exponent", "whole numbers", "dat 'scratch' has dim 1 and type int",
              CALL(op_ftle(w.tracer, &timed, w.scratch)), OP_ERR_TYPE),
      refused("op_locate", "count", "-1", "argument 'count' is -1",
              CALL(op_locate(w.tracer, -1, seeds, nullptr, nullptr, nullptr))),
      refused("op_locate", "points", "NULL", "argument 'points' is NULL",
              CALL(op_locate(w.tracer, 1, nullptr, nullptr, nullptr, nullptr))),
      allowed("op_locate", "cell", "NULL", CALL(op_locate(w.tracer, 1, seeds, nullptr, &number, seeds + 2))),
      allowed("op_locate", "process", "NULL", CALL(op_locate(w.tracer, 1, seeds, &big, nullptr, seeds + 2))),
      allowed("op_locate", "where", "NULL", CALL(op_locate(w.tracer, 1, seeds, &big, &number, nullptr))),
      refused("op_decl_neighbours", "map", "not the tracer's", "map 'edge_nodes' does not describe cells",
              CALL(op_decl_neighbours(w.tracer, w.edge_nodes, "new"))),
      refused("op_decl_neighbours", "name", "NULL", "the name is NULL",
              CALL(op_decl_neighbours(w.tracer, w.triangle_nodes, nullptr))),
      refused("op_decl_neighbours", "name", "empty", "the name is empty",
              CALL(op_decl_neighbours(w.tracer, w.triangle_nodes, ""))),
      refused("op_seed_line", "dim", "1", "argument 'dim' is 1", CALL(op_seed_line(1, corner, corner, 2, seeds))),
      refused("op_seed_line", "a", "NULL", "argument 'a' is NULL", CALL(op_seed_line(2, nullptr, corner, 2, seeds))),
      refused("op_seed_line", "b", "NULL", "argument 'b' is NULL", CALL(op_seed_line(2, corner, nullptr, 2, seeds))),
      refused("op_seed_line", "count", "0", "argument 'count' is 0", CALL(op_seed_line(2, corner, corner, 0, seeds))),
      refused("op_seed_line", "seeds", "NULL", "argument 'seeds' is NULL",
              CALL(op_seed_line(2, corner, corner, 2, nullptr))),
      refused("op_seed_grid", "dim", "4", "argument 'dim' is 4", CALL(op_seed_grid(4, corner, corner, counts, seeds))),
      refused("op_seed_grid", "low", "NULL", "argument 'low' is NULL",
              CALL(op_seed_grid(2, nullptr, corner, counts, seeds))),
      refused("op_seed_grid", "high", "NULL", "argument 'high' is NULL",
              CALL(op_seed_grid(2, corner, nullptr, counts, seeds))),
      refused("op_seed_grid", "counts", "NULL", "argument 'counts' is NULL",
              CALL(op_seed_grid(2, corner, corner, nullptr, seeds))),
      refused("op_seed_grid", "counts", "a zero", "has 0 at 1",
              CALL(op_seed_grid(2, corner, corner, no_counts, seeds))),
      refused("op_seed_grid", "seeds", "NULL", "argument 'seeds' is NULL",
              CALL(op_seed_grid(2, corner, corner, counts, nullptr))),
      refused("op_lines_free", "lines", "none", "the handle is no object of lines",
              CALL(op_lines_free(reinterpret_cast<op_lines>(&number))), OP_ERR_HANDLE),
      refused("op_lines_ints", "name", "NULL", "argument 'name' is NULL",
              CALL(op_lines_ints(some_lines(), nullptr, nullptr, nullptr))),
      refused("op_lines_ints", "name", "of reals", "no array 'x' of whole numbers; there are begin, end and steps",
              CALL(op_lines_ints(some_lines(), "x", nullptr, nullptr))),
      refused("op_lines_reals", "name", "NULL", "argument 'name' is NULL",
              CALL(op_lines_reals(some_lines(), nullptr, nullptr, nullptr))),
      refused("op_lines_reals", "name", "of ints", "no array 'end' of real numbers",
              CALL(op_lines_reals(some_lines(), "end", nullptr, nullptr))),
      allowed("op_lines_ints", "rows", "NULL", CALL(op_lines_ints(some_lines(), "end", nullptr, &number))),
      allowed("op_lines_ints", "dim", "NULL", CALL(op_lines_ints(some_lines(), "end", &big, nullptr))),
      allowed("op_lines_reals", "rows", "NULL", CALL(op_lines_reals(some_lines(), "x", nullptr, &number))),
      allowed("op_lines_reals", "dim", "NULL", CALL(op_lines_reals(some_lines(), "x", &big, nullptr))),
      allowed("op_line_end_name", "end", "-1", CALL(op_line_end_name(-1))),
      allowed("op_line_end_name", "end", "9", CALL(op_line_end_name(9))),
      allowed("op_lines_info", "buffer", "NULL", CALL(op_lines_info(some_lines(), nullptr, 100))),
      allowed("op_lines_info", "capacity", "0", CALL(op_lines_info(some_lines(), text, 0))),
      refused("op_write_lines", "file", "NULL", "the file name is NULL", CALL(op_write_lines(some_lines(), nullptr))),
      refused("op_write_lines", "file", "of no format", "'lines.vtk', does not end with .vtp or .vtkhdf",
              CALL(op_write_lines(some_lines(), "lines.vtk"))),
      refused("op_write_lines", "file", "in no folder", "/no/such/folder",
              CALL(op_write_lines(some_lines(), "/no/such/folder/lines.vtp")), OP_ERR_FILE),
  };
  add_handles(rows);
  add_params(rows);
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_traces() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(InSession, VelocitiesThatATracerCannotTakeAreRefused) {
  const World &w = world();
  const op_set others = op_decl_set(2, "others");
  const op_dat far = op_decl_dat(others, 2, "double", nullptr, "far");
  EXPECT_EQ(nullptr, op_decl_tracer(w.shape, far));
  expect_error("op_decl_tracer", OP_ERR_SET, {"dat 'far' is on set 'others'", "map of dim 1"});
  const int six[] = {0, 1, 2, 3, 0, 1};
  const op_view second = op_decl_view(w.x, "second");
  ASSERT_EQ(OP_OK, op_view_cells(second, op_decl_map(op_decl_set(1, "bent"), w.nodes, 6, six, "bent_nodes"),
                                 OP_CELL_QUADRATIC_TRIANGLE));
  EXPECT_EQ(nullptr, op_decl_tracer(second, w.flow));
  expect_error("op_decl_tracer", OP_ERR_UNSUPPORTED, {"quadratic triangle", "bent_nodes"});
}

TEST_F(InSession, AnAcquiredVelocityIsNotTraced) {
  ASSERT_NE(nullptr, op_dat_acquire(world().flow, OP_READ));
  EXPECT_EQ(OP_ERR_STATE, with(good()).number);
  expect_error("op_trace", OP_ERR_STATE, {"dat 'flow' is acquired; call op_dat_release() first"});
  ASSERT_EQ(OP_OK, op_dat_release(world().flow));
  EXPECT_EQ(OP_OK, with(good()).number);
  EXPECT_EQ(OP_OK, op_lines_free(made));
}

TEST_F(InSession, PathlinesHaveStepsInTime) {
  ASSERT_EQ(OP_OK, op_tracer_pathlines(world().tracer, world().x, 2));
  op_trace_params params = good();
  params.unit = "length";
  EXPECT_EQ(OP_ERR_ARGUMENT, with(params).number);
  expect_error("op_trace", OP_ERR_ARGUMENT, {"params.unit is \"length\", but the velocity changes in time"});
  ASSERT_EQ(OP_OK, op_tracer_pathlines(world().tracer, nullptr, 0));
  EXPECT_EQ(OP_OK, with(params).number);
  EXPECT_EQ(OP_OK, op_lines_free(made));
}

TEST_F(InSession, CellsThatDoNotFitTogetherAreRefused) {
  const World &w = world();
  const int thrice[] = {0, 1, 2, 0, 1, 3, 1, 0, 2};
  const op_view view = op_decl_view(w.x, "branched");
  const op_map map = op_decl_map(op_decl_set(3, "branches"), w.nodes, 3, thrice, "branch_nodes");
  ASSERT_EQ(OP_OK, op_view_cells(view, map, OP_CELL_TRIANGLE));
  const op_tracer tracer = op_decl_tracer(view, w.flow);
  const op_trace_params params = good();
  EXPECT_EQ(OP_ERR_ARGUMENT, op_trace(tracer, 1, seeds, &params, &made));
  expect_error("op_trace", OP_ERR_ARGUMENT, {"more than two cells have the side of nodes 0, 1"});
  EXPECT_EQ(nullptr, made);
  EXPECT_EQ(nullptr, op_decl_neighbours(tracer, map, "new"));
  expect_error("op_decl_neighbours", OP_ERR_ARGUMENT, {"more than two cells have the side of nodes 0, 1"});
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
