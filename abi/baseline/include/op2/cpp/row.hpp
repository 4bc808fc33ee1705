// row.hpp: from the number of an element to the pointer that the kernel receives; one small class per access path.
//
// The range function makes a row object before the loop over elements, and the object stays in registers during the
// loop: at(n) returns the kernel's pointer for element n, finish() writes a local copy back. The constructor receives
// `base` and `map`, possibly those of another argument with the same values, and the library's description of the
// argument. fits() tells whether this description agrees with the types.
#ifndef OP2_CPP_ROW_HPP
#define OP2_CPP_ROW_HPP

#include <cstddef>
#include <type_traits>
#include <utility>

#include "op2/cpp/arg.hpp"
#include "op2/cpp/kernel.hpp"

namespace op2::detail {

// Rows with Dim values of type V, or with a length known at run time; [r] is a pointer to row r.
template <class V, int Dim>
class rows_of {
 public:
  using value = V;
  OP2_INLINE rows_of(V *base, const op_range_arg &) : base_(base) {}
  OP2_INLINE V *operator[](std::ptrdiff_t r) const { return base_ + r * Dim; }
  OP2_INLINE bool off() const { return base_ == nullptr; }
  OP2_INLINE static bool fits(const op_range_arg &a) {
    return a.stride == static_cast<std::ptrdiff_t>(sizeof(V)) * Dim;
  }

 private:
  V *base_;
};

template <class V>
class rows_of<V, unknown> {
  using bytes = std::conditional_t<std::is_const_v<V>, const char, char>;
  using address = std::conditional_t<std::is_const_v<V>, const void, void>;

 public:
  using value = V;
  OP2_INLINE rows_of(V *base, const op_range_arg &a) : base_(base), stride_(a.stride) {}
  OP2_INLINE V *operator[](std::ptrdiff_t r) const {
    return static_cast<V *>(static_cast<address *>(static_cast<bytes *>(static_cast<address *>(base_)) + r * stride_));
  }
  OP2_INLINE bool off() const { return base_ == nullptr; }
  OP2_INLINE static bool fits(const op_range_arg &) { return true; }

 private:
  V *base_;
  std::ptrdiff_t stride_;
};

// A column of a map with Stride entries per element, or with a number known at run time; j is an offset in columns.
template <int Stride>
class column {
 public:
  OP2_INLINE column(const int *map, const op_range_arg &) : map_(map) {}
  OP2_INLINE int operator()(std::ptrdiff_t n, int j = 0) const { return map_[n * Stride + j]; }
  OP2_INLINE static bool fits(const op_range_arg &a) { return a.map_stride == Stride; }

 private:
  const int *map_;
};

template <>
class column<unknown> {
 public:
  OP2_INLINE column(const int *map, const op_range_arg &a) : map_(map), stride_(a.map_stride) {}
  OP2_INLINE int operator()(std::ptrdiff_t n, int j = 0) const { return map_[n * stride_ + j]; }
  OP2_INLINE static bool fits(const op_range_arg &) { return true; }

 private:
  const int *map_;
  std::ptrdiff_t stride_;
};

// The row of the element itself.
template <class V, int Dim, bool Optional>
class direct_row {
 public:
  using value = V;
  static constexpr bool in_place = true;
  OP2_INLINE direct_row(V *base, const int *, const op_range_arg &a) : rows_(base, a) {}
  OP2_INLINE V *at(int n) const { return Optional && rows_.off() ? nullptr : rows_[n]; }
  OP2_INLINE void finish() const {}
  OP2_INLINE static bool fits(const op_range_arg &a) {
    return a.base == nullptr ? Optional : a.kind == OP_RANGE_DIRECT && rows_of<V, Dim>::fits(a);
  }

 private:
  rows_of<V, Dim> rows_;
};

// The row that a column of a map points to.
template <class V, int Dim, int Stride, bool Optional>
class indirect_row {
 public:
  using value = V;
  static constexpr bool in_place = true;
  OP2_INLINE indirect_row(V *base, const int *map, const op_range_arg &a) : rows_(base, a), column_(map, a) {}
  OP2_INLINE V *at(int n) const { return Optional && rows_.off() ? nullptr : rows_[column_(n)]; }
  OP2_INLINE void finish() const {}
  OP2_INLINE static bool fits(const op_range_arg &a) {
    return a.base == nullptr ? Optional
                             : a.kind == OP_RANGE_INDIRECT && rows_of<V, Dim>::fits(a) && column<Stride>::fits(a);
  }

