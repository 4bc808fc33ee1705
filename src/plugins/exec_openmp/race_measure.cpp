// OP2_RACE=measure: the first calls of a loop try the ways it could run in turn; the fastest is kept for this loop.
// Sums can then differ from run to run, as the ways add in different orders.
#include "exec_openmp.hpp"

namespace op2::exec_openmp {

const char *way_name(Way way) {
  switch (way) {
    case Way::in_order:
      return "in order";
    case Way::owner:
      return "owner";
    case Way::global:
      return "global colours";
    case Way::atomic:
      return "atomic";
    case Way::privatize:
      return "private copies";
    default:
      return "block colours";
  }
}

void note_run(const op_exec *exec, op_exec_kernel *kernel, double seconds) {
  if (!kernel->tuner.note(seconds)) return;
  const auto name = [&](std::size_t i) { return way_name(kernel->ways[i]); };
  const std::string outcome = std::string("loop '") + kernel->signature->name + "': OP2_RACE=measure takes " +
                              way_name(kernel->way()) + " (" + kernel->tuner.times(name, 1e3, 3, "ms") + ")";
  exec->host->log(exec->host, OP_LOG_INFO, outcome.c_str());
}

} // namespace op2::exec_openmp
