// The kernel of a loop as text, in the form in which an executor that compiles kernels receives it.
#pragma once

#include <string>
#include <vector>

#include "loop/form/fast_form.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class DeviceForm {
 public:
  DeviceForm() = default;
  DeviceForm(const DeviceForm &) = delete; // `text_` points into the object
  DeviceForm &operator=(const DeviceForm &) = delete;

  void prepare(jit::Specialiser &specialiser, const FastFormRequest &request);
  const op_exec_text *text() const { return &text_; }   // valid until the next prepare()
  const std::string &why() const { return draft_.why; } // why there is no text; "" = there is

 private:
  jit::DeviceDraft draft_;
  std::vector<op_exec_constant> constants_;
  op_exec_text text_{};
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
