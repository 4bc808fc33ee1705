// Copies dats whose layout on the device is not AoS: piece by piece, the host's rows are copied to scratch memory on
// the device, and a kernel converts them to the layout; and back.
#pragma once

#include <memory>

#include "exec_cuda.hpp"

namespace op2::exec_cuda {

class RowConverter {
 public:
  explicit RowConverter(op_exec &exec) : exec_(exec) {}
  void copy(const op_exec_rows &rows); // to_rows: returns when the host has the rows; else when they have been read

 private:
  CUfunction kernel(bool to_rows); // compiled at its first use
  void launch_piece(const op_exec_rows &rows, int64_t first, int64_t count);

  op_exec &exec_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<Device> scratch_;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
