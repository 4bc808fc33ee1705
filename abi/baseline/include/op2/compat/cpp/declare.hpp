// declare.hpp: declarations of data and constants that also check the type at compile time.
#ifndef OP2_COMPAT_CPP_DECLARE_HPP
#define OP2_COMPAT_CPP_DECLARE_HPP

namespace op2 {
namespace compat {

// As in OP2: prints a message and ends the program.
template <class T>
void need_type(const T *data, const char *type, const char *what, const char *name) {
  if (type_error(data, type) == 0) return;
  std::fprintf(stderr, "incorrect type specified for %s \"%s\"\n", what, name == NULL ? "" : name);
  std::exit(1);
}

template <class T>
const char *bytes_of(const T *data) {
  return static_cast<const char *>(static_cast<const void *>(data));
}

} // namespace compat
} // namespace op2

template <class T>
op_dat op_decl_dat(op_set set, int dim, const char *type, T *data, const char *name) {
  ::op2::compat::need_type(data, type, "dataset", name);
  return op_decl_dat_char(set, dim, type, static_cast<int>(sizeof(T)), ::op2::compat::bytes_of(data), name);
}

// The data pointer only gives the type.
template <class T>
op_dat op_decl_dat_temp(op_set set, int dim, const char *type, T *data, const char *name) {
  ::op2::compat::need_type(data, type, "dataset", name);
  return op_decl_dat_temp_char(set, dim, type, static_cast<int>(sizeof(T)), name);
}

template <class T>
void op_decl_const_named(const char *name, int dim, const char *type, T *data) {
  ::op2::compat::need_type(data, type, "constant", name);
  op_decl_const_char(dim, type, static_cast<int>(sizeof(T)), ::op2::compat::bytes_of(data), name);
}

// Kernels on CPUs read the program's own variable. For generated code, the text of the expression is its name.
#undef op_decl_const
template <class T>
void op_decl_const(int dim, const char *type, T *data) {
  ::op2::compat::need_type(data, type, "constant", "");
  (void)dim;
}
#define op_decl_const(dim, type, data) (op_decl_const_named(#data, (dim), (type), (data)))

// If the program itself has made the head, around its own rows, the function copies these rows.
template <class T>
op_status op_fetch_data(op_dat dat, T *data) {
  int count = 0;
  const op_dat *const all = op_all_dats(&count);
  if (dat != NULL && op_comm_size() == 1 && std::find(all, all + count, dat) == all + count && dat->set != NULL) {
    memcpy(static_cast<void *>(data), dat->data,
           static_cast<std::size_t>(dat->set->size) * static_cast<std::size_t>(dat->size));
    return OP_OK;
  }
  return op_fetch_data_char(dat, static_cast<char *>(static_cast<void *>(data)));
}

// Elements low ... high, both included, given in any integer type.
template <class T, class Low, class High>
op_status op_fetch_data_idx(op_dat dat, T *data, Low low, High high) {
  return op_fetch_data_idx(dat, static_cast<void *>(data), static_cast<op_gindex>(low), static_cast<op_gindex>(high));
}
inline op_status op_fetch_data_idx_char(op_dat dat, char *data, op_gindex low, op_gindex high) {
  return op_fetch_data_idx(dat, static_cast<void *>(data), low, high);
}

#endif

// SPDX-License-Identifier: MIT
