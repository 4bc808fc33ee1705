// Checksums of rows that are distributed over processes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace op2::core {

// Of rows first, first + 1, ..., with their numbers. The sum modulo 2^64 over all processes does not depend on the
// distribution of the rows. Other bytes or row numbers give another sum, except with a probability of about 2^-60.
std::uint64_t sum_of_rows(std::int64_t first, std::int64_t rows, std::size_t row_bytes, const void *data);

} // namespace op2::core

// SPDX-License-Identifier: MIT
