// const_refused.cpp: loops that change what they said they only read do not compile (with -DREFUSED, each line that
// ends with "refused"), and loops that keep their word do. Never run.
#include "op2/op2.hpp"

struct flow {
  double density, speed;
};
OP2_TYPE_NAME(flow, "flow");

static void keep(const double *from, double *to) { *to = *from; }
static void change(double *from, double *to) { *to = *from; }
static void change_all(double **from, double *to) { *to = *from[0]; }
static void half_const(double *const *from, double *to) { *to = *from[0]; }
static void keep_all(const double *const *from, double *to) { *to = *from[0]; }
static void keep_pointers(const double **from, double *to) { *to = *from[0]; }
static void change_flow(flow *from, double *to) { *to = from->density; }
static void keep_flow(const flow *from, double *to) { *to = from->density; }
template <class From, class To>
void any(From *from, To *to) {
  *to = static_cast<To>(*from);
}
struct Copy {
  template <class From, class To>
  void operator()(From from, To to) const {
    *to = *from;
  }
};
struct Keep {
  void operator()(const double *from, double *to) const { *to = *from; }
};

void loops(op_set set, const op2::map &map, const op2::dat<double, 1> &q, const op2::dat<double> &of_run_time,
           const op2::dat<flow, 1> &flows, const op2::dat<double, 1> &to, const op2::global<double, 1> &value) {
  double variable = 1;
  const double fixed = 2;
#ifdef REFUSED
  op_par_loop(change, "l", set, op2::read(q), op2::write(to));                                          // refused
  op_par_loop(change, "l", set, op2::read(q, 1, map), op2::write(to));                                  // refused
  op_par_loop(change, "l", set, op2::read(q, op2::col<0>, map), op2::write(to));                        // refused
  op_par_loop(change, "l", set, op2::read(of_run_time), op2::write(to));                                // refused
  op_par_loop(change, "l", set, op2::opt(true, op2::read(q)), op2::write(to));                          // refused
  op_par_loop(&change, "l", set, op2::read(q), op2::write(to));                                         // refused
  op_par_loop(change_all, "l", set, op2::read(q, op2::all<2>, map), op2::write(to));                    // refused
  op_par_loop(half_const, "l", set, op2::read(q, op2::all<2>, map), op2::write(to));                    // refused
  op_par_loop(change_flow, "l", set, op2::read(flows), op2::write(to));                                 // refused
  op_par_loop((any<double, double>), "l", set, op2::read(q), op2::write(to));                           // refused
  op_par_loop([](double *from, double *out) { *out = *from; }, "l", set, op2::read(q), op2::write(to)); // refused
  op_par_loop(change, "l", set, op2::gbl_read(&variable), op2::write(to));                              // refused
  op_par_loop(change, "l", set, op2::gbl_read(value), op2::write(to));                                  // refused
#endif
  op_par_loop(keep, "l", set, op2::read(q), op2::write(to));
  op_par_loop(keep, "l", set, op2::read(q, 1, map), op2::write(to));
  op_par_loop(keep, "l", set, op2::read(q, op2::col<0>, map), op2::write(to));
  op_par_loop(keep, "l", set, op2::read(of_run_time), op2::write(to));
  op_par_loop(keep, "l", set, op2::opt(true, op2::read(q)), op2::write(to));
  op_par_loop(&keep, "l", set, op2::read(q), op2::write(to));
  op_par_loop(keep_all, "l", set, op2::read(q, op2::all<2>, map), op2::write(to));
  op_par_loop(keep_pointers, "l", set, op2::read(q, op2::all<2>, map), op2::write(to));
  op_par_loop(keep_flow, "l", set, op2::read(flows), op2::write(to));
  op_par_loop((any<const double, double>), "l", set, op2::read(q), op2::write(to));
  op_par_loop(Copy(), "l", set, op2::read(q), op2::write(to));
  op_par_loop(Keep(), "l", set, op2::read(q), op2::write(to));
  op_par_loop([](auto from, auto out) { *out = *from; }, "l", set, op2::read(q), op2::write(to));
  op_par_loop([](auto *from, auto *out) { *out = *from; }, "l", set, op2::read(q), op2::write(to));
  op_par_loop([](const double *from, double *out) { *out = *from; }, "l", set, op2::read(q), op2::write(to));
  op_par_loop(keep, "l", set, op2::gbl_read(&variable), op2::write(to));
  op_par_loop(keep, "l", set, op2::gbl_read(&fixed), op2::write(to));
  op_par_loop(keep, "l", set, op2::gbl_read(value), op2::write(to));
  op_par_loop(change, "l", set, op2::rw(q), op2::write(to));
  op_par_loop(change, "l", set, op2::inc(q), op2::write(to));
  // OP2's own notation, whose kernels need not say const.
  op_par_loop(change, "l", set, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), op2::write(to));
  op_par_loop(change, "l", set, op_arg_gbl(&variable, 1, "double", OP_READ), op2::write(to));
}

// SPDX-License-Identifier: MIT
