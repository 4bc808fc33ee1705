// mesh.hpp: sets and maps as objects.
//
// These objects hold handles: they are cheap to copy and convertible to op_set and op_map; the library owns the sets
// and maps until op_exit().
#ifndef OP2_CPP_MESH_HPP
#define OP2_CPP_MESH_HPP

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "op2/cpp/error.hpp"
#include "op2/data.h"
#include "op2/decl.h"
#include "op2/inspect.h"

namespace op2 {

namespace detail {

// Throws OP_ERR_ARGUMENT unless an array of the program has the length that a declaration needs.
inline void check_length(std::size_t have, std::size_t need, const char *name) {
  if (have != need)
    throw error(OP_ERR_ARGUMENT, std::string(name == nullptr ? "?" : name) + ": the array has " + std::to_string(have) +
                                     " values, but " + std::to_string(need) + " are needed");
}

} // namespace detail

// A set of mesh elements.
class set {
 public:
  set() = default;

  // `size` elements that this process declares; the library copies the name. Collective. Errors: as op_decl_set().
  set(int size, const char *name) : handle_(check(op_decl_set(size, name))) {}

  // From the handle of an existing set.
  explicit set(op_set handle) : handle_(handle) {}

  // The handle, for functions of op2.h.
  operator op_set() const noexcept { return handle_; }

  // Number of elements that this process has declared: rows of what dat::fetch_own() returns and dat::put() takes.
  [[nodiscard]] int declared_size() const { return op_get_size_declared(handle_); }
  // Number of elements that this process owns in the present partition.
  [[nodiscard]] int size() const { return op_get_size_local(handle_); }
  // Number of elements over all processes.
  [[nodiscard]] op_gindex global_size() const { return op_get_size(handle_); }
  // The name, owned by the library.
  [[nodiscard]] const char *name() const { return op_set_name(handle_); }

 private:
  op_set handle_ = nullptr;
};

// A map: for each element of one set, a fixed number of elements of another set.
class map {
 public:
  map() = default;

  // entries[declared size of from][dim], 0-based, copied. Collective. Errors: as op_decl_map().
  map(op_set from, op_set to, int dim, const int *entries, const char *name)
      : handle_(check(op_decl_map(from, to, dim, entries, name))) {}
  map(op_set from, op_set to, int dim, const long long *entries, const char *name)
      : handle_(check(op_decl_map_long(from, to, dim, entries, name))) {}

  // As above; OP_ERR_ARGUMENT also if the array has a wrong length.
  map(op_set from, op_set to, int dim, const std::vector<int> &entries, const char *name)
      : map(from, to, dim, checked(from, dim, entries, name), name) {}
  map(op_set from, op_set to, int dim, const std::vector<long long> &entries, const char *name)
      : map(from, to, dim, checked(from, dim, entries, name), name) {}
  map(op_set from, op_set to, int dim, std::initializer_list<int> entries, const char *name)
      : map(from, to, dim, std::vector<int>(entries), name) {}

  // From the handle of an existing map.
  explicit map(op_map handle) : handle_(handle) {}

  // The handle, for functions of op2.h.
  operator op_map() const noexcept { return handle_; }

  // Entries per element.
  [[nodiscard]] int dim() const { return op_map_dim(handle_); }
  // The set whose elements have entries.
  [[nodiscard]] set from() const { return set(op_map_from(handle_)); }
  // The set that the entries point to.
  [[nodiscard]] set to() const { return set(op_map_to(handle_)); }
  // The name, owned by the library.
  [[nodiscard]] const char *name() const { return op_map_name(handle_); }

 private:
  template <class I>
  static const I *checked(op_set from, int dim, const std::vector<I> &entries, const char *name) {
    const int rows = op_get_size_declared(from);
    if (rows >= 0 && dim > 0)
      detail::check_length(entries.size(), static_cast<std::size_t>(rows) * static_cast<std::size_t>(dim), name);
    return entries.data();
  }

  op_map handle_ = nullptr;
};

// The composition of two maps, `second` after `first`: dim first.dim * second.dim. Collective. Errors: as
// op_map_compose().
inline map compose(op_map first, op_map second, const char *name) {
  return map(check(op_map_compose(first, second, name)));
}

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
