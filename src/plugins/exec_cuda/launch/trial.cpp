// trial.cpp: which ways there are to run a loop, and which one turns out to be the fastest.
#include <algorithm>
#include <cstdio>
#include <limits>

#include "kernel.hpp"

namespace op2::exec_cuda {

namespace {

constexpr int32_t worth_measuring = 1 << 15; // elements: below, a launch takes longer than what it runs
constexpr int calls_each = 3;                // the first one makes lists and compiles
constexpr double never = std::numeric_limits<double>::infinity();

} // namespace

// Colours where sums must have the same bits in every run, or where rows are not only added to; else atomics, and for
// many elements whatever is faster. Compact blocks fetch and add to about half of the rows that blocks in the order of
// the elements do, and read what lies on the elements themselves by way of a list.
std::vector<WayWish> ways_for(const op_exec &exec, const op_exec_signature &signature, bool ordered) {
  if (!signature.conflicts) return {{Method::plain}};
  if (!atomics_suffice(signature) || exec.reproducible) return {{Method::colours}};
  const bool stages = staged_elements(signature, ordered) > 0;
  const std::string race = setting(exec.host, "OP2_RACE"), blocks = setting(exec.host, "OP2_CUDA_BLOCKS");
  if (race == "global") return {{Method::colours}};
  if (race == "colour") return {stages ? WayWish{Method::staged, blocks != "order"} : WayWish{Method::colours}};
  if (race == "gather") return {{Method::gather}};
  std::vector<WayWish> out = {{Method::atomics}};
  const bool all = race == "measure", some = race == "auto" && signature.set_size >= worth_measuring;
  const auto add_staged = [&](Method method) {
    if (blocks != "compact") out.push_back({method, false});
    if (blocks != "order") out.push_back({method, true});
  };
  if (stages && (all || some)) add_staged(Method::staged_atomics);
  if (stages && all) add_staged(Method::staged);
  if (all) out.insert(out.end(), {{Method::gather}, {Method::colours}});
  return out;
}

namespace {

// What only ways that lost would need.
void free_the_others(op_exec &exec, op_exec_kernel &kernel) {
  const LoopCode &code = kernel.way().code;
  if (!is_staged(code.method)) kernel.stage.reset();
  if (code.method != Method::gather) kernel.gather.reset();
  LoopShare &all = share(exec);
  if (std::all_of(all.gathers.begin(), all.gathers.end(), [](const auto &one) { return one.second.expired(); }))
    all.scratch.reset();
  if (wants_lists(code)) return;
  kernel.plan.reset();
  kernel.plan_list = nullptr;
}

const char *const maker = "cuda ways";

// The outcome, for later runs of the program on such a device and for who reads the log.
void tell_outcome(op_exec &exec, const op_exec_kernel &kernel) {
  const std::string form = form_of(kernel.way());
  if (!kernel.memory.empty()) exec.host->cache_store(exec.host, maker, kernel.memory.c_str(), form.data(), form.size());
  std::string line = "executor cuda: loop '";
  line.append(kernel.signature->name).append("' runs by ").append(form).append("; measured:");
  for (size_t i = 0; i < kernel.trial.seconds.size(); ++i) {
    char time[40];
    std::snprintf(time, sizeof time, " %.1f us", 1e6 * kernel.trial.seconds[i]);
    line.append(i > 0 ? ", " : " ").append(form_of(kernel.ways[i])).append(time);
  }
  exec.host->log(exec.host, OP_LOG_INFO, line.c_str());
}

void next_way(op_exec &exec, op_exec_kernel &kernel) {
  Trial &trial = kernel.trial;
  trial.calls = 0;
  if (++kernel.taken < kernel.ways.size()) return;
  trial.running = false;
  kernel.taken =
      static_cast<size_t>(std::min_element(trial.seconds.begin(), trial.seconds.end()) - trial.seconds.begin());
  tell_outcome(exec, kernel);
  free_the_others(exec, kernel);
}

} // namespace

// What decides which way is the fastest is the code, the device and the mesh, of which only sizes are looked at here.
void take_remembered(op_exec &exec, op_exec_kernel &kernel) {
  if (!kernel.trial.running || !has_cache(exec.host) || setting(exec.host, "OP2_RACE") != "auto") return;
  std::string key = kernel.way().code.text;
  key.append("\n").append(exec.device_name).append(" ").append(std::to_string(kernel.signature->set_size));
  for (int32_t i = 0; i < kernel.signature->nargs; ++i)
    key.append(" ").append(std::to_string(kernel.signature->args[i].rows));
  for (const Way &way : kernel.ways) key.append("\n").append(form_of(way));
  kernel.memory = std::move(key);
  void *data = nullptr;
  size_t bytes = 0;
  if (!exec.host->cache_load(exec.host, maker, kernel.memory.c_str(), &data, &bytes)) return;
  const std::string form(static_cast<const char *>(data), bytes);
  exec.host->free(data);
  for (size_t i = 0; i < kernel.ways.size() && kernel.trial.running; ++i) {
    if (form != form_of(kernel.ways[i])) continue;
    kernel.taken = i;
    kernel.trial.running = false;
  }
}

// Nothing of the kernel is under way.
void count_trial(op_exec &exec, op_exec_kernel &kernel, double seconds) {
  Trial &trial = kernel.trial;
  trial.seconds.resize(kernel.ways.size(), never);
  double &best = trial.seconds[kernel.taken];
  if (trial.calls > 0) best = std::min(best, seconds);
  if (++trial.calls == calls_each) next_way(exec, kernel);
}

void leave_way(op_exec &exec, op_exec_kernel &kernel) {
  kernel.trial.seconds.resize(kernel.ways.size(), never);
  kernel.trial.seconds[kernel.taken] = never;
  exec.streams->wait_all();
  next_way(exec, kernel);
}

} // namespace op2::exec_cuda
