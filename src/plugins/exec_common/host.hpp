// Calls from executors to the library.
#pragma once

#include <exception>
#include <string>

#include "op2/plugin/exec.h"

namespace op2::exec_common {

// The description of an executor, which the library reads before it opens it.
constexpr op_plugin_v1 describe(const char *name, const char *summary, const char *build, const char *parent,
                                int (*score)(const op_host_v1 *), const op_exec_ops_v1 *ops) {
  return {sizeof(op_plugin_v1),
          OP2_PLUGIN_ABI,
          OP2_PLUGIN_API,
          OP_PLUGIN_EXEC,
          0,
          name,
          summary,
          build,
          parent,
          score,
          ops};
}

// The value of a setting, of any length; "" when it has none.
inline std::string setting(const op_host_v1 *host, const char *name) {
  const int length = host->config(host, name, nullptr, 0);
  if (length <= 0) return {};
  std::string value(static_cast<std::size_t>(length) + 1, '\0');
  host->config(host, name, value.data(), value.size());
  value.pop_back();
  return value;
}

// The exception of a kernel as text, and as a failure of the loop. To be called in a catch block.
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

// SPDX-License-Identifier: MIT
