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
  template <class T>
  static inline bool beats(T a, T b) {
    return a < b;
  }
};
struct greatest {
  template <class T>
  static inline T of(T a, T b) {
    return a < b ? b : a;
  }
  template <class T>
  static inline bool beats(T a, T b) {
    return b < a;
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

// Extrema with the numbers of their elements; -1: the start, which no element beats by being equal. Among equals the
// lowest number wins, whichever way they meet.
template <class Op, class T>
inline bool wins(T value, int number, T before, int number_before) {
  return Op::beats(value, before) || (value == before && number < number_before);
}

// The same for such pairs. Thread 0 gets the values, all threads get the numbers of the winners.
template <class Op, int D, class T>
inline void fold_winner_block(T *values, const int *mine, int *winner) {
  T *const shared = reinterpret_cast<T *>(op2_shared());
  int *const numbers = reinterpret_cast<int *>(shared + 8 * D);
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const auto fold = [](T &value, int &number, int delta) {
    const T other = __shfl_down_sync(0xffffffffu, value, delta);
    const int other_number = __shfl_down_sync(0xffffffffu, number, delta);
    if (wins<Op>(other, other_number, value, number)) {
      value = other;
      number = other_number;
    }
  };
  for (int d = 0; d < D; ++d) {
    T value = values[d];
    int number = mine[d];
    for (int delta = 16; delta > 0; delta /= 2) fold(value, number, delta);
    if (lane == 0) {
      shared[warp * D + d] = value;
      numbers[warp * D + d] = number;
    }
  }
  __syncthreads();
  if (warp == 0) {
    for (int d = 0; d < D; ++d) {
      T value = shared[lane % 8 * D + d];
      int number = numbers[lane % 8 * D + d];
      for (int delta = 4; delta > 0; delta /= 2) fold(value, number, delta);
      values[d] = value;
      winner[d] = number;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int d = 0; d < D; ++d) numbers[d] = winner[d];
  __syncthreads();
  for (int d = 0; d < D; ++d) winner[d] = numbers[d];
  __syncthreads();
}

// Of this thread only: what block `block` has left behind.
template <class Op, int D, class T>
inline void fold_winner(T *values, int *numbers, int *blocks, const char *record, long long value_at,
                        long long number_at, int block) {
  const volatile T *const from = reinterpret_cast<const volatile T *>(record + value_at);
  const volatile int *const from_numbers = reinterpret_cast<const volatile int *>(record + number_at);
  for (int d = 0; d < D; ++d) {
    const T value = from[d];
    const int number = from_numbers[d];
    if (!wins<Op>(value, number, values[d], numbers[d])) continue;
    values[d] = value;
    numbers[d] = number;
    blocks[d] = block;
  }
}
template <int B>
inline void store_share(char *to, const volatile char *from) {
  for (int c = 0; c < B; ++c) to[c] = from[c];
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
