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

// The lane with the extremum, among W partial results and the elements where each was found, -1 = none yet. Of equal
// ones the lowest wins.
template <int D, int W, bool Greatest, class T>
OP2J_INLINE int winning_lane_each(int c, T &best, const T *from, const int *winner) {
  int lane = -1;
  for (int l = 0; l < W; ++l) {
    const T value = from[l * D + c];
    if (winner[l * D + c] < 0) continue;
    const bool better = Greatest ? best < value : value < best;
    if (better || (lane >= 0 && best == value && winner[l * D + c] < winner[lane * D + c])) {
      best = value;
      lane = l;
    }
  }
  return lane;
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
  template <class Pointer>
  OP2J_INLINE rows_of(Pointer p) : rows(p) {}
  OP2J_INLINE operator T **() const { return rows; }
  OP2J_INLINE operator const T **() const { return (const T **)rows; }
  OP2J_INLINE operator T *const *() const { return rows; }
  OP2J_INLINE operator const T *const *() const { return rows; }
};

} // namespace op2j

#endif
