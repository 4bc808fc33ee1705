// Sums and extrema of arrays of the library's types.
#pragma once

#include <array>

#include "entry.hpp"

namespace op2::comm_common {

// `context` of a combine function is the address of the number of values, a size_t.
struct Operations {
  size_t value_bytes;
  std::array<op_comm_combine_fn, 3> combine;      // OP_COMM_SUM, _MIN, _MAX
  op_comm_combine_fn of(int32_t operation) const; // throws a Failure for others
};
Operations operations(op_type_id type);

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
