// heads.hpp: the fields of sets, maps and dats, without those that point into the memory of a device: a program that
// uses one does not compile (compilers that cannot refuse it warn), and is told what to take instead.
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
#include "op2/heads.h"
#undef data_d
#undef map_d
#undef OP2_REFUSE

#endif
