// What a program relies on beyond the public promises (op_init_params.keep_order).
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace op2::core {

class Dialect {
 public:
  Dialect() = default;
  // keep_order: that of op_init_params; 2 = a program in OP2's words. warn: receives warnings about likely mistakes.
  explicit Dialect(int keep_order, std::function<void(const std::string &)> warn = {})
      : in_place_(keep_order != 0), op2_(keep_order == 2), warn_(std::move(warn)) {}

  // The program reads dat->data, in the order of its declarations.
  bool reads_rows_in_place() const { return in_place_; }

  // Programs in OP2's words, from here on. A kernel may leave components of an OP_WRITE argument unwritten.
  bool writes_in_part() const { return op2_; }
  // Without maps, automatic mode means Declare::local.
  bool declares_parts() const { return op2_; }
  // Dats may differ between processes that each declare the whole mesh (memory never set): process 0's rows count.
  bool declares_unset_rows() const { return op2_; }
  // The program relies on rows, numbers and maps of its part as declared, until a partition moves rows.
  bool keeps_parts() const { return op2_; }
  // Element numbers in kernels are local row numbers, where each process declared its own part.
  bool counts_rows() const { return op2_; }
  // The program reads halo rows once the mesh is divided, before any loop.
  bool reads_copies() const { return op2_; }
  // The program reads addresses of rows and entries in an op_arg before a loop.
  bool reads_arguments() const { return op2_; }
  // The program may free the table of a map and store another one in the map's head.
  bool replaces_tables() const { return op2_; }
  // Temporary dats may share a name if their sets, dims or types differ.
  bool repeats_names() const { return op2_; }

  void warn(const std::string &what) const {
    if (warn_) warn_(what);
  }

 private:
  bool in_place_ = false, op2_ = false;
  std::function<void(const std::string &)> warn_;
};

} // namespace op2::core
