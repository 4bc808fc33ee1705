// particles.cpp: bad input for particles.h, and particles in calls that are about the mesh alone.
#include <limits>

#include "op2/change.h"
#include "op2/compat.h"
#include "op2/hand_loop.h"
#include "op2/hdf5.h"
#include "op2/order.h"
#include "op2/particles.h"
#include "op2/partition.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "refuse.hpp"

namespace badinput {

namespace {

using Numbers = std::vector<long long>;

double values[8];
long long long_values[2];
char *bytes() { return reinterpret_cast<char *>(values); }
const int pairs[8] = {};
const long long long_pairs[8] = {};
int numbers[4];
const char *const no_file = "badinput_must_not_exist";
const op_gindex in_cell[] = {0, 0}, nowhere[] = {0, 1}, outside[] = {-1, -5};
const op_trace_params timed = [] {
  op_trace_params out = OP_TRACE_PARAMS;
  out.step = out.longest_time = 1;
  return out;
}();

Wrong refused(const char *function, const char *parameter, const char *value, op_status status,
              std::vector<std::string> words, std::function<Result()> call, const char *reporter = nullptr) {
  return {function, parameter, value, status, std::move(words), std::move(call), reporter};
}

// A call about the mesh that is given a set, a map or a dat of particles.
Wrong of_mesh(const char *function, const char *parameter, const char *object, const char *way_out,
              std::function<Result()> call) {
  return refused(function, parameter, "of particles", OP_ERR_SET,
                 {object, "of particles, which move between cells and processes", way_out}, std::move(call));
}
Wrong set_of_mesh(const char *function, const char *parameter, std::function<Result()> call) {
  return of_mesh(function, parameter, "is the set 'ions'", "such as their cells 'triangles'", std::move(call));
}
Wrong map_of_mesh(const char *function, const char *parameter, std::function<Result()> call) {
  return of_mesh(function, parameter, "is the map 'ion", "such as those from the cells 'triangles'", std::move(call));
}
Wrong dat_of_mesh(const char *function, const char *parameter, std::function<Result()> call) {
  return of_mesh(function, parameter, "is the dat 'charge'", "op_fetch_data() gives each process the values",
                 std::move(call));
}
Wrong without_numbers(const char *function, std::function<Result()> call) {
  return refused(function, "dat", "on particles", OP_ERR_UNSUPPORTED,
                 {"dat 'charge' is on the particles 'ions'", "no fixed numbers", "op_fetch_data() and op_put_data()"},
                 std::move(call));
}

op_arg direct(op_dat dat, const char *type, op_access access) { return op_arg_dat(dat, -1, OP_ID, 1, type, access); }

// Over the particles, with one argument.
op_status loop_over_ions(const op_arg &arg) {
  return op_par_loop(reinterpret_cast<op_kernel_fn>(+[](void *) {}), "flux", world().ions, 1, &arg);
}
op_status deposit() {
  const World &w = world();
  return loop_over_ions(op_arg_dat(w.flow_speed, 0, w.ion_nodes, 1, "double", OP_INC));
}

op_status add(int count, const op_gindex *cells, int dats, const op_particle_values *given) {
  return op_add_particles(world().ions, count, cells, dats, given);
}
op_status add_with(op_dat dat, const void *data) {
  const op_particle_values one{dat, data};
  return add(2, in_cell, 1, &one);
}
op_status add_twice(op_dat dat) {
  const op_particle_values both[] = {{dat, values}, {dat, values}};
  return add(2, in_cell, 2, both);
}

op_status partition_with(op_set set, op_map map, op_dat coordinates) {
  op_partition_params params = OP_PARTITION_PARAMS;
  params.set = set;
  params.map = map;
  params.coordinates = coordinates;
  return op_partition_with(&params);
}
op_status repartition(op_dat weights, op_dat coordinates) {
  op_repartition_params params = OP_REPARTITION_PARAMS;
  params.weights = weights;
  params.coordinates = coordinates;
  return op_repartition(&params);
}
op_status renumber_with(op_map base, op_dat coordinates) {
  op_renumber_params params = OP_RENUMBER_PARAMS;
  params.base = base;
  params.coordinates = coordinates;
  return op_renumber_with(&params);
}

Result by_hand(op_set set) {
  op_arg arg = direct(world().charge, "double", OP_READ);
  return op_mpi_halo_exchanges(set, 1, &arg);
}
op_status written_by_hand() {
  op_arg arg = direct(world().charge, "double", OP_WRITE);
  return op_mpi_set_dirtybit(1, &arg);
}

void add_calls_about_particles(std::vector<Wrong> &rows) {
  const auto elements = [&rows](const char *function, std::function<Result()> call) {
    rows.push_back(refused(function, "particles", "elements of the mesh", OP_ERR_SET,
                           {"set 'nodes' has elements of the mesh", "op_decl_particles() makes a set of particles"},
                           std::move(call)));
  };
  elements("op_particle_cell", CALL(op_particle_cell(w.nodes)));
  elements("op_particle_identity", CALL(op_particle_identity(w.nodes)));
  elements("op_particle_next", CALL(op_particle_next(w.nodes)));
  elements("op_add_particles", CALL(op_add_particles(w.nodes, 0, nullptr, 0, nullptr)));
  elements("op_move_particles", CALL(op_move_particles(w.nodes)));
  const std::vector<Wrong> others = {
      set_of_mesh("op_decl_particles", "cells", CALL(op_decl_particles(w.ions, "new"))),
      refused("op_decl_particles", "name", "NULL", OP_ERR_ARGUMENT, {"the name is NULL"},
              CALL(op_decl_particles(w.triangles, nullptr))),
      set_of_mesh("op_decl_particles_from", "cells", CALL(op_decl_particles_from(w.ions, "new", 1))),
      refused("op_decl_particles_from", "name", "NULL", OP_ERR_ARGUMENT, {"the name is NULL"},
              CALL(op_decl_particles_from(w.triangles, nullptr, 1))),
      refused("op_decl_particles_from", "first", "2", OP_ERR_ARGUMENT,
              {"argument 'first' of particles 'new' is 2; programs count from 0 or from 1"},
              CALL(op_decl_particles_from(w.triangles, "new", 2))),
      refused("op_add_particles", "count", "-1", OP_ERR_ARGUMENT, {"argument 'count' is -1", "cannot be negative"},
              CALL(add(-1, in_cell, 0, nullptr))),
      refused("op_add_particles", "cells", "NULL", OP_ERR_ARGUMENT,
              {"argument 'cells' is NULL; it has a number for each particle"}, CALL(add(2, nullptr, 0, nullptr))),
      refused("op_add_particles", "cells", "none of the mesh", OP_ERR_RANGE,
              {"new particle 1 of 'ions' is in cell 1; set 'triangles' has 1 cells, from 0"},
              CALL(add(2, nowhere, 0, nullptr))),
      refused("op_add_particles", "cells", "outside", OP_OK, {}, CALL(add(2, outside, 0, nullptr))),
      refused("op_add_particles", "dats", "-1", OP_ERR_ARGUMENT, {"argument 'dats' is -1", "number of dats"},
              CALL(add(2, in_cell, -1, nullptr))),
      refused("op_add_particles", "values", "NULL", OP_ERR_ARGUMENT,
              {"argument 'values' is NULL, but there are to be 1"}, CALL(add(2, in_cell, 1, nullptr))),
      refused("op_add_particles", "values", "of no dat", OP_ERR_HANDLE, {"the dat of values[0] is NULL"},
              CALL(add_with(nullptr, values))),
      refused("op_add_particles", "values", "without an array", OP_ERR_ARGUMENT,
              {"the values for dat 'charge' are NULL; pass 1 x double for each of 2 particles"},
              CALL(add_with(w.charge, nullptr))),
      refused("op_add_particles", "values", "of nodes", OP_ERR_SET,
              {"dat 'x' is on set 'nodes', not on the particles 'ions'"}, CALL(add_with(w.x, values))),
      refused("op_add_particles", "values", "identities", OP_ERR_ARGUMENT,
              {"dat 'ions_identity' is the library's; new particles get no values for it"},
              CALL(add_with(op_particle_identity(w.ions), long_values))),
      refused("op_add_particles", "values", "where to go", OP_ERR_ARGUMENT, {"dat 'ions_next' is the library's"},
              CALL(add_with(op_particle_next(w.ions), long_values))),
      refused("op_add_particles", "values", "twice", OP_ERR_ARGUMENT, {"dat 'charge' has values twice"},
              CALL(add_twice(w.charge))),
      refused("op_decl_dat", "data", "of particles", OP_ERR_ARGUMENT,
              {"dat 'new' is on the particles 'ions'", "pass NULL here, and the values to op_add_particles()"},
              CALL(op_decl_dat(w.ions, 1, "double", values, "new"))),
      refused("op_decl_dat_char", "data", "of particles", OP_ERR_ARGUMENT,
              {"dat 'new' is on the particles 'ions'", "op_add_particles()"},
              CALL(op_decl_dat_char(w.ions, 1, "pair", 16, bytes(), "new"))),
      refused("op_put_data", "dat", "identities", OP_ERR_ACCESS,
              {"dat 'ions_identity' has the identities of the particles 'ions'", "only be read"},
              CALL(op_put_data(op_particle_identity(w.ions), long_values))),
      refused("op_dat_acquire", "access", "to write identities", OP_ERR_ACCESS,
              {"dat 'ions_identity' has the identities of the particles 'ions'", "only be read (OP_READ)"},
              CALL(op_dat_acquire(op_particle_identity(w.ions), OP_RW))),
      refused("op_free_dat_temp", "dat", "where to go", OP_ERR_ARGUMENT, {"dat 'ions_next' is not temporary"},
              CALL(op_free_dat_temp(op_particle_next(w.ions)))),
      refused("op_map_compose", "second", "from other elements", OP_ERR_SET,
              {"map 'ions_cell' leads to set 'triangles', but map 'edge_nodes' starts from set 'edges'"},
              CALL(op_map_compose(w.ion_cell, w.edge_nodes, "new"))),
  };
  rows.insert(rows.end(), others.begin(), others.end());
}

void add_loops(std::vector<Wrong> &rows) {
  const auto loop = [&rows](const char *function, const char *parameter, const char *value, op_status status,
                            std::vector<std::string> words, std::function<Result()> call) {
    words.insert(words.begin(), "loop 'flux', argument 0 (from 0)");
    rows.push_back(refused(function, parameter, value, status, std::move(words), std::move(call), "op_par_loop"));
  };
  loop("op_arg_dat", "acc", "to write identities", OP_ERR_ACCESS,
       {"dat 'ions_identity' has the identities of the particles 'ions', which can only be read (OP_READ)"},
       CALL(loop_over_ions(direct(op_particle_identity(w.ions), "ll", OP_WRITE))));
  loop("op_arg_dat", "dat", "of nodes, in a loop over particles", OP_ERR_SET,
       {"dat 'scratch' is on set 'nodes', but the loop runs over set 'ions'; reach it through a map"},
       CALL(loop_over_ions(direct(w.scratch, "int", OP_READ))));
  loop("op_arg_dat", "map", "of edges, in a loop over particles", OP_ERR_SET,
       {"map 'edge_nodes' starts from set 'edges', but the loop runs over set 'ions'"},
       CALL(loop_over_ions(op_arg_dat(w.scratch, 0, w.edge_nodes, 1, "int", OP_READ))));
  loop("op_arg_idx", "map", "none, in a loop over particles", OP_ERR_UNSUPPORTED,
       {"the particles 'ions' have no fixed numbers; read their identities (op_particle_identity)"},
       CALL(loop_over_ions(op_arg_idx(-1, OP_ID))));
  loop("op_arg_gbl_reduce", "reduction", "in a loop over particles", OP_ERR_UNSUPPORTED,
       {"a reduction of the program's own", "the particles 'ions' do not have; reduce with OP_INC, OP_MIN or OP_MAX"},
       CALL(loop_over_ions(op_arg_gbl_reduce(values, 1, "double", w.sum))));
  rows.push_back(refused(
      "op_arg_dat", "dat", "of particles, in a loop over edges", OP_ERR_SET,
      {"dat 'charge' is on set 'ions', but the loop runs over set 'edges'; no map leads to particles"},
      [] {
        const op_arg arg = direct(world().charge, "double", OP_READ);
        return Result(op_par_loop(idle(), "flux", world().edges, 1, &arg));
      },
      "op_par_loop"));
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows = {
      set_of_mesh("op_decl_map", "from", CALL(op_decl_map(w.ions, w.nodes, 2, pairs, "new"))),
      set_of_mesh("op_decl_map", "to", CALL(op_decl_map(w.edges, w.ions, 2, pairs, "new"))),
      set_of_mesh("op_decl_map_long", "from", CALL(op_decl_map_long(w.ions, w.nodes, 2, long_pairs, "new"))),
      set_of_mesh("op_decl_map_long", "to", CALL(op_decl_map_long(w.edges, w.ions, 2, long_pairs, "new"))),
      set_of_mesh("op_partition", "set", CALL(op_partition("", "", w.ions, w.edge_nodes, w.x))),
      set_of_mesh("op_partition_with", "params", CALL(partition_with(w.ions, nullptr, nullptr))),
      set_of_mesh("op_decl_map_hdf5", "from", CALL(op_decl_map_hdf5(w.ions, w.nodes, 2, no_file, "new"))),
      set_of_mesh("op_decl_map_hdf5", "to", CALL(op_decl_map_hdf5(w.edges, w.ions, 2, no_file, "new"))),
      set_of_mesh("op_decl_dat_hdf5", "set", CALL(op_decl_dat_hdf5(w.ions, 1, "double", no_file, "new"))),
      set_of_mesh("op_get_order", "set", CALL(op_get_order(w.ions, numbers))),
      set_of_mesh("op_mpi_halo_exchanges", "set", CALL(by_hand(w.ions))),
      map_of_mesh("op_map_compose", "second", CALL(op_map_compose(w.edge_nodes, w.ion_cell, "new"))),
      map_of_mesh("op_partition", "map", CALL(op_partition("", "", w.nodes, w.ion_nodes, w.x))),
      map_of_mesh("op_partition_with", "params", CALL(partition_with(nullptr, w.ion_nodes, nullptr))),
      map_of_mesh("op_put_map_rows", "map", CALL(op_put_map_rows(w.ion_nodes, 0, nullptr, nullptr))),
      map_of_mesh("op_renumber", "base", CALL(op_renumber(w.ion_nodes))),
      map_of_mesh("op_renumber_with", "params", CALL(renumber_with(w.ion_nodes, nullptr))),
      map_of_mesh("op_view_cells", "map", CALL(op_view_cells(w.view, w.ion_nodes, OP_CELL_TRIANGLE))),
      map_of_mesh("op_decl_neighbours", "map", CALL(op_decl_neighbours(w.tracer, w.ion_nodes, "new"))),
      dat_of_mesh("op_partition", "coordinates", CALL(op_partition("", "", w.nodes, w.edge_nodes, w.charge))),
      dat_of_mesh("op_partition_with", "params", CALL(partition_with(nullptr, nullptr, w.charge))),
      dat_of_mesh("op_repartition", "params", CALL(repartition(w.charge, nullptr))),
      dat_of_mesh("op_repartition", "params", CALL(repartition(nullptr, w.charge))),
      dat_of_mesh("op_renumber_with", "params", CALL(renumber_with(nullptr, w.charge))),
      dat_of_mesh("op_carry", "from", CALL(op_carry(w.charge, w.flow_speed, in_cell, 0, nullptr, nullptr))),
      dat_of_mesh("op_carry", "to", CALL(op_carry(w.length, w.charge, in_cell, 0, nullptr, nullptr))),
      dat_of_mesh("op_decl_view", "coordinates", CALL(op_decl_view(w.charge, "new"))),
      dat_of_mesh("op_view_field", "dat", CALL(op_view_field(w.view, w.charge, "new"))),
      dat_of_mesh("op_decl_tracer", "velocity", CALL(op_decl_tracer(w.shape, w.charge))),
      dat_of_mesh("op_tracer_pathlines", "later", CALL(op_tracer_pathlines(w.tracer, w.charge, 1))),
      dat_of_mesh("op_ftle", "exponent", CALL(op_ftle(w.tracer, &timed, w.charge))),
      dat_of_mesh("op_fetch_data_hdf5_file", "dat", CALL(op_fetch_data_hdf5_file(w.charge, no_file))),
      dat_of_mesh("op_fetch_data_hdf5_file_path", "dat", CALL(op_fetch_data_hdf5_file_path(w.charge, no_file, "c"))),
      dat_of_mesh("op_fetch_data_hdf5_file_async", "dat", CALL(op_fetch_data_hdf5_file_async(w.charge, no_file))),
      dat_of_mesh("op_fetch_data_hdf5_file_path_async", "dat",
                  CALL(op_fetch_data_hdf5_file_path_async(w.charge, no_file, "c"))),
      dat_of_mesh("op_print_dat_to_txtfile", "dat", CALL(op_print_dat_to_txtfile(w.charge, no_file))),
      dat_of_mesh("op_print_dat_to_binfile", "dat", CALL(op_print_dat_to_binfile(w.charge, no_file))),
      dat_of_mesh("op_update_copies", "dat", CALL(op_update_copies(w.charge))),
      dat_of_mesh("op_dat_sync_host", "dat", CALL(op_dat_sync_host(w.charge))),
      dat_of_mesh("op_dat_mark_host_new", "dat", CALL(op_dat_mark_host_new(w.charge))),
      dat_of_mesh("op_mpi_set_dirtybit", "args", CALL(written_by_hand())),
      without_numbers("op_fetch_data_all", CALL(op_fetch_data_all(w.charge, values))),
      without_numbers("op_fetch_data_idx", CALL(op_fetch_data_idx(w.charge, values, 0, 1))),
      without_numbers("op_put_data_all", CALL(op_put_data_all(w.charge, values))),
      without_numbers("op_put_data_idx", CALL(op_put_data_idx(w.charge, values, 0, 1))),
      without_numbers("op_fetch_data_hdf5", CALL(op_fetch_data_hdf5(w.charge, values, 0, 1))),
  };
  add_calls_about_particles(rows);
  add_loops(rows);
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_particles() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

void send(const Numbers &where) { ASSERT_EQ(OP_OK, op_put_data(op_particle_next(world().ions), where.data())); }

// The call fails and changes nothing.
void expect_no(const char *function, op_status status, const std::vector<std::string> &words,
               std::function<Result()> call, const char *reporter = nullptr) {
  SCOPED_TRACE(function);
  expect_refused(refused(function, "", "", status, words, std::move(call), reporter));
}

TEST_F(InSession, ParticlesDoNotGoToCellsThatDoNotExist) {
  send({OP_PARTICLE_ARRIVED, 1});
  expect_no("op_move_particles", OP_ERR_RANGE,
            {"particle 1 of 'ions' is to go to cell 1", "set 'triangles' has 1 cells, from 0", "OP_PARTICLE_GONE (-1)"},
            CALL(op_move_particles(w.ions)));
  send({-3, OP_PARTICLE_GONE});
  expect_no("op_move_particles", OP_ERR_RANGE, {"particle 0 of 'ions' is to go to cell -3", "OP_PARTICLE_ARRIVED (-2)"},
            CALL(op_move_particles(w.ions)));
  EXPECT_EQ(2, op_get_size(world().ions));
  send({OP_PARTICLE_ARRIVED, OP_PARTICLE_GONE});
  EXPECT_EQ(0, op_move_particles(world().ions)) << op_last_error();
  EXPECT_EQ(1, op_get_size(world().ions));
}

TEST_F(InSession, ParticlesThatCountFromOneAreRefusedInTheirNumbers) {
  const op_set set = op_decl_particles_from(world().triangles, "from one", 1);
  const op_gindex cells[] = {0, 1}, beyond[] = {2, 1};
  EXPECT_EQ(OP_ERR_RANGE, op_add_particles(set, 2, beyond, 0, nullptr));
  expect_error("op_add_particles", OP_ERR_RANGE, {"is in cell 2; set 'triangles' has 1 cells, from 1"});
  ASSERT_EQ(OP_OK, op_add_particles(set, 2, cells, 0, nullptr)) << op_last_error(); // the first is outside
  long long number = 0;
  ASSERT_EQ(OP_OK, op_fetch_data(op_particle_identity(set), &number));
  EXPECT_EQ(1, number);
  for (const long long bad : {2ll, -2ll, std::numeric_limits<long long>::min()}) {
    ASSERT_EQ(OP_OK, op_put_data(op_particle_next(set), &bad));
    EXPECT_EQ(-1, op_move_particles(set));
    expect_error("op_move_particles", OP_ERR_RANGE,
                 {"particle 1 of 'from one' is to go to cell " + std::to_string(bad), "1 cells, from 1",
                  "OP_PARTICLE_GONE (0) and OP_PARTICLE_ARRIVED (-1)"});
  }
  const long long itself = 1, gone = OP_PARTICLE_GONE + 1;
  ASSERT_EQ(OP_OK, op_put_data(op_particle_next(set), &itself));
  EXPECT_EQ(1, op_move_particles(set)) << op_last_error();
  ASSERT_EQ(OP_OK, op_put_data(op_particle_next(set), &gone));
  EXPECT_EQ(0, op_move_particles(set)) << op_last_error();
  EXPECT_EQ(0, op_get_size(set));
}

TEST_F(InSession, WhatMustWaitForAMoveIsRefused) {
  const World &w = world();
  ASSERT_EQ(OP_OK, deposit()); // prepared before the move
  send({0, OP_PARTICLE_ARRIVED});
  ASSERT_EQ(1, op_move_particles(w.ions)) << op_last_error();
  expect_no("op_add_particles", OP_ERR_STATE,
            {"particles 'ions' are on their way; call op_move_particles() until it returns 0"},
            CALL(add(2, in_cell, 0, nullptr)));
  for (int again = 0; again < 2; ++again)
    expect_no("op_par_loop", OP_ERR_STATE,
              {"loop 'flux': particles 'ions' are on their way", "comes after the move (op_move_particles)"},
              CALL(deposit()));
  expect_no("op_par_loop", OP_ERR_STATE, {"particles 'ions' are on their way"},
            CALL(loop_over_ions(op_arg_dat(w.scratch, 1, w.ion_nodes, 1, "int", OP_WRITE)))); // a new one
  expect_no("op_renumber", OP_ERR_STATE, {"particles 'ions' are on their way", "let them arrive first"},
            CALL(op_renumber(w.edge_nodes)));
  EXPECT_EQ(OP_OK, loop_over_ions(op_arg_dat(w.scratch, 1, w.ion_nodes, 1, "int", OP_READ))) << op_last_error();
  send({OP_PARTICLE_ARRIVED, OP_PARTICLE_ARRIVED});
  EXPECT_EQ(0, op_move_particles(w.ions)) << op_last_error();
  EXPECT_EQ(OP_OK, deposit()) << op_last_error();
  EXPECT_EQ(OP_OK, add(2, in_cell, 0, nullptr)) << op_last_error();
  EXPECT_EQ(OP_OK, op_renumber(w.edge_nodes)) << op_last_error();
  EXPECT_EQ(4, op_get_size(w.ions));
}

TEST_F(InSession, ParticlesDoNotMoveUnderTheProgramsHands) {
  const World &w = world();
  send({0, OP_PARTICLE_GONE});
  ASSERT_NE(nullptr, op_dat_acquire(w.charge, OP_RW));
  expect_no("op_move_particles", OP_ERR_STATE, {"dat 'charge' is acquired; call op_dat_release() first"},
            CALL(op_move_particles(w.ions)));
  expect_no("op_add_particles", OP_ERR_STATE, {"dat 'charge' is acquired; call op_dat_release() first"},
            CALL(add(2, in_cell, 0, nullptr)));
  expect_no("op_renumber", OP_ERR_STATE, {"dat 'charge' is acquired"}, CALL(op_renumber(w.edge_nodes)));
  ASSERT_EQ(OP_OK, op_dat_release(w.charge));
  ASSERT_NE(nullptr, op_dat_acquire(w.x, OP_RW));
  expect_no("op_renumber", OP_ERR_STATE, {"dat 'x' is acquired"}, CALL(op_renumber(w.edge_nodes)));
  ASSERT_EQ(OP_OK, op_dat_release(w.x));
  EXPECT_EQ(1, op_move_particles(w.ions)) << op_last_error();
  EXPECT_NE(nullptr, op_dat_acquire(op_particle_identity(w.ions), OP_READ)) << op_last_error();
}

// A new map may be a reason for another order of the mesh, which comes before the next loop.
TEST_F(Library, ADeclarationBeforeAMoveDoesNotStopIt) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "seq";
  ASSERT_EQ(OP_OK, op_init_with(&params));
  const op_set cells = op_decl_set(2, "cells"), ions = op_decl_particles(cells, "ions");
  ASSERT_EQ(OP_OK, op_add_particles(ions, 2, in_cell, 0, nullptr)) << op_last_error();
  const long long where[] = {OP_PARTICLE_GONE, OP_PARTICLE_ARRIVED};
  ASSERT_EQ(OP_OK, op_put_data(op_particle_next(ions), where));
  ASSERT_NE(nullptr, op_decl_map(cells, cells, 1, pairs, "late"));
  EXPECT_EQ(0, op_move_particles(ions)) << op_last_error();
  EXPECT_EQ(1, op_get_size(ions));
}

TEST_F(InSession, OnlyMapsToCellsCanBeComposedWithMore) {
  const World &w = world();
  const int three[] = {0, 0, 0, 0};
  const op_map further = op_decl_map(w.nodes, w.edges, 1, three, "further");
  EXPECT_EQ(nullptr, op_map_compose(w.ion_nodes, further, "new"));
  expect_error("op_map_compose", OP_ERR_SET,
               {"map 'ion_nodes' follows the particles 'ions' already", "compose the maps of the mesh first",
                "'ions_cell' with the result"});
  const op_map together = op_map_compose(w.triangle_nodes, further, "together");
  EXPECT_NE(nullptr, op_map_compose(w.ion_cell, together, "new")) << op_last_error();
}

TEST_F(InSession, NoParticlesAreFetchedWithoutNumbers) {
  const op_set none = op_decl_particles(world().triangles, "none");
  const op_dat dat = op_decl_dat(none, 1, "double", nullptr, "of none");
  EXPECT_EQ(OP_ERR_UNSUPPORTED, op_fetch_data_all(dat, values));
  expect_error("op_fetch_data_all", OP_ERR_UNSUPPORTED, {"dat 'of none' is on the particles 'none'"});
  EXPECT_EQ(OP_OK, op_fetch_data(dat, nullptr)) << op_last_error();
  EXPECT_EQ(OP_OK, op_add_particles(none, 0, nullptr, 0, nullptr)) << op_last_error();
  EXPECT_EQ(0, op_move_particles(none)) << op_last_error();
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
