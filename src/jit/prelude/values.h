/* Values of W elements at once, for generated code: lanes<T, W> computes with all of them as C computes with one T.
 *
 * Part of every generated file, whose compilation is waited for: so no header is included here (the standard ones take
 * longer than the kernel), vectors are those of the compiler (gcc, clang), and mathematics is its built-in functions.
 * Contracts: results equal those of scalar code in every bit; nothing traps for any value, since lanes that a branch
 * has switched off compute along. OP2J_C defined: the kernel is C, where sqrt(float) is a double. */
#ifndef OP2J_VALUES_H
#define OP2J_VALUES_H

#pragma GCC diagnostic ignored "-Wpsabi"     /* vectors wider than the processor's as parameters: all is inlined */
#pragma GCC diagnostic ignored "-Wnarrowing" /* C allows double w[] = {i}; */

#define OP2J_INLINE inline __attribute__((always_inline))
#define OP2J_KERNEL OP2J_INLINE
#if defined(__clang__)
#define OP2J_UNROLL _Pragma("clang loop unroll(full)")
#else
#define OP2J_UNROLL _Pragma("GCC unroll 64")
#endif

namespace op2j {

template <class T, int W>
struct lanes;
template <int W, int B = 8>
struct mask;

/* The element type that stands for a type of the same size, and the integers with an element's bits. */
template <class T>
struct canonical {};
template <>
struct canonical<int> {
  using type = int;
  using bits = unsigned;
  using sign = int;
};
template <>
struct canonical<unsigned> : canonical<int> {
  using type = unsigned;
};
template <>
struct canonical<long long> {
  using type = long long;
  using bits = unsigned long long;
  using sign = long long;
};
template <>
struct canonical<unsigned long long> : canonical<long long> {
  using type = unsigned long long;
};
template <>
struct canonical<long> : canonical<long long> {};
template <>
struct canonical<unsigned long> : canonical<unsigned long long> {};
template <>
struct canonical<float> : canonical<int> {
  using type = float;
};
template <>
struct canonical<double> : canonical<long long> {
  using type = double;
};

template <class T>
constexpr bool is_real = false;
template <>
constexpr bool is_real<float> = true;
template <>
constexpr bool is_real<double> = true;
template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

/* A number of the language (enumerators included) as an operand: its type after promotion. */
template <class A>
using scalar = typename canonical<decltype(+A())>::type;

/* What an operand is: its element type, and how many there are (0: a number of the language). */
template <class A>
struct operand {
  static constexpr int width = 0;
  using value = decltype(+A());
};
template <>
struct operand<bool> {
  static constexpr int width = 0;
  using value = bool;
};
template <class T, int W>
struct operand<lanes<T, W>> {
  static constexpr int width = W;
  using value = T;
};
template <int W, int B>
struct operand<mask<W, B>> {
  static constexpr int width = W;
  using value = bool;
};

template <class T, int W>
struct of_width {
  using type = lanes<T, W>;
};
template <class T>
struct of_width<T, 0> {};
template <class A, class B>
using arithmetic = typename canonical<decltype(typename operand<A>::value() + typename operand<B>::value())>::type;
/* The lanes in which A op B is computed; nothing if neither is lanes. */
template <class A, class B>
using common = typename of_width<arithmetic<A, B>, operand<A>::width | operand<B>::width>::type;

template <class T>
struct first_of {
  using type = T;
};

/* All elements of one value. Not 0 + x, which is no -0.0. */
template <class V, class T>
OP2J_INLINE V broadcast(T x) {
  return x - V{};
}

/* --- what comparisons give: all bits of an element set or none. B is the size of an element; that of the values
 * compared, so that choosing between such values needs no conversion. There is no conversion to bool, on purpose. */
template <int W, int B>
struct mask {
  static constexpr int width = W;
  using element = typename first_of<decltype(B == 8 ? 0LL : 0)>::type;
  typedef long long wide __attribute__((vector_size(W * 8)));
  typedef int narrow __attribute__((vector_size(W * 4)));
  template <int N, int = 0>
  struct vector_of {
    using type = wide;
  };
  template <int N>
  struct vector_of<4, N> {
    using type = narrow;
  };
  using vec = typename vector_of<B>::type;
  vec v;

