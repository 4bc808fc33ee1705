// lane_row.hpp: rows for a kernel that runs on several elements at once, in the lanes of vectors (lanes.hpp).
//
// A row object serves `count` elements, at most Lanes, beginning with element n. rest(): the range that follows fills
// no vector. begin(n, count) copies the rows that its maps lead to, one component after the other, so that the compiler
// sees vectors. one(row, n, lane) is the row of one element while the kernel runs on it: values in local variables,
// at() their address; end(lane) keeps what the kernel has written, again one component after the other. put(n, lane)
// brings that to the rows of one element, and two(row, n, lane) to those of two neighbours: first(), then second().
//
// Results are never stored as rows by the loop over lanes itself. gcc 12 would make vectors of products and alternating
// differences and sums there with instructions that fuse these, whatever it is told (-ffp-contract=off).
#ifndef OP2_CPP_LANE_ROW_HPP
#define OP2_CPP_LANE_ROW_HPP

#include "op2/cpp/any_row.hpp"

#ifndef OP2_LANES
// 1: loops get functions in lanes; 0: they do not, which -DOP2_LANES=0 asks for.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__FAST_MATH__) && \
    (defined(__x86_64__) || defined(__aarch64__))
#define OP2_LANES 1
#else
// As above.
#define OP2_LANES 0
#endif
#endif

// Before a loop over the few values of a row, so that they are local variables.
#define OP2_UNROLL _Pragma("GCC unroll 64")

namespace op2::detail {

#if OP2_LANES

// Where sums begin: adding the sum of no terms changes no bit.
template <class T>
constexpr T no_terms = std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T();

// A sum of integers wraps around, as that of the processor: what a kernel adds in steps may be out of range at once.
template <class T>
OP2_INLINE constexpr T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}

// What the kernel has written for two neighbours, as two rows of Dim values: pairs of values change places in registers.
template <class T, int Dim, int Lanes>
class row_pair {
  static constexpr int pairs = sizeof(T) == 8 ? Dim / 2 : 0; // of values that fit into 16 bytes
  typedef T vector __attribute__((vector_size(16)));
  typedef T loose __attribute__((vector_size(16), aligned(alignof(T)), may_alias));
  typedef long long places __attribute__((vector_size(16)));

 public:
  // values: component c of the two is at c * Lanes.
  OP2_INLINE explicit row_pair(const T *values) : values_(values) {
    if constexpr (pairs > 0) exchange(values);
  }
  template <bool Add>
  OP2_INLINE void put(int which, T *row) const {
    OP2_UNROLL
    for (int k = 0; k < pairs; ++k) {
      loose &to = *reinterpret_cast<loose *>(row + 2 * k);
      to = Add ? to + rows_[which][k] : rows_[which][k];
    }
    OP2_UNROLL
    for (int c = 2 * pairs; c < Dim; ++c) row[c] = Add ? sum_of<T>(row[c], values_[c * Lanes + which]) : values_[c * Lanes + which];
  }

 private:
  OP2_INLINE void exchange(const T *values) {
    OP2_UNROLL
    for (int k = 0; k < pairs; ++k) {
      const vector a = *reinterpret_cast<const loose *>(values + 2 * k * Lanes);
      const vector b = *reinterpret_cast<const loose *>(values + (2 * k + 1) * Lanes);
      rows_[0][k] = __builtin_shuffle(a, b, places{0, 2});
      rows_[1][k] = __builtin_shuffle(a, b, places{1, 3});
    }
  }
  const T *values_;
  vector rows_[2][pairs > 0 ? pairs : 1];
};

// For rows to which nothing is brought.
struct no_rows {
  template <class Row>
  OP2_INLINE no_rows(const Row &, int, int) {}
  OP2_INLINE void first() const {}
  OP2_INLINE void second() const {}
};

// The row of the element itself. Nobody else has it: values are read in place, and written in place if there is one.
template <class V, int Dim, int Access, int Lanes>
class direct_lanes {
  using value = std::remove_const_t<V>;
  static constexpr bool writes = !std::is_const_v<V> && Access != OP_READ;
  static constexpr bool later = writes && Dim > 1;

