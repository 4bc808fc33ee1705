// handles.cpp: every parameter that takes a set, a map, a dat, a reduction or a global, with everything that is none:
// NULL, readable and unreadable addresses, handles of the other kinds, of a session that has ended, of a dat that was
// freed.
#include <cstdint>

#include "loop_with.hpp"
#include "op2/change.h"
#include "op2/compat.h"
#include "op2/fortran_support.h"
#include "op2/global.h"
#include "op2/hand_loop.h"
#include "op2/hdf5.h"
#include "op2/inspect.h"
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

struct HandleParameter {
  const char *function, *parameter;
  std::string kind;  // "set", "map", "dat", "reduction", "global"
  std::string words; // how messages call the parameter
  std::function<Result(void *handle)> call;
  const char *reporter = nullptr;
  op_status when_null = OP_ERR_HANDLE; // OP_OK: may be NULL
  std::string null_words = "is NULL";
};

template <class Handle>
HandleParameter takes(const char *function, const char *parameter, const char *kind, const char *words,
                      Result (*call)(const World &, Handle)) {
  return {function, parameter, kind, words, [call](void *h) { return call(world(), static_cast<Handle>(h)); }};
}
#define TAKES(type, kind, function, parameter, words, ...) \
  takes<type>(#function, parameter, kind, words,           \
              []([[maybe_unused]] const World &w, type h) -> Result { return __VA_ARGS__; })
#define TAKES_SET(...) TAKES(op_set, "set", __VA_ARGS__)
#define TAKES_MAP(...) TAKES(op_map, "map", __VA_ARGS__)
#define TAKES_DAT(...) TAKES(op_dat, "dat", __VA_ARGS__)

double values[8];
const op_gindex parents[] = {0, 1, 2, -1};
char *bytes() { return reinterpret_cast<char *>(values); }
const int pairs[6] = {0, 1, 1, 2, 2, 3};
const long long long_pairs[6] = {0, 1, 1, 2, 2, 3};
int numbers[4];
const char *const no_file = "badinput_must_not_exist";
const op_particle_values no_values{};

HandleParameter in_loop(HandleParameter parameter, const std::string &null_words = "is NULL") {
  parameter.reporter = "op_par_loop";
  parameter.words = "loop 'flux', argument 1 (from 0): " + parameter.words;
  parameter.null_words = null_words;
  return parameter;
}
// NULL is no variable either.
HandleParameter in_loop_or_variable(const HandleParameter &parameter) {
  HandleParameter out = in_loop(parameter, "variable is NULL; pass its address, or an op_global");
  out.when_null = OP_ERR_ARGUMENT;
  return out;
}
HandleParameter optional(HandleParameter parameter) {
  parameter.when_null = OP_OK;
  return parameter;
}

