// Executor "tasks": loops as tasks on all cores of a process, without barriers between the loops of a chain.
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/version.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "crew.hpp"
#include "plugins/exec_common/host.hpp"

namespace op2::exec_threads {

namespace {

// All cores that this process may use; processes of one machine that are not bound to some of them share them.
int usual_threads(const op_exec_params &params) {
  const int most = std::max(1, tbb::info::default_concurrency());
  const bool all = most >= static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return all ? std::max(1, most / std::max(1, params.node_size)) : most;
}

op_status open(const op_exec_params *params, op_exec **exec) {
  const int threads = params->threads > 0 ? params->threads : usual_threads(*params);
  const op_status status = open_threads(params, threads, true, "oneTBB", exec);
  if (status != OP_OK) return status;
  try {
    (*exec)->crew.reset(new Crew(threads));
    return OP_OK;
  } catch (const std::bad_alloc &) {
    close(*exec);
    return params->host->fail(params->host, OP_ERR_MEMORY, "no memory for the executor");
  }
}

// Taken when it is asked for.
int score(const op_host_v1 *) { return 4; }

constexpr op_exec_ops_v1 ops = entries(open);

constexpr op_plugin_v1 plugin = exec_common::describe("tasks", "all cores of this process, tasks without barriers",
                                                      "oneTBB " TBB_VERSION_STRING, "seq", score, &ops);

} // namespace

} // namespace op2::exec_threads

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::exec_threads::plugin; }
// SPDX-License-Identifier: MIT
