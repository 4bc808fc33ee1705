// view.hpp: files for visualisation.
#ifndef OP2_CPP_VIEW_HPP
#define OP2_CPP_VIEW_HPP

#include <string>

#include "op2/cpp/error.hpp"
#include "op2/view.h"

namespace op2 {

// A view of a mesh: coordinates, cells and dats on them. The object holds a handle and is cheap to copy; the library
// owns the view until op_exit(). All calls are collective; their errors are those of view.h.
//
//   op2::view(x, "flow").cells(cell_nodes, OP_CELL_TRIANGLE).field(p).write("flow.vtkhdf");
class view {
 public:
  view() = default;
  // The nodes with these coordinates. As op_decl_view().
  view(op_dat coordinates, const char *name) : handle_(check(op_decl_view(coordinates, name))) {}
  // From the handle of an existing view.
  explicit view(op_view handle) : handle_(handle) {}

  // The handle, for functions of op2.h.
  operator op_view() const noexcept { return handle_; }

  // As op_view_cells().
  view &cells(op_map map, op_cell_type type) {
    check(op_view_cells(handle_, map, type));
    return *this;
  }
  // As op_view_field(); NULL: the name of the dat.
  view &field(op_dat dat, const char *name = nullptr) {
    check(op_view_field(handle_, dat, name));
    return *this;
  }
  // As op_write_view().
  void write(const char *file) const { check(op_write_view(handle_, file)); }
  void write(const std::string &file) const { write(file.c_str()); }
  // As op_write_view_step().
  void write_step(const char *file, double time) const { check(op_write_view_step(handle_, file, time)); }
  void write_step(const std::string &file, double time) const { write_step(file.c_str(), time); }

 private:
  op_view handle_ = nullptr;
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
