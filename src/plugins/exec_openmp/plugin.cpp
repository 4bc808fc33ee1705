#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "plugins/exec_common/host.hpp"
#include "plugins/exec_common/threads/threads.hpp"

#define OP2_TEXT_OF(x) #x
#define OP2_TEXT(x) OP2_TEXT_OF(x)

namespace op2::exec_threads {

namespace {

// As many as the program's environment says, else all cores; processes of one machine that are not bound to some of
// them share them.
int usual_threads(const op_exec_params &params) {
  const int most = std::max(1, omp_get_max_threads());
  const bool all = omp_get_num_procs() >= static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const bool said = std::getenv("OMP_NUM_THREADS") != nullptr;
  return all && !said ? std::max(1, most / std::max(1, params.node_size)) : most;
}

op_status open(const op_exec_params *params, op_exec **exec) {
  return open_threads(params, params->threads > 0 ? params->threads : usual_threads(*params), false, "OpenMP", exec);
}

// Better than one core wherever there is more than one.
int score(const op_host_v1 *) { return omp_get_num_procs() > 1 ? 50 : 5; }

constexpr op_exec_ops_v1 ops = entries(open);

constexpr op_plugin_v1 plugin =
    exec_common::describe("openmp", "all cores of this process", "OpenMP " OP2_TEXT(_OPENMP), "seq", score, &ops);

} // namespace

} // namespace op2::exec_threads

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::exec_threads::plugin; }
// SPDX-License-Identifier: MIT
