// kernel.h: what every generated kernel stands on. First part of its text, before the program's kernel.
//
// The same text is compiled by NVRTC for a GPU and by a C++ compiler for tests without one; the latter brings its own
// meaning of the names in the first part.
#if defined(__CUDACC_RTC__)

// A kernel has one parameter, the struct p. A kernel is independent if its threads share, shuffle and wait for nothing.
#define OP2_KERNEL(name, params) extern "C" __global__ void name(const __grid_constant__ params p)
// A kernel is resident if its blocks wait for each other: all of them must be on the device at the same time.
#define OP2_KERNEL_INDEPENDENT(name, params) OP2_KERNEL(name, params)
#define OP2_KERNEL_RESIDENT(name, params) OP2_KERNEL(name, params)

template <class T>
__device__ __forceinline__ T *op2_at(T *address) {
  return address;
}
extern __shared__ int4 op2_shared_memory[];
__device__ __forceinline__ char *op2_shared() { return reinterpret_cast<char *>(op2_shared_memory); }

template <class T>
__device__ __forceinline__ void op2_add(T *to, T value) {
  *to += value;
}
template <class T>
__device__ __forceinline__ void op2_atomic_add(T *to, T value) {
  atomicAdd(to, value);
}
__device__ __forceinline__ void op2_atomic_add(long long *to, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long *>(to), static_cast<unsigned long long>(value));
}

// Between devices. op2_put and op2_signal store into memory of another process; without op2_fence_system between them
// these stores may arrive in any order. op2_look sees what others have stored, and so does what follows a fence.
template <class T>
__device__ __forceinline__ void op2_put(T *to, T value) {
  *to = value;
}
__device__ __forceinline__ void op2_signal(unsigned *to, unsigned value) { *(volatile unsigned *)to = value; }
__device__ __forceinline__ unsigned op2_look(const unsigned *at) { return *(const volatile unsigned *)at; }
__device__ __forceinline__ void op2_fence_system() { __threadfence_system(); }
__device__ __forceinline__ void op2_pause() { __nanosleep(200); }

#endif

// The program's constants, defined once per text. The braces make it a definition.
#define OP2_CONSTANTS               \
  extern "C" {                      \
  __constant__ op2_program op2_values; \
  }

namespace op2c {

// Any kind of pointer that a kernel asks for.
struct pointer {
  const void *address;
  template <class T>
  inline operator T *() const {
    return (T *)address;
  }
};

// Values that are loaded and stored at once.
template <class T, int N>
struct alignas(N * sizeof(T)) pack {
  T value[N];
};
// As many of a row of D values as rows are aligned for, up to 16 bytes.
template <class T>
constexpr int pack_of(int D) {
  int values = 1;
  while (D % (2 * values) == 0 && 2 * values * int(sizeof(T)) <= 16) values *= 2;
  return values;
}
template <int D, class T>
inline void load_row(T *to, const char *row) {
  constexpr int N = pack_of<T>(D);
  for (int i = 0; i < D / N; ++i) {
    const pack<T, N> values = reinterpret_cast<const pack<T, N> *>(row)[i];
    for (int j = 0; j < N; ++j) to[i * N + j] = values.value[j];
  }
}
template <int D, class T>
inline void store_row(const T *from, char *row) {
  constexpr int N = pack_of<T>(D);
  for (int i = 0; i < D / N; ++i) {
    pack<T, N> values;
    for (int j = 0; j < N; ++j) values.value[j] = from[i * N + j];
    reinterpret_cast<pack<T, N> *>(row)[i] = values;
  }
}

// What adding starts from: adding -0.0 changes nothing, not even a sign, so that one addition is left out.
template <class T>
constexpr T nothing = T(-0.0);

} // namespace op2c
