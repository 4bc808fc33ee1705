// stream.cpp: running queues: never more than what a synchronisation needs.
#include "stream.hpp"

#include <time.h>

#include <utility>

#include "capture.hpp"
#include "state.hpp"

namespace fake {

namespace {

bool runs_later(const Stream &stream) { return stream.done < stream.issued; }

void push(const std::shared_ptr<Stream> &stream, Op op) {
  op.serial = ++state().serial;
  stream->queue.push_back(std::move(op));
  stream->issued++;
}

template <class Visit>
void each_stream(int device, const Visit &visit) {
  State &s = state();
  // Copies: running work may create and destroy streams.
  std::vector<std::shared_ptr<Stream>> all = s.orphans;
  for (const auto &[handle, stream] : s.streams) all.push_back(stream);
  if (s.devices[static_cast<std::size_t>(device)].legacy)
    all.push_back(s.devices[static_cast<std::size_t>(device)].legacy);
  for (const auto &stream : all)
    if (stream->device == device) visit(stream);
}

// The default stream waits for all blocking streams, and they for it.
void order_with_default(const std::shared_ptr<Stream> &stream) {
  const std::shared_ptr<Stream> legacy = state().devices[static_cast<std::size_t>(stream->device)].legacy;
  if (stream != legacy) {
    if (stream->blocking && runs_later(*legacy)) issue_wait(stream, legacy, legacy->issued);
    return;
  }
  each_stream(stream->device, [&](const std::shared_ptr<Stream> &other) {
    if (other != legacy && other->blocking && runs_later(*other)) issue_wait(legacy, other, other->issued);
  });
}

bool can_run(const Stream &stream) {
  if (stream.queue.empty()) return true; // as far as it goes
  const Op &front = stream.queue.front();
  return !front.ready || state().devices[static_cast<std::size_t>(stream.device)].error || front.ready();
}

// Until the first piece of work of a stream can run: other work of this process may be what it waits for, or that of
// another one.
void wait_for_others(const std::shared_ptr<Stream> &stream) {
  State &s = state();
  s.neighbours.set_waiting(true);
  const timespec pause = {0, 100000};
  for (double waited = 0; !can_run(*stream);) {
    bool moved = false;
    for (const auto &[handle, other] : std::map(s.streams))
      if (other != stream) moved = step(other) || moved;
    for (const Device &device : s.devices)
      if (device.legacy != stream) moved = step(device.legacy) || moved;
    if (moved) continue;
    nanosleep(&pause, nullptr);
    waited += 1e-4; // at least
    if (waited < s.settings.patience) continue;
    report("a stream waits for a value that nobody writes");
    s.devices[static_cast<std::size_t>(stream->device)].error = launch_failed;
  }
  s.neighbours.set_waiting(false);
}

// Takes the first piece out of the queue and runs it.
int run_front(const std::shared_ptr<Stream> &stream) {
  State &s = state();
  Op op = std::move(stream->queue.front());
  stream->queue.pop_front();
  Device &device = s.devices[static_cast<std::size_t>(stream->device)];
  int code = success;
  if (op.run && !device.error) {
    const std::uint64_t before = std::exchange(s.running, op.serial);
    if (s.trace.on()) s.trace.line("run " + op.what + " stream=" + std::to_string(stream->id));
    code = op.run();
    s.running = before;
    if (code != success && !device.error) device.error = code;
  }
  stream->done++;
  return code;
}

} // namespace

void issue(const std::shared_ptr<Stream> &stream, Op op) {
  if (stream->capture) {
    stream->capture->add(stream, std::move(op));
    return;
  }
  if (const long us = state().settings.enqueue; us > 0) {
    const timespec pause = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&pause, nullptr);
  }
  order_with_default(stream);
  push(stream, std::move(op));
}

void issue_wait(const std::shared_ptr<Stream> &stream, const std::shared_ptr<Stream> &other, std::uint64_t position) {
  if (other->done < position && other != stream) push_wait(stream, other, position);
}

void push_wait(const std::shared_ptr<Stream> &stream, const std::shared_ptr<Stream> &other, std::uint64_t position) {
  push(stream, Op{"wait", {}, other, position, 0});
}

bool step(const std::shared_ptr<Stream> &stream) {
  std::shared_ptr<Stream> at = stream;
  while (!at->queue.empty() && at->queue.front().other && at->queue.front().other->done < at->queue.front().position)
    at = at->queue.front().other;
  if (at->queue.empty() || !can_run(*at)) return false;
  run_front(at);
  return true;
}

int run_until(const std::shared_ptr<Stream> &stream, std::uint64_t position) {
  // Waits lead from stream to stream; a list of goals instead of calls in calls, since it can become long.
  std::vector<std::pair<std::shared_ptr<Stream>, std::uint64_t>> goals = {{stream, position}};
  while (!goals.empty()) {
    const auto [goal, reached] = goals.back();
    if (goal->done >= reached || goal->queue.empty()) {
      goals.pop_back();
      continue;
    }
    const Op &front = goal->queue.front();
    if (front.other && front.other->done < front.position)
      goals.emplace_back(front.other, front.position);
    else if (!can_run(*goal))
      wait_for_others(goal);
    else
      run_front(goal);
  }
  bury();
  return state().devices[static_cast<std::size_t>(stream->device)].error;
}

int run_one(const std::shared_ptr<Stream> &stream) {
  step(stream);
  bury();
  return state().devices[static_cast<std::size_t>(stream->device)].error;
}

int run_device(int device) {
  each_stream(device, [](const std::shared_ptr<Stream> &stream) { run_all(stream); });
  std::erase_if(state().orphans, [](const auto &stream) { return stream->queue.empty(); });
  bury();
  return state().devices[static_cast<std::size_t>(device)].error;
}

} // namespace fake

// SPDX-License-Identifier: MIT
