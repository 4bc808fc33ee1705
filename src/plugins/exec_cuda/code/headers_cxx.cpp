// headers_cxx.cpp: headers of C++ for device code: what kernels use of values, types and small arrays. std::move,
// std::forward and std::initializer_list are NVRTC's own.
#include "code/headers.hpp"

namespace op2::exec_cuda {

namespace {

constexpr const char *algorithm_text = R"(#pragma once
#include <utility>
namespace std {
template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T, class L> constexpr const T &min(const T &a, const T &b, L less) { return less(b, a) ? b : a; }
template <class T, class L> constexpr const T &max(const T &a, const T &b, L less) { return less(a, b) ? b : a; }
template <class T> constexpr T min(initializer_list<T> l) { T m = *l.begin(); for (const T &v : l) if (v < m) m = v; return m; }
template <class T> constexpr T max(initializer_list<T> l) { T m = *l.begin(); for (const T &v : l) if (m < v) m = v; return m; }
template <class T> constexpr const T &clamp(const T &v, const T &low, const T &high) {
  return v < low ? low : high < v ? high : v;
}
template <class T> constexpr pair<const T &, const T &> minmax(const T &a, const T &b) {
  if (b < a) return {b, a};
  return {a, b};
}
template <class T> constexpr pair<T, T> minmax(initializer_list<T> l) {
  pair<T, T> m{*l.begin(), *l.begin()};
  for (const T &v : l) { if (v < m.first) m.first = v; if (!(v < m.second)) m.second = v; }
  return m;
}
template <class I, class T> constexpr void fill(I first, I last, const T &v) { for (; first != last; ++first) *first = v; }
template <class I, class N, class T> constexpr I fill_n(I first, N n, const T &v) { for (; n > 0; --n, ++first) *first = v; return first; }
template <class I, class O> constexpr O copy(I first, I last, O to) { for (; first != last; ++first, ++to) *to = *first; return to; }
template <class I, class N, class O> constexpr O copy_n(I first, N n, O to) { for (; n > 0; --n, ++first, ++to) *to = *first; return to; }
template <class I, class F> constexpr F for_each(I first, I last, F f) { for (; first != last; ++first) f(*first); return f; }
template <class I, class O, class F> constexpr O transform(I first, I last, O to, F f) {
  for (; first != last; ++first, ++to) *to = f(*first);
  return to;
}
template <class I, class J, class O, class F> constexpr O transform(I first, I last, J other, O to, F f) {
  for (; first != last; ++first, ++other, ++to) *to = f(*first, *other);
  return to;
}
template <class I, class F> constexpr void generate(I first, I last, F f) { for (; first != last; ++first) *first = f(); }
template <class I, class L> constexpr I max_element(I first, I last, L less) {
  I found = first;
  for (; first != last; ++first) if (less(*found, *first)) found = first;
  return found;
}
template <class I> constexpr I max_element(I first, I last) {
  return max_element(first, last, [](const auto &a, const auto &b) { return a < b; });
}
template <class I, class L> constexpr I min_element(I first, I last, L less) {
  return max_element(first, last, [&](const auto &a, const auto &b) { return less(b, a); });
}
template <class I> constexpr I min_element(I first, I last) {
  return min_element(first, last, [](const auto &a, const auto &b) { return a < b; });
}
template <class I, class T> constexpr I find(I first, I last, const T &v) { for (; first != last && !(*first == v); ++first); return first; }
template <class I, class P> constexpr I find_if(I first, I last, P is) { for (; first != last && !is(*first); ++first); return first; }
template <class I, class P> constexpr bool all_of(I first, I last, P is) { for (; first != last; ++first) if (!is(*first)) return false; return true; }
template <class I, class P> constexpr bool any_of(I first, I last, P is) { for (; first != last; ++first) if (is(*first)) return true; return false; }
template <class I, class P> constexpr bool none_of(I first, I last, P is) { return !any_of(first, last, is); }
template <class I, class T> constexpr ptrdiff_t count(I first, I last, const T &v) { ptrdiff_t n = 0; for (; first != last; ++first) n += *first == v; return n; }
template <class I, class P> constexpr ptrdiff_t count_if(I first, I last, P is) { ptrdiff_t n = 0; for (; first != last; ++first) n += is(*first) ? 1 : 0; return n; }
template <class I, class J> constexpr bool equal(I first, I last, J other) {
  for (; first != last; ++first, ++other) if (!(*first == *other)) return false;
  return true;
}
template <class I> constexpr void reverse(I first, I last) { while (first != last && first != --last) { swap(*first, *last); ++first; } }
/* By insertion: the arrays of a kernel are short. Equal values keep their order, so that it is stable_sort, too. */
template <class I, class L> constexpr void sort(I first, I last, L less) {
  if (first == last) return;
  for (I next = first + 1; next != last; ++next) {
    auto v = *next;
    I hole = next;
    for (; hole != first && less(v, *(hole - 1)); --hole) *hole = *(hole - 1);
    *hole = v;
  }
}
template <class I> constexpr void sort(I first, I last) {
  sort(first, last, [](const auto &a, const auto &b) { return a < b; });
}
template <class I, class L> constexpr void stable_sort(I first, I last, L less) { sort(first, last, less); }
template <class I> constexpr void stable_sort(I first, I last) { sort(first, last); }
template <class I, class T> constexpr I lower_bound(I first, I last, const T &v) { while (first != last && *first < v) ++first; return first; }
template <class I, class T> constexpr I upper_bound(I first, I last, const T &v) { while (first != last && !(v < *first)) ++first; return first; }
}
)";

constexpr const char *numeric_text = R"(#pragma once
namespace std {
template <class I, class T> constexpr T accumulate(I first, I last, T sum) { for (; first != last; ++first) sum = sum + *first; return sum; }
template <class I, class T, class F> constexpr T accumulate(I first, I last, T sum, F f) { for (; first != last; ++first) sum = f(sum, *first); return sum; }
template <class I, class J, class T> constexpr T inner_product(I first, I last, J other, T sum) {
  for (; first != last; ++first, ++other) sum = sum + *first * *other;
  return sum;
}
template <class I, class J, class T, class F, class G> constexpr T inner_product(I first, I last, J other, T sum, F f, G g) {
  for (; first != last; ++first, ++other) sum = f(sum, g(*first, *other));
  return sum;
}
template <class I, class T> constexpr void iota(I first, I last, T v) { for (; first != last; ++first, ++v) *first = v; }
template <class I, class O> constexpr O partial_sum(I first, I last, O to) {
  if (first == last) return to;
  auto sum = *first;
  *to = sum;
  for (++first, ++to; first != last; ++first, ++to) *to = sum = sum + *first;
  return to;
}
}
)";