std::vector<HandleParameter> parameters() {
  const std::string none = "OP_ID is given"; // NULL says: no map
  static op_loop_site site = OP_LOOP_SITE(idle(), nullptr, "idle");
  return {
      TAKES_SET(op_get_size, "set", "the set", op_get_size(h)),
      TAKES_SET(op_get_global_set_offset, "set", "the set", op_get_global_set_offset(h)),
      TAKES_SET(op_get_size_declared, "set", "the set", op_get_size_declared(h)),
      TAKES_SET(op_get_size_local, "set", "the set", op_get_size_local(h)),
      TAKES_SET(op_get_size_local_core, "set", "the set", op_get_size_local_core(h)),
      TAKES_SET(op_get_size_local_exec, "set", "the set", op_get_size_local_exec(h)),
      TAKES_SET(op_get_size_local_full, "set", "the set", op_get_size_local_full(h)),
      TAKES_SET(op_set_name, "set", "the set", op_set_name(h)),
      TAKES_MAP(op_map_name, "map", "the map", op_map_name(h)),
      TAKES_MAP(op_map_dim, "map", "the map", op_map_dim(h)),
      TAKES_MAP(op_map_from, "map", "the map", op_map_from(h)),
      TAKES_MAP(op_map_to, "map", "the map", op_map_to(h)),
      TAKES_DAT(op_dat_name, "dat", "the dat", op_dat_name(h)),
      TAKES_DAT(op_dat_type, "dat", "the dat", op_dat_type(h)),
      TAKES_DAT(op_dat_dim, "dat", "the dat", op_dat_dim(h)),
      TAKES_DAT(op_dat_type_size, "dat", "the dat", op_dat_type_size(h)),
      TAKES_DAT(op_dat_set, "dat", "the dat", op_dat_set(h)),
      TAKES_DAT(op_dat_sync_host, "dat", "the dat", op_dat_sync_host(h)),
      TAKES_DAT(op_dat_mark_host_new, "dat", "the dat", op_dat_mark_host_new(h)),
      TAKES_DAT(op_update_copies, "dat", "the dat", op_update_copies(h)),
      TAKES_SET(op_mpi_halo_exchanges, "set", "the set", op_mpi_halo_exchanges(h, 0, nullptr)),
      TAKES_DAT(op_fetch_data, "dat", "the dat", op_fetch_data(h, values)),
      TAKES_DAT(op_fetch_data_char, "dat", "the dat", op_fetch_data_char(h, bytes())),
      TAKES_DAT(op_fetch_data_own, "dat", "the dat", op_fetch_data_own(h, values)),
      TAKES_DAT(op_fetch_data_all, "dat", "the dat", op_fetch_data_all(h, values)),
      TAKES_DAT(op_fetch_data_idx, "dat", "the dat", op_fetch_data_idx(h, values, 0, 1)),
      TAKES_DAT(op_carry, "from", "argument 'from'",
                op_carry(h, world().flow_speed, parents, OP_CARRY_VALUES, nullptr, nullptr)),
      TAKES_DAT(op_carry, "to", "argument 'to'",
                op_carry(world().length, h, parents, OP_CARRY_VALUES, nullptr, nullptr)),
      TAKES_DAT(op_put_data, "dat", "the dat", op_put_data(h, values)),
      TAKES_DAT(op_put_data_all, "dat", "the dat", op_put_data_all(h, values)),
      TAKES_DAT(op_put_data_idx, "dat", "the dat", op_put_data_idx(h, values, 0, 1)),
      TAKES_DAT(op_dat_acquire, "dat", "the dat", op_dat_acquire(h, OP_RW)),
      TAKES_DAT(op_dat_release, "dat", "the dat", op_dat_release(h)),
      TAKES_DAT(op_dat_set_storage, "dat", "argument 'dat'", op_dat_set_storage(h, OP_STORAGE_AUTO)),
      TAKES_DAT(op_free_dat_temp, "dat", "the dat", op_free_dat_temp(h)),
      TAKES_SET(op_decl_map, "from", "argument 'from' of map 'new'", op_decl_map(h, w.nodes, 2, pairs, "new")),
      TAKES_SET(op_decl_map, "to", "argument 'to' of map 'new'", op_decl_map(w.edges, h, 2, pairs, "new")),
      TAKES_SET(op_decl_map_long, "from", "argument 'from' of map 'new'",
                op_decl_map_long(h, w.nodes, 2, long_pairs, "new")),
      TAKES_SET(op_decl_map_long, "to", "argument 'to' of map 'new'",
                op_decl_map_long(w.edges, h, 2, long_pairs, "new")),
      TAKES_MAP(op_map_compose, "first", "argument 'first'", op_map_compose(h, w.edge_nodes, "new")),
      TAKES_MAP(op_map_compose, "second", "argument 'second'", op_map_compose(w.edge_nodes, h, "new")),
      TAKES_SET(op_decl_dat, "set", "argument 'set' of dat 'new'", op_decl_dat(h, 1, "double", values, "new")),
      TAKES_SET(op_decl_dat_char, "set", "argument 'set' of dat 'new'",
                op_decl_dat_char(h, 1, "pair", 16, bytes(), "new")),
      TAKES_SET(op_decl_dat_temp, "set", "argument 'set' of dat 'new'", op_decl_dat_temp(h, 1, "double", "new")),
      TAKES_SET(op_decl_dat_temp_char, "set", "argument 'set' of dat 'new'",
                op_decl_dat_temp_char(h, 1, "pair", 16, "new")),
      optional(TAKES_SET(op_partition, "set", "argument 'set'", op_partition("", "", h, w.edge_nodes, w.x))),
      optional(TAKES_MAP(op_partition, "map", "argument 'map'", op_partition("", "", w.nodes, h, w.x))),
      optional(TAKES_DAT(op_partition, "coordinates", "argument 'coordinates'",
                         op_partition("", "", w.nodes, w.edge_nodes, h))),
      TAKES_SET(op_decl_map_hdf5, "from", "argument 'from' of map 'new'",
                op_decl_map_hdf5(h, w.nodes, 2, no_file, "new")),
      TAKES_SET(op_decl_map_hdf5, "to", "argument 'to' of map 'new'", op_decl_map_hdf5(w.edges, h, 2, no_file, "new")),
      TAKES_SET(op_decl_dat_hdf5, "set", "argument 'set' of dat 'new'",
                op_decl_dat_hdf5(h, 1, "double", no_file, "new")),
      TAKES_DAT(op_fetch_data_hdf5, "dat", "the dat", op_fetch_data_hdf5(h, values, 0, 1)),
      TAKES_DAT(op_fetch_data_hdf5_file, "dat", "the dat", op_fetch_data_hdf5_file(h, no_file)),
      TAKES_DAT(op_fetch_data_hdf5_file_path, "dat", "the dat", op_fetch_data_hdf5_file_path(h, no_file, "new")),
      TAKES_DAT(op_fetch_data_hdf5_file_async, "dat", "the dat", op_fetch_data_hdf5_file_async(h, no_file)),
      TAKES_DAT(op_fetch_data_hdf5_file_path_async, "dat", "the dat",
                op_fetch_data_hdf5_file_path_async(h, no_file, "new")),
      TAKES_DAT(op_print_dat_to_txtfile, "dat", "the dat", op_print_dat_to_txtfile(h, no_file)),
      TAKES_DAT(op_print_dat_to_binfile, "dat", "the dat", op_print_dat_to_binfile(h, no_file)),
      TAKES_DAT(op_decl_view, "coordinates", "the dat of coordinates", op_decl_view(h, "new")),
      TAKES_MAP(op_view_cells, "map", "the map of the cells", op_view_cells(w.view, h, OP_CELL_LINE)),
      TAKES_DAT(op_view_field, "dat", "the dat of the field", op_view_field(w.view, h, "new")),
      TAKES_MAP(op_put_map_rows, "map", "the map", op_put_map_rows(h, 0, nullptr, nullptr)),
      TAKES_MAP(op_renumber, "base", "the map 'base'", op_renumber(h)),
      TAKES_SET(op_get_order, "set", "the set", op_get_order(h, numbers)),
      TAKES_SET(op_decl_particles, "cells", "argument 'cells' of particles 'new'", op_decl_particles(h, "new")),
      TAKES_SET(op_decl_particles_from, "cells", "argument 'cells' of particles 'new'",
                op_decl_particles_from(h, "new", 1)),
      TAKES_SET(op_particle_cell, "particles", "argument 'particles'", op_particle_cell(h)),
      TAKES_SET(op_particle_identity, "particles", "argument 'particles'", op_particle_identity(h)),
      TAKES_SET(op_particle_next, "particles", "argument 'particles'", op_particle_next(h)),
      TAKES_SET(op_add_particles, "particles", "argument 'particles'", op_add_particles(h, 0, nullptr, 0, &no_values)),
      TAKES_SET(op_move_particles, "particles", "argument 'particles'", op_move_particles(h)),
      TAKES_SET(op_par_loop, "set", "loop 'flux': the set", op_par_loop(idle(), "flux", h, 0, nullptr)),
      {"op_par_loop_site", "set", "set", "loop 'flux': the set",
       [](void *p) -> Result { return op_par_loop_site(&site, "flux", static_cast<op_set>(p), 0, nullptr); },
       "op_par_loop"},
      TAKES_SET(op_par_loop_until, "set", "loop 'flux': the set", op_par_loop_until(idle(), "flux", h, 0, nullptr)),
      {"op_par_loop_until_site", "set", "set", "loop 'flux': the set",
       [](void *p) -> Result { return op_par_loop_until_site(&site, "flux", static_cast<op_set>(p), 0, nullptr); },
       "op_par_loop_until"},
      in_loop(TAKES_DAT(op_arg_dat, "dat", "the dat", loop_with(op_arg_dat(h, -1, OP_ID, 1, "double", OP_READ)))),
      in_loop(TAKES_MAP(op_arg_dat, "map", "the map", loop_with(op_arg_dat(w.x, 0, h, 2, "double", OP_READ))), none),
      in_loop(TAKES_DAT(op_opt_arg_dat, "dat", "the dat",
                        loop_with(op_opt_arg_dat(1, h, -1, OP_ID, 1, "double", OP_READ)))),
      in_loop(
          TAKES_MAP(op_opt_arg_dat, "map", "the map", loop_with(op_opt_arg_dat(1, w.x, 0, h, 2, "double", OP_READ))),
          none),
      in_loop(TAKES_DAT(op_arg_dat_to, "dat", "the dat", loop_with(filled([&](op_arg *a) {
                          op_arg_dat_to(a, 1, h, -1, OP_ID, 1, "double", OP_READ);
                        })))),
      in_loop(TAKES_MAP(op_arg_dat_to, "map", "the map",
                        loop_with(filled([&](op_arg *a) { op_arg_dat_to(a, 1, w.x, 0, h, 2, "double", OP_READ); }))),
              none),
      in_loop(TAKES_MAP(op_arg_idx, "map", "the map", loop_with(op_arg_idx(0, h))), none),
      in_loop(TAKES_MAP(op_arg_idx_to, "map", "the map", loop_with(filled([&](op_arg *a) { op_arg_idx_to(a, 0, h); }))),
              none),
      in_loop(TAKES_MAP(op_arg_idx_based_to, "map", "the map",
                        loop_with(filled([&](op_arg *a) { op_arg_idx_based_to(a, 0, h, 1); }))),
              none),
      in_loop(TAKES(op_reduction, "reduction", op_arg_gbl_reduce, "reduction", "the reduction",
                    loop_with(op_arg_gbl_reduce(values, 1, "double", h)))),
      in_loop(TAKES(op_reduction, "reduction", op_arg_gbl_reduce_to, "reduction", "the reduction",
                    loop_with(filled([&](op_arg *a) { op_arg_gbl_reduce_to(a, values, 1, "double", h); })))),
      in_loop(TAKES(op_reduction, "reduction", op_arg_global_reduce, "reduction", "the reduction",
                    loop_with(op_arg_global_reduce(w.total, 2, "double", h)))),
      in_loop(TAKES(op_reduction, "reduction", op_arg_global_reduce_to, "reduction", "the reduction",
                    loop_with(filled([&](op_arg *a) { op_arg_global_reduce_to(a, w.total, 2, "double", h); })))),
      TAKES(op_global, "global", op_put_global, "global", "the global", op_put_global(h, values)),
      TAKES(op_global, "global", op_fetch_global, "global", "the global", op_fetch_global(h, values)),
      TAKES(op_global, "global", op_global_dim, "global", "the global", op_global_dim(h)),
      TAKES(op_global, "global", op_global_type, "global", "the global", op_global_type(h)),
      TAKES(op_global, "global", op_global_name, "global", "the global", op_global_name(h)),
      in_loop_or_variable(TAKES(op_global, "global", op_arg_global, "global", "the global",
                                loop_with(op_arg_global(h, 2, "double", OP_READ)))),
      in_loop_or_variable(TAKES(op_global, "global", op_arg_global_to, "global", "the global",
                                loop_with(filled([&](op_arg *a) { op_arg_global_to(a, h, 2, "double", OP_INC); })))),
      in_loop_or_variable(TAKES(op_global, "global", op_arg_global_reduce, "global", "the global",
                                loop_with(op_arg_global_reduce(h, 2, "double", w.sum)))),
      in_loop_or_variable(
          TAKES(op_global, "global", op_arg_global_reduce_to, "global", "the global",
                loop_with(filled([&](op_arg *a) { op_arg_global_reduce_to(a, h, 2, "double", w.sum); })))),
      in_loop_or_variable(TAKES(op_global, "global", op_arg_global_payload, "global", "the global",
                                loop_with_payload(op_arg_global_payload(h, 2, "double", 0)))),
      in_loop_or_variable(
          TAKES(op_global, "global", op_arg_global_payload_to, "global", "the global",
                loop_with_payload(filled([&](op_arg *a) { op_arg_global_payload_to(a, h, 2, "double", 0); })))),
  };
}

