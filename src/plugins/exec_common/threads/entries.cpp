// Life of an executor with threads, but for the threads themselves.
#include <unistd.h>

#include <atomic>
#include <new>
#include <string>

#include "plugins/exec_common/host.hpp"
#include "threads.hpp"

namespace op2::exec_threads {

namespace {

constexpr int most_threads = 1024;

// The process whose threads the runtime has, if this plugin has asked for any. In a child of fork() the runtime waits
// for threads of the parent for ever.
std::atomic<pid_t> process_of_threads{0};

Race race_of(const std::string &name) {
  if (name == "owner") return Race::owner;
  if (name == "colour") return Race::colour;
  return Race::automatic;
}

} // namespace

op_status open_threads(const op_exec_params *params, int threads, bool steals, const char *runtime, op_exec **exec) {
  const op_host_v1 &host = *params->host;
  if (threads > most_threads) // runtimes end the process when they cannot make a thread
    return host.fail(&host, OP_ERR_ARGUMENT,
                     ("OP2_NUM_THREADS asks for " + std::to_string(threads) + " threads; at most " +
                      std::to_string(most_threads) + " make sense in one process")
                         .c_str());
  pid_t first = 0;
  if (threads > 1 && !process_of_threads.compare_exchange_strong(first, getpid()) && first != getpid())
    return host.fail(&host, OP_ERR_STATE,
                     ("this process was forked after op_init(), and the threads of " + std::string(runtime) +
                      " stayed with the parent; fork before op_init(), or use OP2_BACKEND=seq or "
                      "OP2_NUM_THREADS=1 here")
                         .c_str());
  try {
    const auto count = static_cast<size_t>(threads);
    *exec = new op_exec_s{&host,
                          threads,
                          race_of(exec_common::setting(&host, "OP2_RACE")),
                          exec_common::setting(&host, "OP2_REPRODUCIBLE") == "1",
                          steals,
                          std::vector<std::vector<char>>(count),
                          std::vector<Busy>(count),
                          0,
                          nullptr};
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return host.fail(&host, OP_ERR_MEMORY, "no memory for the executor");
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
  caps->tasks = exec->steals;
  return OP_OK;
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
