// output.hpp: printed and written output in OP2's formats, so that scripts that read it keep working.
#ifndef OP2_COMPAT_CPP_OUTPUT_HPP
#define OP2_COMPAT_CPP_OUTPUT_HPP

namespace op2 {
namespace compat {

inline void print_timing() { op_timing_write("op2", NULL); }
inline void write_timing(const char *file) { op_timing_write("op2_csv", file == NULL ? "" : file); }

} // namespace compat
} // namespace op2

// The library's functions of these names have other formats.
#define op_timing_output() (::op2::compat::print_timing())
#define op_timing_output_core() (::op2::compat::print_timing())
#define op_timings_to_csv(file) (::op2::compat::write_timing(file))
inline void op_timing_output_2_file(const char *file) { op_timing_write("op2_totals", file == NULL ? "" : file); }

// Reserves entries in OP2's table of kernels; the library's table grows with the number of loops.
inline void op_timing_realloc(int) {}
inline void op_timing_realloc_manytime(int, int) {}

#endif

// SPDX-License-Identifier: MIT