// One thing that is no handle of `kind`.
struct NoHandle {
  const char *what;
  std::string of_kind; // it is a live one of this kind, "" = of none
  std::string words;
  std::function<void *()> address;
};

std::vector<NoHandle> no_handles() {
  return {
      {"zeroed memory", "", " of this context", [] { return zeroed_memory(); }},
      {"garbage", "", " of this context", [] { return garbage_memory(); }},
      {"the middle of an object", "", " of this context",
       [] { return static_cast<void *>(reinterpret_cast<char *>(world().x) + 8); }},
      {"an unreadable address", "", " of this context", [] { return reinterpret_cast<void *>(std::uintptr_t{64}); }},
      {"a text", "", " of this context", [] { return static_cast<void *>(bytes()); }},
      {"a set", "set", "is the set 'edges'; a ", [] { return static_cast<void *>(world().edges); }},
      {"a map", "map", "is the map 'edge_nodes'; a ", [] { return static_cast<void *>(world().edge_nodes); }},
      {"a dat", "dat", "is the dat 'x'; a ", [] { return static_cast<void *>(world().x); }},
      {"a reduction", "reduction", "is a reduction; a ", [] { return static_cast<void *>(world().sum); }},
      {"a global", "global", "is the global 'total'; a ", [] { return static_cast<void *>(world().total); }},
      {"a global of before", "", "from before op_exit()", [] { return static_cast<void *>(world().old.total); }},
      {"a set of before", "", "from before op_exit()", [] { return static_cast<void *>(world().old.nodes); }},
      {"a map of before", "", "from before op_exit()", [] { return static_cast<void *>(world().old.edge_nodes); }},
      {"a dat of before", "", "from before op_exit()", [] { return static_cast<void *>(world().old.length); }},
      {"a reduction of before", "", "from before op_exit()", [] { return static_cast<void *>(world().old.sum); }},
      {"a freed dat", "", "freed", [] { return static_cast<void *>(world().freed); }},
  };
}

} // namespace

