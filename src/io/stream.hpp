// Rows of all processes to process 0, in their order and in pieces.
#pragma once

#include <cstdint>
#include <functional>

#include "host/communicator.hpp"

namespace op2::core {

// Each process has rows first ... first + rows - 1; on process 0 sink(first, rows, data) gets them all, ascending,
// never more than 16 MiB at once beside its own. What sink throws is thrown when all are through. Collective.
using RowSink = std::function<void(std::int64_t first, std::int64_t rows, const char *data)>;
void rows_to_first(Communicator &communicator, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                   const char *data, const RowSink &sink);

} // namespace op2::core