constexpr const char *type_traits_text = R"(#pragma once
namespace std {
template <class T, T V> struct integral_constant { static constexpr T value = V; typedef T value_type; constexpr operator T() const { return V; } };
template <bool V> using bool_constant = integral_constant<bool, V>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> constexpr bool is_same_v = is_same<A, B>::value;
template <bool C, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool C, class A, class B> using conditional_t = typename conditional<C, A, B>::type;
template <bool C, class A = void> struct enable_if {};
template <class A> struct enable_if<true, A> { typedef A type; };
template <bool C, class A = void> using enable_if_t = typename enable_if<C, A>::type;
template <class A> struct remove_const { typedef A type; };
template <class A> struct remove_const<const A> { typedef A type; };
template <class A> using remove_const_t = typename remove_const<A>::type;
template <class A> struct remove_volatile { typedef A type; };
template <class A> struct remove_volatile<volatile A> { typedef A type; };
template <class A> using remove_cv_t = typename remove_const<typename remove_volatile<A>::type>::type;
template <class A> struct remove_cv { typedef remove_cv_t<A> type; };
template <class A> struct remove_reference { typedef A type; };
template <class A> struct remove_reference<A &> { typedef A type; };
template <class A> struct remove_reference<A &&> { typedef A type; };
template <class A> using remove_reference_t = typename remove_reference<A>::type;
template <class A> struct remove_pointer { typedef A type; };
template <class A> struct remove_pointer<A *> { typedef A type; };
template <class A> using remove_pointer_t = typename remove_pointer<A>::type;
template <class A> struct remove_extent { typedef A type; };
template <class A, decltype(sizeof(0)) N> struct remove_extent<A[N]> { typedef A type; };
template <class A> using remove_extent_t = typename remove_extent<A>::type;
template <class A> using remove_cvref_t = remove_cv_t<remove_reference_t<A>>;
template <class A> struct decay { typedef remove_cvref_t<A> type; };
template <class A> using decay_t = typename decay<A>::type;
template <class A> struct is_const : false_type {};
template <class A> struct is_const<const A> : true_type {};
template <class A> constexpr bool is_const_v = is_const<A>::value;
template <class A> struct is_pointer : false_type {};
template <class A> struct is_pointer<A *> : true_type {};
template <class A> constexpr bool is_pointer_v = is_pointer<remove_cv_t<A>>::value;
template <class A> constexpr bool is_floating_point_v = is_same_v<remove_cv_t<A>, float> || is_same_v<remove_cv_t<A>, double>;
template <class A> struct is_floating_point : bool_constant<is_floating_point_v<A>> {};
template <class A, class... B> constexpr bool is_one_of_v = (is_same_v<A, B> || ...);
template <class A> constexpr bool is_integral_v = is_one_of_v<remove_cv_t<A>, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>;
template <class A> struct is_integral : bool_constant<is_integral_v<A>> {};
template <class A> constexpr bool is_arithmetic_v = is_integral_v<A> || is_floating_point_v<A>;
template <class A> struct is_arithmetic : bool_constant<is_arithmetic_v<A>> {};
template <class A> constexpr bool is_signed_v = is_arithmetic_v<A> && A(-1) < A(0);
template <class A> struct is_signed : bool_constant<is_signed_v<A>> {};
template <class A> constexpr bool is_unsigned_v = is_integral_v<A> && !is_signed_v<A>;
template <class A> struct is_unsigned : bool_constant<is_unsigned_v<A>> {};
template <class...> using void_t = void;
template <class A> A &&declval() noexcept;
template <class F, class... A> using invoke_result_t = decltype(declval<F>()(declval<A>()...));
template <class... B> constexpr bool conjunction_v = (bool(B::value) && ...);
template <class... B> constexpr bool disjunction_v = (bool(B::value) || ...);
template <class A> struct underlying_type { typedef __underlying_type(A) type; };
template <class A> using underlying_type_t = typename underlying_type<A>::type;
}
)";

