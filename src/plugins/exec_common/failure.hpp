// What the kernels of a program throw, in words.
#pragma once

#include <exception>
#include <string>

#include "op2/plugin/plugin.h"

namespace op2::exec_common {

// Both are called inside of a catch block.
inline std::string kernel_failure() {
  try {
    throw;
  } catch (const std::exception &thrown) {
    return thrown.what();
  } catch (...) {
    return "the kernel threw an exception that is not a std::exception";
  }
}
inline op_status kernel_failed(const op_host_v1 *host) {
  return host->fail(host, OP_ERR_KERNEL, kernel_failure().c_str());
}

} // namespace op2::exec_common
