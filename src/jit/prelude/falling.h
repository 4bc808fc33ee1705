// falling.h: single values added in runs, whole vectors at once. Part of every generated file, after runs.h.
//
// W elements in runs add to the rows r ... r + W - 1 of a column, r being that of the first element. Columns overlap
// where their first rows are near: row k receives the value of lane k - r from each, so a column with a higher first row
// brings that of an earlier element. Column by column, the one with the highest first row first and of equal ones that
// of the earlier argument, every row receives its increments in the order of the elements, and each column
// takes one load, one addition and one store. Neighbouring blocks mostly have the same order, which is kept.
namespace op2j {

template <int N> // columns, in the order in which an element adds to one row
struct falling {
  int order[N];

  OP2J_INLINE falling() {
    for (int k = 0; k < N; ++k) order[k] = N - 1 - k;
  }
  // Whether column a comes before column b.
  static OP2J_INLINE bool before(const long *first, int a, int b) {
    return first[a] > first[b] || (first[a] == first[b] && a < b);
  }
  OP2J_INLINE bool holds(const long *first) const {
    bool out = true;
#pragma GCC unroll 16
    for (int k = 0; k + 1 < N; ++k) out &= before(first, order[k], order[k + 1]);
    return out;
  }
  __attribute__((noinline)) void sort(const long *first) {
    for (int k = 1; k < N; ++k)
      for (int j = k; j > 0 && before(first, order[j], order[j - 1]); --j) {
        const int other = order[j];
        order[j] = order[j - 1];
        order[j - 1] = other;
      }
  }
  template <class T, int W>
  OP2J_INLINE void add(T *base, const long *first, const vec<T, W> *values) {
    if (__builtin_expect(!holds(first), 0)) sort(first);
#pragma GCC unroll 16
    for (int k = 0; k < N; ++k) {
      T *const at = base + first[order[k]];
      store<T, W>(at, load<T, W>(at) + values[order[k]]);
    }
  }
};

} // namespace op2j
