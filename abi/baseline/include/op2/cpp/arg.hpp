// arg.hpp: a loop argument whose properties (facts) are known to the compiler.
//
// An op_arg describes at run time what a kernel receives. op2::arg adds to it the facts that the program text contains:
// the type of the values, the access path of a row, the number of values in it, and the access mode. Range functions
// turn these facts into literal strides, and read unknown facts at run time.
#ifndef OP2_CPP_ARG_HPP
#define OP2_CPP_ARG_HPP

#include <climits>
#include <type_traits>

#include "op2/loop.h"

namespace op2 {

// A fact that the program text does not contain.
inline constexpr int unknown = INT_MIN;

// T:        type of the values; void = unknown
// Kind:     OP_RANGE_DIRECT, OP_RANGE_INDIRECT, ...; or unknown
// Dim:      values per row or of the global; or unknown
// Column:   OP_RANGE_INDIRECT: the column of the map; OP_RANGE_VECTOR: the number of columns; or unknown
// Access:   OP_READ, OP_WRITE, ...; or unknown
// Optional: true if the argument may be switched off
template <class T, int Kind, int Dim, int Column, int Access, bool Optional = false>
struct arg : op_arg {
  using value_type = T; // the first template parameter
  static constexpr int kind = Kind;
  static constexpr int dim = Dim;
  static constexpr int column = Column;
  static constexpr int access = Access;
  static constexpr bool optional = Optional;

  // From an argument of loop.h; the caller guarantees that it agrees with the facts of the type.
  explicit arg(const op_arg &plain) : op_arg(plain) {}
};

namespace detail {

// A plain op_arg: an argument whose facts are all unknown.
using plain_arg = arg<void, unknown, unknown, unknown, unknown, true>;

template <class A>
struct arg_facts {
  static_assert(std::is_same_v<A, op_arg>,
                "op_par_loop: what follows the set must be loop arguments: op_arg_dat(...), op2::read(...), ...");
  using type = plain_arg;
};
template <class T, int Kind, int Dim, int Column, int Access, bool Optional>
struct arg_facts<arg<T, Kind, Dim, Column, Access, Optional>> {
  using type = arg<T, Kind, Dim, Column, Access, Optional>;
};

// An argument of op2::read() or op2::gbl_read(), whose kernel parameter must be a pointer to const. Those of OP2's own
// notation, op_arg_dat(..., OP_READ), are not: programs written for OP2 need not say const.
template <class Arg>
struct read_only : Arg {
  explicit read_only(const op_arg &plain) : Arg(plain) {}
};
template <class Arg>
struct arg_facts<read_only<Arg>> {
  using type = Arg;
};
template <class A>
inline constexpr bool is_read_only = false;
template <class Arg>
inline constexpr bool is_read_only<read_only<Arg>> = true;
// The type that a function makes of its argument facts.
template <class Arg>
using made_arg = std::conditional_t<Arg::access == OP_READ, read_only<Arg>, Arg>;

template <class A>
using arg_facts_t = typename arg_facts<std::decay_t<A>>::type;

// The access path of a row, from the idx of op_arg_dat().
constexpr int kind_of(int idx) {
  return idx == unknown ? unknown : idx == -1 ? OP_RANGE_DIRECT : idx >= 0 ? OP_RANGE_INDIRECT : OP_RANGE_VECTOR;
}
constexpr int column_of(int idx) { return idx == unknown || idx == -1 ? unknown : idx >= 0 ? idx : -idx; }

// A dim as a fact; the library itself reports impossible values.
constexpr int dim_fact(int dim) { return dim > 0 ? dim : unknown; }

template <class T, int Idx, int Dim, int Access, bool Optional = false>
using dat_arg = arg<T, kind_of(Idx), dim_fact(Dim), column_of(Idx), Access, Optional>;
template <class T, int Dim, int Access>
using gbl_arg = arg<T, OP_RANGE_GLOBAL, dim_fact(Dim), unknown, Access>;
// The library combines payloads together with their extremum: there is no access for that.
template <class T, int Dim>
using payload_arg = gbl_arg<T, Dim, unknown>;
template <int Idx>
using idx_arg = arg < int,
      Idx == unknown ? unknown : Idx<0 ? OP_RANGE_INDEX : OP_RANGE_MAP_INDEX, 1, unknown, OP_READ>;

} // namespace detail
} // namespace op2

#endif

// SPDX-License-Identifier: MIT
