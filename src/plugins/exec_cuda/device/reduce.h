// reduce.h: partial results of threads to one result, always in the same order. Part of kernels that reduce sums and
// extrema.
//
// All threads of a block call fold_block(). Blocks have 256 threads.
namespace op2c {

struct sum {
  template <class T>
  static inline T of(T a, T b) {
    return a + b;
  }
};
struct least {
  template <class T>
  static inline T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct greatest {
  template <class T>
  static inline T of(T a, T b) {
    return a < b ? b : a;
  }
};

// Thread 0 gets the result of all threads. Lanes behind the last warp's number fold what nobody reads.
template <class Op, int D, class T>
inline void fold_block(T *values) {
  T *const shared = reinterpret_cast<T *>(op2_shared());
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int d = 0; d < D; ++d) {
    for (int delta = 16; delta > 0; delta /= 2)
      values[d] = Op::of(values[d], __shfl_down_sync(0xffffffffu, values[d], delta));
    if (lane == 0) shared[warp * D + d] = values[d];
  }
  __syncthreads();
  if (warp == 0) {
    for (int d = 0; d < D; ++d) {
      T value = shared[lane % 8 * D + d];
      for (int delta = 4; delta > 0; delta /= 2) value = Op::of(value, __shfl_down_sync(0xffffffffu, value, delta));
      values[d] = value;
    }
  }
  __syncthreads();
}

// Of this thread only, in the order of the blocks. Other blocks wrote them, so no cache may answer.
template <class Op, int D, class T>
inline void fold_record(T *values, const char *record) {
  const volatile T *const from = reinterpret_cast<const volatile T *>(record);
  for (int d = 0; d < D; ++d) {
    const T value = from[d];
    values[d] = Op::of(values[d], value);
  }
}
template <int D, class T>
inline void store_record(const T *values, char *record) {
  for (int d = 0; d < D; ++d) reinterpret_cast<T *>(record)[d] = values[d];
}

// Whether this block is the last one to get here; then it sees what all others stored before. The counter is 0 again.
inline bool last_block(unsigned *counter) {
  int *const shared = reinterpret_cast<int *>(op2_shared());
  if (threadIdx.x == 0) {
    __threadfence();
    const bool last = atomicAdd(counter, 1u) == gridDim.x - 1;
    if (last) *counter = 0;
    *shared = last ? 1 : 0;
  }
  __syncthreads();
  const bool last = *shared != 0;
  __syncthreads();
  __threadfence();
  return last;
}

} // namespace op2c
