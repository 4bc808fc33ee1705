// Streams and events of a device, and uploads of small host data.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driver.hpp"

namespace op2::exec_cuda {

// An event, without time measurement unless it is `timed`. Move-only.
class Event {
 public:
  explicit Event(const Driver &driver, bool timed = false);
  Event(Event &&other) noexcept : driver_(other.driver_), event_(other.event_) { other.event_ = nullptr; }
  Event &operator=(Event &&) = delete;
  ~Event();
  CUevent get() const { return event_; }
  void record(CUstream stream);
  bool past() const; // whether it is complete; throws if work before it failed
  void wait() const; // on the host

 private:
  const Driver *driver_;
  CUevent event_ = nullptr;
};

class GraphCache; // holds launches back: graph_cache.hpp

// A stream. A caller that takes the driver's handle puts work on the stream or waits for it, so the conversion first
// sends held launches; the caller must not keep the handle.
class Queue {
 public:
  operator CUstream() const { // NOLINT: meant to be implicit
    if (graphs_) send_held();
    return stream_;
  }
  CUstream raw() const { return stream_; }
  void make(const Driver &driver, int priority, const char *what);
  void watch(GraphCache *graphs) { graphs_ = graphs; }

 private:
  void send_held() const;
  CUstream stream_ = nullptr;
  GraphCache *graphs_ = nullptr;
};

// Two streams: loops and copies run on `compute`, in order; `halo` packs and unpacks concurrently, with higher
// priority.
class Streams {
 public:
  explicit Streams(const Driver &driver);
  ~Streams();
  Streams(const Streams &) = delete;
  Streams &operator=(const Streams &) = delete;
  Queue compute, halo;
  // Later work on `later` runs after all work on `earlier` so far.
  void order(CUstream earlier, CUstream later);
  void wait_all() const; // on the host
  // Events are reused.
  Event take_event();
  void give_back(Event &&event) { spare_.push_back(std::move(event)); }

 private:
  const Driver &driver_;
  std::unique_ptr<Event> marker_;
  std::vector<Event> spare_;
};

// A page-locked block of host memory that the device can access.
class Pinned {
 public:
  Pinned(const Driver &driver, size_t bytes);
  Pinned(Pinned &&other) noexcept;
  Pinned &operator=(Pinned &&) = delete;
  ~Pinned();
  char *data() const { return data_; }
  size_t size() const { return size_; }

 private:
  const Driver *driver_;
  char *data_ = nullptr;
  size_t size_ = 0;
};

// A block of device memory.
class Device {
 public:
  Device(const Driver &driver, size_t bytes);
  Device(Device &&other) noexcept;
  Device &operator=(Device &&) = delete;
  ~Device(); // nothing may use the memory any more
  CUdeviceptr address() const { return address_; }
  template <class T = char>
  T *as() const {
    return reinterpret_cast<T *>(address_); // NOLINT: device addresses are numbers
  }
  size_t size() const { return size_; }

 private:
  const Driver *driver_;
  CUdeviceptr address_ = 0;
  size_t size_ = 0;
};

// Small host data for one stream: plans, parameters, globals. put() copies the bytes before it returns, and the device
// receives them in the order of the stream. It waits only if the ring is full of pending uploads.
class Upload {
 public:
  Upload(const Driver &driver, const Queue &stream);
  void put(CUdeviceptr to, const void *from, size_t bytes);
  template <class T>
  void put(CUdeviceptr to, std::span<const T> from) {
    put(to, from.data(), from.size_bytes());
  }

 private:
  struct Section {
    Pinned memory;
    Event used; // complete when the device has copied the section
    bool waiting = false;
  };
  void leave_section();

  const Driver &driver_;
  const Queue &stream_;
  std::vector<Section> sections_;
  size_t current_ = 0, filled_ = 0;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
