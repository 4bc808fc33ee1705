// Checks that all ways to declare something have in common.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "mesh/entities.hpp"

namespace op2::core {

void need_name(const char *name);
// The type of declared values, with its size known. type_size 0 = from the name.
ElementType sized_type(const char *type, int type_size, const char *name);
int row_bytes(int dim, const ElementType &element, const char *name);

// The entries of a map, not yet filled in.
template <class Value>
std::vector<Value> new_table(std::size_t rows, int dim, const char *name) {
  try {
    return std::vector<Value>(rows * static_cast<std::size_t>(dim)); // at most 2^62: no overflow
  } catch (const std::exception &) {                                 // no memory, or more than can be addressed
    fail(OP_ERR_MEMORY, "there is no memory for map '", name, "': ", rows, " elements x ", dim, " entries");
  }
}

} // namespace op2::core
