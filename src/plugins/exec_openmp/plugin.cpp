#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "exec_openmp.hpp"
#include "plugins/exec_common/host.hpp"

#define OP2_TEXT_OF(x) #x
#define OP2_TEXT(x) OP2_TEXT_OF(x)

namespace op2::exec_openmp {

namespace {

constexpr int most_threads = 1024;

Race race_of(const std::string &name) {
  if (name == "owner") return Race::owner;
  if (name == "colour") return Race::colour;
  return Race::automatic;
}

// As many as the program's environment says, else all cores; processes of one machine that are not bound to some of
// them share them.
int usual_threads(const op_exec_params &params) {
  const int most = std::max(1, omp_get_max_threads());
  const bool all = omp_get_num_procs() >= static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const bool said = std::getenv("OMP_NUM_THREADS") != nullptr;
  return all && !said ? std::max(1, most / std::max(1, params.node_size)) : most;
}

// The process whose threads OpenMP has, if this plugin has asked for any. In a child of fork() OpenMP waits for threads
// of the parent for ever.
std::atomic<pid_t> process_of_threads{0};

op_status open(const op_exec_params *params, op_exec **exec) {
  const int threads = params->threads > 0 ? params->threads : usual_threads(*params);
  if (threads > most_threads) // the runtime ends the process when it cannot make a thread
    return params->host->fail(params->host, OP_ERR_ARGUMENT,
                              ("OP2_NUM_THREADS asks for " + std::to_string(threads) + " threads; at most " +
                               std::to_string(most_threads) + " make sense in one process")
                                  .c_str());
  pid_t first = 0;
  if (threads > 1 && !process_of_threads.compare_exchange_strong(first, getpid()) && first != getpid())
    return params->host->fail(params->host, OP_ERR_STATE,
                              "this process was forked after op_init(), and the threads of OpenMP stayed with the "
                              "parent; fork before op_init(), or use OP2_BACKEND=seq or OP2_NUM_THREADS=1 here");
  try {
    *exec = new op_exec_s{params->host, threads, race_of(exec_common::setting(params->host, "OP2_RACE")),
                          exec_common::setting(params->host, "OP2_REPRODUCIBLE") == "1",
                          std::vector<std::vector<char>>(static_cast<size_t>(threads))};
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return params->host->fail(params->host, OP_ERR_MEMORY, "no memory for the executor");
  }
}

void close(op_exec *exec) { delete exec; }

op_status caps(op_exec *exec, op_exec_caps *caps) {
  caps->space = OP_SPACE_HOST;
  caps->separate_memory = 0;
  caps->transport[0] = OP_SPACE_HOST;
  caps->asynchronous = 0;
  caps->deterministic = 1;
  caps->concurrency = exec->threads;
  caps->host_code = 1;
  caps->layouts = 1;
  caps->layout = OP_LAYOUT_AOS; // measured: docs/layouts.md
  caps->reproducible = 1;
  return OP_OK;
}

// Better than one core wherever there is more than one.
int score(const op_host_v1 *) { return omp_get_num_procs() > 1 ? 50 : 5; }

constexpr op_exec_ops_v1 ops = [] {
  op_exec_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.caps = caps;
  t.mem_copy = mem_copy;
  t.mem_zero = mem_zero;
  t.kernel_create = kernel_create;
  t.kernel_free = kernel_free;
  t.kernel_form = kernel_form;
  t.kernel_plan_request = kernel_plan_request;
  t.kernel_range = kernel_range;
  t.kernel_plan = kernel_plan;
  t.loop_run = loop_run;
  t.chain_create = chain_create;
  t.chain_free = chain_free;
  t.chain_run = chain_run;
  return t;
}();

constexpr op_plugin_v1 plugin =
    exec_common::describe("openmp", "all cores of this process", "OpenMP " OP2_TEXT(_OPENMP), "seq", score, &ops);

} // namespace

} // namespace op2::exec_openmp

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::exec_openmp::plugin; }

// SPDX-License-Identifier: MIT
