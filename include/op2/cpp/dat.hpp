// dat.hpp: data on sets, with the type of the values.
//
// An op2::dat holds a handle: it is cheap to copy and convertible to op_dat; the library owns the data until op_exit().
// The library copies from and to arrays of the program, which have rows [element][dim] in the order of the declaration.
#ifndef OP2_CPP_DAT_HPP
#define OP2_CPP_DAT_HPP

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "op2/cpp/context.hpp"
#include "op2/cpp/mesh.hpp"
#include "op2/cpp/type_name.hpp"
#include "op2/cpp/window.hpp"
#include "op2/inspect.h"
#include "op2/meshfile.h"
#include "op2/user_types.h"

namespace op2 {

// An array of values in the program. For bool it holds unsigned char, since std::vector<bool> stores bits.
template <class T>
using host_vector = std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>>;

namespace detail {

template <class T>
op_dat declare_dat(op_set set, int dim, const T *data, const char *name) {
  static_assert(std::is_trivially_copyable_v<T>, "op2::dat: the values must be copyable bytewise");
  if constexpr (type_name<T>::builtin) {
    return check(op_decl_dat(set, dim, type_name<T>::value, data, name));
  } else {
    const void *bytes = data;
    return check(op_decl_dat_char(set, dim, type_name<T>::value, static_cast<int>(sizeof(T)),
                                  static_cast<const char *>(bytes), name));
  }
}

} // namespace detail

// `Dim` values of type T on every element of a set; Dim = 0: the constructor receives the number at run time.
template <class T, int Dim = 0>
class dat {
  static_assert(Dim >= 0, "op2::dat<T, Dim>: Dim is the number of values per element, 0 = known at run time");
  template <int D>
  using if_literal = std::enable_if_t<(D > 0), int>;
  template <int D>
  using if_run_time = std::enable_if_t<D == 0, int>;

 public:
  using value_type = T; // type of one value

  dat() = default;

  // data[size of set][Dim], copied; NULL: zeros. Collective. Errors: as op_decl_dat(); OP_ERR_ARGUMENT (length).
  template <int D = Dim, if_literal<D> = 0>
  dat(op_set set, const T *data, const char *name) : dat(set, D, data, name, 0) {}
  template <int D = Dim, if_literal<D> = 0>
  dat(op_set set, const host_vector<T> &data, const char *name) : dat(set, D, data, name, 0) {}
  template <int D = Dim, if_literal<D> = 0>
  dat(op_set set, std::initializer_list<T> data, const char *name) : dat(set, D, data, name, 0) {}

  // As above, with the number of values per element.
  template <int D = Dim, if_run_time<D> = 0>
  dat(op_set set, int dim, const T *data, const char *name) : dat(set, dim, data, name, 0) {}
  template <int D = Dim, if_run_time<D> = 0>
  dat(op_set set, int dim, const host_vector<T> &data, const char *name) : dat(set, dim, data, name, 0) {}
  template <int D = Dim, if_run_time<D> = 0>
  dat(op_set set, int dim, std::initializer_list<T> data, const char *name) : dat(set, dim, data, name, 0) {}

  // From the handle of an existing dat. Errors: OP_ERR_TYPE (another size of values), OP_ERR_DIM.
  explicit dat(op_dat handle) : handle_(check(handle)), dim_(op_dat_dim(handle)) {
    if (op_dat_type_size(handle) != static_cast<int>(sizeof(T)))
      throw error(OP_ERR_TYPE,
                  std::string(name()) + ": the dat has type " + op_dat_type(handle) + ", not " + type_name<T>::value);
    if (Dim > 0 && dim_ != Dim)
      throw error(OP_ERR_DIM,
                  std::string(name()) + ": the dat has dim " + std::to_string(dim_) + ", not " + std::to_string(Dim));
  }

  // The handle, for functions of op2.h.
  operator op_dat() const noexcept { return handle_; }

  // Values per element.
  [[nodiscard]] int dim() const noexcept { return dim_; }
  // The name, owned by the library.
  [[nodiscard]] const char *name() const { return op_dat_name(handle_); }
  // The set of the dat.
  [[nodiscard]] op2::set set() const { return op2::set(op_dat_set(handle_)); }

  // A copy of all values, the same on every process: [set().global_size()][dim], in the order of the declaration.
  // Collective. Errors: as op_fetch_data_all().
  [[nodiscard]] host_vector<T> fetch_all() const {
    host_vector<T> out(values(all_rows()));
    check(op_fetch_data_all(handle_, out.data()));
    return out;
  }
  void fetch_all(T *out) const { check(op_fetch_data_all(handle_, out)); }

  // A copy of the own part, the values that this process has declared: [set().declared_size()][dim]. Collective.
  // Errors: as op_fetch_data_own().
  [[nodiscard]] host_vector<T> fetch_own() const {
    host_vector<T> out(values(rows()));
    check(op_fetch_data_own(handle_, out.data()));
    return out;
  }
  void fetch_own(T *out) const { check(op_fetch_data_own(handle_, out)); }

