// original.hpp: dats in their natural (declared) distribution, whichever process owns their rows now.
#ifndef OP2_COMPAT_CPP_ORIGINAL_HPP
#define OP2_COMPAT_CPP_ORIGINAL_HPP

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace op2 {
namespace compat {

// A separate dat for reading: the rows that this process has declared, in the order of the declaration. Loops refuse
// it.
struct original_dat {
  op_set_core set;
  op_dat_core dat;
  std::vector<char> rows;
};

inline op_dat fetch_original(op_dat from) {
  original_dat *const out = new original_dat;
  std::memcpy(&out->dat, from, sizeof out->dat);
  std::memcpy(&out->set, from->set, sizeof out->set);
  out->set.size = op_get_size_declared(from->set);
  out->set.core_size = out->set.size;
  out->set.exec_size = out->set.nonexec_size = 0;
  out->rows.resize(static_cast<std::size_t>(out->set.size) * static_cast<std::size_t>(from->size) + 1);
  out->dat.set = &out->set;
  out->dat.data = out->rows.data();
  if (op_fetch_data_char(from, out->dat.data) == OP_OK) return &out->dat;
  delete out;
  return NULL;
}

// `dat` is a member of an original_dat.
inline void free_original(op_dat dat) {
  if (dat == NULL) return;
  char *const set = static_cast<char *>(static_cast<void *>(dat->set)); // the first member of original_dat
  delete static_cast<original_dat *>(static_cast<void *>(set));
}

inline void print_value(const char *value, const std::string &type, int size) {
  double fraction = 0;
  float short_fraction = 0;
  int whole = 0;
  if (type == "double") {
    std::memcpy(&fraction, value, sizeof fraction);
    std::printf(" %.15g", fraction);
  } else if (type == "float") {
    std::memcpy(&short_fraction, value, sizeof short_fraction);
    std::printf(" %.7g", static_cast<double>(short_fraction));
  } else if (type == "int") {
    std::memcpy(&whole, value, sizeof whole);
    std::printf(" %d", whole);
  } else { // types that are copied bytewise
    std::printf(" ");
    for (int i = 0; i < size; ++i) std::printf("%02x", static_cast<unsigned>(static_cast<unsigned char>(value[i])));
  }
}

} // namespace compat
} // namespace op2

// The rows that this process has declared, as a separate dat, which the program frees with op_mpi_free_data().
// Collective. NULL on error.
inline op_dat op_mpi_get_data(op_dat dat) { return ::op2::compat::fetch_original(dat); }
inline void op_mpi_free_data(op_dat dat) { ::op2::compat::free_original(dat); }
inline void op_mpi_put_data(op_dat) {} // does nothing, as in older versions of OP2; the overload below puts rows back
// Replaces the `local_size` rows that this process has declared, in the order of the declaration. Collective. Errors:
// those of op_put_data(), and OP_ERR_DIM if `local_size` differs from the declared size.
inline void op_mpi_put_data(op_dat dat, void *ptr, std::size_t local_size) {
  const op_set set = op_dat_set(dat); // reports an invalid handle
  if (set == NULL) return;
  if (op_get_size_declared(set) != static_cast<long long>(local_size)) {
    op_raise(OP_ERR_DIM, "op_mpi_put_data", "local_size is not the number of elements that this process has declared");
    return;
  }
  op_put_data(dat, ptr);
}

// Prints all fields of a head and the rows of this process. For debugging.
inline void op_dump_dat(op_dat dat) {
  const std::string type = op_dat_type(dat);
  const int size = op_dat_type_size(dat);
  op_dat_sync_host(dat);
  std::printf("dat %d '%s' on set '%s': %d rows of %d x %s\n", dat->index, dat->name, dat->set->name, dat->set->size,
              dat->dim, type.c_str());
  for (int row = 0; dat->data != NULL && row < dat->set->size; ++row) {
    std::printf("%d:", row);
    for (int i = 0; i < dat->dim; ++i)
      ::op2::compat::print_value(dat->data + (static_cast<std::size_t>(row) * static_cast<std::size_t>(dat->dim) +
                                              static_cast<std::size_t>(i)) *
                                                 static_cast<std::size_t>(size),
                                 type, size);
    std::printf("\n");
  }
  std::fflush(stdout);
}

#endif

// SPDX-License-Identifier: MIT
