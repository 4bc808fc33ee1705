// Dats in other layouts than rows one after another: the host's rows come to a scratch on the device, piece by piece,
// and a kernel puts their values where they belong; and back.
#pragma once

#include <memory>

#include "exec_cuda.hpp"

namespace op2::exec_cuda {

class RowConverter {
 public:
  explicit RowConverter(op_exec &exec) : exec_(exec) {}
  void copy(const op_exec_rows &rows); // to_rows: returns when the rows are there; else when they have been read

 private:
  CUfunction kernel(bool to_rows); // compiled when it is first wanted
  void launch_piece(const op_exec_rows &rows, int64_t first, int64_t count);

  op_exec &exec_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<Device> scratch_;
};

} // namespace op2::exec_cuda
