// loops.cpp: bad input for op_par_loop() itself: kernel, name, number and array of arguments, sites, sets that do not
// fit.
#include <climits>

#include "loop_with.hpp"
#include "op2/chain.h"
#include "op2/fortran_support.h"
#include "op2/until.h"
#include "refuse.hpp"

namespace badinput {

namespace {

const op_arg *good() {
  static op_arg arg;
  arg = op_arg_dat(world().length, -1, OP_ID, 1, "double", OP_RW);
  return &arg;
}

op_loop_site &site() {
  static op_loop_site here = OP_LOOP_SITE(idle(), nullptr, "idle");
  return here;
}

op_status run_site(op_loop_site *where, const char *name, int nargs, const op_arg *args) {
  return op_par_loop_site(where, name, world().edges, nargs, args);
}

std::vector<Wrong> make_rows() {
  const char *loop = "op_par_loop"; // what the program text says, also where op_par_loop_site() is called
  std::vector<Wrong> rows = {
      {"op_par_loop",
       "kernel",
       "NULL",
       OP_ERR_ARGUMENT,
       {"loop 'flux': the kernel is NULL"},
       CALL(op_par_loop(nullptr, "flux", w.edges, 1, good()))},
      {"op_par_loop",
       "name",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the name of the loop is NULL"},
       CALL(op_par_loop(idle(), nullptr, w.edges, 1, good()))},
      {"op_par_loop",
       "args",
       "NULL",
       OP_ERR_ARGUMENT,
       {"loop 'flux': the array of arguments is NULL"},
       CALL(op_par_loop(idle(), "flux", w.edges, 1, nullptr))},
      {"op_par_loop_site",
       "site",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the site given to op_par_loop_site()", "OP_LOOP_SITE"},
       CALL(run_site(nullptr, "flux", 1, good())),
       loop},
      {"op_par_loop_site",
       "name",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the name of the loop is NULL"},
       CALL(run_site(&site(), nullptr, 1, good())),
       loop},
      {"op_par_loop_site",
       "args",
       "NULL",
       OP_ERR_ARGUMENT,
       {"loop 'flux': the array of arguments is NULL", "loops.cpp:"},
       CALL(run_site(&site(), "flux", 1, nullptr)),
       loop},
  };
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, sizeof(op_loop_site) - 1})
    rows.push_back({"op_par_loop_site",
                    "site",
                    "of " + std::to_string(size) + " bytes",
                    OP_ERR_ARGUMENT,
                    {"its size is not set; use OP_LOOP_SITE"},
                    [size] {
                      static op_loop_site broken;
                      broken = site();
                      broken.size = size;
                      return run_site(&broken, "flux", 1, good());
                    },
                    loop});
  rows.push_back({"op_par_loop_site",
                  "site",
                  "without a kernel",
                  OP_ERR_ARGUMENT,
                  {"loop 'flux': the kernel is NULL"},
                  [] {
                    static op_loop_site empty = OP_LOOP_SITE(nullptr, nullptr, "nothing");
                    return run_site(&empty, "flux", 1, good());
                  },
                  loop});
  for (const int nargs : {-1, OP_MAX_ARGS + 1, INT_MAX, INT_MIN}) {
    const std::vector<std::string> words{"loop 'flux': the number of arguments is " + std::to_string(nargs),
                                         "a loop takes 0 to 64"};
    rows.push_back({"op_par_loop", "nargs", std::to_string(nargs), OP_ERR_ARGUMENT, words,
                    [=] { return op_par_loop(idle(), "flux", world().edges, nargs, good()); }});
    rows.push_back({"op_par_loop_site", "nargs", std::to_string(nargs), OP_ERR_ARGUMENT, words,
                    [=] { return run_site(&site(), "flux", nargs, good()); }, loop});
  }
  const std::vector<std::string> made_by_hand{"argument 0", "not made by one of the op_arg_ functions"};
  rows.push_back({"op_chain_begin",
                  "name",
                  "NULL",
                  OP_ERR_ARGUMENT,
                  {"the name of the chain is NULL"},
                  CALL(op_chain_begin(nullptr))});
  rows.push_back({"op_par_loop", "args", "garbage", OP_ERR_ARGUMENT, made_by_hand,
                  CALL(op_par_loop(idle(), "flux", w.edges, 1, static_cast<const op_arg *>(garbage_memory())))});
  rows.push_back({"op_par_loop",
                  "args",
                  "zeros",
                  OP_ERR_ARGUMENT,
                  {"argument 0", "all zeros, not made by one of the op_arg_"},
                  CALL(op_par_loop(idle(), "flux", w.edges, 1, static_cast<const op_arg *>(zeroed_memory())))});
  rows.push_back({"op_par_loop",
                  "set",
                  "another one",
                  OP_ERR_SET,
                  {"dat 'length' is on set 'edges'", "over set 'nodes'"},
                  CALL(op_par_loop(idle(), "flux", w.nodes, 1, good()))});
  return rows;
}

const op_arg *stop(op_gindex *number, int base = 0) {
  static op_arg args[2];
  args[0] = *good();
  op_arg_stop_to(&args[1], number, base);
  return args;
}