constexpr const char *utility_text = R"(#pragma once
#include <stddef.h>
#include <type_traits>
namespace std {
template <class T> constexpr void swap(T &a, T &b) { T c = static_cast<T &&>(a); a = static_cast<T &&>(b); b = static_cast<T &&>(c); }
template <class T, size_t N> constexpr void swap(T (&a)[N], T (&b)[N]) { for (size_t i = 0; i < N; ++i) swap(a[i], b[i]); }
template <class T, class U = T> constexpr T exchange(T &a, U &&b) { T old = a; a = b; return old; }
template <class T> constexpr const T &as_const(T &a) { return a; }
template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> constexpr pair<decay_t<A>, decay_t<B>> make_pair(A &&a, B &&b) { return {a, b}; }
template <class A, class B> constexpr bool operator==(const pair<A, B> &a, const pair<A, B> &b) { return a.first == b.first && a.second == b.second; }
template <class A, class B> constexpr bool operator<(const pair<A, B> &a, const pair<A, B> &b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <class T, T... I> struct integer_sequence { typedef T value_type; static constexpr size_t size() { return sizeof...(I); } };
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <class T, size_t N, T... I> struct op2_sequence : op2_sequence<T, N - 1, T(N - 1), I...> {};
template <class T, T... I> struct op2_sequence<T, 0, I...> { typedef integer_sequence<T, I...> type; };
template <class T, T N> using make_integer_sequence = typename op2_sequence<T, N>::type;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
template <class T> struct tuple_size;
template <class T> constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t I, class T> struct tuple_element;
template <size_t I, class T> struct tuple_element<I, const T> { typedef const typename tuple_element<I, T>::type type; };
template <size_t I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class A, class B> struct tuple_size<const pair<A, B>> : tuple_size<pair<A, B>> {};
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <size_t I, class A, class B> constexpr auto &get(pair<A, B> &p) { if constexpr (I == 0) return p.first; else return p.second; }
template <size_t I, class A, class B> constexpr const auto &get(const pair<A, B> &p) { if constexpr (I == 0) return p.first; else return p.second; }
template <size_t I, class A, class B> constexpr auto &&get(pair<A, B> &&p) { if constexpr (I == 0) return static_cast<A &&>(p.first); else return static_cast<B &&>(p.second); }
}
)";

