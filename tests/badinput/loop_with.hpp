// loop_with.hpp: a loop with one argument that may be wrong. The op_arg_ functions only record what they get; the loop
// refuses it, and names the argument.
#pragma once

#include "world.hpp"

namespace badinput {

// Over the edges, with a good argument before `arg`, which thus is argument 1.
inline op_status loop_with(const op_arg &arg) {
  const op_arg args[] = {op_arg_dat(world().length, -1, OP_ID, 1, "double", OP_READ), arg};
  return op_par_loop(reinterpret_cast<op_kernel_fn>(+[](void *, void *) {}), "flux", world().edges, 2, args);
}

// The same with a minimum before it, so that payloads have something to go with: argument 0.
inline op_status loop_with_payload(const op_arg &payload) {
  const op_arg args[] = {op_arg_gbl(&world().global, 1, "double", OP_MIN), payload};
  return op_par_loop(reinterpret_cast<op_kernel_fn>(+[](void *, void *) {}), "flux", world().edges, 2, args);
}

// What one of the op_arg_..._to functions writes.
template <class Fill>
op_arg filled(Fill fill) {
  op_arg arg{};
  fill(&arg);
  return arg;
}

} // namespace badinput

// SPDX-License-Identifier: MIT
