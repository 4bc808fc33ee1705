// layouts.h: rows whose components are not of unit stride. Follows runs.h in files that need it.
//
// SoA has all rows of a component together: consecutive elements have their values of one component with unit stride,
// so vectors are loaded and stored as they are; rows that a map leads to are collected lane by lane. `step` is the
// number of values from a component to the next.
namespace op2j {

template <int D, class T, int W>
OP2J_INLINE void load_components(lanes<T, W> *to, const T *from, long step) {
#pragma GCC unroll 64
  for (int c = 0; c < D; ++c) to[c].v = load<T, W>(from + c * step);
}
template <int D, class T, int W>
OP2J_INLINE void store_components(const lanes<T, W> *from, T *to, long step) {
#pragma GCC unroll 64
  for (int c = 0; c < D; ++c) store<T, W>(to + c * step, from[c].v);
}
template <int D, class T, int W>
OP2J_INLINE void stream_components(const lanes<T, W> *from, T *to, long step, bool aligned) {
#pragma GCC unroll 64
  for (int c = 0; c < D; ++c) stream_rows<1>(from + c, to + c * step, direct{0}, aligned);
}

template <class T, int W, int... L>
OP2J_INLINE vec<T, W> collected(const T *from, const long *place, places<L...>) {
  return vec<T, W>{from[place[L]]...};
}
template <int D, class T, int W, class Places>
OP2J_INLINE void collect_components(lanes<T, W> *to, const T *from, const Places &rows, long step) {
  long place[W];
#pragma GCC unroll 64
  for (int l = 0; l < W; ++l) place[l] = rows(l);
#pragma GCC unroll 64
  for (int c = 0; c < D; ++c) to[c].v = collected<T, W>(from + c * step, place, upto<W>());
}

// As `increment` of rows.h.
template <Put How, int D, class T, int W, class Places>
struct spread_increment {
  const lanes<T, W> *values;
  T *base;
  Places rows;
  long step;
  template <int Lane>
  OP2J_INLINE void add() const {
    T *const row = base + rows(Lane);
#pragma GCC unroll 64
    for (int c = 0; c < D; ++c)
      row[c * step] = How == put_add ? row[c * step] + values[c].v[Lane] : row[c * step] - values[c].v[Lane];
  }
};
template <Put How, int D, class T, int W, class Places>
OP2J_INLINE spread_increment<How, D, T, W, Places> spread_increment_of(const lanes<T, W> *values, T *base,
                                                                     const Places &rows, long step) {
  return {values, base, rows, step};
}

// A component of a row that begins wherever a call says.
template <class T>
OP2J_INLINE T &component(char *row, const op_range_layout &l, int c) {
  return *reinterpret_cast<T *>(row + c * l.step);
}

} // namespace op2j
