// heads.hpp: the fields of sets, maps and dats, without those that point into device memory. A program that uses one of
// these does not compile (compilers that cannot refuse it warn), and the message names the replacement.
#ifndef OP2_COMPAT_CPP_HEADS_HPP
#define OP2_COMPAT_CPP_HEADS_HPP

#include "op2/types.h"

#ifdef __has_attribute
#if __has_attribute(unavailable)
#define OP2_REFUSE(story) __attribute__((unavailable(story)))
#endif
#endif
#ifndef OP2_REFUSE
#define OP2_REFUSE(story) __attribute__((deprecated(story)))
#endif

#define data_d                                                                                     \
  data_d OP2_REFUSE(                                                                               \
      "a device's rows are the library's: run kernels there with op_par_loop(), or bring rows to " \
      "dat->data with op_get_dat() and back with op_put_dat()")
#define map_d map_d OP2_REFUSE("a device's maps are the library's: run kernels there with op_par_loop()")
#ifdef __clang__ // for clang, an implicit copy of the struct counts as a use of the field
#define OP2_COPY(head)                                                                                         \
  head() = default;                                                                                            \
  head(const head &other) noexcept { copy(other); }                                                            \
  head &operator=(const head &other) noexcept { return copy(other), *this; }                                   \
  void copy(const head &other) noexcept { __builtin_memcpy(static_cast<void *>(this), &other, sizeof other); } \
  using head_type = head
#define mpi_buffer \
  mpi_buffer;      \
  OP2_COPY(op_dat_core)
#define force_part \
  force_part;      \
  OP2_COPY(op_map_core)
#endif
#include "op2/heads.h"
#ifdef __clang__
#undef force_part
#undef mpi_buffer
#undef OP2_COPY
#endif
#undef data_d
#undef map_d
#undef OP2_REFUSE

#endif

// SPDX-License-Identifier: MIT
