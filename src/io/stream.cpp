#include "io/stream.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <vector>

namespace op2::core {

namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 20;

struct Part {
  std::int64_t first, rows;
};

std::vector<Part> all_parts(Communicator &communicator, Part own) {
  std::vector<Part> out(static_cast<std::size_t>(communicator.size()));
  std::vector<std::size_t> offset(out.size() + 1);
  for (std::size_t p = 0; p < offset.size(); ++p) offset[p] = p * sizeof(Part);
  communicator.allgatherv(&own, sizeof own, out.data(), offset.data());
  return out;
}

// From process p; the others take part.
SparseMessages send_piece(Communicator &communicator, int p, const char *data, std::size_t bytes) {
  const int root = 0;
  const std::array<std::size_t, 2> offset = {0, bytes};
  const std::size_t messages = communicator.rank() == p ? 1 : 0;
  return communicator.sparse_exchange(std::span(&root, messages), std::span(offset.data(), messages + 1), data);
}

} // namespace

void rows_to_first(Communicator &communicator, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                   const char *data, const RowSink &sink) {
  const std::vector<Part> parts = all_parts(communicator, {first, rows});
  std::exception_ptr failure;
  const auto give = [&](std::int64_t at, std::int64_t count, const char *values) {
    if (failure || count == 0) return;
    try {
      sink(at, count, values);
    } catch (...) {
      failure = std::current_exception(); // the others send on
    }
  };
  const std::int64_t step = static_cast<std::int64_t>(std::max<std::size_t>(1, piece_bytes / row_bytes));
  std::vector<char> piece; // functions of the system take it where `data` is out of memory
  const auto copied = [&](std::int64_t at, std::int64_t count) {
    const char *const from = data + static_cast<std::size_t>(at) * row_bytes;
    piece.assign(from, from + static_cast<std::size_t>(count) * row_bytes);
    return piece.data();
  };
  for (std::int64_t at = 0; communicator.rank() == 0 && at < rows; at += step) {
    const std::int64_t count = std::min(step, rows - at);
    give(first + at, count, copied(at, count));
  }
  for (int p = 1; p < communicator.size(); ++p) {
    const Part part = parts[static_cast<std::size_t>(p)];
    for (std::int64_t at = 0; at < part.rows; at += step) {
      const std::int64_t count = std::min(step, part.rows - at);
      const SparseMessages received =
          send_piece(communicator, p, communicator.rank() == p ? copied(at, count) : nullptr,
                     static_cast<std::size_t>(count) * row_bytes);
      if (communicator.rank() == 0) give(part.first + at, count, received.all<char>().data());
    }
  }
  if (failure) std::rethrow_exception(failure);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
