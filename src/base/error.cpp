#include "base/error.hpp"

#include <array>

namespace op2::core {

const char *status_name(op_status status) {
  static constexpr std::array names = {
      "OP_OK",         "OP_ERR_STATE", "OP_ERR_ARGUMENT",    "OP_ERR_HANDLE", "OP_ERR_RANGE",    "OP_ERR_TYPE",
      "OP_ERR_DIM",    "OP_ERR_SET",   "OP_ERR_ACCESS",      "OP_ERR_MEMORY", "OP_ERR_BACKEND",  "OP_ERR_PLUGIN",
      "OP_ERR_KERNEL", "OP_ERR_FILE",  "OP_ERR_UNSUPPORTED", "OP_ERR_THREAD", "OP_ERR_INTERNAL", "OP_ERR_CHECK"};
  static_assert(names.size() == OP_ERR_CHECK + 1);
  if (status < 0 || static_cast<std::size_t>(status) >= names.size()) return "unknown status";
  return names[static_cast<std::size_t>(status)];
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