 public:
  OP2_INLINE direct_lanes(V *base, const int *, const op_range_arg &) : base_(base) {}
  OP2_INLINE void rest() const {}
  OP2_INLINE void begin(int, int) const {}
  OP2_INLINE void put(int n, int lane) {
    if constexpr (later) {
      OP2_UNROLL
      for (int c = 0; c < Dim; ++c) row(n + lane)[c] = values_[c * Lanes + lane];
    }
  }
  OP2_INLINE void finish() const {}

  class one {
   public:
    OP2_INLINE one(direct_lanes &of, int n, int lane) : of_(of), row_(of.row(n + lane)) {
      OP2_UNROLL
      for (int c = 0; c < Dim; ++c) values_[c] = row_[c];
    }
    OP2_INLINE V *at(int) { return values_; }
    OP2_INLINE void end(int lane) {
      if constexpr (later) {
        OP2_UNROLL
        for (int c = 0; c < Dim; ++c) of_.values_[c * Lanes + lane] = values_[c];
      } else if constexpr (writes) {
        *row_ = *values_;
      }
    }

   private:
    direct_lanes &of_;
    V *row_;
    value values_[Dim];
  };

  class pair {
   public:
    OP2_INLINE pair(direct_lanes &of, int n, int lane) : rows_(of.values_ + lane), to_(of.row(n + lane)) {}
    OP2_INLINE void first() const { rows_.template put<false>(0, to_); }
    OP2_INLINE void second() const { rows_.template put<false>(1, to_ + Dim); }

   private:
    row_pair<value, Dim, Lanes> rows_;
    V *to_;
  };
  using two = std::conditional_t<later, pair, no_rows>;

 private:
  OP2_INLINE V *row(int n) const { return base_ + static_cast<std::ptrdiff_t>(n) * Dim; }
  V *base_;
  alignas(64) value values_[later ? Dim * Lanes : 1];
};

// The rows that Count columns of a map point to, to be read or added to; Pointers: the kernel receives an array of
// pointers to them.
template <class V, int Dim, int Stride, int Count, bool Pointers, int Access, int Lanes>
class indirect_lanes {
  using value = std::remove_const_t<V>;
  static constexpr bool adds = Access == OP_INC;

 public:
  OP2_INLINE indirect_lanes(V *base, const int *map, const op_range_arg &a) : base_(base), column_(map, a) {}
  OP2_INLINE void rest() const {}
  OP2_INLINE void begin(int n, int count) {
    if constexpr (!adds)
      for (int lane = 0; lane < count; ++lane) {
        OP2_UNROLL
        for (int j = 0; j < Count; ++j) {
          const V *const from = row(n + lane, j);
          OP2_UNROLL
          for (int c = 0; c < Dim; ++c) values_[(j * Dim + c) * Lanes + lane] = from[c];
        }
      }
  }
  OP2_INLINE void put(int n, int lane) {
    if constexpr (adds) {
      OP2_UNROLL
      for (int j = 0; j < Count; ++j) {
        V *const to = row(n + lane, j);
        value sum[Dim]; // all values are read before the first one is written, so that compilers add whole rows
        OP2_UNROLL
        for (int c = 0; c < Dim; ++c) sum[c] = sum_of<value>(to[c], values_[(j * Dim + c) * Lanes + lane]);
        OP2_UNROLL
        for (int c = 0; c < Dim; ++c) to[c] = sum[c];
      }
    }
  }
  OP2_INLINE void finish() const {}

  class one {
   public:
    OP2_INLINE one(indirect_lanes &of, int, int lane) : of_(of) {
      OP2_UNROLL
      for (int k = 0; k < Count * Dim; ++k) rows_[k] = adds ? no_terms<value> : of.values_[k * Lanes + lane];
    }
    OP2_INLINE auto at(int) {
      if constexpr (Pointers) {
        OP2_UNROLL
        for (int j = 0; j < Count; ++j) pointers_[j] = rows_ + j * Dim;
        return static_cast<V **>(pointers_);
      } else {
        return static_cast<V *>(rows_);
      }
    }
    OP2_INLINE void end(int lane) {
      if constexpr (adds) {
        OP2_UNROLL
        for (int k = 0; k < Count * Dim; ++k) of_.values_[k * Lanes + lane] = rows_[k];
      }
    }

