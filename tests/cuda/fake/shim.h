/* shim.h: lets a C++ compiler for the host compile device text; the fake driver runs what comes out. The compiler gets
   it with -include and without any folder of standard headers, as NVRTC has none. */
#ifndef OP2_FAKE_SHIM_H
#define OP2_FAKE_SHIM_H

#include "shim_table.h"

/* What NVRTC has of std without a header. */
namespace std {
template <class T>
class initializer_list {
 public:
  constexpr initializer_list() noexcept : first_(nullptr), count_(0) {}
  constexpr __SIZE_TYPE__ size() const noexcept { return count_; }
  constexpr const T *begin() const noexcept { return first_; }
  constexpr const T *end() const noexcept { return first_ + count_; }

 private: /* as the compiler fills it */
  const T *first_;
  __SIZE_TYPE__ count_;
};
template <class T>
struct op2_fake_value {
  using type = T;
};
template <class T>
struct op2_fake_value<T &> : op2_fake_value<T> {};
template <class T>
struct op2_fake_value<T &&> : op2_fake_value<T> {};
template <class T>
constexpr typename op2_fake_value<T>::type &&move(T &&value) noexcept {
  return static_cast<typename op2_fake_value<T>::type &&>(value);
}
template <class T>
constexpr T &&forward(typename op2_fake_value<T>::type &value) noexcept {
  return static_cast<T &&>(value);
}
} // namespace std

#define OP2_FAKE_EXPORT __attribute__((visibility("default")))
#define __global__
#define __device__
#define __host__
#define __constant__ OP2_FAKE_EXPORT
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#ifdef OP2_FAKE_COUNT /* callbacks of the compiler use it, too: shim_count.cpp */
extern __attribute__((visibility("hidden"))) op2_fake_object op2_fake;
#else
static op2_fake_object op2_fake;
#endif
extern "C" OP2_FAKE_EXPORT op2_fake_object *op2_fake_get() { return &op2_fake; }

#define threadIdx op2_fake.thread
#define blockIdx op2_fake.block
#define blockDim op2_fake.block_size
#define gridDim op2_fake.grid
static const int warpSize = 32;

/* A kernel has one parameter, a struct named p; `name` runs one thread. */
#define OP2_FAKE_ENTRY(name, type)                                                                 \
  static void name##_op2_body(const type &p);                                                      \
  extern "C" {                                                                                     \
  OP2_FAKE_EXPORT void name(void **args) { name##_op2_body(*static_cast<const type *>(args[0])); } \
  OP2_FAKE_EXPORT unsigned long name##_op2_size = sizeof(type);                                    \
  }

#define OP2_KERNEL(name, type) \
  OP2_FAKE_ENTRY(name, type)   \
  static void name##_op2_body([[maybe_unused]] const type &p)

/* Threads that never wait for each other: a whole block is a loop over `order`. */
#define OP2_KERNEL_INDEPENDENT(name, type)                                                           \
  OP2_FAKE_ENTRY(name, type)                                                                         \
  extern "C" OP2_FAKE_EXPORT void name##_op2_block(void **args, const unsigned *order, unsigned n) { \
    for (unsigned i = 0; i < n; i++) {                                                               \
      op2_fake.thread.x = order[i];                                                                  \
      name##_op2_body(*static_cast<const type *>(args[0]));                                          \
    }                                                                                                \
  }                                                                                                  \
  static void name##_op2_body([[maybe_unused]] const type &p)

/* Blocks that wait for each other. */
#define OP2_KERNEL_RESIDENT(name, type)                         \
  extern "C" OP2_FAKE_EXPORT const int name##_op2_resident = 1; \
  OP2_KERNEL(name, type)

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* Device pointers carry bit 62, so that the host cannot use them; device code takes it off. */
template <class T>
inline T *op2_at(T *pointer) {
  const unsigned long long bits = reinterpret_cast<unsigned long long>(pointer);
  const unsigned slot = static_cast<unsigned>((bits * 0x9E3779B97F4A7C15ull) >> 60);
  if (op2_fake.known[slot] != (const void *)pointer) {
    op2_fake.runtime->address((const void *)pointer);
    op2_fake.known[slot] = (const void *)pointer;
  }
  return reinterpret_cast<T *>(bits & ~(1ull << 62));
}

#ifdef OP2_FAKE_COUNT
template <class T>
inline T *op2_fake_named(const char *text, T *pointer) {
  op2_fake.runtime->named(text, (const void *)pointer); /* without a branch, which would count */
  return reinterpret_cast<T *>(reinterpret_cast<unsigned long long>(pointer) & ~(1ull << 62));
}
#define op2_at(pointer) op2_fake_named(#pointer, pointer)

/* While it lives, loads and stores are those of one atomic operation. */
struct op2_fake_atomic {
  op2_fake_atomic(const void *address, unsigned bytes) { op2_fake.runtime->atomic(address, bytes); }
  ~op2_fake_atomic() { op2_fake.runtime->atomic(nullptr, 0); }
};
#define OP2_FAKE_ONE_ATOMIC(p) const op2_fake_atomic op2_fake_one((const void *)(p), sizeof(*(p)))
#else
#define OP2_FAKE_ONE_ATOMIC(p)
#endif

