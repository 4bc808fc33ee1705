// trace.hpp: streamlines, and where points are.
#ifndef OP2_CPP_TRACE_HPP
#define OP2_CPP_TRACE_HPP

#include <memory>
#include <string>
#include <vector>

#include "op2/cpp/error.hpp"
#include "op2/trace.h"

namespace op2 {

// Lines that a tracer has drawn: those of this process' seeds. Moves, but does not copy; errors are those of trace.h.
class lines {
 public:
  // Takes over lines of op_trace().
  explicit lines(op_lines handle) : handle_(handle) {}

  // The handle, for functions of op2.h. This object goes on owning it.
  operator op_lines() const noexcept { return handle_.get(); }

  // How many lines there are, and how many points all of them have.
  [[nodiscard]] op_gindex size() const { return rows(op_lines_ints, "end"); }
  [[nodiscard]] op_gindex points() const { return rows(op_lines_reals, "time"); }
  // Arrays by the names of op_lines_ints() and op_lines_reals().
  [[nodiscard]] const op_gindex *ints(const char *name) const {
    return check(op_lines_ints(handle_.get(), name, nullptr, nullptr));
  }
  [[nodiscard]] const double *reals(const char *name) const {
    return check(op_lines_reals(handle_.get(), name, nullptr, nullptr));
  }
  // As op_lines_info().
  [[nodiscard]] std::string info() const {
    const int length = op_lines_info(handle_.get(), nullptr, 0);
    if (length < 0) check(op_last_status());
    std::string out(static_cast<std::size_t>(length), '\0');
    op_lines_info(handle_.get(), out.data(), out.size() + 1);
    return out;
  }
  // As op_write_lines().
  void write(const char *file) const { check(op_write_lines(handle_.get(), file)); }
  void write(const std::string &file) const { write(file.c_str()); }

 private:
  template <class Array>
  op_gindex rows(Array array, const char *name) const {
    op_gindex out = 0;
    check(array(handle_.get(), name, &out, nullptr));
    return out;
  }
  struct free_lines {
    void operator()(op_lines handle) const noexcept { op_lines_free(handle); }
  };
  std::unique_ptr<op_lines_core, free_lines> handle_;
};

// Draws streamlines through the cells of a view. The object holds a handle and is cheap to copy; the library owns the
// tracer until op_exit(). All calls are collective; their errors are those of trace.h.
//
//   op_trace_params params = OP_TRACE_PARAMS;
//   params.step = 0.01;
//   op2::tracer(view, velocity).trace(count, seeds, params).write("lines.vtp");
class tracer {
 public:
  tracer() = default;
  // As op_decl_tracer().
  tracer(op_view view, op_dat velocity) : handle_(check(op_decl_tracer(view, velocity))) {}
  // From the handle of an existing tracer.
  explicit tracer(op_tracer handle) : handle_(handle) {}

  // The handle, for functions of op2.h.
  operator op_tracer() const noexcept { return handle_; }

  // As op_tracer_pathlines().
  void pathlines(op_dat later, double duration) const { check(op_tracer_pathlines(handle_, later, duration)); }
  // As op_trace(); seeds: `count` points, one after another.
  [[nodiscard]] lines trace(op_index count, const double *seeds, const op_trace_params &params) const {
    op_lines out = nullptr;
    check(op_trace(handle_, count, seeds, &params, &out));
    return lines(out);
  }
  // As op_ftle().
  void ftle(const op_trace_params &params, op_dat exponent) const { check(op_ftle(handle_, &params, exponent)); }
  // Where points are. As op_locate().
  struct places {
    std::vector<op_gindex> cell;
    std::vector<int> process;
    std::vector<double> where; // three for each point
  };
  [[nodiscard]] places locate(op_index count, const double *points) const {
    const auto n = static_cast<std::size_t>(count > 0 ? count : 0);
    places out{std::vector<op_gindex>(n), std::vector<int>(n), std::vector<double>(3 * n)};
    check(op_locate(handle_, count, points, out.cell.data(), out.process.data(), out.where.data()));
    return out;
  }
  // As op_decl_neighbours().
  [[nodiscard]] op_dat neighbours(op_map map, const char *name) const {
    return check(op_decl_neighbours(handle_, map, name));
  }

 private:
  op_tracer handle_ = nullptr;
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
