// Moving rows of bytes from one order to another. order[i] is the element at place i; the inverse of
// an order gives the place of each element.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace op2::core {

// to[i] = from[row[i]]
void gather_rows(char *to, const char *from, std::span<const int> row, std::size_t row_bytes);
// to[row[i]] = from[i]
void scatter_rows(char *to, const char *from, std::span<const int> row, std::size_t row_bytes);

// out[order[i]] = i; the inverse of places is an order.
std::vector<int> inverse(std::span<const int> order);

} // namespace op2::core

// SPDX-License-Identifier: MIT
