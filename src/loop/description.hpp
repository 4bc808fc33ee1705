// A loop in the words of executors (op2/plugin/exec.h), as far as it does not matter which of them runs it.
#pragma once

#include <cstdint>
#include <vector>

#include "loop/reduce/reduce.hpp"
#include "loop/signature.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class LoopDescription {
 public:
  // numbers_are_rows: what op_arg_idx() gives are places of rows on this process. All must outlive it.
  LoopDescription(Mesh &mesh, const LoopSignature &what, const Reduction &reduction, bool numbers_are_rows);
  LoopDescription(const LoopDescription &) = delete; // the signature leads into it
  LoopDescription &operator=(const LoopDescription &) = delete;

  // Without layouts.
  const op_exec_signature &signature() const { return signature_; }
  // Range arguments without the addresses of rows and variables: maps where the mesh's executor reads them, or on the
  // host.
  std::vector<op_range_arg> ranges(bool on_executor) const;
  // Some argument is a number that is not the place of the element or row: it is looked up in a table, which is no map.
  bool looks_up_numbers() const { return looks_up_numbers_; }

 private:
  void describe(std::size_t position);
  void look_up_number(const LoopArg &arg, op_exec_arg &exec, op_range_arg &range);
  const int *numbers(const LoopArg &arg, bool own, bool on_executor) const;

  Mesh &mesh_;
  const LoopSignature &what_;
  bool numbers_are_rows_, looks_up_numbers_ = false;
  std::vector<op_exec_arg> args_;
  std::vector<op_exec_arg_names> names_;
  std::vector<const std::int32_t *> row_numbers_;
  std::vector<op_range_arg> ranges_;
  op_exec_signature signature_{};
};

} // namespace op2::core
