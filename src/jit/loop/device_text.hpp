// From a kernel's text to the text that an executor with a compiler of its own gets (op_exec_text in
// op2/plugin/exec.h).
#pragma once

#include <string>
#include <vector>

#include "jit/loop/loop_code.hpp"

namespace op2::core::jit {

struct DeviceText {
  std::string text;                // names neither the loop nor the file of its kernel
  std::string title;               // names them
  std::size_t declared_bytes = 0;  // of struct op2_declared
  std::vector<std::size_t> offset; // in it, of LoopShape::constants
  std::vector<std::size_t> bytes;
};

// Throws Refusal when text and loop do not go together.
DeviceText device_text(const KernelText &kernel, const LoopShape &shape);

} // namespace op2::core::jit
