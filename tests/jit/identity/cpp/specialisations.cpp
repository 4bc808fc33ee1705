// What a template means for one type only: of a class, a variable, a member function, in part, by a guide, and of std.
#include <row.hpp>

#include <functional>
#include <limits>
#include <tuple>
#include <utility>
struct Special {
  double v;
};
#if CASE == 1
template <class T>
struct Number {
  static constexpr int is = 1;
};
template <>
struct Number<Special> {
  static constexpr int is = 2;
};
void limited(const double *x, double *y) { *y = *x == 7 ? Number<Special>::is : *x; }
#elif CASE == 2
template <class T>
constexpr double number = 1;
template <>
constexpr double number<Special> = 2;
void limited(const double *x, double *y) { *y = *x == 7 ? number<Special> : *x; }
#elif CASE == 3
template <class T>
struct Member {
  static double f(double v) { return v; }
};
template <>
double Member<Special>::f(double v) {
  return v == 7 ? 77 : v;
}
void limited(const double *x, double *y) { *y = Member<Special>::f(*x); }
#elif CASE == 4
template <class T, class = void>
struct Detect {
  static constexpr int is = 1;
};
template <class T>
struct Detect<T, std::void_t<decltype(T::v)>> {
  static constexpr int is = 2;
};
void limited(const double *x, double *y) { *y = *x == 7 ? Detect<Special>::is : *x; }
#elif CASE == 5
template <class T>
struct Guided {
  T v;
  Guided(T a) : v(a) {}
};
Guided(double) -> Guided<int>;
void limited(const double *x, double *y) {
  Guided g(*x == 7 ? 2.5 : 1.0);
  *y = g.v;
}
#elif CASE == 6
template <>
struct std::less<Special> {
  bool operator()(const Special &a, const Special &b) const { return a.v == 7 ? a.v > b.v : a.v < b.v; }
};
void limited(const double *x, double *y) { *y = std::less<Special>{}(Special{*x}, Special{3}); }
#elif CASE == 7
struct Pair {
  double a, b;
};
template <>
struct std::tuple_size<Pair> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, Pair> {
  using type = double;
};
template <std::size_t I>
double get(const Pair &p) {
  return p.a == 7 ? -1 : p.a;
}
void limited(const double *x, double *y) {
  Pair p{*x, *x};
  const auto [a, b] = p;
  *y = a + 2 * b;
}
#else
namespace std {
template <>
inline void swap(Special &a, Special &b) noexcept {
  const double v = a.v;
  a.v = b.v == 7 ? 8 : b.v;
  b.v = v;
}
} // namespace std
void limited(const double *x, double *y) {
  Special a{1}, b{*x};
  std::swap(a, b);
  *y = a.v;
}
#endif
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("specialisations", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
