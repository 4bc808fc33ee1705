// stream.hpp: streams as queues that run only as far as somebody waits for them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "abi.hpp"

namespace fake {

struct Stream;
class Capture;

// One piece of work, or the wait for a position of another stream.
struct Op {
  std::string what;
  std::function<int()> run; // answers a code; not `success` breaks the device
  std::shared_ptr<Stream> other;
  std::uint64_t position = 0;
  std::uint64_t serial = 0;         // order of issue over all streams
  std::function<bool()> ready = {}; // whether it can run at all yet
  bool remote = false;              // another process may wait for it
};

struct Stream {
  int id = 0;
  int device = 0;
  int priority = 0;
  bool blocking = true; // ordered with the default stream
  bool destroyed = false;
  std::deque<Op> queue;
  std::uint64_t issued = 0, done = 0;
  std::shared_ptr<Capture> capture;
};

struct Event {
  int id = 0;
  bool timing = true;
  std::shared_ptr<Stream> stream; // of the last record
  std::uint64_t position = 0;
  std::size_t lane = 0;             // of the capture
  double when = 0;                  // milliseconds, when it was reached
  std::shared_ptr<Capture> capture; // the last record was captured here

  bool reached() const { return !stream || stream->done >= position; }
};

// Puts work behind what the stream holds already; orders it with the default stream as the driver does.
void issue(const std::shared_ptr<Stream> &stream, Op op);
void issue_wait(const std::shared_ptr<Stream> &stream, const std::shared_ptr<Stream> &other, std::uint64_t position);
// The same, for work of the other stream that is yet to be issued too.
void push_wait(const std::shared_ptr<Stream> &stream, const std::shared_ptr<Stream> &other, std::uint64_t position);

// Runs until the stream has done `position`, and no more than that needs.
int run_until(const std::shared_ptr<Stream> &stream, std::uint64_t position);
inline int run_all(const std::shared_ptr<Stream> &stream) { return run_until(stream, stream->issued); }
// Runs one piece of work that this stream needs next. False: there is none, or it cannot run yet.
bool step(const std::shared_ptr<Stream> &stream);
// Runs one piece of work at most.
int run_one(const std::shared_ptr<Stream> &stream);
// Runs everything of a device.
int run_device(int device);

} // namespace fake

// SPDX-License-Identifier: MIT
