// stream.cpp: objects of the driver as C++ values. Their destructors ignore errors: there is nobody to tell.
#include "stream.hpp"

#include <algorithm>
#include <cstring>

#include "launch/graph_cache.hpp"

namespace op2::exec_cuda {

Event::Event(const Driver &driver, bool timed) : driver_(&driver) {
  driver.check(driver.cuEventCreate(&event_, timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING), "make an event");
}

Event::~Event() {
  if (event_) driver_->cuEventDestroy(event_);
}

void Event::record(CUstream stream) { driver_->check(driver_->cuEventRecord(event_, stream), "record an event"); }

bool Event::past() const {
  const CUresult status = driver_->cuEventQuery(event_);
  if (status == CUDA_ERROR_NOT_READY) return false;
  driver_->check(status, "ask for an event");
  return true;
}

void Event::wait() const { driver_->check(driver_->cuEventSynchronize(event_), "wait for the device"); }

void Queue::make(const Driver &driver, int priority, const char *what) {
  // Non-blocking: other libraries may use the default stream, which would wait for ours and let ours wait.
  driver.check(driver.cuStreamCreateWithPriority(&stream_, CU_STREAM_NON_BLOCKING, priority), what);
}

void Queue::send_held() const { graphs_->flush(); }

Streams::Streams(const Driver &driver) : driver_(driver) {
  int lowest = 0, highest = 0; // the smaller number goes first
  driver.check(driver.cuCtxGetStreamPriorityRange(&lowest, &highest), "ask for the priorities of streams");
  compute.make(driver, lowest, "make the stream of loops");
  try {
    halo.make(driver, highest, "make the stream of halos");
  } catch (...) {
    driver.cuStreamDestroy(compute.raw());
    throw;
  }
  marker_ = std::make_unique<Event>(driver);
}

Streams::~Streams() {
  marker_.reset();
  spare_.clear();
  driver_.cuStreamDestroy(halo.raw());
  driver_.cuStreamDestroy(compute.raw());
}

void Streams::order(CUstream earlier, CUstream later) {
  // A wait looks at the latest record at the time of the call, so that one event serves every time.
  marker_->record(earlier);
  driver_.check(driver_.cuStreamWaitEvent(later, marker_->get(), 0), "order two streams");
}

Event Streams::take_event() {
  if (spare_.empty()) return Event(driver_);
  Event event = std::move(spare_.back());
  spare_.pop_back();
  return event;
}

void Streams::wait_all() const {
  driver_.check(driver_.cuStreamSynchronize(compute), "wait for the device");
  driver_.check(driver_.cuStreamSynchronize(halo), "wait for the device");
}

Pinned::Pinned(const Driver &driver, size_t bytes) : driver_(&driver), size_(bytes) {
  void *p = nullptr;
  const unsigned flags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP;
  const CUresult status = driver.cuMemHostAlloc(&p, std::max<size_t>(bytes, 1), flags);
  if (status == CUDA_ERROR_OUT_OF_MEMORY)
    throw Failure(OP_ERR_MEMORY, "page-locked host memory: " + std::to_string(bytes) + " bytes wanted: " +
                                     driver.describe(status) + "; ulimit -l or the memory of the machine limit it");
  driver.check(status, "page-locked host memory");
  data_ = static_cast<char *>(p);
}

Pinned::Pinned(Pinned &&other) noexcept : driver_(other.driver_), data_(other.data_), size_(other.size_) {
  other.data_ = nullptr;
}

Pinned::~Pinned() {
  if (data_) driver_->cuMemFreeHost(data_);
}

Device::Device(const Driver &driver, size_t bytes) : driver_(&driver), size_(bytes) {
  driver.check_memory(driver.cuMemAlloc(&address_, std::max<size_t>(bytes, 1)), "device memory", bytes);
}

Device::Device(Device &&other) noexcept : driver_(other.driver_), address_(other.address_), size_(other.size_) {
  other.address_ = 0;
}

Device::~Device() {
  if (address_) driver_->cuMemFree(address_);
}

namespace {
constexpr size_t section_bytes = size_t{64} << 10;
constexpr size_t sections = 4;
} // namespace

Upload::Upload(const Driver &driver, const Queue &stream) : driver_(driver), stream_(stream) {
  for (size_t i = 0; i < sections; ++i) sections_.push_back({Pinned(driver, section_bytes), Event(driver), false});
}

void Upload::put(CUdeviceptr to, const void *from, size_t bytes) {
  const char *source = static_cast<const char *>(from);
  while (bytes > 0) {
    if (filled_ == section_bytes) leave_section();
    Section &section = sections_[current_];
    const size_t piece = std::min(bytes, section_bytes - filled_);
    char *const copy = section.memory.data() + filled_;
    std::memcpy(copy, source, piece);
    driver_.check(driver_.cuMemcpyHtoDAsync(to, copy, piece, stream_), "copy to the device");
    filled_ = std::min(section_bytes, (filled_ + piece + 15) / 16 * 16);
    to += piece;
    source += piece;
    bytes -= piece;
  }
}

// The next section is entered only when the device has taken what lies in it.
void Upload::leave_section() {
  sections_[current_].used.record(stream_);
  sections_[current_].waiting = true;
  current_ = (current_ + 1) % sections_.size();
  filled_ = 0;
  if (sections_[current_].waiting) sections_[current_].used.wait();
  sections_[current_].waiting = false;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
