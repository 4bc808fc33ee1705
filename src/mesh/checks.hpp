// Checks that all declarations share.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "mesh/entities.hpp"

namespace op2::core {

void need_name(const char *name);
// The type of declared values, with its size; type_size 0 = from the name. Throws OP_ERR_TYPE, OP_ERR_ARGUMENT.
ElementType sized_type(const char *type, int type_size, const char *name);
int row_bytes(int dim, const ElementType &element, const char *name);

// Memory for the entries of a map: zeros, or only room for them.
template <class Value>
std::vector<Value> new_table(std::size_t rows, int dim, const char *name, bool zeros = true) {
  try {
    std::vector<Value> out;
    const std::size_t entries = rows * static_cast<std::size_t>(dim); // at most 2^62: no overflow
    zeros ? out.resize(entries) : out.reserve(entries);
    return out;
  } catch (const std::exception &) { // no memory, or more than can be addressed
    fail(OP_ERR_MEMORY, "there is no memory for map '", name, "': ", rows, " elements x ", dim, " entries");
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
