#include "mesh/rows.hpp"

#include <cstring>
#include <utility>

namespace op2::core {

namespace {

// Rows of a length the compiler knows are moved in registers.
template <std::size_t bytes>
struct Fixed {
  static constexpr std::size_t size() { return bytes; }
};
struct Any {
  std::size_t bytes;
  std::size_t size() const { return bytes; }
};

template <class Body>
void with_length(std::size_t bytes, const Body &body) {
  switch (bytes) {
    case 4:
      return body(Fixed<4>{});
    case 8:
      return body(Fixed<8>{});
    case 16:
      return body(Fixed<16>{});
    case 24:
      return body(Fixed<24>{});
    case 32:
      return body(Fixed<32>{});
    case 40:
      return body(Fixed<40>{});
    case 64:
      return body(Fixed<64>{});
    default:
      return body(Any{bytes});
  }
}

} // namespace

void gather_rows(char *to, const char *from, std::span<const int> row, std::size_t row_bytes) {
  with_length(row_bytes, [&](auto length) {
    for (std::size_t i = 0; i < row.size(); ++i)
      std::memcpy(to + i * length.size(), from + static_cast<std::size_t>(row[i]) * length.size(), length.size());
  });
}

void scatter_rows(char *to, const char *from, std::span<const int> row, std::size_t row_bytes) {
  with_length(row_bytes, [&](auto length) {
    for (std::size_t i = 0; i < row.size(); ++i)
      std::memcpy(to + static_cast<std::size_t>(row[i]) * length.size(), from + i * length.size(), length.size());
  });
}

std::vector<int> inverse(std::span<const int> order) {
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return place;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