  mask() = default;
  OP2J_INLINE mask(bool x) : v(x ? ~vec{} : vec{}) {}
  template <int C>
  OP2J_INLINE mask(mask<W, C> x) : v(__builtin_convertvector(x.v, vec)) {}
  template <class T>
  OP2J_INLINE mask(lanes<T, W> x) : mask(x != T(0)) {}
  static OP2J_INLINE mask of(vec x) {
    mask out;
    out.v = x;
    return out;
  }
  template <class X>
  OP2J_INLINE mask &operator&=(X x) {
    return *this = mask(*this & x);
  }
  template <class X>
  OP2J_INLINE mask &operator|=(X x) {
    return *this = mask(*this | x);
  }
  template <class X>
  OP2J_INLINE mask &operator^=(X x) {
    return *this = mask(*this ^ x);
  }
};

/* --- W values of type T */
template <class T, int W>
struct lanes {
  static constexpr int width = W;
  using value = T;
  typedef T vec __attribute__((vector_size(W * sizeof(T))));
  /* For shifts of the sign and for arithmetic that wraps around. */
  typedef typename canonical<T>::bits bits __attribute__((vector_size(W * sizeof(T))));
  typedef typename canonical<T>::sign sign __attribute__((vector_size(W * sizeof(T))));
  using test = mask<W, sizeof(T)>;
  vec v;

  lanes() = default;
  template <class U, class = scalar<U>>
  OP2J_INLINE lanes(U x) : v(broadcast<vec>(T(x))) {}
  template <class U>
  OP2J_INLINE lanes(lanes<U, W> x) : v(__builtin_convertvector(x.v, vec)) {}
  template <int B>
  OP2J_INLINE lanes(mask<W, B> x) : v(__builtin_convertvector(test(x).v & 1, vec)) {}
  static OP2J_INLINE lanes of(vec x) {
    lanes out;
    out.v = x;
    return out;
  }
  static OP2J_INLINE lanes of_bits(bits x) { return of((vec)x); }

#define OP2J_COMPOUND(op)                  \
  template <class X>                       \
  OP2J_INLINE lanes &operator op##=(X x) { \
    return *this = lanes(*this op x);      \
  }
  OP2J_COMPOUND(+)
  OP2J_COMPOUND(-)
  OP2J_COMPOUND(*)
  OP2J_COMPOUND(/)
  OP2J_COMPOUND(%)
  OP2J_COMPOUND(&)
  OP2J_COMPOUND(|)
  OP2J_COMPOUND(^)
  OP2J_COMPOUND(<<)
  OP2J_COMPOUND(>>)
#undef OP2J_COMPOUND
  OP2J_INLINE lanes &operator++() { return *this += T(1); }
  OP2J_INLINE lanes &operator--() { return *this -= T(1); }
  OP2J_INLINE lanes operator++(int) {
    const lanes old = *this;
    *this += T(1);
    return old;
  }
  OP2J_INLINE lanes operator--(int) {
    const lanes old = *this;
    *this -= T(1);
    return old;
  }
};

/* --- arithmetic. Integers wrap around: an overflow in a lane that is switched off must not be undefined. */
template <class C>
OP2J_INLINE auto raw(C x) {
  if constexpr (is_real<typename C::value>)
    return x.v;
  else
    return (typename C::bits)x.v;
}
#define OP2J_BINARY(op)                                      \
  template <class A, class B, class C = common<A, B>>        \
  OP2J_INLINE C operator op(A a, B b) {                      \
    return C::of((typename C::vec)(raw(C(a)) op raw(C(b)))); \
  }
OP2J_BINARY(+)
OP2J_BINARY(-)
OP2J_BINARY(*)
#undef OP2J_BINARY

/* The divisor without what would trap: 0, and -1 under the smallest number. */
template <class C>
OP2J_INLINE C safe_divisor(C a, C b) {
  using T = typename C::value;
  using V = typename C::vec;
  typename C::sign bad = (typename C::sign)(b.v == V{});
  if constexpr (T(-1) < T(0)) {
    constexpr T least = T(T(1) << (sizeof(T) * 8 - 2)) * -2;
    bad |= (typename C::sign)(b.v == broadcast<V>(T(-1))) & (typename C::sign)(a.v == broadcast<V>(least));
  }
  return C::of((V)(((typename C::sign)b.v & ~bad) | (bad & 1)));
}
template <class A, class B, class C = common<A, B>>
OP2J_INLINE C operator/(A a, B b) {
  const C x(a), y(b);
  if constexpr (is_real<typename C::value>)
    return C::of(x.v / y.v);
  else
    return C::of(x.v / safe_divisor(x, y).v);
}
template <class A, class B, class C = common<A, B>>
OP2J_INLINE C operator%(A a, B b) {
  static_assert(!is_real<typename C::value>, "% is for integers");
  const C x(a), y(b);
  return C::of(x.v % safe_divisor(x, y).v);
}

