// queue.cpp: work in order of arrival. Nothing runs before somebody waits for it, so a core that forgets to wait reads
// garbage.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "exec_faraway.hpp"

namespace op2::exec_faraway {

void fault(const char *what) {
  std::fprintf(stderr, "exec_faraway: fault: %s\n", what);
  std::fflush(stderr);
  std::abort();
}

namespace {

op_status run_one(op_exec *exec) {
  const Job job = std::move(exec->jobs.front());
  exec->jobs.pop();
  const op_status status = job.run();
  exec->done = job.number;
  return status;
}

// Up to and including job `number`; the first failure is reported, and what waits behind it is dropped.
op_status run_until(op_exec *exec, std::uint64_t number) {
  while (exec->done < number) {
    if (exec->jobs.empty()) fault("an event belongs to no work");
    const op_status status = run_one(exec);
    if (status == OP_OK) continue;
    exec->jobs = {};
    exec->done = exec->added;
    return status;
  }
  return OP_OK;
}

void need_event(const op_exec *exec, op_event event) {
  if (!exec->events.count(event)) fault("an event is used that is not alive");
}

} // namespace

op_status enqueue(op_exec *exec, op_event *done, std::function<op_status()> run) {
  exec->jobs.push({++exec->added, std::move(run)});
  if (!done) return finish_all(exec);
  *done = new (std::nothrow) op_event_s{exec->added};
  if (!*done) return finish_all(exec);
  exec->events.insert(*done);
  return OP_OK;
}

op_status finish_all(op_exec *exec) { return run_until(exec, exec->added); }

op_status event_wait(op_exec *exec, op_event event) {
  need_event(exec, event);
  return run_until(exec, event->job);
}

// Every question moves the queue on by one piece, so that asking again and again ends.
int event_query(op_exec *exec, op_event event) {
  need_event(exec, event);
  if (exec->done < event->job) run_one(exec);
  return exec->done >= event->job;
}

void event_free(op_exec *exec, op_event event) {
  need_event(exec, event);
  if (exec->done < event->job) fault("an event is freed before it was waited for");
  exec->events.erase(event);
  delete event;
}

} // namespace op2::exec_faraway

// SPDX-License-Identifier: MIT
