// make_arg.hpp: loop arguments that take their types from their parameters.
//
//   op2::read(q)                              the row of the element itself
//   op2::read(x, 2, cell_nodes)               the row that column 2 of the map points to
//   op2::read(x, op2::col<2>, cell_nodes)     the same, with the column known to the compiler
//   op2::read(x, op2::all<4>, cell_nodes)     an array of pointers to the rows of columns 0 ... 3
//   op2::gbl_inc(&rms)                        a reduction
//   op2::index()                              the number of the element
//
// Parameters are borrowed until the loop returns. op_par_loop() reports errors of arguments.
#ifndef OP2_CPP_MAKE_ARG_HPP
#define OP2_CPP_MAKE_ARG_HPP

#include "op2/cpp/arg.hpp"
#include "op2/cpp/constant.hpp"
#include "op2/cpp/dat.hpp"

namespace op2 {

// Column K of a map.
template <int K>
struct column_number {
  static_assert(K >= 0, "op2::col<K>: columns count from 0");
};
template <int K>
inline constexpr column_number<K> col{};

// The first K columns of a map.
template <int K>
struct first_columns {
  static_assert(K >= 2, "op2::all<K>: a vector argument has at least two columns");
};
template <int K>
inline constexpr first_columns<K> all{};

namespace detail {

template <class Arg, int Access, class T, int Dim>
made_arg<Arg> make_dat_arg(const dat<T, Dim> &d, int idx, op_map map) {
  return made_arg<Arg>((op_arg_dat)(d, idx, map, d.dim(), type_name<T>::value, Access));
}

template <int Access, int Dim, class T>
made_arg<gbl_arg<T, Dim, Access>> make_gbl_arg(T *data, int dim) {
  using made = made_arg<gbl_arg<T, Dim, Access>>;
  if constexpr (type_name<T>::builtin) {
    return made((op_arg_gbl)(data, dim, type_name<T>::value, Access));
  } else {
    static_assert(Access == OP_READ, "op2: globals of your own types can only be read, or combined by op2::gbl_reduce");
    static_assert(std::is_trivially_copyable_v<T>, "op2: globals must be copyable bytewise");
    void *bytes = data;
    return made(
        (op_arg_gbl_char)(static_cast<char *>(bytes), dim, type_name<T>::value, static_cast<int>(sizeof(T)), Access));
  }
}

template <class T, int Dim>
payload_arg<T, Dim> make_payload_arg(T *data, int dim, int ref) {
  if constexpr (type_name<T>::builtin) {
    return payload_arg<T, Dim>((op_arg_payload)(data, dim, type_name<T>::value, ref));
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "op2: payloads must be copyable bytewise");
    void *bytes = data;
    return payload_arg<T, Dim>(
        (op_arg_payload_char)(static_cast<char *>(bytes), dim, type_name<T>::value, static_cast<int>(sizeof(T)), ref));
  }
}

} // namespace detail

// read, write, rw, inc: data of a dat, directly or through a map. A column given at run time must be >= 0.
#define OP2_DAT_ARGS(name, access)                                                          \
  template <class T, int Dim>                                                               \
  auto name(const dat<T, Dim> &d) {                                                         \
    return detail::make_dat_arg<detail::dat_arg<T, -1, Dim, access>, access>(d, -1, OP_ID); \
  }                                                                                         \
  template <class T, int Dim>                                                               \
  auto name(const dat<T, Dim> &d, int column, op_map map) {                                 \
    using type = arg<T, OP_RANGE_INDIRECT, detail::dim_fact(Dim), unknown, access>;         \
    return detail::make_dat_arg<type, access>(d, column < 0 ? -1 : column, map);            \
  }                                                                                         \
  template <class T, int Dim, int K>                                                        \
  auto name(const dat<T, Dim> &d, column_number<K>, op_map map) {                           \
    return detail::make_dat_arg<detail::dat_arg<T, K, Dim, access>, access>(d, K, map);     \
  }                                                                                         \
  template <class T, int Dim, int K>                                                        \
  auto name(const dat<T, Dim> &d, first_columns<K>, op_map map) {                           \
    return detail::make_dat_arg<detail::dat_arg<T, -K, Dim, access>, access>(d, -K, map);   \
  }                                                                                         \
  static_assert(access >= OP_READ)
