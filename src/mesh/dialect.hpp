// What a program counts on beyond what the library promises to all: each difference is a question here.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace op2::core {

class Dialect {
 public:
  Dialect() = default;
  // keep_order: that of op_init_params. warn: hears of what a program in OP2's words is likely not to mean.
  explicit Dialect(int keep_order, std::function<void(const std::string &)> warn = {})
      : in_place_(keep_order != 0), op2_(keep_order == 2), warn_(std::move(warn)) {}

  // It reads dat->data, in the order of its declarations.
  bool reads_rows_in_place() const { return in_place_; }

  // Programs in OP2's words. A kernel may leave components of an OP_WRITE argument as they were.
  bool writes_in_part() const { return op2_; }
  // Without maps each process has declared a part of its own.
  bool declares_parts() const { return op2_; }
  // Memory that was never set may differ where each process declares all of the mesh: process 0's rows count.
  bool declares_unset_rows() const { return op2_; }
  // It counts on rows, numbers and maps of its part as it declared them, as long as nobody moves them.
  bool keeps_parts() const { return op2_; }
  // Numbers of elements are places of rows on this process, where each declared its own part.
  bool counts_rows() const { return op2_; }
  // It reads others' rows as soon as the mesh is divided, without a loop.
  bool reads_copies() const { return op2_; }
  // It looks for rows and entries in an op_arg before any loop has it.
  bool reads_arguments() const { return op2_; }
  // It may free the table of a map and put one of its own into the map's head.
  bool replaces_tables() const { return op2_; }
  // Temporary dats of one name on several sets, or of several types.
  bool repeats_names() const { return op2_; }

  void warn(const std::string &what) const {
    if (warn_) warn_(what);
  }

 private:
  bool in_place_ = false, op2_ = false;
  std::function<void(const std::string &)> warn_;
};

} // namespace op2::core
