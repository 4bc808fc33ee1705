// rows.h: rows of dats to lanes and back. Part of every generated file, after values.h; includes nothing, because what
// is included here is compiled again for every loop.
//
// A dat with d values per element lies row by row in memory: q0 q1 q2 q3 | q0 q1 q2 q3 | ... A kernel that runs on W
// elements at once wants d vectors instead, component c of all W rows in vector c. Rows are loaded whole and transposed
// in registers. A row of d values is cut into chunks of C = 16, 8, 4, 2 or 1 values. C vectors hold W/C chunks each,
// vector k those of the rows k, k + C, k + 2C, ...; transposing every C x C block by log2(C) exchanges of neighbours
// leaves component c of row l in lane l of vector c. The same exchanges lead back.
#include "jit/prelude/elements.h"

namespace op2j {

template <int... I>
struct places {};
#if defined(__clang__)
template <class T, T... I>
using places_of = places<I...>;
template <int N>
using upto = __make_integer_seq<places_of, int, N>;
#else
template <int N>
struct upto_of {
  typedef places<__integer_pack(N)...> is;
};
template <int N>
using upto = typename upto_of<N>::is;
#endif

template <class T, int N>
struct simd {
  typedef T is __attribute__((vector_size(N * sizeof(T))));
  // as it lies in memory
  typedef T loose __attribute__((vector_size(N * sizeof(T)), aligned(alignof(T)), may_alias));
};
template <class T, int N>
using vec = typename simd<T, N>::is;

#define OP2J_LAMBDA __attribute__((always_inline))

template <class T, int N>
OP2J_INLINE vec<T, N> load(const T *p) {
  return *reinterpret_cast<const typename simd<T, N>::loose *>(p);
}
template <class T, int N>
OP2J_INLINE void store(T *p, vec<T, N> v) {
  *reinterpret_cast<typename simd<T, N>::loose *>(p) = v;
}

// Past the caches, for what is not read again before it would have left them. p is aligned as the vector is.
template <class T, int N>
OP2J_INLINE void stream(T *p, vec<T, N> v) {
#if defined(__AVX__)
  asm("vmovntpd %1, %0" : "=m"(*reinterpret_cast<vec<T, N> *>(p)) : "v"(v));
#elif defined(__SSE2__)
  asm("movntpd %1, %0" : "=m"(*reinterpret_cast<vec<T, N> *>(p)) : "x"(v));
#else
  store<T, N>(p, v);
#endif
}
OP2J_INLINE void streamed() { // before others may look
#if defined(__SSE2__)
  asm volatile("sfence" ::: "memory");
#endif
}
OP2J_INLINE bool aligned(const void *p) { return reinterpret_cast<unsigned long>(p) % 64 == 0; }

// Two vectors of N values as one of 2 N, and a part of a vector. gcc takes the second half straight from memory only if
// it is told the instruction.
template <class T, int N, int... I>
OP2J_INLINE vec<T, 2 * N> joined(vec<T, N> a, vec<T, N> b, places<I...>) {
#if defined(__AVX__) && !defined(__clang__)
  if constexpr (sizeof(a) == 16)
    return (vec<T, 2 * N>)__builtin_ia32_vinsertf128_pd256(__builtin_ia32_pd256_pd((vec<double, 2>)a),
                                                           (vec<double, 2>)b, 1);
#if defined(__AVX512F__)
  else if constexpr (sizeof(a) == 32)
    return (vec<T, 2 * N>)__builtin_ia32_insertf64x4_mask(__builtin_ia32_pd512_256pd((vec<double, 4>)a),
                                                          (vec<double, 4>)b, 1, vec<double, 8>{}, (unsigned char)-1);
#endif
  else
#endif
    return __builtin_shufflevector(a, b, I...);
}
template <class T, int N>
OP2J_INLINE vec<T, 2 * N> joined(vec<T, N> a, vec<T, N> b) {
  return joined<T, N>(a, b, upto<2 * N>());
}
template <int First, class V, int... I>
OP2J_INLINE auto part(V v, places<I...>) {
  return __builtin_shufflevector(v, v, (First + I)...);
}

// How lanes find their rows: with unit stride from row n (runs.h has more for these), or through a column of a map
// with S columns.
struct direct {
  long n;
  OP2J_INLINE long operator()(int lane) const { return n + lane; }
};
template <int S>
struct via {
  const int *column; // of the first element
  OP2J_INLINE long operator()(int lane) const { return column[lane * S]; }
};

// The chunks of the rows First, First + Step, ... of `Count` rows, joined.
template <int C, int D, int First, int Step, int Count, class T, class Rows>
OP2J_INLINE auto chunks(const T *base, const Rows &rows) {
  if constexpr (Count == 1) {
    return load<T, C>(base + rows(First) * D);
  } else {
    auto low = chunks<C, D, First, Step, Count / 2>(base, rows);
    auto high = chunks<C, D, First + Step * (Count / 2), Step, Count / 2>(base, rows);
    return joined<T, C * Count / 2>(low, high);
  }
}

// One exchange: the off-diagonal S x S blocks of two vectors change places.
template <int S, int W, class V, int... I>
OP2J_INLINE void exchange(V &a, V &b, places<I...>) {
  const V low = __builtin_shufflevector(a, b, ((I & S) ? W + I - S : I)...);
  const V high = __builtin_shufflevector(a, b, ((I & S) ? W + I : I + S)...);
  a = low;
  b = high;
}
template <int C, int S, int W, class V>
OP2J_INLINE void transpose(V *v) {
  if constexpr (S > 0) {
#pragma GCC unroll 16
    for (int k = 0; k < C; ++k)
      if (!(k & S)) exchange<S, W>(v[k], v[k | S], upto<W>());
    transpose<C, S / 2, W>(v);
  }
}

// The widest chunk for what is left of a row.
constexpr int chunk_of(int left, int W) {
  int c = 1;
  while (2 * c <= left && 2 * c <= W) c *= 2;
  return c;
}

template <class T, int W, class Rows, int... L>
OP2J_INLINE vec<T, W> column_of(const T *base, long D, const Rows &rows, places<L...>) {
  return vec<T, W>{base[rows(L) * D]...};
}

template <int C, int D, int K, class T, int W, class Rows>
OP2J_INLINE void load_chunk(vec<T, W> *v, const T *base, const Rows &rows) {
  if constexpr (K < C) {
    v[K] = chunks<C, D, K, C, W / C>(base, rows);
    load_chunk<C, D, K + 1, T, W>(v, base, rows);
  }
}

// Four values of eight bytes in eight lanes, the most common case: pairs of rows chosen so that both exchanges are
// shuffles with literal patterns.
template <int D, class T, class Rows>
OP2J_INLINE void load_4_of_8(vec<T, 8> *v, const T *base, const Rows &rows) {
  const auto row = [&](int lane) OP2J_LAMBDA { return load<T, 4>(base + rows(lane) * D); };
  const auto r02 = joined<T, 4>(row(0), row(2)), r13 = joined<T, 4>(row(1), row(3));
  const auto r46 = joined<T, 4>(row(4), row(6)), r57 = joined<T, 4>(row(5), row(7));
  const auto a = __builtin_shufflevector(r02, r13, 0, 8, 2, 10, 4, 12, 6, 14);
  const auto b = __builtin_shufflevector(r46, r57, 0, 8, 2, 10, 4, 12, 6, 14);
  const auto c = __builtin_shufflevector(r02, r13, 1, 9, 3, 11, 5, 13, 7, 15);
  const auto d = __builtin_shufflevector(r46, r57, 1, 9, 3, 11, 5, 13, 7, 15);
  v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
  v[2] = __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
  v[1] = __builtin_shufflevector(c, d, 0, 1, 4, 5, 8, 9, 12, 13);
  v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7, 10, 11, 14, 15);
}

