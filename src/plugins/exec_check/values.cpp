// Values by type: copies, comparisons, and the values that trials start from.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

#include "values.hpp"

namespace op2::exec_check {

namespace {

template <class F>
auto with_type(op_type_id type, F &&f) {
  switch (type) {
    case OP_TYPE_DOUBLE:
      return f(double());
    case OP_TYPE_FLOAT:
      return f(float());
    case OP_TYPE_INT:
      return f(int());
    case OP_TYPE_UINT:
      return f(static_cast<unsigned>(0));
    case OP_TYPE_LL:
      return f(0LL);
    case OP_TYPE_ULL:
      return f(0ULL);
    default:
      return f(static_cast<unsigned char>(0));
  }
}

template <class T>
T load(const char *row, int component) {
  T value;
  std::memcpy(&value, row + sizeof(T) * static_cast<std::size_t>(component), sizeof(T));
  return value;
}
template <class T>
void store(char *row, int component, T value) {
  std::memcpy(row + sizeof(T) * static_cast<std::size_t>(component), &value, sizeof(T));
}

// Two runs of a kernel that adds differ by as much as their starts did, but for rounding. In the first trial the starts
// are close and little is allowed, so that small changes from run to run are seen. A kernel may add and take away much
// larger numbers in between, though: to be sure that it does not add, the starts are taken far apart and much is
// allowed.
template <class T>
constexpr T distance(Starts starts) {
  constexpr T far = std::is_same_v<T, float> ? T(1e3) : T(1e6);
  constexpr T close = T(0.7548776662466927); // no round number: the starts shall not round alike
  return starts == Starts::close ? close : far;
}
template <class T>
constexpr T slack(Starts starts) {
  constexpr T little = std::is_same_v<T, float> ? T(1e-4) : T(1e-9),
              much = std::is_same_v<T, float> ? T(1e-2) : T(1e-4);
  return starts == Starts::close ? little : much;
}

} // namespace

void shifted(const Slot &slot, Starts starts, const char *in, const char *out, char *other) {
  with_type(slot.type, [&]<class T>(T) {
    for (int c = 0; c < slot.dim; ++c) {
      const T a = load<T>(in, c), b = load<T>(out, c);
      if constexpr (std::is_floating_point_v<T>) {
        const T far = a + distance<T>(starts) * (T(1) + std::fabs(a) + std::fabs(b - a));
        store(other, c, std::isfinite(far) ? far : a);
      } else {
        store(other, c, static_cast<T>(a > 3 ? a - 3 : a + (starts == Starts::close ? 3 : 1 << 20)));
      }
    }
  });
}

int not_added(const Slot &slot, Starts starts, const char *in1, const char *out1, const char *in2, const char *out2) {
  return with_type(slot.type, [&]<class T>(T) {
    for (int c = 0; c < slot.dim; ++c) {
      const T i1 = load<T>(in1, c), o1 = load<T>(out1, c), i2 = load<T>(in2, c), o2 = load<T>(out2, c);
      if constexpr (std::is_floating_point_v<T>) {
        if (!std::isfinite(i1) || !std::isfinite(o1) || i1 == i2) continue;
        if (!(std::fabs((o2 - o1) - (i2 - i1)) <= slack<T>(starts) * std::fabs(i2 - i1))) return c;
      } else {
        using U = std::make_unsigned_t<T>;
        if (static_cast<U>(static_cast<U>(o2) - static_cast<U>(o1)) !=
            static_cast<U>(static_cast<U>(i2) - static_cast<U>(i1)))
          return c;
      }
    }
    return -1;
  });
}

namespace {

// Logicals are whole numbers to the library: .true. is 1, or -1 with some compilers.
template <class T>
bool truth_values(T a, T b, T yes) {
  return (a == T(0) || a == yes) && (b == T(0) || b == yes);
}

// Of two truth values the one that beats the other, or equals both.
template <class T>
T better_truth(T yes, bool low) {
  return low ? std::min(T(0), yes) : std::max(T(0), yes);
}

} // namespace

void beaten(const Slot &slot, const char *in, const char *out, char *other) {
  with_type(slot.type, [&]<class T>(T) {
    using limits = std::numeric_limits<T>;
    const bool low = slot.role == Role::low;
    for (int c = 0; c < slot.dim; ++c) {
      T value = load<T>(out, c);
      if constexpr (std::is_floating_point_v<T>) {
        const T size = T(1) + std::fabs(value);
        const T better = std::isfinite(value) ? (low ? value - size : value + size) : T(0);
        if (std::isfinite(better) && (low ? better < value : value < better)) value = better;
      } else if (const T yes = 1, before = load<T>(in, c); truth_values(before, value, yes)) {
        value = better_truth(yes, low);
      } else if (const T minus = static_cast<T>(-1); std::is_signed_v<T> && truth_values(before, value, minus)) {
        value = better_truth(minus, low);
      } else if (low ? value > limits::lowest() + T(3) : value < limits::max() - T(3)) {
        value = static_cast<T>(low ? value - T(3) : value + T(3));
      }
      store(other, c, value);
    }
  });
}

int first_difference(const Slot &slot, const char *a, const char *b) {
  for (int c = 0; c < slot.dim; ++c) {
    const std::size_t at = static_cast<std::size_t>(c) * static_cast<std::size_t>(slot.type_size);
    if (std::memcmp(a + at, b + at, static_cast<std::size_t>(slot.type_size)) != 0) return c;
  }
  return -1;
}

bool is_real(op_type_id type) { return type == OP_TYPE_DOUBLE || type == OP_TYPE_FLOAT; }

int first_wild(const Slot &slot, const char *now, const char *before) {
  if (!is_real(slot.type)) return -1;
  return with_type(slot.type, [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>)
      for (int c = 0; c < slot.dim; ++c) {
        if (std::isfinite(load<T>(now, c))) continue;
        if (!before || std::isfinite(load<T>(before, c))) return c;
      }
    return -1;
  });
}