OP2_DAT_ARGS(read, OP_READ);   // the kernel only reads: its parameter is const T *, with op2::all<K> const T *const *
OP2_DAT_ARGS(write, OP_WRITE); // the kernel writes every component and reads none before
OP2_DAT_ARGS(rw, OP_RW);       // the kernel reads and writes
OP2_DAT_ARGS(inc, OP_INC);     // the kernel only adds
#undef OP2_DAT_ARGS

// A variable of the program: data[Dim] or data[dim], the same values for all elements. The kernel's parameter is
// const T *.
template <int Dim = 1, class T>
auto gbl_read(const T *data) {
  return detail::make_gbl_arg<OP_READ, Dim>(const_cast<T *>(data), Dim);
}
template <class T>
auto gbl_read(const T *data, int dim) {
  return detail::make_gbl_arg<OP_READ, unknown>(const_cast<T *>(data), dim);
}

// gbl_inc, gbl_min, gbl_max: a reduction into data[Dim] or data[dim]; the old values take part in it.
#define OP2_GBL_ARGS(name, access)                           \
  template <int Dim = 1, class T>                            \
  auto name(T *data) {                                       \
    return detail::make_gbl_arg<access, Dim>(data, Dim);     \
  }                                                          \
  template <class T>                                         \
  auto name(T *data, int dim) {                              \
    return detail::make_gbl_arg<access, unknown>(data, dim); \
  }                                                          \
  static_assert(access >= OP_READ)
OP2_GBL_ARGS(gbl_inc, OP_INC);
OP2_GBL_ARGS(gbl_min, OP_MIN);
OP2_GBL_ARGS(gbl_max, OP_MAX);
#undef OP2_GBL_ARGS

// The same with a user-defined operation.
template <int Dim = 1, class T>
auto gbl_reduce(T *data, const reduction<T> &operation) {
  return detail::gbl_arg<T, Dim, OP_REDUCE>((op_arg_gbl_reduce)(data, Dim, type_name<T>::value, operation));
}
template <class T>
auto gbl_reduce(T *data, const reduction<T> &operation, int dim) {
  return detail::gbl_arg<T, unknown, OP_REDUCE>((op_arg_gbl_reduce)(data, dim, type_name<T>::value, operation));
}

// Payload data[Dim] of the gbl_min or gbl_max argument at position `ref` (from 0) of the same loop, see
// op_arg_payload().
template <int Dim = 1, class T>
auto payload(T *data, int ref) {
  return detail::make_payload_arg<T, Dim>(data, Dim, ref);
}
template <class T>
auto payload(T *data, int ref, int dim) {
  return detail::make_payload_arg<T, unknown>(data, dim, ref);
}

// The number of the element, or of the element that a column of a map points to; the kernel receives `const int *`.
inline auto index() { return detail::idx_arg<-1>((op_arg_idx)(-1, OP_ID)); }
inline auto index(int column, op_map map) { return detail::idx_arg<0>((op_arg_idx)(column < 0 ? -1 : column, map)); }
template <int K>
auto index(column_number<K>, op_map map) {
  return detail::idx_arg<K>((op_arg_idx)(K, map));
}

// An argument that is switched off if `on` is false: the kernel then receives a null pointer, and the dat may be
// op2::dat<T, Dim>().
template <class T, int Kind, int Dim, int Column, int Access, bool Optional>
auto opt(bool on, const arg<T, Kind, Dim, Column, Access, Optional> &argument) {
  arg<T, Kind, Dim, Column, Access, true> out(argument);
  if (!on) out.opt = 0;
  return out;
}
template <class T, int Kind, int Dim, int Column, bool Optional>
auto opt(bool on, const detail::read_only<arg<T, Kind, Dim, Column, OP_READ, Optional>> &argument) {
  detail::read_only<arg<T, Kind, Dim, Column, OP_READ, true>> out(argument);
  if (!on) out.opt = 0;
  return out;
}

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
