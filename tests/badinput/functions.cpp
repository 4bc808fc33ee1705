// functions.cpp: every public function once, with good input: what the tests of moments (before op_init(), after
// op_exit(), on another thread, inside a kernel) call, and how each says that it failed.
#include <cmath>
#include <cstring>

#include "op2/chain.h"
#include "op2/change.h"
#include "op2/checkpoint.h"
#include "op2/compat.h"
#include "op2/fortran_support.h"
#include "op2/global.h"
#include "op2/hand_loop.h"
#include "op2/hdf5.h"
#include "op2/info.h"
#include "op2/inspect.h"
#include "op2/kernel.h"
#include "op2/library.h"
#include "op2/order.h"
#include "op2/particles.h"
#include "op2/partition.h"
#include "op2/reduction.h"
#include "op2/storage.h"
#include "op2/until.h"
#include "op2/user_types.h"
#include "refuse.hpp"

namespace badinput {

namespace {

template <class R, class... A>
constexpr int arity(R (*)(A...)) {
  return sizeof...(A);
}
template <class R, class... A>
constexpr int arity(R (*)(A..., ...)) { // what comes after the format is the program's own
  return sizeof...(A);
}

using OnWorld = Result (*)(const World &);
using Judge = bool (*)(const Result &, bool in_session);

Function row(const char *name, Fails fails, int parameters, OnWorld call, Judge fine) {
  return {name, fails, fine == nullptr, parameters, [call] { return call(world()); }, fine};
}

// Refused without a session of this thread.
#define IN_SESSION(fails, function, ...)         \
  row(                                           \
      #function, Fails::fails, arity(&function), \
      []([[maybe_unused]] const World &w) -> Result { return __VA_ARGS__; }, nullptr)
// Works at any time; `condition` says what r, the result, must be.
#define AT_ANY_TIME(fails, function, condition, ...)                         \
  row(                                                                       \
      #function, Fails::fails, arity(&function),                             \
      []([[maybe_unused]] const World &w) -> Result { return __VA_ARGS__; }, \
      []([[maybe_unused]] const Result &r, [[maybe_unused]] bool in_session) -> bool { return condition; })
#define NOTHING(expression) (expression, Result())

bool text_is(const Result &r, const std::string &expected) {
  return r.pointer && static_cast<const char *>(r.pointer) == expected;
}

double values[8];
char *bytes() { return reinterpret_cast<char *>(values); }
const int pairs[6] = {0, 1, 1, 2, 2, 3};
const long long long_pairs[6] = {0, 1, 1, 2, 2, 3};
void combine(void *, const void *, int) {}
op_arg an_arg;
int a_count;
op_loop_site a_site = OP_LOOP_SITE(idle(), nullptr, "idle");
op_gindex last_element;
const op_arg *stop_argument() {
  static op_arg arg;
  return arg = op_arg_stop(&last_element), &arg;
}
double a_second;
int a_rank = -1;
int numbers[4];
const int two_numbers[2] = {0, 1};
op_mesh read_mesh;
const char *const no_file = "badinput_must_not_exist";
const op_gindex first_element[] = {0}, first_row[] = {0, 1}, three_parents[] = {0, 1, 2, -1};
const op_renumber_params order_params = OP_RENUMBER_PARAMS;
const op_partition_params division_params = OP_PARTITION_PARAMS;
const op_repartition_params balance_params = OP_REPARTITION_PARAMS;
const op_trace_params line_params = [] {
  op_trace_params out = OP_TRACE_PARAMS;
  out.step = 1;
  return out;
}();
const op_trace_params timed_params = [] {
  op_trace_params out = OP_TRACE_PARAMS;
  out.step = out.longest_time = 1;
  return out;
}();
op_lines drawn;
const int ones[2] = {1, 1};

op_arg direct() { return an_arg = op_arg_dat(world().length, -1, OP_ID, 1, "double", OP_READ); }

// What an op_arg_ function gave, as the address of a copy.
const void *kept(const op_arg &arg) {
  an_arg = arg;
  return &an_arg;
}

bool recorded(op_arg_type type, op_access access) { return an_arg.argtype == type && an_arg.acc == access; }

// What a call returned that is meant to leave an error behind.
op_status cleared(op_status status) {
  op_clear_error();
  return status;
}

op_status describe_last_error() {
  op_error error{};
  error.size = sizeof error;
  return op_last_error_info(&error);
}

} // namespace

op_mesh a_mesh() {
  static const op_mesh mesh = [] {
    op_mesh out = nullptr;
    op_mesh_read(OP2_MESH_FILE, nullptr, &out);
    return out;
  }();
  return mesh;
}

const std::vector<Function> &functions() {
  static const std::vector<Function> all = {
      // init.h, version.h, library.h
      AT_ANY_TIME(never, op_is_initialised, r.number == (in_session ? 1 : 0), op_is_initialised()),
      AT_ANY_TIME(never, op_backend, text_is(r, in_session ? "self+seq" : ""), op_backend()),
      AT_ANY_TIME(silently, op_rank, a_rank == 0, NOTHING(op_rank(&a_rank))),
      AT_ANY_TIME(never, op_comm_size, r.number == 1, op_comm_size()),
      AT_ANY_TIME(never, op_is_root, r.number == 1, op_is_root()),
      IN_SESSION(with_status, op_barrier, op_barrier()),
      AT_ANY_TIME(silently, op_printf, true, NOTHING(op_printf("%s", ""))),
      AT_ANY_TIME(with_null, op_setting, text_is(r, "auto"), op_setting("OP2_RACE")),
      AT_ANY_TIME(never, op_info, r.number > 100, op_info(nullptr, 0)),
      AT_ANY_TIME(never, op_version, r.number == OP2_VERSION, op_version()),
      AT_ANY_TIME(never, op_library_services, r.pointer != nullptr, op_library_services()),
      AT_ANY_TIME(never, op_build_info, r.pointer && std::strlen(static_cast<const char *>(r.pointer)) > 5,
                  op_build_info()),
      // op_init(), op_init_with() and op_exit() change what "outside a session" is: start.cpp
      {"op_init", Fails::with_status, false, arity(&op_init), nullptr, nullptr},
      {"op_init_with", Fails::with_status, false, arity(&op_init_with), nullptr, nullptr},
      {"op_exit", Fails::with_status, false, arity(&op_exit), nullptr, nullptr},
      // decl.h
      IN_SESSION(with_null, op_decl_set, op_decl_set(1, "new")),
      IN_SESSION(with_null, op_decl_map, op_decl_map(w.edges, w.nodes, 2, pairs, "new")),
      IN_SESSION(with_null, op_decl_map_long, op_decl_map_long(w.edges, w.nodes, 2, long_pairs, "new")),
      IN_SESSION(with_null, op_map_compose, op_map_compose(w.edge_nodes, w.edge_nodes, "new")),
      IN_SESSION(with_null, op_decl_dat, op_decl_dat(w.nodes, 1, "double", values, "new")),
      IN_SESSION(with_null, op_decl_dat_char, op_decl_dat_char(w.nodes, 1, "pair", 16, bytes(), "new")),
      IN_SESSION(with_null, op_decl_dat_temp, op_decl_dat_temp(w.nodes, 1, "double", "new")),
      IN_SESSION(with_null, op_decl_dat_temp_char, op_decl_dat_temp_char(w.nodes, 1, "pair", 16, "new")),
      IN_SESSION(with_status, op_free_dat_temp, op_free_dat_temp(w.scratch)),
      IN_SESSION(with_status, op_decl_const_named, op_decl_const_named("new", 1, "double", values)),
      IN_SESSION(with_status, op_decl_const_char, op_decl_const_char(1, "pair", 16, bytes(), "new")),
      IN_SESSION(with_null, op_decl_global, op_decl_global(1, "double", values, "new")),
      IN_SESSION(with_null, op_decl_global_char, op_decl_global_char(1, "pair", 16, bytes(), "new")),
      IN_SESSION(with_status, op_put_global, op_put_global(w.total, values)),
      IN_SESSION(with_status, op_fetch_global, op_fetch_global(w.total, values)),
      IN_SESSION(with_minus_one, op_global_dim, op_global_dim(w.total)),
      IN_SESSION(with_null, op_global_type, op_global_type(w.total)),
      IN_SESSION(with_null, op_global_name, op_global_name(w.total)),
      IN_SESSION(with_null, op_decl_reduction, op_decl_reduction("new", "double", 8, combine, values)),
      IN_SESSION(with_status, op_partition, op_partition("", "", w.nodes, w.edge_nodes, w.x)),
      IN_SESSION(with_status, op_partition_with, op_partition_with(&division_params)),
      IN_SESSION(with_status, op_repartition, op_repartition(&balance_params)),
      // kernel.h: constructors of a program may give texts before op_init()
      AT_ANY_TIME(with_status, op_kernel_source, r.number == OP_OK, op_kernel_source(idle(), "idle", "void idle() {}")),
      AT_ANY_TIME(never, op_is_partitioned, r.number == 0, op_is_partitioned()),
      // data.h
      IN_SESSION(with_minus_one, op_get_size, op_get_size(w.nodes)),
      IN_SESSION(with_minus_one, op_get_global_set_offset, op_get_global_set_offset(w.nodes)),
      IN_SESSION(with_minus_one, op_get_size_declared, op_get_size_declared(w.nodes)),
      IN_SESSION(with_minus_one, op_get_size_local, op_get_size_local(w.nodes)),
      IN_SESSION(with_minus_one, op_get_size_local_core, op_get_size_local_core(w.nodes)),
      IN_SESSION(with_minus_one, op_get_size_local_exec, op_get_size_local_exec(w.nodes)),
      IN_SESSION(with_minus_one, op_get_size_local_full, op_get_size_local_full(w.nodes)),
      IN_SESSION(with_null, op_set_name, op_set_name(w.nodes)),
      IN_SESSION(with_null, op_map_name, op_map_name(w.edge_nodes)),
      IN_SESSION(with_null, op_dat_name, op_dat_name(w.x)),
      IN_SESSION(with_null, op_dat_type, op_dat_type(w.x)),
      IN_SESSION(with_minus_one, op_dat_dim, op_dat_dim(w.x)),
      IN_SESSION(with_minus_one, op_dat_type_size, op_dat_type_size(w.x)),
      IN_SESSION(with_null, op_dat_set, op_dat_set(w.x)),
      IN_SESSION(with_minus_one, op_map_dim, op_map_dim(w.edge_nodes)),
      IN_SESSION(with_null, op_map_from, op_map_from(w.edge_nodes)),
      IN_SESSION(with_null, op_map_to, op_map_to(w.edge_nodes)),
      IN_SESSION(with_status, op_fetch_data, op_fetch_data(w.x, values)),
      IN_SESSION(with_status, op_fetch_data_char, op_fetch_data_char(w.x, bytes())),
      IN_SESSION(with_status, op_fetch_data_own, op_fetch_data_own(w.x, values)),
      IN_SESSION(with_status, op_fetch_data_all, op_fetch_data_all(w.x, values)),
      IN_SESSION(with_status, op_fetch_data_idx, op_fetch_data_idx(w.x, values, 0, 3)),
      IN_SESSION(with_status, op_put_data, op_put_data(w.x, values)),
      IN_SESSION(with_status, op_put_data_all, op_put_data_all(w.x, values)),
      IN_SESSION(with_status, op_carry,
                 op_carry(w.length, w.flow_speed, three_parents, OP_CARRY_VALUES, nullptr, nullptr)),
      IN_SESSION(with_status, op_put_map_rows, op_put_map_rows(w.edge_nodes, 1, first_element, first_row)),
      IN_SESSION(with_status, op_put_data_idx, op_put_data_idx(w.x, values, 0, 3)),
      IN_SESSION(with_null, op_dat_acquire, op_dat_acquire(w.x, OP_RW)),
      IN_SESSION(with_status, op_dat_release, op_dat_release(w.x)),
      // storage.h
      IN_SESSION(with_status, op_dat_set_storage, op_dat_set_storage(w.x, OP_STORAGE_AUTO)),
      // hand_loop.h
      IN_SESSION(with_minus_one, op_mpi_halo_exchanges, op_mpi_halo_exchanges(w.edges, 1, (direct(), &an_arg))),
      IN_SESSION(with_status, op_hand_loop_wait, op_hand_loop_wait(0, nullptr)),
      IN_SESSION(with_status, op_mpi_set_dirtybit, op_mpi_set_dirtybit(0, nullptr)),
      IN_SESSION(with_status, op_mpi_reduce_combined, op_mpi_reduce_combined(nullptr, 0)),
      IN_SESSION(with_status, op_update_copies, op_update_copies(w.x)),
      IN_SESSION(with_status, op_dat_sync_host, op_dat_sync_host(w.x)),
      IN_SESSION(with_status, op_dat_mark_host_new, op_dat_mark_host_new(w.x)),
      IN_SESSION(with_null, op_all_sets, op_all_sets(&a_count)),
      IN_SESSION(with_null, op_all_maps, op_all_maps(&a_count)),
      IN_SESSION(with_null, op_all_dats, op_all_dats(&a_count)),
      // hdf5.h
      IN_SESSION(with_null, op_decl_set_hdf5, op_decl_set_hdf5(no_file, "nodes")),
      IN_SESSION(with_null, op_decl_set_hdf5_infer_size, op_decl_set_hdf5_infer_size(no_file, "nodes", "x")),
      IN_SESSION(with_null, op_decl_map_hdf5, op_decl_map_hdf5(w.edges, w.nodes, 2, no_file, "new")),
      IN_SESSION(with_null, op_decl_dat_hdf5, op_decl_dat_hdf5(w.nodes, 1, "double", no_file, "new")),
      IN_SESSION(with_status, op_get_const_hdf5, op_get_const_hdf5("new", 1, "double", values, no_file)),
      IN_SESSION(with_minus_one, op_get_text_hdf5, op_get_text_hdf5("new", "key", nullptr, 0, no_file)),
      IN_SESSION(with_status, op_write_const_hdf5, op_write_const_hdf5("new", 1, "double", values, no_file)),
      IN_SESSION(with_status, op_fetch_data_hdf5, op_fetch_data_hdf5(w.x, values, 0, 3)),
      IN_SESSION(with_status, op_fetch_data_hdf5_file, op_fetch_data_hdf5_file(w.x, no_file)),
      IN_SESSION(with_status, op_fetch_data_hdf5_file_path, op_fetch_data_hdf5_file_path(w.x, no_file, "g/x")),
      IN_SESSION(with_status, op_fetch_data_hdf5_file_async, op_fetch_data_hdf5_file_async(w.x, no_file)),
      IN_SESSION(with_status, op_fetch_data_hdf5_file_path_async,
                 op_fetch_data_hdf5_file_path_async(w.x, no_file, "g/x")),
      IN_SESSION(with_status, op_io_wait, op_io_wait(no_file)),
      IN_SESSION(with_status, op_dump_to_hdf5, op_dump_to_hdf5(no_file)),
      IN_SESSION(with_status, op_print_dat_to_txtfile, op_print_dat_to_txtfile(w.x, no_file)),
      IN_SESSION(with_status, op_print_dat_to_binfile, op_print_dat_to_binfile(w.x, no_file)),
      // checkpoint.h
      IN_SESSION(with_status, op_checkpoint_value, op_checkpoint_value("new", "double", 1, values)),
      IN_SESSION(with_status, op_chain_begin, op_chain_begin("new")),
      IN_SESSION(with_status, op_chain_end, op_chain_end()),
      IN_SESSION(with_status, op_checkpoint, op_checkpoint(no_file)),
      IN_SESSION(with_status, op_restart, op_restart(no_file)),
      IN_SESSION(with_status, op_checkpoint_if_due, op_checkpoint_if_due(no_file, 0, 1)),
      IN_SESSION(with_status, op_restart_latest, op_restart_latest(no_file, numbers)),
      // order.h
      IN_SESSION(with_status, op_renumber, op_renumber(w.edge_nodes)),
      IN_SESSION(with_status, op_renumber_with, op_renumber_with(&order_params)),
      IN_SESSION(with_status, op_get_order, op_get_order(w.nodes, numbers)),
      // view.h
      IN_SESSION(with_null, op_decl_view, op_decl_view(w.x, "new")),
      IN_SESSION(with_status, op_view_cells, op_view_cells(w.view, w.edge_nodes, OP_CELL_LINE)),
      IN_SESSION(with_status, op_view_field, op_view_field(w.view, w.x, "new")),
      IN_SESSION(with_status, op_write_view, op_write_view(w.view, "badinput_must_not_exist.vtkhdf")),
      IN_SESSION(with_status, op_write_view_step, op_write_view_step(w.view, "badinput_must_not_exist.vtkhdf", 0.0)),
      // trace.h
      IN_SESSION(with_null, op_decl_tracer, op_decl_tracer(w.shape, w.flow)),
      IN_SESSION(with_status, op_trace, op_trace(w.tracer, 0, nullptr, &line_params, &drawn)),
      IN_SESSION(with_status, op_tracer_pathlines, op_tracer_pathlines(w.tracer, nullptr, 0)),
      IN_SESSION(with_status, op_ftle, op_ftle(w.tracer, &timed_params, w.flow_speed)),
      IN_SESSION(with_status, op_locate, op_locate(w.tracer, 0, nullptr, nullptr, nullptr, nullptr)),
      IN_SESSION(with_null, op_decl_neighbours, op_decl_neighbours(w.tracer, w.triangle_nodes, "new")),
      IN_SESSION(with_status, op_write_lines, op_write_lines(some_lines(), "badinput_must_not_exist.vtp")),
      AT_ANY_TIME(with_status, op_seed_line, r.number == OP_OK, op_seed_line(2, values, values, 1, values)),
      AT_ANY_TIME(with_status, op_seed_grid, r.number == OP_OK, op_seed_grid(2, values, values, ones, values)),
      AT_ANY_TIME(with_status, op_lines_free, r.number == OP_OK, op_lines_free(nullptr)),
      AT_ANY_TIME(with_null, op_lines_ints, r.pointer != nullptr, op_lines_ints(some_lines(), "end", nullptr, nullptr)),
      AT_ANY_TIME(with_null, op_lines_reals, r.pointer != nullptr, op_lines_reals(some_lines(), "x", nullptr, nullptr)),
      AT_ANY_TIME(never, op_line_end_name, text_is(r, "left"), op_line_end_name(OP_LINE_LEFT)),
      AT_ANY_TIME(with_minus_one, op_lines_info, r.number > 100, op_lines_info(some_lines(), nullptr, 0)),
      // particles.h
      IN_SESSION(with_null, op_decl_particles, op_decl_particles(w.triangles, "new")),
      IN_SESSION(with_null, op_decl_particles_from, op_decl_particles_from(w.triangles, "new", 1)),
      IN_SESSION(with_null, op_particle_cell, op_particle_cell(w.ions)),
      IN_SESSION(with_null, op_particle_identity, op_particle_identity(w.ions)),
      IN_SESSION(with_null, op_particle_next, op_particle_next(w.ions)),
      IN_SESSION(with_status, op_add_particles, op_add_particles(w.ions, 0, nullptr, 0, nullptr)),
      IN_SESSION(with_minus_one, op_move_particles, op_move_particles(w.ions)),
      // loop.h: the op_arg_ functions only record, at any time
      AT_ANY_TIME(never, op_arg_dat, recorded(OP_ARG_DAT, OP_READ), kept(direct())),
      AT_ANY_TIME(never, op_opt_arg_dat, recorded(OP_ARG_DAT, OP_RW) && an_arg.opt == 0,
                  kept(op_opt_arg_dat(0, w.x, -1, OP_ID, 2, "double", OP_RW))),
      AT_ANY_TIME(never, op_arg_gbl, recorded(OP_ARG_GBL, OP_INC) && an_arg.size == 16,
                  kept(op_arg_gbl(values, 2, "double", OP_INC))),
      AT_ANY_TIME(never, op_arg_gbl_char, recorded(OP_ARG_GBL, OP_READ) && an_arg.size == 24,
                  kept(op_arg_gbl_char(bytes(), 2, "triple", 12, OP_READ))),
      AT_ANY_TIME(never, op_arg_gbl_reduce, recorded(OP_ARG_GBL, OP_REDUCE) && an_arg.reduction == world().sum,
                  kept(op_arg_gbl_reduce(values, 1, "double", w.sum))),
      AT_ANY_TIME(never, op_arg_global, recorded(OP_ARG_GBL, OP_INC) && an_arg.global == world().total,
                  kept(op_arg_global(w.total, 2, "double", OP_INC))),
      AT_ANY_TIME(never, op_arg_global_reduce, recorded(OP_ARG_GBL, OP_REDUCE) && an_arg.reduction == world().sum,
                  kept(op_arg_global_reduce(w.total, 2, "double", w.sum))),
      AT_ANY_TIME(never, op_arg_global_payload, recorded(OP_ARG_PAYLOAD, OP_WRITE) && an_arg.idx == 3,
                  kept(op_arg_global_payload(w.total, 2, "double", 3))),
      AT_ANY_TIME(silently, op_arg_global_to, recorded(OP_ARG_GBL, OP_MIN),
                  NOTHING(op_arg_global_to(&an_arg, w.total, 2, "double", OP_MIN))),
      AT_ANY_TIME(silently, op_arg_global_reduce_to, recorded(OP_ARG_GBL, OP_REDUCE),
                  NOTHING(op_arg_global_reduce_to(&an_arg, w.total, 2, "double", w.sum))),
      AT_ANY_TIME(silently, op_arg_global_payload_to, recorded(OP_ARG_PAYLOAD, OP_WRITE) && an_arg.idx == 3,
                  NOTHING(op_arg_global_payload_to(&an_arg, w.total, 2, "double", 3))),
      AT_ANY_TIME(never, op_arg_idx, recorded(OP_ARG_IDX, OP_READ) && an_arg.idx == 1,
                  kept(op_arg_idx(1, w.edge_nodes))),
      AT_ANY_TIME(never, op_arg_payload, recorded(OP_ARG_PAYLOAD, OP_WRITE) && an_arg.idx == 3,
                  kept(op_arg_payload(values, 1, "int", 3))),
      AT_ANY_TIME(never, op_arg_payload_char, recorded(OP_ARG_PAYLOAD, OP_WRITE) && an_arg.size == 12,
                  kept(op_arg_payload_char(bytes(), 1, "triple", 12, 3))),
      AT_ANY_TIME(silently, op_arg_dat_to, recorded(OP_ARG_DAT, OP_INC),
                  NOTHING(op_arg_dat_to(&an_arg, 1, w.x, -1, OP_ID, 2, "double", OP_INC))),
      AT_ANY_TIME(silently, op_arg_gbl_to, recorded(OP_ARG_GBL, OP_MIN),
                  NOTHING(op_arg_gbl_to(&an_arg, values, 1, "double", 0, OP_MIN))),
      AT_ANY_TIME(silently, op_arg_gbl_reduce_to, recorded(OP_ARG_GBL, OP_REDUCE),
                  NOTHING(op_arg_gbl_reduce_to(&an_arg, values, 1, "double", w.sum))),
      AT_ANY_TIME(silently, op_arg_idx_to, recorded(OP_ARG_IDX, OP_READ), NOTHING(op_arg_idx_to(&an_arg, -1, OP_ID))),
      AT_ANY_TIME(silently, op_arg_idx_based_to, recorded(OP_ARG_IDX, OP_READ) && an_arg.sent == 1,
                  NOTHING(op_arg_idx_based_to(&an_arg, -1, OP_ID, 1))),
      AT_ANY_TIME(silently, op_arg_payload_to, recorded(OP_ARG_PAYLOAD, OP_WRITE),
                  NOTHING(op_arg_payload_to(&an_arg, values, 1, "int", 0, 0))),
      IN_SESSION(with_status, op_par_loop, op_par_loop(idle(), "new", w.edges, 1, (direct(), &an_arg))),
      IN_SESSION(with_status, op_par_loop_site, op_par_loop_site(&a_site, "new", w.edges, 1, (direct(), &an_arg))),
      // until.h
      IN_SESSION(with_status, op_par_loop_until, op_par_loop_until(idle(), "new", w.edges, 1, stop_argument())),
      IN_SESSION(with_status, op_par_loop_until_site,
                 op_par_loop_until_site(&a_site, "new", w.edges, 1, stop_argument())),
      AT_ANY_TIME(never, op_arg_stop, recorded(OP_ARG_STOP, OP_RW), kept(op_arg_stop(&last_element))),
      AT_ANY_TIME(silently, op_arg_stop_to, recorded(OP_ARG_STOP, OP_RW) && an_arg.sent == 1,
                  NOTHING(op_arg_stop_to(&an_arg, &last_element, 1))),
      // meshfile.h: meshes live without a session
      AT_ANY_TIME(with_status, op_mesh_read, r.number == OP_OK,
                  (op_mesh_read(OP2_MESH_FILE, nullptr, &read_mesh), op_mesh_free(read_mesh))),
      AT_ANY_TIME(with_status, op_mesh_free, r.number == OP_OK, op_mesh_free(nullptr)),
      AT_ANY_TIME(with_status, op_mesh_scale, r.number == OP_OK, op_mesh_scale(a_mesh(), 1)),
      AT_ANY_TIME(with_minus_one, op_mesh_size, r.number == 2, op_mesh_size(a_mesh(), "cells")),
      AT_ANY_TIME(with_null, op_mesh_ints, r.pointer != nullptr, op_mesh_ints(a_mesh(), "pcell", nullptr, nullptr)),
      AT_ANY_TIME(with_null, op_mesh_reals, r.pointer != nullptr, op_mesh_reals(a_mesh(), "p_x", nullptr, nullptr)),
      AT_ANY_TIME(with_null, op_mesh_patch, text_is(r, "wall"), op_mesh_patch(a_mesh(), 0, nullptr)),
      AT_ANY_TIME(with_minus_one, op_mesh_info, r.number > 100, op_mesh_info(a_mesh(), nullptr, 0)),
      AT_ANY_TIME(with_minus_one, op_mesh_check, r.number == 0, op_mesh_check(a_mesh(), nullptr, 0)),
      AT_ANY_TIME(with_status, op_mesh_reorder, r.number == OP_OK, op_mesh_reorder(a_mesh(), "cells", two_numbers)),
      IN_SESSION(with_status, op_mesh_divide, op_mesh_divide(a_mesh(), 2)),
      IN_SESSION(with_status, op_mesh_dump, op_mesh_dump(a_mesh(), "badinput_must_not_exist")),
      IN_SESSION(with_status, op_mesh_declare, op_mesh_declare(a_mesh())),
      IN_SESSION(with_null, op_mesh_set, op_mesh_set(a_mesh(), "cells")),
      IN_SESSION(with_null, op_mesh_map, op_mesh_map(a_mesh(), "pcell")),
      IN_SESSION(with_null, op_mesh_dat, op_mesh_dat(a_mesh(), "p_x")),
      IN_SESSION(with_null, op_mesh_patch_set, op_mesh_patch_set(a_mesh(), "wall")),
      IN_SESSION(with_null, op_mesh_patch_map, op_mesh_patch_map(a_mesh(), "wall", "cells")),
      // error.h
      AT_ANY_TIME(with_status, op_set_error_handler, r.number == OP_OK, op_set_error_handler(nullptr, nullptr)),
      AT_ANY_TIME(silently, op_error_return, true, NOTHING(op_error_return(nullptr, nullptr))),
      AT_ANY_TIME(never, op_raise, r.number == OP_ERR_RANGE, cleared(op_raise(OP_ERR_RANGE, "call", "why"))),
      AT_ANY_TIME(never, op_last_error, text_is(r, ""), (op_clear_error(), op_last_error())),
      AT_ANY_TIME(never, op_last_status, r.number == OP_OK, (op_clear_error(), op_last_status())),
      AT_ANY_TIME(with_status, op_last_error_info, r.number == OP_OK, describe_last_error()),
      AT_ANY_TIME(never, op_clear_error, op_last_status() == OP_OK, NOTHING(op_clear_error())),
      AT_ANY_TIME(never, op_status_name, text_is(r, "OP_ERR_RANGE"), op_status_name(OP_ERR_RANGE)),
      // timing.h
      AT_ANY_TIME(never, op_timers, a_second > 0, NOTHING((a_second = 0, op_timers(nullptr, &a_second)))),
      AT_ANY_TIME(never, op_timers_core, a_second > 0, NOTHING((a_second = 0, op_timers_core(nullptr, &a_second)))),
      IN_SESSION(with_status, op_timing_output, op_timing_output()),
      IN_SESSION(with_status, op_timings_to_csv, op_timings_to_csv("badinput_must_not_exist")),
      IN_SESSION(with_status, op_timings_to_json, op_timings_to_json("badinput_must_not_exist")),
      IN_SESSION(with_status, op_timing_write, op_timing_write("op2", "badinput_must_not_exist")),
      IN_SESSION(with_status, op_timing_reset, op_timing_reset()),
      IN_SESSION(with_status, op_diagnostic_output, op_diagnostic_output()),
  };
  return all;
}

} // namespace badinput

// SPDX-License-Identifier: MIT