void add_until(std::vector<Wrong> &rows) {
  static op_gindex number;
  const char *const loop = "op_par_loop_until";
  const auto add = [&](const char *function, const char *parameter, const std::string &what,
                       const std::vector<std::string> &words, const std::function<Result()> &call) {
    rows.push_back({function, parameter, what, OP_ERR_ARGUMENT, words, call, loop});
  };
  add(loop, "kernel", "NULL", {"loop 'flux': the kernel is NULL"},
      CALL(op_par_loop_until(nullptr, "flux", w.edges, 2, stop(&number))));
  add(loop, "name", "NULL", {"the name of the loop is NULL"},
      CALL(op_par_loop_until(idle(), nullptr, w.edges, 2, stop(&number))));
  add(loop, "args", "NULL", {"loop 'flux': the array of arguments is NULL"},
      CALL(op_par_loop_until(idle(), "flux", w.edges, 1, nullptr)));
  add(loop, "args", "without a stop", {"loop 'flux': no argument says where the loop stops", "op_arg_stop(&number)"},
      CALL(op_par_loop_until(idle(), "flux", w.edges, 1, good())));
  add("op_par_loop", "args", "with a stop", {"loop 'flux', argument 1", "op_arg_stop() belongs to op_par_loop_until()"},
      CALL(op_par_loop(idle(), "flux", w.edges, 2, stop(&number))));
  rows.back().reporter = nullptr;
  add("op_arg_stop", "number", "NULL", {"loop 'flux', argument 1", "the address for the number"},
      CALL(op_par_loop_until(idle(), "flux", w.edges, 2, stop(nullptr))));
  for (const int base : {-1, 2, INT_MAX, INT_MIN})
    add("op_arg_stop_to", "base", std::to_string(base), {"numbers of elements begin at 0 or 1"},
        [=] { return op_par_loop_until(idle(), "flux", world().edges, 2, stop(&number, base)); });
  add("op_par_loop_until_site", "site", "NULL", {"the site given to op_par_loop_until_site()", "OP_LOOP_SITE"},
      CALL(op_par_loop_until_site(nullptr, "flux", w.edges, 2, stop(&number))));
  add("op_par_loop_until_site", "name", "NULL", {"the name of the loop is NULL"},
      CALL(op_par_loop_until_site(&site(), nullptr, w.edges, 2, stop(&number))));
  add("op_par_loop_until_site", "args", "NULL", {"loop 'flux': the array of arguments is NULL"},
      CALL(op_par_loop_until_site(&site(), "flux", w.edges, 1, nullptr)));
  add("op_arg_stop_to", "number", "NULL", {"loop 'flux', argument 1", "the address for the number"},
      CALL(op_par_loop_until(idle(), "flux", w.edges, 2, stop(nullptr))));
  for (const int nargs : {-1, OP_MAX_ARGS + 1, INT_MAX, INT_MIN}) {
    const std::vector<std::string> words{"loop 'flux': the number of arguments is " + std::to_string(nargs),
                                         "a loop takes 0 to 64"};
    add(loop, "nargs", std::to_string(nargs), words,
        [=] { return op_par_loop_until(idle(), "flux", world().edges, nargs, good()); });
    add("op_par_loop_until_site", "nargs", std::to_string(nargs), words,
        [=] { return op_par_loop_until_site(&site(), "flux", world().edges, nargs, good()); });
  }
  rows.push_back({loop, "args", "of particles", OP_ERR_UNSUPPORTED, {"the particles 'ions' have no order"}, CALL([] {
                    op_arg only;
                    op_arg_stop_to(&only, &number, 0);
                    return op_par_loop_until(idle(), "flux", world().ions, 1, &only);
                  }())});
}

} // namespace

const std::vector<Wrong> &wrong_loops() {
  static const std::vector<Wrong> all = [] {
    std::vector<Wrong> rows = make_rows();
    add_until(rows);
    return rows;
  }();
  return all;
}

namespace {

// A loop that is right and was run before; then one thing changes in the same site.
TEST_F(InSession, APreparedLoopIsCheckedAgain) {
  op_arg arg = op_arg_dat(world().x, 0, world().edge_nodes, 2, "double", OP_READ);
  ASSERT_EQ(OP_OK, run_site(&site(), "flux", 1, &arg)) << op_last_error();
  const std::string before = state();
  const auto refused = [&](op_status status, void (*spoil)(op_arg &)) {
    op_arg spoilt = arg;
    spoil(spoilt);
    EXPECT_EQ(status, run_site(&site(), "flux", 1, &spoilt));
    expect_error("op_par_loop", status, {"loop 'flux', argument 0"});
  };
  refused(OP_ERR_DIM, [](op_arg &a) { a.dim = 3; });
  refused(OP_ERR_TYPE, [](op_arg &a) { a.type = "float"; });
  refused(OP_ERR_TYPE, [](op_arg &a) { a.type = nullptr; });
  refused(OP_ERR_RANGE, [](op_arg &a) { a.idx = 2; });
  refused(OP_ERR_ACCESS, [](op_arg &a) { a.acc = OP_MAX; });
  refused(OP_ERR_HANDLE, [](op_arg &a) { a.dat = world().freed; });
  refused(OP_ERR_HANDLE, [](op_arg &a) { a.map = world().old.edge_nodes; });
  refused(OP_ERR_ARGUMENT, [](op_arg &a) { a.argtype = OP_ARG_STOP + 1; });
  EXPECT_EQ(before, state());
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
