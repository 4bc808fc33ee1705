// The door of until.h.
#include "op2/until.h"

#include <cstddef>

#include "api/argument.hpp"
#include "op2/fortran_support.h"

#undef op_par_loop_until

using namespace op2::core;

namespace {

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
