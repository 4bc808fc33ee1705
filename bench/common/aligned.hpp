// aligned.hpp: arrays for the hand-written loops: they start on a cache line, as the library's do.
//
// malloc's 16 bytes would cost a loop of wide vectors up to a half more, and the yardstick would be too easy.
#ifndef OP2_BENCH_ALIGNED_HPP
#define OP2_BENCH_ALIGNED_HPP

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  AlignedAllocator() = default;
  template <class U>
  explicit(false) AlignedAllocator(const AlignedAllocator<U> &) {}
  T *allocate(std::size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T *p, std::size_t) { ::operator delete(p, alignment); }

  // Values that nobody gives stay as they are, so that the thread that uses a page can be the first to touch it.
  template <class U>
  void construct(U *p) {
    ::new (static_cast<void *>(p)) U;
  }
  template <class U, class... Arguments>
  void construct(U *p, Arguments &&...arguments) {
    ::new (static_cast<void *>(p)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const AlignedAllocator &, const AlignedAllocator &) { return true; }
};

using AlignedArray = std::vector<double, AlignedAllocator<double>>;

#endif

// SPDX-License-Identifier: MIT
