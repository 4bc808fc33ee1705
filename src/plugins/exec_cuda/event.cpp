// event.cpp: moments that the core waits for.
#include "event.hpp"

#include <cstring>

#include "halo/halo.hpp"

namespace op2::exec_cuda {

namespace {

void take_arrived(op_exec &exec, op_event_s &event) {
  if (!event.arrived) return;
  std::memcpy(event.to, event.arrived->data(), event.bytes);
  exec.halo->give_back(std::move(event.arrived));
}

void record_late(op_exec &exec, op_event_s &event) {
  if (event.later) event.event.record(exec.streams->compute);
  event.later = false;
}

} // namespace

void finish(op_exec &exec, CUstream stream, op_event *done, std::unique_ptr<Pinned> arrived, void *to, size_t bytes) {
  auto moment = std::make_unique<op_event_s>(
      op_event_s{exec.streams->take_event(), std::move(arrived), static_cast<char *>(to), bytes});
  moment->event.record(stream);
  if (done) {
    *done = moment.release();
    return;
  }
  moment->event.wait();
  take_arrived(exec, *moment);
  exec.streams->give_back(std::move(moment->event));
}

void finish_later(op_exec &exec, op_event *done) {
  if (done) *done = new op_event_s{exec.streams->take_event(), nullptr, nullptr, 0, true};
}

op_status event_wait(op_exec *exec, op_event event) {
  if (!event) return OP_OK;
  return entry(exec, [&] {
    record_late(*exec, *event);
    event->event.wait();
    take_arrived(*exec, *event);
  });
}

int event_query(op_exec *exec, op_event event) {
  if (!event) return 1;
  bool past = true; // after a failure too, so that who asks goes on to wait and is told
  entry(exec, [&] {
    record_late(*exec, *event);
    past = event->event.past();
    if (past) take_arrived(*exec, *event);
  });
  return past ? 1 : 0;
}

void event_free(op_exec *exec, op_event event) {
  if (!event) return;
  const std::unique_ptr<op_event_s> owner(event);
  entry(exec, [&] {
    if (owner->arrived) { // nobody wants these bytes, but the memory may be used again only when they have arrived
      owner->event.wait();
      exec->halo->give_back(std::move(owner->arrived));
    }
    Event left(std::move(owner->event)); // ends here, while the device is current
    if (!owner->timed) exec->streams->give_back(std::move(left));
  });
}

op_status mark(op_exec *exec, int32_t queue, op_event *event) {
  *event = nullptr;
  return entry(exec, [&] {
    auto moment = std::make_unique<op_event_s>(op_event_s{Event(exec->driver, true)});
    moment->timed = true;
    moment->event.record(queue == 0 ? exec->streams->compute : exec->streams->halo);
    *event = moment.release();
  });
}

op_status elapsed(op_exec *exec, op_event from, op_event to, double *seconds) {
  return entry(exec, [&] {
    float milliseconds = 0;
    exec->driver.check(exec->driver.cuEventElapsedTime(&milliseconds, from->event.get(), to->event.get()),
                       "ask for the time between two events");
    *seconds = 1e-3 * static_cast<double>(milliseconds);
  });
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
