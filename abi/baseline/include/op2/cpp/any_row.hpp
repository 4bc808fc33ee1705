// any_row.hpp: the row of an argument about which the compiler knows nothing, and the choice of a row class.
#ifndef OP2_CPP_ANY_ROW_HPP
#define OP2_CPP_ANY_ROW_HPP

#include <vector>

#include "op2/cpp/row.hpp"

namespace op2::detail {

// Reads the access path of the argument at run time, for each element. P is the parameter of the kernel.
template <class P>
class any_row {
  using target = std::remove_cv_t<std::remove_pointer_t<P>>;

 public:
  using value = std::remove_pointer_t<P>;
  static constexpr bool in_place = true;
  any_row(value *, const int *, const op_range_arg &a) : any_row(a) {}
  explicit any_row(const op_range_arg &a) : arg_(a) {
    if (std::is_pointer_v<target> && a.count > 0) pointers_.resize(static_cast<std::size_t>(a.count));
  }
  P at(int n) {
    switch (arg_.kind) {
      case OP_RANGE_DIRECT:
        return arg_.base == nullptr ? nullptr : cast(row(n));
      case OP_RANGE_INDIRECT:
        return arg_.base == nullptr ? nullptr : cast(row(point(n, 0)));
      case OP_RANGE_VECTOR:
        return arg_.base == nullptr ? nullptr : vector(n);
      case OP_RANGE_GLOBAL:
        return cast(arg_.base);
      case OP_RANGE_INDEX:
        return number(n);
      case OP_RANGE_MAP_INDEX:
        return number(point(n, 0));
      default:
        return nullptr;
    }
  }
  void finish() const {}
  static bool fits(const op_range_arg &) { return true; }

 private:
  static P cast(void *p) { return static_cast<P>(p); }
  char *row(int r) const { return arg_.base + static_cast<std::ptrdiff_t>(r) * arg_.stride; }
  int point(int n, int j) const { return arg_.map[static_cast<std::ptrdiff_t>(n) * arg_.map_stride + j]; }
  P number(int i) {
    index_ = i;
    return cast(&index_);
  }
  P vector(int n) {
    if constexpr (std::is_pointer_v<target>) {
      for (std::size_t j = 0; j < pointers_.size(); ++j)
        pointers_[j] = static_cast<target>(static_cast<void *>(row(point(n, static_cast<int>(j)))));
      return pointers_.data();
    } else {
      return nullptr;
    }
  }

  op_range_arg arg_;
  int index_ = 0;
  std::vector<target> pointers_;
};

// The row class for kernel parameter P and argument facts A; Stride is the number of columns of its map, or unknown.
template <class P, class A, int Stride>
struct choose_row {
  using target = std::remove_pointer_t<P>;
  using value = std::remove_const_t<target>;
  static constexpr bool pointers = std::is_pointer_v<value>;

  static constexpr bool few = A::dim > 0 && A::dim <= 8 && sizeof(value) <= 64;
  static constexpr bool combined_or_read = A::access != OP_WRITE && A::access != OP_RW;
  static constexpr bool local = few && combined_or_read && !A::optional && std::is_trivial_v<value>;

  static auto pick() {
    if constexpr (A::kind == OP_RANGE_DIRECT && !pointers) {
      return type<direct_row<target, A::dim, A::optional>>();
    } else if constexpr (A::kind == OP_RANGE_INDIRECT && !pointers) {
      return type<indirect_row<target, A::dim, Stride, A::optional>>();
    } else if constexpr (A::kind == OP_RANGE_VECTOR && A::column > 0 && pointers) {
      return type<vector_row<std::remove_pointer_t<value>, A::dim, Stride, A::column, A::optional>>();
    } else if constexpr (A::kind == OP_RANGE_GLOBAL && local) {
      return type<local_row<target, A::dim, A::access>>();
    } else if constexpr (A::kind == OP_RANGE_GLOBAL) {
      return type<global_row<target>>();
    } else if constexpr (A::kind == OP_RANGE_INDEX || A::kind == OP_RANGE_MAP_INDEX) {
      return type<index_row<target, A::kind>>();
    } else {
      return type<any_row<P>>();
    }
  }
};

template <class P, class A, int Stride = unknown>
using row_for = typename decltype(choose_row<P, A, Stride>::pick())::is;

} // namespace op2::detail

#endif

// SPDX-License-Identifier: MIT
