// OP2_RACE=measure: the first calls of a loop try the ways it could run in turn; the fastest is kept for this loop.
// Sums can then differ from run to run, as the ways add in different orders.
#include <algorithm>
#include <cstdio>

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

namespace {

std::string summary(const op_exec_kernel &kernel) {
  std::string out = std::string("loop '") + kernel.signature->name + "': OP2_RACE=measure takes ";
  out += way_name(kernel.way);
  for (size_t i = 0; i < kernel.trial.seconds.size(); ++i) {
    char text[80];
    std::snprintf(text, sizeof text, "%s%s %.3f ms", i ? ", " : " (", way_name(kernel.trial.ways[i]),
                  1e3 * kernel.trial.seconds[i]);
    out += text;
  }
  return out + ")";
}

} // namespace

void note_run(const op_exec *exec, op_exec_kernel *kernel, double seconds) {
  constexpr int calls_each = 4; // the first one warms up and is not counted
  Trial &trial = kernel->trial;
  ++trial.calls;
  if (trial.calls == 1) return;
  if (trial.calls == 2)
    trial.seconds.push_back(seconds);
  else
    trial.seconds.back() = std::min(trial.seconds.back(), seconds);
  if (trial.calls < calls_each) return;
  trial.calls = 0;
  if (trial.seconds.size() < trial.ways.size()) {
    kernel->way = trial.ways[trial.seconds.size()];
    return;
  }
  const auto best = std::min_element(trial.seconds.begin(), trial.seconds.end()) - trial.seconds.begin();
  kernel->way = trial.ways[static_cast<size_t>(best)];
  exec->host->log(exec->host, OP_LOG_INFO, summary(*kernel).c_str());
  trial = Trial();
}

} // namespace op2::exec_openmp
