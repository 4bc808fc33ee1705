// Properties of arguments, and sizes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "op2/plugin/exec.h"

namespace op2::exec_common {

constexpr bool writes(op_access access) { return access == OP_WRITE || access == OP_RW || access == OP_INC; }

// Pointers that the kernel receives: for a vector argument one per column of the map.
inline int pointers(const op_exec_arg &arg) { return std::max(arg.count, 1); }

// Bytes of one row of a dat, or of a global argument.
inline std::size_t row_bytes(const op_exec_arg &arg) {
  return static_cast<std::size_t>(arg.dim) * static_cast<std::size_t>(arg.type_size);
}

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace op2::exec_common

// SPDX-License-Identifier: MIT
