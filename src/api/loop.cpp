// The door of loop.h and until.h, and of arguments in fortran_support.h, reduction.h and user_types.h.
#include "op2/loop.h"

#include <cstddef>

#include "api/argument.hpp"
#include "op2/fortran_support.h"
#include "op2/reduction.h"
#include "op2/until.h"
#include "op2/user_types.h"

#undef op_par_loop
#undef op_par_loop_until

using namespace op2::core;

namespace {

// Bytes of `dim` values; 0 when the name does not tell and no size is given, or dim makes no sense; -1 for a negative
// size.
int bytes_of(int dim, const char *type, int type_size) {
  if (type_size < 0) return -1;
  if (type_size == 0 && type) type_size = parse_type(type).size;
  const long long bytes = static_cast<long long>(dim) * type_size;
  return bytes > 0 && bytes <= INT32_MAX ? static_cast<int>(bytes) : 0;
}

op_arg variable(op_arg_type argtype, void *data, int dim, const char *type, int type_size, op_access access) noexcept {
  op_arg arg = blank_argument(argtype, access);
  arg.data = static_cast<char *>(data);
  arg.dim = dim;
  arg.type = type;
  try {
    arg.size = bytes_of(dim, type, type_size);
  } catch (...) {
    arg.size = 0; // no memory for a name: the loop's own check reports it
  }
  return arg;
}

void show_rows(op_arg &arg) noexcept {
  const Session *const current = current_session();
  if (!current || !current->mesh || !current->mesh->dialect().reads_arguments) return;
  if (!current->mesh->objects().knows(arg.dat)) return; // the loop will tell
  arg.data = arg.dat->data;
  arg.size = arg.dat->size;
  arg.map_data = arg.map && current->mesh->objects().knows(arg.map) ? arg.map->map : nullptr;
}

// Throws; other processes may be waiting in the loop.
void refuse(const char *why) {
  collectively([why](Mesh &) { fail(OP_ERR_ARGUMENT, why); });
}

Engine &engine_for(const char *loop) {
  Session &current = recording_session();
  if (!loop) refuse("the name of the loop is NULL; messages and tables need one");
  return *current.engine;
}

void run_until(const op_loop_site *site, const char *name, op_set set, int nargs, const op_arg *args) {
  Session &current = session();
  const std::size_t before_lanes = offsetof(op_loop_site, lanes); // of programs compiled before `lanes` was appended
  collectively([&](Mesh &) {
    if (!site || (site->size < sizeof *site && site->size != before_lanes))
      fail(OP_ERR_ARGUMENT,
           "the site given to op_par_loop_until_site() is NULL or its size is not set; use OP_LOOP_SITE");
    if (!name) fail(OP_ERR_ARGUMENT, "the name of the loop is NULL; messages and tables need one");
  });
  current.engine->run_until(*site, name, set, nargs, args);
}

op_arg stop_argument(op_gindex *number, int first) noexcept {
  op_arg arg = blank_argument(OP_ARG_STOP, OP_RW);
  arg.data = reinterpret_cast<char *>(number);
  arg.dim = 1;
  arg.size = static_cast<int>(sizeof(int));
  arg.type = "int";
  arg.sent = first;
  return arg;
}

} // namespace

op_arg op_arg_dat(op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc) {
  return op_opt_arg_dat(1, dat, idx, map, dim, type, acc);
}

op_arg op_opt_arg_dat(int opt, op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc) {
  op_arg arg = blank_argument(OP_ARG_DAT, acc);
  arg.dat = dat;
  arg.map = map;
  arg.dim = dim;
  arg.idx = idx;
  arg.type = type;
  arg.opt = opt != 0;
  if (opt) show_rows(arg);
  return arg;
}

op_arg op_arg_gbl(void *data, int dim, const char *type, op_access acc) {
  return variable(OP_ARG_GBL, data, dim, type, 0, acc);
}

op_arg op_arg_gbl_char(char *data, int dim, const char *type, int type_size, op_access acc) {
  return variable(OP_ARG_GBL, data, dim, type, type_size, acc);
}

