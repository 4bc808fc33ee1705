// Checksums of rows that many processes have between them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace op2::core {

// Of rows first, first + 1, ..., with their numbers. The sum modulo 2^64 over all processes does not depend on which of
// them has which rows. Other bytes, or rows in other places, give another sum, but for one chance in 2^60 or so.
std::uint64_t sum_of_rows(std::int64_t first, std::int64_t rows, std::size_t row_bytes, const void *data);

} // namespace op2::core
