// elements.h: what code that runs elements one by one needs, in front of a kernel. Part of every generated file, after
// functions.h, or after device.h where the file is to be compiled quickly.
#ifndef OP2J_ELEMENTS_H
#define OP2J_ELEMENTS_H
#ifndef OP2J_INLINE
#define OP2J_INLINE __attribute__((always_inline)) inline
#endif

namespace op2j {

// Where increments start. Adding to -0.0 changes nothing, not even a sign, so compilers leave the addition out.
template <class T>
constexpr T nothing = T(-0.0);

// Partial results of W lanes, one behind the other, combined into a variable in the order of the lanes.
template <int D, int W, class T>
OP2J_INLINE void add_up_each(T *into, const T *from) {
  for (int c = 0; c < D; ++c) {
    T sum = from[c];
    for (int l = 1; l < W; ++l) sum += from[l * D + c];
    into[c] += sum;
  }
}
template <int D, int W, bool Greatest, class T>
OP2J_INLINE void extreme_of_each(T *into, const T *from) {
  for (int c = 0; c < D; ++c)
    for (int l = 0; l < W; ++l)
      if (Greatest ? into[c] < from[l * D + c] : from[l * D + c] < into[c]) into[c] = from[l * D + c];
}

// Any kind of pointer that a kernel asks for.
struct pointer {
  const void *address;
  template <class T>
  OP2J_INLINE operator T *() const {
    return (T *)address;
  }
};

// The rows of a vector argument, for a kernel that may have them const.
template <class T>
struct rows_of {
  T **rows;
  OP2J_INLINE rows_of(pointer p) : rows((T **)p.address) {}
  OP2J_INLINE operator T **() const { return rows; }
  OP2J_INLINE operator const T **() const { return (const T **)rows; }
  OP2J_INLINE operator T *const *() const { return rows; }
  OP2J_INLINE operator const T *const *() const { return rows; }
};

} // namespace op2j

#endif