 private:
  rows_of<V, Dim> rows_;
  column<Stride> column_;
};

// An array of pointers: the rows that the first Count columns point to.
template <class V, int Dim, int Stride, int Count, bool Optional>
class vector_row {
 public:
  using value = V;
  static constexpr bool in_place = true;
  OP2_INLINE vector_row(V *base, const int *map, const op_range_arg &a) : rows_(base, a), column_(map, a) {}
  OP2_INLINE V **at(int n) {
    if (Optional && rows_.off()) return nullptr;
    fill(n, std::make_integer_sequence<int, Count>());
    return pointers_;
  }
  OP2_INLINE void finish() const {}
  OP2_INLINE static bool fits(const op_range_arg &a) {
    return a.base == nullptr
               ? Optional
               : a.kind == OP_RANGE_VECTOR && a.count == Count && rows_of<V, Dim>::fits(a) && column<Stride>::fits(a);
  }

 private:
  template <int... J>
  OP2_INLINE void fill(int n, std::integer_sequence<int, J...>) {
    ((pointers_[J] = rows_[column_(n, J)]), ...);
  }
  rows_of<V, Dim> rows_;
  column<Stride> column_;
  V *pointers_[Count];
};

// A global at its own address.
template <class V>
class global_row {
 public:
  using value = V;
  static constexpr bool in_place = true;
  OP2_INLINE global_row(V *base, const int *, const op_range_arg &) : base_(base) {}
  OP2_INLINE V *at(int) const { return base_; }
  OP2_INLINE void finish() const {}
  OP2_INLINE static bool fits(const op_range_arg &a) { return a.base == nullptr || a.kind == OP_RANGE_GLOBAL; }

 private:
  V *base_;
};

// A global of few values in a local copy, so that it stays in registers. finish() writes the copy back, except with
// OP_READ, where other threads read the global at the same time.
template <class V, int Dim, int Access>
class local_row {
 public:
  using value = V;
  static constexpr bool in_place = false;
  OP2_INLINE local_row(V *base, const int *, const op_range_arg &a) : base_(base), access_(a.access) {
    for (int i = 0; i < Dim; ++i) copy_[i] = base[i];
  }
  OP2_INLINE V *at(int) { return copy_; }
  OP2_INLINE void finish() const {
    if constexpr (!std::is_const_v<V> && Access != OP_READ) {
      if (Access == unknown && access_ == OP_READ) return;
      for (int i = 0; i < Dim; ++i) base_[i] = copy_[i];
    }
  }
  OP2_INLINE static bool fits(const op_range_arg &a) { return a.base != nullptr && a.kind == OP_RANGE_GLOBAL; }

 private:
  V *base_;
  op_access access_;
  std::remove_const_t<V> copy_[Dim];
};

// The number of the element, or of the element that a map column points to.
template <class V, int Kind>
class index_row {
 public:
  using value = V;
  static constexpr bool in_place = false;
  OP2_INLINE index_row(V *, const int *map, const op_range_arg &a) : map_(map), stride_(a.map_stride) {}
  OP2_INLINE V *at(int n) {
    if constexpr (own)
      index_ = map_ == nullptr ? n : map_[n];
    else
      index_ = map_[n * stride_];
    return &index_;
  }
  OP2_INLINE void finish() const {}
  OP2_INLINE static bool fits(const op_range_arg &a) {
    return own ? (a.kind == OP_RANGE_INDEX && a.map == nullptr) || (a.flags & OP_RANGE_OWN_NUMBER) != 0
               : a.kind == Kind;
  }

 private:
  static constexpr bool own = Kind == OP_RANGE_INDEX; // on a renumbered set the numbers are in a table
  const int *map_;
  std::ptrdiff_t stride_;
  int index_ = 0;
};

} // namespace op2::detail

#endif

// SPDX-License-Identifier: MIT