  // The same as fetch_own(): with several processes a part of the dat, unless each process has declared the whole mesh.
  // Warns once where op_mesh_declare() has divided the mesh: use fetch_all() or fetch_own().
  [[nodiscard]] host_vector<T> fetch() const {
    host_vector<T> out(values(rows()));
    check(op_fetch_data(handle_, out.data()));
    return out;
  }
  void fetch(T *out) const { check(op_fetch_data(handle_, out)); }

  // Copies of the elements low ... high (both included, global numbers): [high - low + 1][dim] on every process.
  // Collective. Errors: as op_fetch_data_idx().
  [[nodiscard]] host_vector<T> fetch_range(op_gindex low, op_gindex high) const {
    host_vector<T> out(values(high < low ? 0 : high - low + 1));
    check(op_fetch_data_idx(handle_, out.data(), low, high));
    return out;
  }

  // Replaces the values that this process has declared, [declared size of set][dim]. Collective. Errors: as
  // op_put_data(); OP_ERR_ARGUMENT (length).
  void put(const T *data) const { check(op_put_data(handle_, data)); }
  void put(const host_vector<T> &data) const {
    detail::check_length(data.size(), values(rows()), name());
    check(op_put_data(handle_, data.data()));
  }

  // A host view of the rows that this process has declared, see window.hpp. access: OP_READ, OP_WRITE or OP_RW.
  // Collective.
  [[nodiscard]] op2::window<T> window(op_access access) const { return op2::window<T>(handle_, access); }

 protected:
  struct made {}; // marks a handle that the library has just made
  // For derived classes, without the checks.
  dat(made, op_dat handle, int dim) : handle_(handle), dim_(dim) {}

 private:
  dat(op_set set, int dim, const T *data, const char *name, int)
      : dat(made(), detail::declare_dat(set, dim, data, name), dim) {}
  template <class Array>
  dat(op_set set, int dim, const Array &data, const char *name, int)
      : dat(set, dim, begin_of(set, dim, data, name), name, 0) {}

  template <class Array>
  static const T *begin_of(op_set set, int dim, const Array &data, const char *name) {
    const int rows = op_get_size_declared(set);
    if (rows >= 0 && dim > 0)
      detail::check_length(data.size(), static_cast<std::size_t>(rows) * static_cast<std::size_t>(dim), name);
    const void *first = data.size() == 0 ? nullptr : &*data.begin();
    return static_cast<const T *>(first);
  }
  // Those of particles change.
  [[nodiscard]] int rows() const {
    const int rows = op_get_size_declared(set());
    if (rows < 0) throw error(op_last_status(), op_last_error());
    return rows;
  }
  [[nodiscard]] op_gindex all_rows() const {
    const op_gindex rows = op_get_size(set());
    if (rows < 0) throw error(op_last_status(), op_last_error());
    return rows;
  }
  [[nodiscard]] std::size_t values(op_gindex rows) const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(dim_);
  }

  op_dat handle_ = nullptr;
  int dim_ = Dim;
};

// A temporary dat, initially zero, which its destructor frees. Names of temporary dats must be unique. Move only. If
// the context has already ended, the destructor does nothing. (A program that itself calls op_exit() and then op_init()
// must destroy its temporary dats before.)
template <class T, int Dim = 0>
class temp_dat : public dat<T, Dim> {
  template <int D>
  using if_literal = std::enable_if_t<(D > 0), int>;
  template <int D>
  using if_run_time = std::enable_if_t<D == 0, int>;

 public:
  // Collective. Errors: as op_decl_dat_temp().
  template <int D = Dim, if_literal<D> = 0>
  temp_dat(op_set set, const char *name) : temp_dat(set, D, name, 0) {}
  template <int D = Dim, if_run_time<D> = 0>
  temp_dat(op_set set, int dim, const char *name) : temp_dat(set, dim, name, 0) {}

  // Move only: the object that was moved to frees the memory.
  temp_dat(temp_dat &&other) noexcept : dat<T, Dim>(other), contexts_ended_(other.contexts_ended_) { other.forget(); }
  temp_dat &operator=(temp_dat &&other) noexcept {
    if (this != &other) {
      free();
      dat<T, Dim>::operator=(other);
      contexts_ended_ = other.contexts_ended_;
      other.forget();
    }
    return *this;
  }
  temp_dat(const temp_dat &) = delete;
  temp_dat &operator=(const temp_dat &) = delete;
  ~temp_dat() { free(); }

 private:
  using base = dat<T, Dim>;

  temp_dat(op_set set, int dim, const char *name, int) : base(typename base::made(), declare(set, dim, name), dim) {}

  static op_dat declare(op_set set, int dim, const char *name) {
    static_assert(std::is_trivially_copyable_v<T>, "op2::temp_dat: the values must be copyable bytewise");
    if constexpr (type_name<T>::builtin) {
      return check(op_decl_dat_temp(set, dim, type_name<T>::value, name));
    } else {
      return check(op_decl_dat_temp_char(set, dim, type_name<T>::value, static_cast<int>(sizeof(T)), name));
    }
  }
  void forget() noexcept { base::operator=(base()); }
  void free() noexcept {
    const op_dat handle = *this;
    if (handle != nullptr && contexts_ended_ == detail::contexts_ended && op_is_initialised() != 0)
      (void)op_free_dat_temp(handle);
    forget();
  }

  unsigned contexts_ended_ = detail::contexts_ended;
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