inline char *op2_shared() { return op2_fake.shared; }

template <class T>
struct op2_fake_same {
  using type = T;
};
template <class T>
using op2_fake_value = typename op2_fake_same<T>::type;

template <class T>
inline void op2_add(T *p, op2_fake_value<T> v) {
  *p += v;
  op2_fake.runtime->add(p);
}

/* Threads take turns only where they wait for each other, so plain operations are atomic. */
#define OP2_FAKE_ATOMIC(name, new_value)                      \
  template <class T>                                          \
  inline T name(T *p, [[maybe_unused]] op2_fake_value<T> v) { \
    OP2_FAKE_ONE_ATOMIC(p);                                   \
    const T old = *p;                                         \
    *p = new_value;                                           \
    return old;                                               \
  }
OP2_FAKE_ATOMIC(atomicAdd, old + v)
OP2_FAKE_ATOMIC(atomicSub, old - v)
OP2_FAKE_ATOMIC(atomicExch, v)
OP2_FAKE_ATOMIC(atomicMin, (v < old ? v : old))
OP2_FAKE_ATOMIC(atomicMax, (old < v ? v : old))
OP2_FAKE_ATOMIC(atomicAnd, old &v)
OP2_FAKE_ATOMIC(atomicOr, old | v)
OP2_FAKE_ATOMIC(atomicXor, old ^ v)
OP2_FAKE_ATOMIC(atomicInc, (old >= v ? 0 : old + 1))
OP2_FAKE_ATOMIC(atomicDec, (old == 0 || old > v ? v : old - 1))
OP2_FAKE_ATOMIC(op2_atomic_add, old + v)
template <class T>
inline T atomicCAS(T *p, op2_fake_value<T> expected, op2_fake_value<T> v) {
  OP2_FAKE_ONE_ATOMIC(p);
  const T old = *p;
  if (old == expected) *p = v;
  return old;
}

template <class T>
inline T __ldg(const T *p) {
  return *p;
}

/* ---- threads that wait for each other -----------------------------------------------------------------------------
 */

#define __syncthreads() op2_fake.runtime->barrier(__LINE__)
inline void __syncwarp(unsigned mask = 0xffffffffu) { op2_fake.runtime->warp(OP2_FAKE_WARP_SYNC, mask, 0, 0); }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __nanosleep(unsigned) {}

/* Between devices, as in kernel.h. */
template <class T>
inline void op2_put(T *to, T value) {
  op2_fake.runtime->put(to, &value, sizeof(T));
}
inline void op2_signal(unsigned *to, unsigned value) {
  op2_fake.runtime->put(to, &value, sizeof value);
  op2_fake.runtime->flag();
}
inline unsigned op2_look(const unsigned *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
inline void op2_fence_system() { op2_fake.runtime->fence(); } /* in resident kernels */
inline void op2_pause() { op2_fake.runtime->pause(); }

inline int op2_fake_lane() { return static_cast<int>(op2_fake.thread.x % 32); }

template <class T>
inline T op2_fake_shuffle(unsigned mask, T value, int lane) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most eight bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = op2_fake.runtime->warp(OP2_FAKE_WARP_SHUFFLE, mask, bits, lane);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

/* Lanes are counted inside groups of `width`; one that would be read outside of the group reads itself. */
template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  const int group = op2_fake_lane() & ~(width - 1);
  return op2_fake_shuffle(mask, value, group + (lane & (width - 1)));
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int own = op2_fake_lane(), from = own + static_cast<int>(delta);
  return op2_fake_shuffle(mask, value, (own & (width - 1)) + static_cast<int>(delta) < width ? from : own);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int own = op2_fake_lane(), from = own - static_cast<int>(delta);
  return op2_fake_shuffle(mask, value, (own & (width - 1)) >= static_cast<int>(delta) ? from : own);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  const int own = op2_fake_lane(), from = own ^ bits;
  return op2_fake_shuffle(mask, value, (from & ~(width - 1)) <= own ? from : own);
}
inline unsigned __ballot_sync(unsigned mask, int vote) {
  return static_cast<unsigned>(op2_fake.runtime->warp(OP2_FAKE_WARP_BALLOT, mask, vote != 0, 0));
}
inline int __any_sync(unsigned mask, int vote) { return __ballot_sync(mask, vote) != 0; }
inline int __all_sync(unsigned mask, int vote) { return __ballot_sync(mask, vote == 0) == 0; }
inline unsigned __activemask() { return 1u << op2_fake_lane(); }

/* Not a clock: it only never stands still. */
inline long long clock64() {
  static long long ticks;
  return ticks += 100;
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __ffs(int x) { return __builtin_ffs(x); }
#define __trap() __builtin_trap()

#include "shim_math.h"

#endif

/* SPDX-License-Identifier: MIT */
