// runs.h: rows of unit stride: each lane has the row behind that of the lane before. Part of every generated file,
// after rows.h.
//
// The rows of consecutive elements do, and so do those that a column of a map leads to where its entries count up by
// one: a run. W such rows of D values are D whole vectors, which are loaded as they are and taken apart by
// exchanges: the even values of two vectors, then the odd ones, until every vector holds one component. In meshes in
// good order most elements are in runs, often in two that alternate: n, n + 2, n + 4, ... and n + 1, n + 3, n + 5, ...
namespace op2j {

// The elements n, n + P, n + 2P, ... behind the first `Phase` ones.
template <int P, int Phase>
struct every {
  long n;
  OP2J_INLINE long operator()(int lane) const { return n + Phase + lane * P; }
};

// Whether D whole vectors are better than W rows. That takes any shuffle of two vectors in one instruction.
template <class T, int W, int D>
constexpr bool taken_whole =
#if defined(__AVX512VL__)
    D < W && (D == 2 || D == 3 || D == 4 || D == 6 || D == 8);
#elif defined(__SSE2__)
    D == 2 && W >= 4 && sizeof(T) == 4;
#else
    false;
#endif

// The values First, First + 2, ... of two vectors, and back.
template <int First, class V, int... I>
OP2J_INLINE V every_other(V a, V b, places<I...>) {
  return __builtin_shufflevector(a, b, (2 * I + First)...);
}
template <int First, class V, int... I>
OP2J_INLINE V zipped(V even, V odd, places<I...>) {
  return __builtin_shufflevector(even, odd, (First + I / 2 + int(sizeof...(I)) * (I & 1))...);
}

// Value l of the result is number Step * l + First of N vectors in a row; the first K + 1 of them have been looked at.
template <int K, int N, int Step, int First, class V, int... I>
OP2J_INLINE V picked(const V *v, V found, places<I...> lanes) {
  constexpr int W = sizeof...(I);
  if constexpr (K == N) {
    return found;
  } else {
    const V more = __builtin_shufflevector(found, v[K],
                                           ((Step * I + First) / W == K ? W + (Step * I + First) % W
                                            : K == 1                    ? (Step * I + First) % W
                                                                        : I)...);
    return picked<K + 1, N, Step, First>(v, more, lanes);
  }
}
// The other way round: vector number `Part` of rows of N values, one component in each of the vectors v.
template <int K, int N, int Part, class V, int... I>
OP2J_INLINE V merged(const V *v, V found, places<I...> lanes) {
  constexpr int W = sizeof...(I);
  if constexpr (K == N) {
    return found;
  } else {
    const V more = __builtin_shufflevector(found, v[K],
                                           ((Part * W + I) % N == K   ? W + (Part * W + I) / N
                                            : K == 1                  ? (Part * W + I) / N
                                                                      : I)...);
    return merged<K + 1, N, Part>(v, more, lanes);
  }
}

// One of two halves of each of two vectors.
template <int Half, class V, int... I>
OP2J_INLINE V same_halves(V a, V b, places<I...>) {
  constexpr int H = sizeof...(I) / 2;
  return __builtin_shufflevector(a, b, (I < H ? Half * H + I : H + Half * H + I)...);
}
// Rows of four: components C and C + 1 of the W/2 rows in two vectors; and vector number `Part` from components 0 and 1
// (a), 2 and 3 (b) of W/2 rows. Half of the shuffles then move halves only, which needs no patterns in registers.
template <int C, class V, int... I>
OP2J_INLINE V two_of_four(V a, V b, places<I...>) {
  constexpr int H = sizeof...(I) / 2;
  return __builtin_shufflevector(a, b, (I % H * 4 + I / H + C)...);
}
template <int Part, class V, int... I>
OP2J_INLINE V four_of_two(V a, V b, places<I...>) {
  constexpr int W = sizeof...(I);
  return __builtin_shufflevector(a, b, (I % 4 / 2 * W + I % 2 * (W / 2) + I / 4 + Part * (W / 4))...);
}

// v: D vectors of rows of unit stride; becomes one component each.
template <int D, int W, class V>
OP2J_INLINE void take_apart(V *v) {
  if constexpr (D == 3) {
    const V a = picked<1, 3, 3, 0>(v, v[0], upto<W>()), b = picked<1, 3, 3, 1>(v, v[0], upto<W>()),
            c = picked<1, 3, 3, 2>(v, v[0], upto<W>());
    v[0] = a, v[1] = b, v[2] = c;
  } else if constexpr (D == 4) {
    const V a = two_of_four<0>(v[0], v[1], upto<W>()), b = two_of_four<2>(v[0], v[1], upto<W>()),
            c = two_of_four<0>(v[2], v[3], upto<W>()), d = two_of_four<2>(v[2], v[3], upto<W>());
    v[0] = same_halves<0>(a, c, upto<W>()), v[1] = same_halves<1>(a, c, upto<W>());
    v[2] = same_halves<0>(b, d, upto<W>()), v[3] = same_halves<1>(b, d, upto<W>());
  } else if constexpr (D > 1) {
    V even[D / 2], odd[D / 2];
#pragma GCC unroll 16
    for (int k = 0; k < D / 2; ++k) {
      even[k] = every_other<0>(v[2 * k], v[2 * k + 1], upto<W>());
      odd[k] = every_other<1>(v[2 * k], v[2 * k + 1], upto<W>());
    }
    take_apart<D / 2, W>(even);
    take_apart<D / 2, W>(odd);
#pragma GCC unroll 16
    for (int k = 0; k < D / 2; ++k) v[2 * k] = even[k], v[2 * k + 1] = odd[k];
  }
}
template <int D, int W, class V>
OP2J_INLINE void put_together(V *v) {
  if constexpr (D == 3) {
    const V a = merged<1, 3, 0>(v, v[0], upto<W>()), b = merged<1, 3, 1>(v, v[0], upto<W>()),
            c = merged<1, 3, 2>(v, v[0], upto<W>());
    v[0] = a, v[1] = b, v[2] = c;
  } else if constexpr (D == 4) {
    const V a = same_halves<0>(v[0], v[1], upto<W>()), b = same_halves<0>(v[2], v[3], upto<W>()),
            c = same_halves<1>(v[0], v[1], upto<W>()), d = same_halves<1>(v[2], v[3], upto<W>());
    v[0] = four_of_two<0>(a, b, upto<W>()), v[1] = four_of_two<1>(a, b, upto<W>());
    v[2] = four_of_two<0>(c, d, upto<W>()), v[3] = four_of_two<1>(c, d, upto<W>());
  } else if constexpr (D > 1) {
    V even[D / 2], odd[D / 2];
#pragma GCC unroll 16
    for (int k = 0; k < D / 2; ++k) even[k] = v[2 * k], odd[k] = v[2 * k + 1];
    put_together<D / 2, W>(even);
    put_together<D / 2, W>(odd);
#pragma GCC unroll 16
    for (int k = 0; k < D / 2; ++k) {
      v[2 * k] = zipped<0>(even[k], odd[k], upto<W>());
      v[2 * k + 1] = zipped<W / 2>(even[k], odd[k], upto<W>());
    }
  }
}

template <int D, class T, int W>
OP2J_INLINE void load_rows(lanes<T, W> *to, const T *base, const direct &rows) {
  if constexpr (D == 1) {
    to->v = load<T, W>(base + rows.n);
  } else if constexpr (taken_whole<T, W, D>) {
    vec<T, W> v[D];
#pragma GCC unroll 16
    for (int k = 0; k < D; ++k) v[k] = load<T, W>(base + rows.n * D + k * W);
    take_apart<D, W>(v);
#pragma GCC unroll 16
    for (int k = 0; k < D; ++k) to[k].v = v[k];
  } else {
    load_from<D, 0>(to, base, rows);
  }
}
// Both vectors that hold the W values, and no value behind them.
template <int D, class T, int W, int Phase>
OP2J_INLINE void load_rows(lanes<T, W> *to, const T *base, const every<2, Phase> &rows) {
  if constexpr (D == 1)
    to->v = every_other<Phase>(load<T, W>(base + rows.n), load<T, W>(base + rows.n + W), upto<W>());
  else
    load_from<D, 0>(to, base, rows);
}

// W rows of unit stride as D vectors again, stored, or past the caches.
template <int D, Put How, class T, int W>
OP2J_INLINE void put_rows(const lanes<T, W> *from, T *base, const direct &rows) {
  if constexpr (D == 1 || taken_whole<T, W, D>) {
    vec<T, W> v[D];
#pragma GCC unroll 16
    for (int k = 0; k < D; ++k) v[k] = from[k].v;
    put_together<D, W>(v);
#pragma GCC unroll 16
    for (int k = 0; k < D; ++k)
      if constexpr (How == put_stream)
        stream<T, W>(base + rows.n * D + k * W, v[k]);
      else
        store<T, W>(base + rows.n * D + k * W, v[k]);
  } else {
    store_lanes<0, W, D, How>(row_block<T, W, D>(from), base, rows);
  }
}
template <int D, class T, int W>
OP2J_INLINE void store_rows(const lanes<T, W> *from, T *base, const direct &rows) {
  put_rows<D, put_store>(from, base, rows);
}
// `aligned`: rows begin at a line of the cache.
template <int D, class T, int W>
OP2J_INLINE void stream_rows(const lanes<T, W> *from, T *base, const direct &rows, bool aligned) {
  if (aligned)
    put_rows<D, put_stream>(from, base, rows);
  else
    put_rows<D, put_store>(from, base, rows);
}
template <int D, class T, int W, class Rows>
OP2J_INLINE void stream_rows(const lanes<T, W> *from, T *base, const Rows &rows, bool) {
  store_rows<D>(from, base, rows);
}

// The numbers of the elements.
template <class T, int W>
OP2J_INLINE lanes<T, W> targets(const direct &rows) {
  return count_from<T, W>(T(rows.n));
}
template <class T, int W, class Rows>
OP2J_INLINE lanes<T, W> targets(const Rows &rows) {
  return targets<T, W>(rows, upto<W>());
}

// Whether the columns of a map are runs in P x W elements: each entry is one more than that of the element P before.
// The map has S columns; bit c of Used: column c behind `first` takes part.
template <int S, int P, int W, unsigned Used, int L, int At, int... I>
OP2J_INLINE vec<int, L> unlike_runs(const int *first, places<I...>) {
  const vec<int, L> differs = load<int, L>(first + At) + 1 != load<int, L>(first + At + P * S);
  if constexpr (Used == (1ull << S) - 1)
    return differs;
  else
    return differs & vec<int, L>{(Used >> (At + I) % S & 1 ? -1 : 0)...};
}
template <int S, int P, int W, unsigned Used, int L, int At, int Count>
OP2J_INLINE vec<int, L> unlike_runs_from(const int *first) {
  constexpr int last = Count - L;
  if constexpr (At >= last)
    return unlike_runs<S, P, W, Used, L, last>(first, upto<L>());
  else
    return unlike_runs<S, P, W, Used, L, At>(first, upto<L>()) |
           unlike_runs_from<S, P, W, Used, L, At + L, Count>(first);
}
template <int S, int P, int W, unsigned Used>
OP2J_INLINE bool counts_up(const int *first) {
  constexpr int columns = 32 - __builtin_clz(Used), count = (P * (W - 1) - 1) * S + columns;
#if defined(__AVX512DQ__)
  constexpr int widest = 16;
#elif defined(__AVX2__)
  constexpr int widest = 8;
#else
  constexpr int widest = 4;
#endif
  constexpr int L = chunk_of(count, widest);
  return !any(mask<L, 4>::of(unlike_runs_from<S, P, W, Used, L, 0, count>(first)));
}

} // namespace op2j
