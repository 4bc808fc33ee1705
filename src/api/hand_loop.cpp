// The door of hand_loop.h, and of the lists in inspect.h.
#include "op2/hand_loop.h"

#include "api/guard.hpp"
#include "op2/inspect.h"
#include "op2/plugin/comm.h"

using namespace op2::core;

namespace {

std::span<op_arg> need_args(int nargs, op_arg *args) {
  if (nargs < 0 || nargs > OP_MAX_ARGS)
    fail(OP_ERR_ARGUMENT, "the number of arguments is ", nargs, "; a loop takes 0 to ", OP_MAX_ARGS);
  if (nargs > 0 && !args) fail(OP_ERR_ARGUMENT, "the array of arguments is NULL");
  return {args, static_cast<std::size_t>(nargs)};
}

// Where programs find rows and maps in OP2's arguments.
void show_rows(std::span<op_arg> args) {
  for (op_arg &arg : args) {
    if (arg.argtype != OP_ARG_DAT || !arg.opt) continue;
    arg.data = arg.dat->data;
    arg.size = arg.dat->size;
    arg.map_data = arg.map ? arg.map->map : nullptr;
  }
}

int operation_of(op_access access) {
  return access == OP_MIN ? OP_COMM_MIN : access == OP_MAX ? OP_COMM_MAX : OP_COMM_SUM;
}

bool is_reduced(const op_arg &arg) {
  return arg.argtype == OP_ARG_GBL && arg.opt && (arg.acc == OP_INC || arg.acc == OP_MIN || arg.acc == OP_MAX);
}

// Whether a variable can be combined over processes.
void need_variable(const op_arg &arg) {
  if (!is_reduced(arg)) return;
  if (!arg.data) fail(OP_ERR_ARGUMENT, "the global variable is NULL; pass its address");
  if (arg.dim < 1) fail(OP_ERR_ARGUMENT, "the dim of the global variable is ", arg.dim, "; it must be at least 1");
  const char *const type = arg.type ? arg.type : "";
  if (!parse_type(type).builtin())
    fail(OP_ERR_TYPE, "type '", type, "' cannot be combined over processes; the built-in ones ", builtin_type_names(),
         " can");
}

// The objects of a list as handles, kept for the program.
template <class Handle, class Objects, class Wanted>
const Handle *list_of(const char *call, int *count, std::vector<Handle> Session::*kept, Objects &&objects,
                      Wanted &&wanted) {
  if (count) *count = 0;
  return guarded_value<const Handle *>(call, nullptr, [&] {
    Session &current = session();
    if (!count) fail(OP_ERR_ARGUMENT, "the address for the number of objects is NULL; pass that of an int");
    std::vector<Handle> &list = current.*kept;
    list.clear();
    for (const auto &object : objects(*current.mesh))
      if (wanted(*object)) list.push_back(object.get());
    *count = static_cast<int>(list.size());
    return static_cast<const Handle *>(list.data());
  });
}

} // namespace

int op_mpi_halo_exchanges(op_set set, int nargs, op_arg *args) {
  return guarded_value("op_mpi_halo_exchanges", -1, [&] {
    Session &current = session();
    return collectively([&](Mesh &mesh) {
      const std::span<op_arg> all = need_args(nargs, args);
      mesh.objects().set(set, "the set"); // those of particles change
      const int end = current.hand_loops->begin(set, all);
      show_rows(all);
      return end;
    });
  });
}

op_status op_hand_loop_wait(int, op_arg *) {
  return guarded("op_hand_loop_wait", [] { session().hand_loops->finish(); });
}

op_status op_mpi_set_dirtybit(int nargs, op_arg *args) {
  return guarded("op_mpi_set_dirtybit", [&] {
    Session &current = session();
    const std::span<op_arg> all = need_args(nargs, args);
    for (const op_arg &arg : all)
      if (arg.argtype == OP_ARG_DAT && arg.opt) current.mesh->objects().dat(arg.dat, "the dat");
    current.hand_loops->finish();
    for (const op_arg &arg : all)
      if (arg.argtype == OP_ARG_DAT && arg.opt && writes_new(arg.acc))
        current.mesh->copies().note_host(current.mesh->objects().dat(arg.dat, "the dat"), arg.acc);
  });
}

op_status op_update_copies(op_dat dat) {
  return guarded("op_update_copies", [&] {
    Session &current = session();
    collectively([&](Mesh &mesh) {
      Dat &object = mesh.objects().dat(dat, "the dat");
      if (object.acquired >= 0)
        fail(OP_ERR_STATE, "dat '", object.label, "' is acquired; call op_dat_release() before copies of it are used");
      current.hand_loops->update_copies(object);
    });
  });
}

op_status op_mpi_reduce_combined(op_arg *args, int nargs) {
  return guarded("op_mpi_reduce_combined", [&] {
    Mesh &mesh = *session().mesh;
    const auto check = [&] {
      for (const op_arg &arg : need_args(nargs, args)) need_variable(arg);
      return 0;
    };
    if (mesh.agreement().errors_return()) // a program that goes on must not leave others waiting
      mesh.agreement().together(text("op_mpi_reduce_combined with ", nargs, " arguments"), check);
    else
      check();
    for (const op_arg &arg : need_args(nargs, args))
      if (is_reduced(arg))
        mesh.communicator().allreduce(arg.data, static_cast<std::size_t>(arg.dim), parse_type(arg.type).id,
                                      operation_of(arg.acc));
  });
}

op_status op_dat_sync_host(op_dat dat) {
  return guarded("op_dat_sync_host", [&] {
    Mesh &mesh = *session().mesh;
    mesh.copies().prepare_host(mesh.objects().dat(dat, "the dat"), OP_READ, true);
  });
}

op_status op_dat_mark_host_new(op_dat dat) {
  return guarded("op_dat_mark_host_new", [&] {
    Mesh &mesh = *session().mesh;
    mesh.copies().note_host(mesh.objects().dat(dat, "the dat"), OP_WRITE);
  });
}

const op_set *op_all_sets(int *count) {
  return list_of<op_set>(
      "op_all_sets", count, &Session::all_sets, [](Mesh & mesh) -> auto & { return mesh.sets(); },
      [](const Set &) { return true; });
}

const op_map *op_all_maps(int *count) {
  return list_of<op_map>(
      "op_all_maps", count, &Session::all_maps, [](Mesh & mesh) -> auto & { return mesh.maps(); },
      [](const Map &) { return true; });
}

const op_dat *op_all_dats(int *count) {
  return list_of<op_dat>(
      "op_all_dats", count, &Session::all_dats, [](Mesh & mesh) -> auto & { return mesh.dats(); },
      [](const Dat &dat) { return !dat.freed; });
}

// SPDX-License-Identifier: MIT