const std::vector<Wrong> &wrong_handles() {
  static const std::vector<Wrong> all = [] {
    std::vector<Wrong> rows;
    for (const HandleParameter &p : parameters()) {
      const std::string needed = "a " + p.kind + " is needed";
      std::vector<std::string> null_words{p.null_words};
      rows.push_back(
          {p.function, p.parameter, "NULL", p.when_null, null_words, [p] { return p.call(nullptr); }, p.reporter});
      for (const NoHandle &bad : no_handles()) {
        if (bad.of_kind == p.kind) continue;
        std::vector<std::string> words{p.words + " is", bad.words};
        if (!bad.of_kind.empty()) words.push_back(needed);
        rows.push_back({p.function, p.parameter, bad.what, OP_ERR_HANDLE, words,
                        [p, bad] { return p.call(bad.address()); }, p.reporter});
      }
    }
    return rows;
  }();
  return all;
}

namespace {

// A handle that dies while the library still knows it from a call before.
TEST_F(InSession, AFreedDatIsForgottenByPreparedLoops) {
  const op_arg arg = op_arg_dat(world().scratch, 0, world().edge_nodes, 1, "int", OP_INC);
  ASSERT_EQ(OP_OK, op_par_loop(idle(), "flux", world().edges, 1, &arg));
  ASSERT_EQ(OP_OK, op_free_dat_temp(world().scratch));
  EXPECT_EQ(OP_ERR_HANDLE, op_par_loop(idle(), "flux", world().edges, 1, &arg));
  expect_error("op_par_loop", OP_ERR_HANDLE, {"loop 'flux'", "'scratch' was freed"});
}

// A new object must not get the address of an old one, or an old handle would seem to be good.
TEST_F(Library, HandlesOfManySessionsStayDead) {
  std::vector<op_set> dead;
  for (int session = 0; session < 8; ++session) { // two sessions each
    op_clear_error();
    start_world();
    for (const op_set set : dead) {
      EXPECT_EQ(-1, op_get_size(set));
      expect_error("op_get_size", OP_ERR_HANDLE, {"from before op_exit()"});
    }
    dead.push_back(world().nodes);
    end_world();
  }
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
