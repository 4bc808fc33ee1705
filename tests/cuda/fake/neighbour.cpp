// neighbour.cpp: work that other processes wait for is done though nobody here asks for it.
#include "neighbour.hpp"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>

#include "state.hpp"

namespace fake {

namespace {

constexpr std::size_t page = 4096;

Needs *map_needs(int file) {
  void *at = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : static_cast<Needs *>(at);
}

bool writes_elsewhere(const Stream &stream) {
  return std::any_of(stream.queue.begin(), stream.queue.end(), [](const Op &op) { return op.remote; });
}

} // namespace

Neighbours::Neighbours(int own_file) : own_(map_needs(own_file)) {}

void Neighbours::watch(int process, int file) {
  if (!others_.contains(process)) others_[process] = map_needs(file);
  if (thread_.joinable()) return;
  stop_ = false;
  thread_ = std::thread([this] { serve(); });
}

void Neighbours::stop() {
  __atomic_store_n(&stop_, true, __ATOMIC_RELEASE);
  if (thread_.joinable()) thread_.join(); // it only tries to take the lock that the caller holds
  for (const auto &[process, needs] : others_)
    if (needs) munmap(const_cast<Needs *>(needs), page);
  others_.clear();
}

void Neighbours::set_waiting(bool waits) {
  if (own_) __atomic_store_n(&own_->waits, waits ? 1u : 0u, __ATOMIC_RELEASE);
}

bool Neighbours::somebody_waits() const {
  return std::any_of(others_.begin(), others_.end(), [](const auto &other) {
    const Needs *needs = other.second;
    return needs && (__atomic_load_n(&needs->waits, __ATOMIC_ACQUIRE) != 0 ||
                     __atomic_load_n(&needs->helper_waits, __ATOMIC_ACQUIRE) != 0);
  });
}

void Neighbours::serve() {
  State &s = state();
  while (!__atomic_load_n(&stop_, __ATOMIC_ACQUIRE)) {
    const timespec pause = {0, 100000};
    nanosleep(&pause, nullptr);
    // Whoever holds the lock for long waits himself, and runs everything meanwhile.
    const std::unique_lock<std::recursive_mutex> lock(s.mutex, std::try_to_lock);
    if (!lock) continue;
    bool stuck = false;
    if (somebody_waits())
      for (const auto &[handle, stream] : std::map(s.streams))
        while (!stuck && writes_elsewhere(*stream)) stuck = !step(stream);
    if (own_) __atomic_store_n(&own_->helper_waits, stuck ? 1u : 0u, __ATOMIC_RELEASE);
  }
}

} // namespace fake

// SPDX-License-Identifier: MIT
