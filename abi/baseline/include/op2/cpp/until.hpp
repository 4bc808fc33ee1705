// until.hpp: op_par_loop_until() of C++.
//
//   op_gindex hot;
//   op_par_loop_until(find_hot, "find_hot", cells, op2::read(t), op2::stop(hot));
//
// The kernel's parameter for op2::stop() is an int *: a kernel that sets it to anything but 0 ends the loop after its
// element. See until.h. Kernels and arguments are those of op_par_loop() (loop.hpp).
//
// Collective. Returns an op_status as in C, with the errors of op_par_loop_until(). The C function is
// (op_par_loop_until)(...).
#ifndef OP2_CPP_UNTIL_HPP
#define OP2_CPP_UNTIL_HPP

#include "op2/cpp/loop.hpp"
#include "op2/until.h"

namespace op2 {

// The argument by which the kernel says stop. After the loop, `number` is the declared number (from 0) of the element
// that stopped it, or -1. Borrowed until the loop returns.
inline auto stop(op_gindex &number) { return detail::gbl_arg<int, 1, OP_RW>((op_arg_stop)(&number)); }

} // namespace op2

// op_par_loop_until(kernel, "name", set, arguments...): runs the kernel on the elements of the set up to the first that
// says stop, see until.h. Collective. Returns an op_status.
#define op_par_loop_until(kernel, name, set, ...)                                                                    \
  (::op2::detail::loop_at(                                                                                           \
      op_par_loop_until_site, [&](int op_n, auto &...op_row) OP2_INLINE_ALL { kernel(op_row.at(op_n)...); }, kernel, \
      {#kernel, __FILE__, __LINE__, OP_UNIT_TEXT}, name, set, __VA_ARGS__))

#endif
// SPDX-License-Identifier: MIT
