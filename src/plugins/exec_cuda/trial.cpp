// trial.cpp: which ways there are to run a loop, and which one turns out to be the fastest.
#include <algorithm>

#include "kernel.hpp"

namespace op2::exec_cuda {

namespace {

constexpr int32_t worth_measuring = 1 << 15; // elements: below, a launch takes longer than what it runs
constexpr int calls_each = 3;                // the first one makes lists and compiles

} // namespace

// Colours where sums must have the same bits in every run, or where rows are not only added to; else atomics, and for
// many elements whatever is faster.
std::vector<Method> methods_for(const op_exec &exec, const op_exec_signature &signature, bool ordered) {
  if (!signature.conflicts) return {Method::plain};
  if (!atomics_suffice(signature) || exec.reproducible) return {Method::colours};
  const bool stages = staged_elements(signature, ordered) > 0;
  const std::string race = setting(exec.host, "OP2_RACE");
  if (race == "global") return {Method::colours};
  if (race == "colour") return {stages ? Method::staged : Method::colours};
  if (race == "measure" && stages) return {Method::atomics, Method::staged_atomics, Method::staged, Method::colours};
  if (race == "measure") return {Method::atomics, Method::colours};
  if (race == "auto" && stages && signature.set_size >= worth_measuring)
    return {Method::atomics, Method::staged_atomics};
  return {Method::atomics};
}

void count_trial(op_exec_kernel &kernel, double seconds) {
  Trial &trial = kernel.trial;
  trial.seconds.resize(kernel.ways.size(), -1);
  double &best = trial.seconds[kernel.taken];
  if (trial.calls > 0) best = best < 0 ? seconds : std::min(best, seconds);
  if (++trial.calls < calls_each) return;
  trial.calls = 0;
  if (++kernel.taken < kernel.ways.size()) return;
  trial.running = false;
  kernel.taken =
      static_cast<size_t>(std::min_element(trial.seconds.begin(), trial.seconds.end()) - trial.seconds.begin());
}

} // namespace op2::exec_cuda