// Components c, c + 1, ... of W rows. Three are loaded with the value behind them, which is that of the next row, or of
// the room that every dat has there.
template <int D, int c, class T, int W, class Rows>
OP2J_INLINE void load_from(lanes<T, W> *to, const T *base, const Rows &rows) {
  if constexpr (c < D) {
    constexpr int C = D - c == 3 && W >= 4 ? 4 : chunk_of(D - c, W);
    vec<T, W> v[C];
    if constexpr (C == 1) {
      v[0] = column_of<T, W>(base + c, D, rows, upto<W>());
    } else if constexpr (C == 4 && W == 8 && sizeof(T) == 8) {
      load_4_of_8<D>(v, base + c, rows);
    } else {
      load_chunk<C, D, 0, T, W>(v, base + c, rows);
      transpose<C, C / 2, W>(v);
    }
#pragma GCC unroll 16
    for (int k = 0; k < (C < D - c ? C : D - c); ++k) to[c + k].v = v[k];
    load_from<D, c + C>(to, base, rows);
  }
}

// to[0 ... D-1]: the rows of W elements.
template <int D, class T, int W, class Rows>
OP2J_INLINE void load_rows(lanes<T, W> *to, const T *base, const Rows &rows) {
  load_from<D, 0>(to, base, rows);
}
// D vectors as W rows again, to be stored or added one by one.
enum Put { put_store, put_add, put_subtract, put_stream };
template <class T, int W, int D>
struct row_block {
  vec<T, W> v[D];

  OP2J_INLINE explicit row_block(const lanes<T, W> *from) { take<0>(from); }

  template <int Lane, Put How>
  OP2J_INLINE void put(T *row) const {
    put_from<Lane, 0, How>(row);
  }

