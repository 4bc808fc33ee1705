// Moving rows of bytes from one order to another. An order lists elements: order[i] is the one that comes i-th; its
// inverse says where each element comes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace op2::core {

// to[i] = from[row[i]]
void gather_rows(char *to, const char *from, std::span<const int> row, std::size_t row_bytes);
// to[row[i]] = from[i]
void scatter_rows(char *to, const char *from, std::span<const int> row, std::size_t row_bytes);

// out[order[i]] = i, in either direction.
std::vector<int> inverse(std::span<const int> order);

} // namespace op2::core