op_arg op_arg_gbl_reduce(void *data, int dim, const char *type, op_reduction reduction) {
  op_arg arg = variable(OP_ARG_GBL, data, dim, type, 0, OP_REDUCE);
  if (arg.size == 0) arg.size = dim; // a user type: the reduction knows its size
  arg.reduction = reduction;
  return arg;
}

op_arg op_arg_idx(int idx, op_map map) {
  op_arg arg = blank_argument(OP_ARG_IDX, OP_READ);
  arg.idx = idx;
  arg.map = map;
  arg.dim = 1;
  arg.size = static_cast<int>(sizeof(int));
  arg.type = "int";
  return arg;
}

op_arg op_arg_payload(void *data, int dim, const char *type, int ref) {
  op_arg arg = variable(OP_ARG_PAYLOAD, data, dim, type, 0, OP_WRITE);
  arg.idx = ref;
  return arg;
}

op_arg op_arg_payload_char(char *data, int dim, const char *type, int type_size, int ref) {
  op_arg arg = variable(OP_ARG_PAYLOAD, data, dim, type, type_size, OP_WRITE);
  arg.idx = ref;
  return arg;
}

void op_arg_dat_to(op_arg *arg, int opt, op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc) {
  put_argument("op_arg_dat_to", arg, op_opt_arg_dat(opt, dat, idx, map, dim, type, acc));
}

void op_arg_gbl_to(op_arg *arg, void *data, int dim, const char *type, int type_size, op_access acc) {
  put_argument("op_arg_gbl_to", arg, op_arg_gbl_char(static_cast<char *>(data), dim, type, type_size, acc));
}

void op_arg_gbl_reduce_to(op_arg *arg, void *data, int dim, const char *type, op_reduction reduction) {
  put_argument("op_arg_gbl_reduce_to", arg, op_arg_gbl_reduce(data, dim, type, reduction));
}

void op_arg_idx_to(op_arg *arg, int idx, op_map map) { put_argument("op_arg_idx_to", arg, op_arg_idx(idx, map)); }

void op_arg_idx_based_to(op_arg *arg, int idx, op_map map, int first) {
  op_arg value = op_arg_idx(idx, map);
  value.sent = first;
  put_argument("op_arg_idx_based_to", arg, value);
}

void op_arg_payload_to(op_arg *arg, void *data, int dim, const char *type, int type_size, int ref) {
  put_argument("op_arg_payload_to", arg, op_arg_payload_char(static_cast<char *>(data), dim, type, type_size, ref));
}

op_status op_par_loop_site(op_loop_site *site, const char *name, op_set set, int nargs, const op_arg *args) {
  return guarded("op_par_loop", [&] {
    const std::size_t before_lanes = offsetof(op_loop_site, lanes); // of programs compiled before `lanes` was appended
    if (!site || (site->size < sizeof *site && site->size != before_lanes))
      refuse("the site given to op_par_loop_site() is NULL or its size is not set; use OP_LOOP_SITE");
    engine_for(name).run(*site, true, name, set, nargs, args);
  });
}

op_status op_par_loop(op_kernel_fn kernel, const char *name, op_set set, int nargs, const op_arg *args) {
  return guarded("op_par_loop", [&] {
    op_loop_site site{};
    site.size = sizeof site;
    site.element = kernel;
    engine_for(name).run(site, false, name, set, nargs, args);
  });
}

op_arg op_arg_stop(op_gindex *number) { return stop_argument(number, 0); }

void op_arg_stop_to(op_arg *arg, op_gindex *number, int base) {
  put_argument("op_arg_stop_to", arg, stop_argument(number, base));
}

op_status op_par_loop_until_site(op_loop_site *site, const char *name, op_set set, int nargs, const op_arg *args) {
  return guarded("op_par_loop_until", [&] { run_until(site, name, set, nargs, args); });
}

op_status op_par_loop_until(op_kernel_fn kernel, const char *name, op_set set, int nargs, const op_arg *args) {
  return guarded("op_par_loop_until", [&] {
    op_loop_site site{};
    site.size = sizeof site;
    site.element = kernel;
    run_until(&site, name, set, nargs, args);
  });
}

// SPDX-License-Identifier: MIT
