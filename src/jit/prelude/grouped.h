// grouped.h: increments of runs as whole vectors. Part of every generated file that has such a form, after runs.h.
//
// W elements in runs add to the rows r ... r + W - 1 of a column, r being that of the first element. Columns whose
// first rows lie near each other are a group: its rows are loaded once, receive what all of its columns bring, and are
// stored once. A column `Offset` rows above the lowest one brings its last Offset values to rows that the next block
// loads. They wait for it in registers: a store, loaded again in part, would have to reach the cache first. Column by
// column in the order of the elements, so every row receives its increments in that order. Where one group goes on with
// rows for which another one's values wait, all of them are settled before.
namespace op2j {

// Vector V of D of the rows: those of `values`, Shift values further up, and below them the uppermost of `last`.
template <int Shift, int V, class Vec, int... I>
OP2J_INLINE Vec moved_up(const Vec *last, const Vec *values, int D, places<I...>) {
  constexpr int W = sizeof...(I), at = V * W - Shift;
  constexpr int from = at >= 0 ? at / W : -((W - 1 - at) / W), within = at - from * W;
  const Vec low = from < 0 ? last[D + from] : values[from];
  if constexpr (within == 0)
    return low;
  else
    return __builtin_shufflevector(low, from + 1 < 0 ? last[D + from + 1] : values[from + 1], (I + within)...);
}

// Offset: of each column, in the order in which one row receives their increments.
template <class T, int W, int D, int... Offset>
struct column_group {
  static constexpr int count = sizeof...(Offset), offsets[count] = {Offset...};
  vec<T, W> last[count][D]; // what the columns have brought in the block before
  long next = -1;           // the row behind those of that block, -1: nothing waits

  OP2J_INLINE void add(T *base, long first, const vec<T, W> (*values)[D]) {
    if (__builtin_expect(first != next, 0)) {
      settle(base);
      for (int k = 0; k < count; ++k)
        for (int v = 0; v < D; ++v) last[k][v] = nothing<T> - vec<T, W>{}; // negative zeros change no row
    }
    add_vector<0>(base + first * D, values);
    keep<0>(values);
    next = first + W;
  }
  // Whether add() goes on from the block before.
  OP2J_INLINE bool goes_on(long first) const { return first == next; }
  // What waits goes to its rows.
  OP2J_INLINE void settle(T *base) {
    if (next < 0) return;
    vec<T, W> waiting[count][D];
    for (int k = 0; k < count; ++k)
      for (int v = 0; v < D; ++v) waiting[k][v] = last[k][v];
    add_waiting(base + next * D, reinterpret_cast<const T *>(waiting));
    next = -1;
  }

 private:
  template <int V>
  OP2J_INLINE void add_vector(T *rows, const vec<T, W> (*values)[D]) {
    if constexpr (V < D) {
      store<T, W>(rows + V * W, with_columns<V, 0>(load<T, W>(rows + V * W), values));
      add_vector<V + 1>(rows, values);
    }
  }
  template <int V, int K>
  OP2J_INLINE vec<T, W> with_columns(vec<T, W> sum, const vec<T, W> (*values)[D]) const {
    if constexpr (K == count)
      return sum;
    else if constexpr (offsets[K] == 0)
      return with_columns<V, K + 1>(sum + values[K][V], values);
    else
      return with_columns<V, K + 1>(sum + moved_up<offsets[K] * D, V>(last[K], values[K], D, upto<W>()), values);
  }
  template <int K>
  OP2J_INLINE void keep(const vec<T, W> (*values)[D]) {
    if constexpr (K < count) {
      if constexpr (offsets[K] > 0)
        for (int v = 0; v < D; ++v) last[K][v] = values[K][v];
      keep<K + 1>(values);
    }
  }
  __attribute__((noinline)) static void add_waiting(T *row, const T *waiting) {
    for (int r = 0; r < W; ++r)
      for (int k = 0; k < count; ++k)
        for (int c = 0; r < offsets[k] && c < D; ++c) row[r * D + c] += waiting[(k * W + W - offsets[k] + r) * D + c];
  }
};

// Whether rows from a on, `up` of them, and rows from b on are apart.
OP2J_INLINE bool apart(long a, long up_from_a, long b, long up_from_b) {
  return a + up_from_a <= b || b + up_from_b <= a;
}

// D vectors, one component each, as rows one after the other; or their negatives.
template <int D, bool Negative, class T, int W>
OP2J_INLINE void as_rows(vec<T, W> *to, const lanes<T, W> *from) {
#pragma GCC unroll 16
  for (int c = 0; c < D; ++c) to[c] = Negative ? -from[c].v : from[c].v;
  put_together<D, W>(to);
}

} // namespace op2j