   private:
    indirect_lanes &of_;
    value rows_[Count * Dim];
    V *pointers_[Count];
  };

  class pair {
   public:
    OP2_INLINE pair(indirect_lanes &of, int n, int lane)
        : pair(of, n, lane, std::make_integer_sequence<int, Count>()) {}
    OP2_INLINE void first() const { add(0); }
    OP2_INLINE void second() const { add(1); }

   private:
    template <int... J>
    OP2_INLINE pair(indirect_lanes &of, int n, int lane, std::integer_sequence<int, J...>)
        : of_(of), n_(n + lane), rows_{row_pair<value, Dim, Lanes>(of.values_ + J * Dim * Lanes + lane)...} {}
    OP2_INLINE void add(int which) const {
      OP2_UNROLL
      for (int j = 0; j < Count; ++j) rows_[j].template put<true>(which, of_.row(n_ + which, j));
    }
    indirect_lanes &of_;
    int n_;
    row_pair<value, Dim, Lanes> rows_[Count];
  };
  using two = std::conditional_t<adds, pair, no_rows>;

 private:
  OP2_INLINE V *row(int n, int j) const { return base_ + static_cast<std::ptrdiff_t>(column_(n, j)) * Dim; }
  V *base_;
  column<Stride> column_;
  alignas(64) value values_[Count * Dim * Lanes];
};

// A global that is read.
template <class V>
class read_lanes {
 public:
  OP2_INLINE read_lanes(V *base, const int *, const op_range_arg &) : base_(base) {}
  OP2_INLINE void rest() const {}
  OP2_INLINE void begin(int, int) const {}
  OP2_INLINE void put(int, int) const {}
  using two = no_rows;
  OP2_INLINE void finish() const {}

  class one {
   public:
    OP2_INLINE one(read_lanes &of, int, int) : base_(of.base_) {}
    OP2_INLINE V *at(int) const { return base_; }
    OP2_INLINE void end(int) const {}

   private:
    V *base_;
  };

 private:
  V *base_;
};

// A global that is reduced: each element begins with no terms, or with the extremum so far.
template <class V, int Dim, int Access, int Lanes>
class reduced_lanes {
 public:
  OP2_INLINE reduced_lanes(V *base, const int *, const op_range_arg &) : base_(base) {
    for (int c = 0; c < Dim; ++c) so_far_[c] = base[c];
  }
  OP2_INLINE void rest() const {}
  OP2_INLINE void begin(int, int) const {}
  OP2_INLINE void put(int, int lane) {
    OP2_UNROLL
    for (int c = 0; c < Dim; ++c) {
      const V mine = values_[c * Lanes + lane];
      if constexpr (Access == OP_INC)
        so_far_[c] = sum_of<V>(so_far_[c], mine);
      else if constexpr (Access == OP_MIN)
        so_far_[c] = mine < so_far_[c] ? mine : so_far_[c];
      else
        so_far_[c] = so_far_[c] < mine ? mine : so_far_[c];
    }
  }
  OP2_INLINE void finish() const {
    for (int c = 0; c < Dim; ++c) base_[c] = so_far_[c];
  }

  class two {
   public:
    OP2_INLINE two(reduced_lanes &of, int, int lane) : of_(of), lane_(lane) {}
    OP2_INLINE void first() const { of_.put(0, lane_); }
    OP2_INLINE void second() const { of_.put(0, lane_ + 1); }

   private:
    reduced_lanes &of_;
    int lane_;
  };