constexpr const char *array_text = R"(#pragma once
#include <utility>
namespace std {
template <class T, size_t N> struct array {
  typedef T value_type;
  typedef size_t size_type;
  typedef T &reference;
  typedef const T &const_reference;
  typedef T *iterator;
  typedef const T *const_iterator;
  T op2_array[N > 0 ? N : 1];
  constexpr T &operator[](size_t i) { return op2_array[i]; }
  constexpr const T &operator[](size_t i) const { return op2_array[i]; }
  constexpr T &front() { return op2_array[0]; }
  constexpr const T &front() const { return op2_array[0]; }
  constexpr T &back() { return op2_array[N - 1]; }
  constexpr const T &back() const { return op2_array[N - 1]; }
  constexpr T *data() { return op2_array; }
  constexpr const T *data() const { return op2_array; }
  constexpr T *begin() { return op2_array; }
  constexpr const T *begin() const { return op2_array; }
  constexpr const T *cbegin() const { return op2_array; }
  constexpr T *end() { return op2_array + N; }
  constexpr const T *end() const { return op2_array + N; }
  constexpr const T *cend() const { return op2_array + N; }
  constexpr size_t size() const { return N; }
  constexpr bool empty() const { return N == 0; }
  constexpr void fill(const T &v) { for (size_t i = 0; i < N; ++i) op2_array[i] = v; }
  constexpr void swap(array &other) { for (size_t i = 0; i < N; ++i) std::swap(op2_array[i], other.op2_array[i]); }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <class T, size_t N> constexpr bool operator==(const array<T, N> &a, const array<T, N> &b) {
  for (size_t i = 0; i < N; ++i) if (!(a[i] == b[i])) return false;
  return true;
}
template <class T, size_t N> struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
template <class T, size_t N> struct tuple_size<const array<T, N>> : tuple_size<array<T, N>> {};
template <size_t I, class T, size_t N> struct tuple_element<I, array<T, N>> { typedef T type; };
template <size_t I, class T, size_t N> constexpr T &get(array<T, N> &a) { return a[I]; }
template <size_t I, class T, size_t N> constexpr const T &get(const array<T, N> &a) { return a[I]; }
template <size_t I, class T, size_t N> constexpr T &&get(array<T, N> &&a) { return static_cast<T &&>(a[I]); }
}
)";

constexpr const char *tuple_text = R"(#pragma once
#include <utility>
namespace std {
template <class... T> struct tuple {};
template <class A, class... T> struct tuple<A, T...> {
  A op2_first;
  tuple<T...> op2_rest;
  constexpr tuple() : op2_first(), op2_rest() {}
  constexpr tuple(A a, T... t) : op2_first(a), op2_rest(t...) {}
  constexpr tuple(const tuple &) = default;
  constexpr tuple &operator=(const tuple &other) { op2_first = other.op2_first; op2_rest = other.op2_rest; return *this; }
  template <class B, class... U> constexpr tuple &operator=(const tuple<B, U...> &other) { op2_first = other.op2_first; op2_rest = other.op2_rest; return *this; }
  template <class B, class C> constexpr tuple &operator=(const pair<B, C> &other) { get<0>(*this) = other.first; get<1>(*this) = other.second; return *this; }
};
template <class... T> tuple(T...) -> tuple<T...>;
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class... T> struct tuple_size<const tuple<T...>> : tuple_size<tuple<T...>> {};
template <class A, class... T> struct tuple_element<0, tuple<A, T...>> { typedef A type; };
template <size_t I, class A, class... T> struct tuple_element<I, tuple<A, T...>> : tuple_element<I - 1, tuple<T...>> {};
template <size_t I, class... T> constexpr auto &get(tuple<T...> &t) { if constexpr (I == 0) return t.op2_first; else return get<I - 1>(t.op2_rest); }
template <size_t I, class... T> constexpr const auto &get(const tuple<T...> &t) { if constexpr (I == 0) return t.op2_first; else return get<I - 1>(t.op2_rest); }
template <size_t I, class... T> constexpr auto &&get(tuple<T...> &&t) {
  return static_cast<typename tuple_element<I, tuple<T...>>::type &&>(get<I>(t));
}
template <class... T> constexpr tuple<decay_t<T>...> make_tuple(T &&...t) { return tuple<decay_t<T>...>(t...); }
template <class... T> constexpr tuple<T &...> tie(T &...t) { return tuple<T &...>(t...); }
}
)";

