// Writes the text of a kernel for an executor that compiles kernels (op_exec_text in op2/plugin/exec.h).
#pragma once

#include <string>
#include <vector>

#include "jit/loop/loop_code.hpp"

namespace op2::core::jit {

struct DeviceText {
  std::string text;                // without the names of the loop and of the kernel's file
  std::string title;               // with these names
  std::size_t declared_bytes = 0;  // of struct op2_declared
  std::vector<std::size_t> offset; // in op2_declared, of LoopShape::constants
  std::vector<std::size_t> bytes;
};

// Throws Refusal if the kernel's parameters do not match the loop.
DeviceText device_text(const KernelText &kernel, const LoopShape &shape);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
