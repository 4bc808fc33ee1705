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

// What an element adds to a row of which its kernel changes single components, at indices of its own, without a row of
// zeros in memory; the bits are those of such a row. `Of` has the values; the kernel's parameter is a component_row.
template <class Of>
struct component_place {
  Of *of;
  long index;
  template <class X>
  OP2J_INLINE void operator+=(X x) const {
    of->change(index, [x](auto &value) { value += x; });
  }
  template <class X>
  OP2J_INLINE void operator-=(X x) const {
    of->change(index, [x](auto &value) { value -= x; });
  }
  OP2J_INLINE void operator++() const { *this += 1; }
  OP2J_INLINE void operator++(int) const { *this += 1; }
  OP2J_INLINE void operator--() const { *this -= 1; }
  OP2J_INLINE void operator--(int) const { *this -= 1; }
};
template <class Of>
struct component_row {
  Of *of;
  OP2J_INLINE component_place<Of> operator[](long index) const { return {of, index}; }
  OP2J_INLINE component_place<Of> operator*() const { return {of, 0}; }
};

// Once at most.
template <class T>
struct one_component {
  using row = component_row<one_component>;
  T value = nothing<T>;
  long index = 0;
  template <class Change>
  OP2J_INLINE void change(long at, Change change) {
    value = nothing<T>;
    change(value);
    index = at;
  }
  OP2J_INLINE void add_to(T *to) const { to[index] += value; }
};

// Some times, to a short row: it stays in registers, since each of its components is looked at.
template <class T, int D>
struct few_components {
  using row = component_row<few_components>;
  T values[D];
  OP2J_INLINE few_components() {
    for (int c = 0; c < D; ++c) values[c] = nothing<T>;
  }
  template <class Change>
  OP2J_INLINE void change(long at, Change change) {
    for (int c = 0; c < D; ++c) {
      T value = values[c];
      change(value);
      values[c] = c == at ? value : values[c];
    }
  }
  OP2J_INLINE void add_to(T *to) const {
    for (int c = 0; c < D; ++c) to[c] += values[c];
  }
};

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
