// Sends the rows of all processes to process 0, in order and in pieces.
#pragma once

#include <cstdint>
#include <functional>

#include "host/communicator.hpp"

namespace op2::core {

// Each process has rows first ... first + rows - 1; process 0 passes all of them to sink(first, rows, data), ascending,
// in a buffer with at most 4 MiB at once. Throws what sink throws, after the last message. Collective.
using RowSink = std::function<void(std::int64_t first, std::int64_t rows, const char *data)>;
void rows_to_first(Communicator &communicator, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                   const char *data, const RowSink &sink);

} // namespace op2::core

// SPDX-License-Identifier: MIT
