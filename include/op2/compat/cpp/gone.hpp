// gone.hpp: names of OP2 that the library does not have. A program that uses one does not compile, and the compiler's
// message names the replacement.
#ifndef OP2_COMPAT_CPP_GONE_HPP
#define OP2_COMPAT_CPP_GONE_HPP

namespace op2 {
namespace compat {

// False for all types, but evaluated only when a program calls the function.
template <class...>
struct called {
  static const bool never = false;
};

// For names of variables, which are macros here.
template <bool there>
struct list_of_exchange {
  static_assert(there,
                "OP_export_exec_list and its like are not there: the library's exchanges are its own; loops of the "
                "program's own take op_mpi_halo_exchanges() and op_mpi_wait_all()");
  static int value;
};
template <bool there>
struct list_of_parts {
  static_assert(there,
                "OP_part_list and its like are not there: op_get_order(set, order) gives the number in the whole "
                "declaration of each row, and op_get_global_set_offset(set) where this process's declaration begins");
  static int value;
};

} // namespace compat
} // namespace op2

struct op_plan;

#define OP2_NO_PLANS(name)                                                                                 \
  template <class... Given>                                                                                \
  op_plan *name(const Given &...) {                                                                        \
    static_assert(::op2::compat::called<Given...>::never, #name                                            \
                  "() is not there: op_par_loop() makes the plans of its loops by itself (OP2_RACE, "      \
                  "OP2_BLOCK_SIZE); loops of the program's own take op_mpi_halo_exchanges() and run over " \
                  "their elements in order");                                                              \
    return NULL;                                                                                           \
  }
OP2_NO_PLANS(op_plan_get)
OP2_NO_PLANS(op_plan_get_stage)
OP2_NO_PLANS(op_plan_get_stage_upload)
OP2_NO_PLANS(op_plan_core)
OP2_NO_PLANS(op_plan_check)
#undef OP2_NO_PLANS

template <class... Given>
int op_mpi_perf_time(const Given &...) {
  static_assert(::op2::compat::called<Given...>::never,
                "op_mpi_perf_time() is not there: op_timing_output() has the times and messages of op_par_loop(); time "
                "loops of the program's own with op_profile_enter(name) and op_profile_exit()");
  return 0;
}

// If two dats shared memory, the library would not know that a loop which writes one of them changes the other.
#define OP2_NO_OVERLAY(name)                                                                             \
  template <class... Given>                                                                              \
  op_dat name(const Given &...) {                                                                        \
    static_assert(::op2::compat::called<Given...>::never, #name                                          \
                  "() is not there: dats do not share memory; declare one with op_decl_dat_temp(), and " \
                  "copy its rows in a loop");                                                            \
    return NULL;                                                                                         \
  }
OP2_NO_OVERLAY(op_decl_dat_overlay)
OP2_NO_OVERLAY(op_decl_dat_overlay_ptr)
#undef OP2_NO_OVERLAY

#define OP_export_exec_list (::op2::compat::list_of_exchange<false>::value)
#define OP_import_exec_list (::op2::compat::list_of_exchange<false>::value)
#define OP_export_nonexec_list (::op2::compat::list_of_exchange<false>::value)
#define OP_import_nonexec_list (::op2::compat::list_of_exchange<false>::value)
#define OP_export_nonexec_permap (::op2::compat::list_of_exchange<false>::value)
#define OP_import_nonexec_permap (::op2::compat::list_of_exchange<false>::value)
#define OP_map_partial_exchange (::op2::compat::list_of_exchange<false>::value)
#define OP_part_list (::op2::compat::list_of_parts<false>::value)
#define OP_part_index (::op2::compat::list_of_parts<false>::value)
#define orig_part_range (::op2::compat::list_of_parts<false>::value)

#endif

// SPDX-License-Identifier: MIT
