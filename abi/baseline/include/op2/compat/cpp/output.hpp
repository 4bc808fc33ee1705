// output.hpp: what is printed and written, in OP2's formats, so that scripts which read it go on.
#ifndef OP2_COMPAT_CPP_OUTPUT_HPP
#define OP2_COMPAT_CPP_OUTPUT_HPP

namespace op2 {
namespace compat {

inline void print_timing() { op_timing_write("op2", NULL); }
inline void write_timing(const char *file) { op_timing_write("op2_csv", file == NULL ? "" : file); }

} // namespace compat
} // namespace op2

// The library's functions of these names have formats of their own.
#define op_timing_output() (::op2::compat::print_timing())
#define op_timing_output_core() (::op2::compat::print_timing())
#define op_timings_to_csv(file) (::op2::compat::write_timing(file))
inline void op_timing_output_2_file(const char *file) { op_timing_write("op2_totals", file == NULL ? "" : file); }

// Room for kernels in OP2's table: the library's has as many rows as there are loops.
inline void op_timing_realloc(int) {}
inline void op_timing_realloc_manytime(int, int) {}

#endif
