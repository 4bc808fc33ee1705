// kernel_types.hpp: lists of types of 1 to 20 parameters. The number of its parameters selects an overloaded
// kernel, and a parameter pack cannot express that number.
#ifndef OP2_COMPAT_CPP_KERNEL_TYPES_HPP
#define OP2_COMPAT_CPP_KERNEL_TYPES_HPP

#define OP2_TYPES_1 class T0
#define OP2_TYPES_2 OP2_TYPES_1, class T1
#define OP2_TYPES_3 OP2_TYPES_2, class T2
#define OP2_TYPES_4 OP2_TYPES_3, class T3
#define OP2_TYPES_5 OP2_TYPES_4, class T4
#define OP2_TYPES_6 OP2_TYPES_5, class T5
#define OP2_TYPES_7 OP2_TYPES_6, class T6
#define OP2_TYPES_8 OP2_TYPES_7, class T7
#define OP2_TYPES_9 OP2_TYPES_8, class T8
#define OP2_TYPES_10 OP2_TYPES_9, class T9
#define OP2_TYPES_11 OP2_TYPES_10, class T10
#define OP2_TYPES_12 OP2_TYPES_11, class T11
#define OP2_TYPES_13 OP2_TYPES_12, class T12
#define OP2_TYPES_14 OP2_TYPES_13, class T13
#define OP2_TYPES_15 OP2_TYPES_14, class T14
#define OP2_TYPES_16 OP2_TYPES_15, class T15
#define OP2_TYPES_17 OP2_TYPES_16, class T16
#define OP2_TYPES_18 OP2_TYPES_17, class T17
#define OP2_TYPES_19 OP2_TYPES_18, class T18
#define OP2_TYPES_20 OP2_TYPES_19, class T19

#define OP2_POINTERS_1 T0 *
#define OP2_POINTERS_2 OP2_POINTERS_1, T1 *
#define OP2_POINTERS_3 OP2_POINTERS_2, T2 *
#define OP2_POINTERS_4 OP2_POINTERS_3, T3 *
#define OP2_POINTERS_5 OP2_POINTERS_4, T4 *
#define OP2_POINTERS_6 OP2_POINTERS_5, T5 *
#define OP2_POINTERS_7 OP2_POINTERS_6, T6 *
#define OP2_POINTERS_8 OP2_POINTERS_7, T7 *
#define OP2_POINTERS_9 OP2_POINTERS_8, T8 *
#define OP2_POINTERS_10 OP2_POINTERS_9, T9 *
#define OP2_POINTERS_11 OP2_POINTERS_10, T10 *
#define OP2_POINTERS_12 OP2_POINTERS_11, T11 *
#define OP2_POINTERS_13 OP2_POINTERS_12, T12 *
#define OP2_POINTERS_14 OP2_POINTERS_13, T13 *
#define OP2_POINTERS_15 OP2_POINTERS_14, T14 *
#define OP2_POINTERS_16 OP2_POINTERS_15, T15 *
#define OP2_POINTERS_17 OP2_POINTERS_16, T16 *
#define OP2_POINTERS_18 OP2_POINTERS_17, T17 *
#define OP2_POINTERS_19 OP2_POINTERS_18, T18 *
#define OP2_POINTERS_20 OP2_POINTERS_19, T19 *

// do_it(N) for each of these numbers.
#define OP2_FOR_KERNEL_TYPES(do_it)                                                                              \
  do_it(1) do_it(2) do_it(3) do_it(4) do_it(5) do_it(6) do_it(7) do_it(8) do_it(9) do_it(10) do_it(11) do_it(12) \
      do_it(13) do_it(14) do_it(15) do_it(16) do_it(17) do_it(18) do_it(19) do_it(20)

#endif

// SPDX-License-Identifier: MIT