  class one {
   public:
    OP2_INLINE one(reduced_lanes &of, int, int) : of_(of) {
      OP2_UNROLL
      for (int c = 0; c < Dim; ++c) values_[c] = Access == OP_INC ? no_terms<V> : of.so_far_[c];
    }
    OP2_INLINE V *at(int) { return values_; }
    OP2_INLINE void end(int lane) {
      OP2_UNROLL
      for (int c = 0; c < Dim; ++c) of_.values_[c * Lanes + lane] = values_[c];
    }

   private:
    reduced_lanes &of_;
    V values_[Dim];
  };

 private:
  V *base_;
  V so_far_[Dim];
  alignas(64) V values_[Dim * Lanes];
};

// A global to which a loop that adds to no row through a map adds numbers with a fraction: each lane has a sum of its
// own, and what is left over is added to the global itself. So does code that the library generates for as many lanes.
template <class V, int Dim, int Lanes>
class summed_lanes {
 public:
  OP2_INLINE summed_lanes(V *base, const int *, const op_range_arg &) : base_(base) {
    for (int k = 0; k < Dim * Lanes; ++k) sums_[k] = no_terms<V>;
  }
  OP2_INLINE void rest() {
    rest_ = true;
    for (int c = 0; c < Dim; ++c) sums_[c * Lanes] = base_[c];
  }
  // Elements one by one take turns.
  OP2_INLINE void begin(int, int count) { turn_ = rest_ || count > 1 ? 0 : (turn_ + 1) % Lanes; }
  OP2_INLINE void put(int, int) const {}
  using two = no_rows;
  OP2_INLINE void finish() const {
    for (int c = 0; c < Dim; ++c) {
      V sum = sums_[c * Lanes];
      for (int lane = 1; !rest_ && lane < Lanes; ++lane) sum += sums_[c * Lanes + lane];
      base_[c] = rest_ ? sum : base_[c] + sum;
    }
  }

  class one {
   public:
    OP2_INLINE one(summed_lanes &of, int, int lane) : of_(of) {
      OP2_UNROLL
      for (int c = 0; c < Dim; ++c) values_[c] = of.sums_[c * Lanes + of.turn_ + lane];
    }
    OP2_INLINE V *at(int) { return values_; }
    OP2_INLINE void end(int lane) {
      OP2_UNROLL
      for (int c = 0; c < Dim; ++c) of_.sums_[c * Lanes + of_.turn_ + lane] = values_[c];
    }

   private:
    summed_lanes &of_;
    V values_[Dim];
  };

 private:
  V *base_;
  bool rest_ = false;
  int turn_ = Lanes - 1;
  alignas(64) V sums_[Dim * Lanes];
};

// The number of the element, or of the element that a map column points to.
template <class V, int Kind>
class index_lanes {
 public:
  OP2_INLINE index_lanes(V *, const int *map, const op_range_arg &a) : row_(nullptr, map, a) {}
  OP2_INLINE void rest() const {}
  OP2_INLINE void begin(int, int) const {}
  OP2_INLINE void put(int, int) const {}
  using two = no_rows;
  OP2_INLINE void finish() const {}

  class one {
   public:
    OP2_INLINE one(index_lanes &of, int n, int lane) : number_(*of.row_.at(n + lane)) {}
    OP2_INLINE V *at(int) { return &number_; }
    OP2_INLINE void end(int) const {}

   private:
    int number_;
  };

 private:
  index_row<V, Kind> row_;
};

#endif

// Whether there is a class for kernel parameter P and argument facts A. Rows that are written through a map may be
// those of another lane.
template <class P, class A>
struct lane_facts {
  using target = std::remove_pointer_t<P>;
  static constexpr bool pointers = std::is_pointer_v<std::remove_const_t<target>>;
  using row = std::conditional_t<pointers, std::remove_pointer_t<std::remove_const_t<target>>, target>;
  using value = std::remove_const_t<row>;