void fill_poison(const Slot &slot, int variant, char *row) {
  with_type(slot.type, [&]<class T>(T) {
    // Little that sends an index far away, and one number that is larger than most.
    constexpr int whole[poison_variants] = {19, 7, 1 << 20, 101};
    for (int c = 0; c < slot.dim; ++c) {
      if constexpr (std::is_floating_point_v<T>) {
        const T values[poison_variants] = {std::numeric_limits<T>::quiet_NaN(), T(-3.7e30), T(3.7e30), T(1.1e-7)};
        store(row, c, values[variant]);
      } else if constexpr (sizeof(T) > 1) {
        store(row, c, static_cast<T>(whole[variant] + c));
      } else {
        const std::size_t size = static_cast<std::size_t>(slot.type_size);
        std::memset(row + size * static_cast<std::size_t>(c), slot.type == OP_TYPE_BOOL ? variant % 2 : 0xa5 + variant,
                    size);
      }
    }
  });
}

double value_of(const Slot &slot, const char *row, int component) {
  if (slot.type == OP_TYPE_USER) return 0.0;
  return with_type(slot.type, [&]<class T>(T) { return static_cast<double>(load<T>(row, component)); });
}

double rounding(op_type_id type) {
  return type == OP_TYPE_DOUBLE ? DBL_EPSILON : type == OP_TYPE_FLOAT ? static_cast<double>(FLT_EPSILON) : 0.0;
}

namespace {
std::string print_digits(const Slot &slot, const char *row, int component, int digits) {
  return with_type(slot.type, [&]<class T>(T) {
    char text[40];
    const T value = load<T>(row, component);
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(value)) return std::string("nan"); // without the sign that some have
    if constexpr (std::is_floating_point_v<T>)
      std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
    else if constexpr (std::is_signed_v<T>)
      std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
    else
      std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(value));
    return std::string(text);
  });
}

} // namespace

std::string print(const Slot &slot, const char *row, int component) {
  if (slot.type == OP_TYPE_USER) return "other bytes";
  return print_digits(slot, row, component, slot.type == OP_TYPE_FLOAT ? 7 : 10);
}

std::pair<std::string, std::string> print_both(const Slot &slot, const char *a, const char *b, int component) {
  const std::pair<std::string, std::string> brief{print(slot, a, component), print(slot, b, component)};
  if (slot.type == OP_TYPE_USER) return {"some bytes", "other bytes"};
  if (brief.first != brief.second) return brief;
  return {print_digits(slot, a, component, 17), print_digits(slot, b, component, 17)};
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
