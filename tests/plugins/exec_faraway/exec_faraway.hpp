// exec_faraway.hpp: what the files of this executor share. It is as far from the host as a GPU: its memory has
// addresses that fault when anyone else touches them, and its work waits in a queue until somebody waits for an event.
// It trusts nobody: a pointer into the wrong memory, a freed or forgotten object, or work that nobody waited for ends
// the process with a message.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include "op2/plugin/exec.h"

// One piece of work in the queue; later pieces start after it.
struct Job {
  std::uint64_t number;
  std::function<op_status()> run;
};

struct op_event_s {
  std::uint64_t job; // past when this job is done
};

struct op_exec_s {
  const op_host_v1 *host;
  std::map<std::uintptr_t, std::size_t> near_blocks, far_blocks; // live allocations: real address and bytes
  std::queue<Job> jobs;
  std::uint64_t added = 0, done = 0;
  std::set<op_event> events;
  std::set<op_exec_kernel *> kernels;
  std::set<op_exec_halo *> halos;
  std::string to_fail; // what FARAWAY_FAILS said last
  int calls_left = 0;  // until that fails
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  bool native_range;
  const op_exec_signature *signature;
  std::vector<char> result; // combined record of the last run, still far away
  void *result_place = nullptr;
};

namespace op2::exec_faraway {

[[noreturn]] void fault(const char *what);

// memory.cpp: from a far address to one that this executor may use. `bytes` from there on must lie in one live
// allocation.
char *reach(op_exec *exec, const void *p, std::size_t bytes, const char *what);
char *reach(op_exec *exec, const void *p, std::size_t bytes, op_space space, const char *what);
bool is_far(const void *p);
op_status mem_alloc(op_exec *exec, op_space space, size_t bytes, void **p);
void mem_free(op_exec *exec, op_space space, void *p);
op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done);
op_status mem_zero(op_exec *exec, op_space space, void *p, size_t bytes);

// queue.cpp
op_status enqueue(op_exec *exec, op_event *done, std::function<op_status()> run);
op_status finish_all(op_exec *exec);
op_status event_wait(op_exec *exec, op_event event);
int event_query(op_exec *exec, op_event event);
void event_free(op_exec *exec, op_event event);

// plugin.cpp
bool refuses(); // the environment wants some kernels to be refused
// FARAWAY_FAILS=entry:n: the n-th call of an entry fails, counted from when the variable got this value. Whoever asks
// here returns failed() then.
bool fails(op_exec *exec, const char *entry);
op_status failed(op_exec *exec);

// kernel.cpp
op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel);
void kernel_free(op_exec *exec, op_exec_kernel *kernel);
const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel);
op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request);

// loop.cpp
op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call);
op_status reduce_wait(op_exec *exec, op_exec_kernel *kernel);

// halo.cpp
op_status halo_upload(op_exec *exec, const op_exec_halo_lists *lists, int32_t nlists, op_exec_halo **halo);
void halo_free(op_exec *exec, op_exec_halo *halo);
op_status halo_pack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems, void *buffer,
                    op_space space, op_event *done);
op_status halo_unpack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems,
                      const void *buffer, op_space space, op_event *done);

} // namespace op2::exec_faraway

// SPDX-License-Identifier: MIT
