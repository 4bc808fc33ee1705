// driver_stream.cpp: entry points of streams and events.
#include <time.h>

#include <cstring>

#include "call.hpp"

using namespace fake;

namespace fake {

std::shared_ptr<Stream> stream_of(void *handle) {
  State &s = state();
  if (reinterpret_cast<std::uintptr_t>(handle) <= 2) { // default stream, by any of its names
    const Device *device = current_device();
    return device ? device->legacy : nullptr;
  }
  const auto found = s.streams.find(handle);
  return found == s.streams.end() ? nullptr : found->second;
}

namespace {

Event *event_of(void *handle) {
  const auto found = state().events.find(handle);
  return found == state().events.end() ? nullptr : found->second.get();
}

double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

int create_stream(const Call &call, void **handle, unsigned flags, int priority) {
  State &s = state();
  if (!handle || flags > 1) return call.answer(invalid_value);
  auto stream = std::make_shared<Stream>();
  stream->id = ++s.last_id;
  stream->device = current_device()->ordinal;
  stream->priority = priority;
  stream->blocking = (flags & 1u) == 0;
  *handle = stream.get();
  s.streams[*handle] = std::move(stream);
  return call.answer(success);
}

// What must not be asked of a stream whose work is being captured.
int capturing(const Call &call, const std::shared_ptr<Stream> &stream) {
  stream->capture->spoil();
  return call.refuse(capture_unsupported, "the stream is being captured");
}

} // namespace
} // namespace fake

FAKE_ENTRY cuStreamCreate(void **stream, unsigned flags) {
  FAKE_CALL("cuStreamCreate", "flags", flags);
  return create_stream(call, stream, flags, 0);
}

FAKE_ENTRY cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  FAKE_CALL("cuStreamCreateWithPriority", "flags", flags, "priority", priority);
  return create_stream(call, stream, flags, priority);
}

FAKE_ENTRY cuStreamDestroy_v2(void *handle) {
  FAKE_CALL("cuStreamDestroy", "stream", id_of(handle));
  State &s = state();
  const auto found = s.streams.find(handle);
  if (found == s.streams.end()) return call.refuse(invalid_handle, "no such stream");
  if (!found->second->queue.empty()) s.orphans.push_back(found->second); // its work is still done, some time
  s.streams.erase(found);
  return call.answer(success);
}

FAKE_ENTRY cuStreamSynchronize(void *handle) {
  FAKE_CALL("cuStreamSynchronize", "stream", id_of(handle));
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  if (stream->capture) return capturing(call, stream);
  if (stream == current_device()->legacy) // it is behind everything that was issued to blocking streams
    for (const auto &[key, other] : state().streams)
      if (other->blocking && other->device == stream->device) issue_wait(stream, other, other->issued);
  return call.answer(run_all(stream));
}

FAKE_ENTRY cuStreamQuery(void *handle) {
  FAKE_CALL("cuStreamQuery", "stream", id_of(handle));
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  if (stream->capture) return capturing(call, stream);
  const int code = run_one(stream);
  return call.answer(code != success ? code : stream->queue.empty() ? static_cast<int>(success) : not_ready);
}

FAKE_ENTRY cuStreamGetPriority(void *handle, int *priority) {
  FAKE_CALL("cuStreamGetPriority");
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  *priority = stream->priority;
  return call.answer(success);
}

FAKE_ENTRY cuStreamWaitEvent(void *handle, void *which, unsigned) {
  FAKE_CALL("cuStreamWaitEvent", "stream", id_of(handle));
  const auto stream = stream_of(handle);
  Event *event = event_of(which);
  if (!stream || !event) return call.refuse(invalid_handle, "no such stream or event");
  if (state().settings.fault == "drop_event_wait") return call.answer(success);
  if (event->capture) { // the stream joins the capture
    if (event->capture->ended())
      return call.refuse(invalid_value, "the event was recorded in a capture that has ended");
    if (stream->capture && stream->capture != event->capture) return call.answer(capture_isolation);
    stream->capture = event->capture;
    stream->capture->wait(stream, *event);
  } else if (event->stream && stream->capture) {
    stream->capture->spoil();
    return call.refuse(capture_isolation, "captured work cannot wait for work that is not captured");
  } else if (event->stream) {
    issue_wait(stream, event->stream, event->position);
  }
  return call.answer(success);
}

FAKE_ENTRY cuEventCreate(void **handle, unsigned flags) {
  FAKE_CALL("cuEventCreate", "flags", flags);
  if (!handle) return call.answer(invalid_value);
  auto event = std::make_unique<Event>();
  event->id = ++state().last_id;
  event->timing = (flags & 2u) == 0;
  *handle = event.get();
  state().events[*handle] = std::move(event);
  return call.answer(success);
}

FAKE_ENTRY cuEventDestroy_v2(void *handle) {
  FAKE_CALL("cuEventDestroy");
  if (state().events.erase(handle) == 0) return call.refuse(invalid_handle, "no such event");
  return call.answer(success);
}

FAKE_ENTRY cuEventRecord(void *which, void *handle) {
  FAKE_CALL("cuEventRecord", "stream", id_of(handle));
  const auto stream = stream_of(handle);
  Event *event = event_of(which);
  if (!stream || !event) return call.refuse(invalid_handle, "no such stream or event");
  if (stream->capture) {
    event->capture = stream->capture;
    event->capture->record(stream, *event);
    return call.answer(success);
  }
  issue(stream, Op{"event " + std::to_string(event->id),
                   [which] {
                     if (Event *still = event_of(which)) still->when = now_ms();
                     return success;
                   },
                   nullptr, 0, 0});
  event->capture.reset();
  event->stream = stream;
  event->position = stream->issued;
  return call.answer(success);
}

FAKE_ENTRY cuEventQuery(void *which) {
  FAKE_CALL("cuEventQuery");
  const Event *event = event_of(which);
  if (!event) return call.refuse(invalid_handle, "no such event");
  if (event->capture) return call.answer(capture_unsupported);
  const int code = event->reached() ? static_cast<int>(success) : run_one(event->stream);
  return call.answer(code != success ? code : event->reached() ? static_cast<int>(success) : not_ready);
}

FAKE_ENTRY cuEventSynchronize(void *which) {
  FAKE_CALL("cuEventSynchronize");
  const Event *event = event_of(which);
  if (!event) return call.refuse(invalid_handle, "no such event");
  if (event->capture) return call.answer(capture_unsupported);
  return call.answer(event->reached() ? static_cast<int>(success) : run_until(event->stream, event->position));
}

FAKE_ENTRY cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  FAKE_CALL("cuEventElapsedTime");
  const Event *start = event_of(from), *end = event_of(to);
  if (!start || !end || !start->timing || !end->timing || !start->stream || !end->stream)
    return call.refuse(invalid_handle, "an event that has no time");
  if (!start->reached() || !end->reached()) return call.answer(not_ready);
  *milliseconds = static_cast<float>((end->when - start->when) / state().settings.speed);
  return call.answer(success);
}
FAKE_ENTRY cuEventElapsedTime_v2(float *milliseconds, void *from, void *to) {
  return cuEventElapsedTime(milliseconds, from, to);
}

FAKE_ENTRY cuLaunchHostFunc(void *handle, void (*function)(void *), void *data) {
  FAKE_CALL("cuLaunchHostFunc", "stream", id_of(handle));
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  issue(stream, Op{"host function", [=] { return function(data), static_cast<int>(success); }, nullptr, 0, 0});
  return call.answer(success);
}

// SPDX-License-Identifier: MIT
