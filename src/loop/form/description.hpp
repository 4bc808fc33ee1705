// The description of a loop for executors (op2/plugin/exec.h), as far as it is the same for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "loop/reduce/reduce.hpp"
#include "loop/signature/signature.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class LoopDescription {
 public:
  // numbers_are_rows: op_arg_idx() gives positions of rows on this process. last: elements before this one run; 0 = the
  // set's own and the copies it executes. The arguments must outlive the object.
  LoopDescription(Mesh &mesh, const LoopSignature &what, const Reduction &reduction, bool numbers_are_rows,
                  int last = 0);
  LoopDescription(const LoopDescription &) = delete; // signature_ points into the object
  LoopDescription &operator=(const LoopDescription &) = delete;

  // The numbers of rows and elements, for a set of particles that has others now.
  void resize();

  // Its `layouts` is NULL.
  const op_exec_signature &signature() const { return signature_; }
  // Range arguments without `base`. Their map tables are in memory of the mesh's executor, or of the host.
  std::vector<op_range_arg> ranges(bool on_executor) const;
  // An argument is a number other than the position of the element or row: range functions read it from a table.
  bool looks_up_numbers() const { return looks_up_numbers_; }
  int last() const { return last_ > 0 ? last_ : what_.set.executed(); }

 private:
  void describe(std::size_t position);
  void look_up_number(const LoopArg &arg, op_exec_arg &exec, op_range_arg &range);
  const int *numbers(const LoopArg &arg, bool own, bool on_executor) const;

  Mesh &mesh_;
  const LoopSignature &what_;
  bool numbers_are_rows_, looks_up_numbers_ = false;
  int last_;
  std::vector<op_exec_arg> args_;
  std::vector<op_exec_arg_names> names_;
  std::vector<const std::int32_t *> row_numbers_;
  std::vector<op_range_arg> ranges_;
  op_exec_signature signature_{};
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