 private:
  template <int c>
  OP2J_INLINE void take(const lanes<T, W> *from) {
    if constexpr (c < D) {
      constexpr int C = chunk_of(D - c, W);
#pragma GCC unroll 16
      for (int k = 0; k < C; ++k) v[c + k] = from[c + k].v;
      transpose<C, C / 2, W>(v + c);
      take<c + C>(from);
    }
  }
  template <int Lane, int c, Put How>
  OP2J_INLINE void put_from(T *row) const {
    if constexpr (c < D) {
      constexpr int C = chunk_of(D - c, W);
      if constexpr (C == 1) {
        row[c] = How == put_add ? row[c] + v[c][Lane] : How == put_subtract ? row[c] - v[c][Lane] : v[c][Lane];
      } else {
        const auto values = part<Lane / C * C>(v[c + Lane % C], upto<C>());
        if constexpr (How == put_stream)
          stream<T, C>(row + c, values);
        else
          store<T, C>(row + c, How == put_add        ? load<T, C>(row + c) + values
                               : How == put_subtract ? load<T, C>(row + c) - values
                                                     : values);
      }
      put_from<Lane, c + C, How>(row);
    }
  }
};

// All lanes of one argument stored, lanes in order.
template <int Lane, int W, int D, Put How, class T, class Rows>
OP2J_INLINE void store_lanes(const row_block<T, W, D> &block, T *base, const Rows &rows) {
  if constexpr (Lane < W) {
    block.template put<Lane, How>(base + rows(Lane) * D);
    store_lanes<Lane + 1, W, D, How>(block, base, rows);
  }
}
template <int D, class T, int W, class Rows>
OP2J_INLINE void store_rows(const lanes<T, W> *from, T *base, const Rows &rows) {
  store_lanes<0, W, D, put_store>(row_block<T, W, D>(from), base, rows);
}

// What is added to the rows of some arguments. Lane by lane, in the order of the arguments: conflicts inside a vector
// stay right, and every row receives its increments in the order in which elements one after the other would give them.
template <Put How, class T, int W, int D, class Rows>
struct increment {
  const row_block<T, W, D> &block;
  T *base;
  Rows rows;
  template <int Lane>
  OP2J_INLINE void add() const {
    block.template put<Lane, How>(base + rows(Lane) * D);
  }
};
template <Put How, class T, int W, int D, class Rows>
OP2J_INLINE increment<How, T, W, D, Rows> increment_of(const row_block<T, W, D> &block, T *base, const Rows &rows) {
  return {block, base, rows};
}
template <int Lane, int W, class... Increment>
OP2J_INLINE void add_lanes(const Increment &...increments) {
  if constexpr (Lane < W) {
    (increments.template add<Lane>(), ...);
    add_lanes<Lane + 1, W>(increments...);
  }
}

template <int D, class T, int W>
OP2J_INLINE void clear(lanes<T, W> *to) {
  for (int c = 0; c < D; ++c) to[c] = lanes<T, W>(nothing<T>);
}
template <int D, class T, int W>
OP2J_INLINE void broadcast(lanes<T, W> *to, const T *from) {
  for (int c = 0; c < D; ++c) to[c] = lanes<T, W>(from[c]);
}

template <class T, int W, int... L>
OP2J_INLINE lanes<T, W> counted(T start, places<L...>) {
  lanes<T, W> out;
  out.v = vec<T, W>{T(L)...} + start;
  return out;
}
// start, start + 1, ...
template <class T, int W>
OP2J_INLINE lanes<T, W> count_from(T start) {
  return counted<T, W>(start, upto<W>());
}
template <class T, int W, class Rows, int... L>
OP2J_INLINE lanes<T, W> targets(const Rows &rows, places<L...>) {
  lanes<T, W> out;
  out.v = vec<T, W>{T(rows(L))...};
  return out;
}

// Sums of lanes into a variable, in the order of the lanes.
template <int D, class T, int W>
OP2J_INLINE void add_up(T *into, const lanes<T, W> *from) {
  for (int c = 0; c < D; ++c) {
    T sum = from[c].v[0];
    for (int l = 1; l < W; ++l) sum += from[c].v[l];
    into[c] += sum;
  }
}
// The same, one lane after another: where a range may be cut anywhere.
template <int D, class T, int W>
OP2J_INLINE void add_in_order(T *into, const lanes<T, W> *from) {
  for (int c = 0; c < D; ++c)
    for (int l = 0; l < W; ++l) into[c] += from[c].v[l];
}
template <int D, bool Greatest, class T, int W>
OP2J_INLINE void extreme_of(T *into, const lanes<T, W> *from) {
  for (int c = 0; c < D; ++c)
    for (int l = 0; l < W; ++l) {
      const T value = from[c].v[l];
      if (Greatest ? into[c] < value : value < into[c]) into[c] = value;
    }
}

// An extremum with payload: the element where each lane found its own, -1 = none yet. Of equal ones the lowest wins.
template <int D, bool Greatest, class T, int W, class Winner>
OP2J_INLINE int winning_lane(int c, T &best, const lanes<T, W> *from, const Winner &winner) {
  int lane = -1;
  for (int l = 0; l < W; ++l) {
    const T value = from[c].v[l];
    if (winner[c].v[l] < 0) continue;
    const bool better = Greatest ? best < value : value < best;
    if (better || (lane >= 0 && best == value && winner[c].v[l] < winner[c].v[lane])) {
      best = value;
      lane = l;
    }
  }
  return lane;
}

OP2J_INLINE void ask_for(const void *line) { __builtin_prefetch(line); }

} // namespace op2j