#define OP2J_BITS(op)                                                   \
  template <class A, class B, class C = common<A, B>>                   \
  OP2J_INLINE C operator op(A a, B b) {                                 \
    static_assert(!is_real<typename C::value>, #op " is for integers"); \
    return C::of(C(a).v op C(b).v);                                     \
  }                                                                     \
  template <int W, int B, int C, int D = (B > C ? B : C)>               \
  OP2J_INLINE mask<W, D> operator op(mask<W, B> a, mask<W, C> b) {      \
    return mask<W, D>::of(mask<W, D>(a).v op mask<W, D>(b).v);          \
  }                                                                     \
  template <int W, int B>                                               \
  OP2J_INLINE mask<W, B> operator op(mask<W, B> a, bool b) {            \
    return mask<W, B>::of(a.v op mask<W, B>(b).v);                      \
  }                                                                     \
  template <int W, int B>                                               \
  OP2J_INLINE mask<W, B> operator op(bool a, mask<W, B> b) {            \
    return mask<W, B>::of(mask<W, B>(a).v op b.v);                      \
  }
OP2J_BITS(&)
OP2J_BITS(|)
OP2J_BITS(^)
#undef OP2J_BITS

/* Shifts have the type of their left side. Counts are taken as the processor takes them, so any count is defined. */
template <class A, class B, class C = common<A, B>>
using shifted = typename of_width<arithmetic<A, A>, C::width>::type;
template <class A, class B, class C = shifted<A, B>>
OP2J_INLINE C operator<<(A a, B b) {
  static_assert(!is_real<typename C::value> && !is_real<arithmetic<B, B>>, "<< is for integers");
  using V = typename C::bits;
  return C::of((typename C::vec)((V)C(a).v << ((V)C(b).v & (sizeof(typename C::value) * 8 - 1))));
}
template <class A, class B, class C = shifted<A, B>>
OP2J_INLINE C operator>>(A a, B b) {
  static_assert(!is_real<typename C::value> && !is_real<arithmetic<B, B>>, ">> is for integers");
  using V = typename C::vec;
  return C::of(C(a).v >> (C(b).v & broadcast<V>(typename C::value(sizeof(typename C::value) * 8 - 1))));
}

template <class A, class C = common<A, A>>
OP2J_INLINE C operator+(A a) {
  return C(a);
}
template <class A, class C = common<A, A>>
OP2J_INLINE C operator-(A a) {
  return C::of((typename C::vec)(-raw(C(a))));
}
template <class A, class C = common<A, A>>
OP2J_INLINE C operator~(A a) {
  static_assert(!is_real<typename C::value>, "~ is for integers");
  return C::of(~C(a).v);
}

/* --- comparisons and logic */
#define OP2J_COMPARE(op)                                           \
  template <class A, class B, class C = common<A, B>>              \
  OP2J_INLINE typename C::test operator op(A a, B b) {             \
    return C::test::of((typename C::test::vec)(C(a).v op C(b).v)); \
  }
OP2J_COMPARE(<)
OP2J_COMPARE(<=)
OP2J_COMPARE(>)
OP2J_COMPARE(>=)
OP2J_COMPARE(==)
OP2J_COMPARE(!=)
#undef OP2J_COMPARE

/* A value as a condition. */
template <class T, int W>
OP2J_INLINE mask<W, sizeof(T)> truth(lanes<T, W> x) {
  return x != T(0);
}
template <int W, int B>
OP2J_INLINE mask<W, B> truth(mask<W, B> x) {
  return x;
}
template <class T, class = scalar<T>>
OP2J_INLINE bool truth(T x) {
  return x ? true : false;
}
template <class T>
OP2J_INLINE bool truth(T *x) {
  return x ? true : false;
}
template <class A, class C = common<A, A>>
OP2J_INLINE auto operator!(A a) {
  const auto x = truth(a);
  using M = typename first_of<decltype(truth(a))>::type;
  return M::of(~x.v);
}
template <class A, class B, class C = common<A, B>>
OP2J_INLINE auto operator&&(A a, B b) {
  return truth(a) & truth(b);
}
template <class A, class B, class C = common<A, B>>
OP2J_INLINE auto operator||(A a, B b) {
  return truth(a) | truth(b);
}

/* Is it true in any lane, in all lanes? */
#if defined(__SSE2__)
typedef char bytes_of_16 __attribute__((vector_size(16)));
#endif
#if defined(__AVX__)
typedef double doubles_of_32 __attribute__((vector_size(32)));
typedef float floats_of_32 __attribute__((vector_size(32)));
#endif
#if defined(__AVX512DQ__)
typedef long long words_of_64 __attribute__((vector_size(64)));
typedef int ints_of_64 __attribute__((vector_size(64)));
#endif
OP2J_INLINE bool any(bool x) { return x; }
template <int W, int B>
OP2J_INLINE bool any(mask<W, B> x) {
  if constexpr (W * B <= 8) {
    long long bits = 0;
    __builtin_memcpy(&bits, &x, W * B);
    return bits != 0;
#if defined(__SSE2__)
  } else if constexpr (W * B == 16) {
    return __builtin_ia32_pmovmskb128((bytes_of_16)x.v) != 0;
#endif
#if defined(__AVX__)
  } else if constexpr (W * B == 32 && B == 8) {
    return __builtin_ia32_movmskpd256((doubles_of_32)x.v) != 0;
  } else if constexpr (W * B == 32 && B == 4) {
    return __builtin_ia32_movmskps256((floats_of_32)x.v) != 0;
#endif
#if defined(__AVX512DQ__)
  } else if constexpr (W * B == 64 && B == 8) {
    return __builtin_ia32_cvtq2mask512((words_of_64)x.v) != 0;
  } else if constexpr (W * B == 64 && B == 4) {
    return __builtin_ia32_cvtd2mask512((ints_of_64)x.v) != 0;
#endif
  } else {
    struct {
      mask<W / 2, B> low, high;
    } halves;
    __builtin_memcpy(&halves, &x, sizeof x);
    return any(halves.low | halves.high);
  }
}
OP2J_INLINE bool all(bool x) { return x; }
template <int W, int B>
OP2J_INLINE bool all(mask<W, B> x) {
  return !any(!x);
}

/* a where the condition holds, b elsewhere, in the type that C gives to c ? a : b. */
template <class T, int W>
OP2J_INLINE lanes<T, W> blend(mask<W, sizeof(T)> m, lanes<T, W> a, lanes<T, W> b) {
  return lanes<T, W>::of(m.v ? a.v : b.v);
}
template <class M, class A, class B>
OP2J_INLINE auto select(M condition, A a, B b) {
  constexpr int W = operand<M>::width;
  static_assert(W != 0, "a condition that is the same for all lanes");
  const auto m = truth(condition);
  if constexpr (same<typename operand<A>::value, bool> && same<typename operand<B>::value, bool>) {
    using K = typename first_of<decltype(truth(condition))>::type;
    return (m & K(a)) | ((!m) & K(b));
  } else {
    using C = lanes<arithmetic<A, B>, W>;
    return blend(typename C::test(m), C(a), C(b));
  }
}
/* c ? a : b for a condition that is the same for all lanes, of two values that differ. */
template <class A, class B,
          bool Masks = same<typename operand<A>::value, bool> &&same<typename operand<B>::value, bool>>
struct either_type {
  using type = common<A, B>;
};
template <class A, class B>
struct either_type<A, B, true> {
  using type = mask<operand<A>::width | operand<B>::width>;
};
template <class F, class G>
OP2J_INLINE auto pick(bool condition, F a, G b) {
  using R = typename either_type<decltype(a()), decltype(b())>::type;
  if (condition) return R(a());
  return R(b());
}
/* select() where a or b may only be evaluated if a lane asks for it: memory that may not be there. */
template <class M, class F, class G>
OP2J_INLINE auto choose(M condition, F a, G b) {
  using R = decltype(select(condition, a(), b()));
  const auto m = truth(condition);
  if (!any(m)) return R(b());
  if (all(m)) return R(a());
  return R(select(m, a(), b()));
}
template <class M, class F>
OP2J_INLINE auto both(M condition, F then) {
  using R = decltype(truth(condition) & truth(then()));
  const auto m = truth(condition);
  if (!any(m)) return R(false);
  return R(m & truth(then()));
}
template <class M, class F>
OP2J_INLINE auto either(M condition, F otherwise) {
  using R = decltype(truth(condition) | truth(otherwise()));
  const auto m = truth(condition);
  if (all(m)) return R(true);
  return R(m | truth(otherwise()));
}

/* left = value in the lanes where the condition holds. */
template <class T, int W, class X, int B>
OP2J_INLINE void assign(lanes<T, W> &left, X value, mask<W, B> m) {
  left = blend(mask<W, sizeof(T)>(m), lanes<T, W>(value), left);
}
template <int W, int C, class X, int B>
OP2J_INLINE void assign(mask<W, C> &left, X value, mask<W, B> m) {
  const mask<W, C> where(m);
  left = (where & mask<W, C>(value)) | ((!where) & left);
}

} // namespace op2j

#endif