  static constexpr bool number = A::kind == OP_RANGE_INDEX || A::kind == OP_RANGE_MAP_INDEX;
  static constexpr bool direct = A::kind == OP_RANGE_DIRECT && !pointers;
  static constexpr int count = A::kind == OP_RANGE_INDIRECT && !pointers ? 1
                               : A::kind == OP_RANGE_VECTOR && pointers  ? A::column
                                                                         : 0;
  static constexpr bool indirect = count > 0 && (A::access == OP_READ || A::access == OP_INC);
  static constexpr bool reads = A::kind == OP_RANGE_GLOBAL && !pointers && A::access == OP_READ;
  static constexpr bool reduces = A::kind == OP_RANGE_GLOBAL && !pointers && !std::is_const_v<row> && A::dim <= 8 &&
                                  (A::access == OP_INC || A::access == OP_MIN || A::access == OP_MAX);

  static constexpr bool whole = std::is_integral_v<value> && !std::is_same_v<value, bool>;
  static constexpr bool fraction = std::is_same_v<value, double> || std::is_same_v<value, float>;
  static constexpr bool numbers = (whole || fraction) && A::dim > 0;
  // Longer rows leave no registers for lanes, and kernels go through them in vectors of their own.
  static constexpr bool few = A::dim <= (count > 0 ? 64 / count : 16) || reads;
  static constexpr bool known = number || (numbers && few && !A::optional && A::access != unknown &&
                                           (direct || indirect || reads || reduces));
  static constexpr bool adds = known && indirect && A::access == OP_INC;
  static constexpr bool sums = adds || (known && reduces);
  static constexpr bool by_lane = known && reduces && fraction && A::access == OP_INC; // unless the loop adds
  static constexpr std::size_t real = known && fraction ? sizeof(value) : 0;
};

// Of a loop.
template <class P, class... A>
struct loop_lanes;
template <class... P, class... A>
struct loop_lanes<types<P...>, A...> {
  // Elements at once: values of the largest real type in 64 bytes, which are one or two vectors. 0: the loop has only
  // its range function.
  static constexpr int count = [] {
    if (OP2_LANES == 0 || !(lane_facts<P, A>::known && ...)) return 0;
    std::size_t largest = 0;
    ((largest = lane_facts<P, A>::real > largest ? lane_facts<P, A>::real : largest), ...);
    return largest > 0 ? static_cast<int>(64 / largest) : 0;
  }();
  // Whether the compiler may fuse products and sums of the range function. It then is no scalar form of the lanes, but
  // a rival with other last bits.
#if defined(__FP_FAST_FMA)
  static constexpr bool fuses = true;
#else
  static constexpr bool fuses = false;
#endif
  static constexpr bool sums = count > 0 && (lane_facts<P, A>::sums || ...);
  static constexpr bool adds = count > 0 && (lane_facts<P, A>::adds || ...);
  // Whether code that collects what an element adds, and fuses nothing, has other bits than the kernel on its rows.
  static constexpr bool other_bits = count > 0 && (fuses || sums);
  // Whether the lanes have a scalar form that runs in the place of the range function.
  static constexpr bool replaced = sums && !fuses;
};

#if OP2_LANES

template <class P, class A, int Stride, int Lanes, bool Adds>
auto choose_lanes() {
  using facts = lane_facts<P, A>;
  using row = typename facts::row;
  if constexpr (facts::number)
    return type<index_lanes<row, A::kind>>();
  else if constexpr (facts::direct)
    return type<direct_lanes<row, A::dim, A::access, Lanes>>();
  else if constexpr (facts::indirect)
    return type<indirect_lanes<row, A::dim, Stride, facts::count, facts::pointers, A::access, Lanes>>();
  else if constexpr (facts::reads)
    return type<read_lanes<row>>();
  else if constexpr (facts::by_lane && !Adds)
    return type<summed_lanes<row, A::dim, Lanes>>();
  else
    return type<reduced_lanes<row, A::dim, A::access, Lanes>>();
}
// Adds: whether the loop adds to rows through maps.
template <class P, class A, int Stride, int Lanes, bool Adds>
using lanes_for = typename decltype(choose_lanes<P, A, Stride, Lanes, Adds>())::is;

#endif

} // namespace op2::detail

#endif

// SPDX-License-Identifier: MIT