constexpr const char *std_limits_text = R"(#pragma once
#include <float.h>
#include <limits.h>
#include <math.h>
namespace std {
template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
#define OP2_REAL_LIMITS(type, prefix, of_infinity, of_nan)                       \
  template <> struct numeric_limits<type> {                                      \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true; \
    static constexpr int digits = prefix##_MANT_DIG, digits10 = prefix##_DIG;    \
    static constexpr type min() { return prefix##_MIN; }                         \
    static constexpr type max() { return prefix##_MAX; }                         \
    static constexpr type lowest() { return -prefix##_MAX; }                     \
    static constexpr type epsilon() { return prefix##_EPSILON; }                 \
    static type infinity() { return of_infinity; }                     \
    static type quiet_NaN() { return of_nan; }                         \
  };
OP2_REAL_LIMITS(float, FLT, __int_as_float(0x7f800000), __int_as_float(0x7fc00000))
OP2_REAL_LIMITS(double, DBL, __longlong_as_double(0x7ff0000000000000ll), __longlong_as_double(0x7ff8000000000000ll))
#define OP2_INTEGER_LIMITS(type, least, greatest)                                \
  template <> struct numeric_limits<type> {                                      \
    static constexpr bool is_specialized = true, is_signed = (least) != 0, is_integer = true, has_infinity = false; \
    static constexpr int digits = int(8 * sizeof(type)) - int(is_signed), digits10 = digits * 30103 / 100000; \
    static constexpr type min() { return (type)(least); }                          \
    static constexpr type max() { return (type)(greatest); }                       \
    static constexpr type lowest() { return (type)(least); }                       \
    static constexpr type epsilon() { return 0; }                                \
  };
OP2_INTEGER_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX)
OP2_INTEGER_LIMITS(unsigned char, 0, UCHAR_MAX)
OP2_INTEGER_LIMITS(short, SHRT_MIN, SHRT_MAX)
OP2_INTEGER_LIMITS(unsigned short, 0, USHRT_MAX)
OP2_INTEGER_LIMITS(int, INT_MIN, INT_MAX)
OP2_INTEGER_LIMITS(unsigned, 0, UINT_MAX)
OP2_INTEGER_LIMITS(long, LONG_MIN, LONG_MAX)
OP2_INTEGER_LIMITS(unsigned long, 0, ULONG_MAX)
OP2_INTEGER_LIMITS(long long, LLONG_MIN, LLONG_MAX)
OP2_INTEGER_LIMITS(unsigned long long, 0, ULLONG_MAX)
}
)";

constexpr const char *functional_text = R"(#pragma once
namespace std {
#define OP2_FUNCTOR(name, expression)                                                         \
  template <class T = void> struct name { constexpr auto operator()(const T &a, const T &b) const { return expression; } }; \
  template <> struct name<void> { template <class A, class B> constexpr auto operator()(const A &a, const B &b) const { return expression; } };
OP2_FUNCTOR(plus, a + b) OP2_FUNCTOR(minus, a - b) OP2_FUNCTOR(multiplies, a * b) OP2_FUNCTOR(divides, a / b)
OP2_FUNCTOR(less, a < b) OP2_FUNCTOR(less_equal, a <= b) OP2_FUNCTOR(greater, a > b) OP2_FUNCTOR(greater_equal, a >= b)
OP2_FUNCTOR(equal_to, a == b) OP2_FUNCTOR(not_equal_to, a != b)
}
)";

constexpr const char *builtin_text = "#pragma once\n";

} // namespace

std::vector<Header> headers_of_cxx() {
  return {{"algorithm", algorithm_text}, {"numeric", numeric_text},       {"type_traits", type_traits_text},
          {"utility", utility_text},     {"array", array_text},           {"tuple", tuple_text},
          {"limits", std_limits_text},   {"functional", functional_text}, {"initializer_list", builtin_text}};
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
