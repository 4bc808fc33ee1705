// Kernels that throw: the loop fails with OP_ERR_KERNEL, the context is unusable until op_exit(), and then all is well
// again.
#include <stdexcept>
#include <string_view>

#include "suite.hpp"

namespace conformance {

using Exceptions = Topic;

bool says(const char *part) { return std::string_view(op_last_error()).find(part) != std::string_view::npos; }

// After a failed loop: every call says so and why, and a new session works.
void expect_poisoned_then_recover(op_set cells, op_dat x) {
  std::vector<double> values(1000);
  EXPECT_STATUS(OP_ERR_STATE,
                try_run([](double *p) { *p = 1; }, "later", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE)));
  EXPECT_TRUE(says("flat tyre") || says("std::exception")) << "the reason is lost: " << op_last_error();
  EXPECT_STATUS(OP_ERR_STATE, op_fetch_data(x, values.data()));
  EXPECT_EQ(nullptr, op_decl_set(3, "more"));
  EXPECT_STATUS(OP_ERR_STATE, op_last_status());
  EXPECT_EQ(-1, op_get_size(cells));
  EXPECT_EQ(1, op_is_initialised());
  EXPECT_OK(op_exit());
  EXPECT_EQ(0, op_is_initialised());
  const Session session;
  const op_set again = declare_set(1000, "cells");
  const op_dat y = declare_dat(again, 1, values, "y");
  run([](double *p) { *p = 2; }, "again", again, direct(y, OP_WRITE));
  EXPECT_EQ(std::vector<double>(1000, 2), fetch<double>(y));
}

op_dat dat_of_numbers(op_set set, int size) {
  std::vector<double> x;
  for (int i = 0; i < size; ++i) x.push_back(i);
  return declare_dat(set, 1, x, "x");
}

TEST_F(Exceptions, InADirectLoop) {
  for (const int size : {1, 2, 1000, as_requested(100003)}) {
    SCOPED_TRACE(size);
    EXPECT_OK(op_init(0, nullptr, 0));
    const op_set cells = declare_set(size, "cells");
    const op_dat x = dat_of_numbers(cells, size);
    double last = size - 1; // the last element throws
    EXPECT_STATUS(OP_ERR_KERNEL, try_run(
                                     [](const double *p, const double *l) {
                                       if (*p == *l) throw std::runtime_error("flat tyre");
                                     },
                                     "ride", cells, direct(x, OP_READ), global(&last, 1, OP_READ)));
    EXPECT_TRUE(says("flat tyre") && says("ride")) << op_last_error();
    expect_poisoned_then_recover(cells, x);
  }
}

// Every element throws, on all threads at once, something that is no std::exception.
TEST_F(Exceptions, FromEveryElement) {
  EXPECT_OK(op_init(0, nullptr, 0));
  const op_set cells = declare_set(50000, "cells");
  const op_dat x = dat_of_numbers(cells, 50000);
  EXPECT_STATUS(OP_ERR_KERNEL, try_run([](double *p) { throw *p; }, "ride", cells, direct(x, OP_RW)));
  expect_poisoned_then_recover(cells, x);
}

// In loops with owners or colours, with and without reductions, and in a range function.
TEST_F(Exceptions, InALoopThatIncrements) {
  for (const bool reduces : {false, true})
    for (const Topology &mesh : every_mesh()) {
      if (mesh.from == 0) continue;
      SCOPED_TRACE(mesh.name);
      EXPECT_OK(op_init(0, nullptr, 0));
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const op_dat x = dat_of_numbers(cells, mesh.from),
                   sum = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "sum");
      double middle = mesh.from / 2, total = 0;
      const auto kernel = [](const double *p, const double *m, double *s, double *t) {
        if (*p == *m) throw std::runtime_error("flat tyre");
        *s += *p;
        if (t) *t += *p;
      };
      const op_arg off = op_opt_arg_dat(0, nullptr, -1, OP_ID, 1, "double", OP_READ);
      EXPECT_STATUS(OP_ERR_KERNEL, try_run(kernel, "ride", cells, direct(x, OP_READ), global(&middle, 1, OP_READ),
                                           through(map, 0, sum, OP_INC), reduces ? global(&total, 1, OP_INC) : off));
      EXPECT_TRUE(says("flat tyre")) << op_last_error();
      expect_poisoned_then_recover(cells, x);
    }
}

TEST_F(Exceptions, InARangeFunction) {
  EXPECT_OK(op_init(0, nullptr, 0));
  const op_set cells = declare_set(3000, "cells");
  const op_dat x = dat_of_numbers(cells, 3000);
  op_loop_site site = OP_LOOP_SITE(
      nullptr, [](const op_range_ctx *, int, int) { throw std::runtime_error("flat tyre"); }, "ride");
  const op_arg args[] = {direct(x, OP_RW)};
  EXPECT_STATUS(OP_ERR_KERNEL, op_par_loop_site(&site, "ride", cells, 1, args));
  expect_poisoned_then_recover(cells, x);
}

// The handler hears of it once, with the loop and the place of the call.
struct Heard {
  int errors = 0;
  op_status code = OP_OK;
  std::string loop, call, message;
  int line = -1;
};

void hear(const op_error *error, void *user) {
  Heard &heard = *static_cast<Heard *>(user);
  ++heard.errors;
  heard.code = error->code;
  heard.loop = error->loop ? error->loop : "";
  heard.call = error->call ? error->call : "";
  heard.message = error->message ? error->message : "";
  heard.line = error->line;
}

TEST_F(Exceptions, TheHandlerHearsOnce) {
  EXPECT_OK(op_init(0, nullptr, 0));
  const op_set cells = declare_set(20000, "cells");
  const op_dat x = dat_of_numbers(cells, 20000);
  Heard heard;
  op_set_error_handler(hear, &heard);
  op_loop_site site = OP_LOOP_SITE(
      reinterpret_cast<op_kernel_fn>(+[](double *) { throw std::runtime_error("flat tyre"); }), nullptr, "ride");
  const int line = site.line;
  const op_arg args[] = {direct(x, OP_RW)};
  EXPECT_EQ(OP_ERR_KERNEL, op_par_loop_site(&site, "ride", cells, 1, args));
  op_set_error_handler(op_error_return, nullptr);
  EXPECT_EQ(1, heard.errors);
  EXPECT_EQ(OP_ERR_KERNEL, heard.code);
  EXPECT_EQ("ride", heard.loop);
  EXPECT_EQ(line, heard.line);
  EXPECT_NE(std::string::npos, heard.message.find("flat tyre")) << heard.message;
  op_error error{};
  error.size = sizeof error;
  EXPECT_OK(op_last_error_info(&error));
  EXPECT_EQ(OP_ERR_KERNEL, error.code);
  EXPECT_STREQ("ride", error.loop);
  expect_poisoned_then_recover(cells, x);
}

} // namespace conformance

// SPDX-License-Identifier: MIT
