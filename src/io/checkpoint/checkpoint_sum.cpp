#include "io/checkpoint/checkpoint_sum.hpp"

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

namespace op2::core {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t sum_unit = 16; // bytes that are mixed at once
constexpr std::uint64_t place_step = 0x9e3779b97f4a7c15u, place_start = 0x2545f4914f6cdd1du,
                        other = 0xd1342543de82ef95u;

// Both halves of a product: every bit of the words counts for all bits of it.
std::uint64_t mixed(std::uint64_t low, std::uint64_t high, std::uint64_t place) {
  const Wide product = static_cast<Wide>(low ^ place) * (high ^ other);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Piece>
std::uint64_t piece_at(const char *bytes) {
  Piece piece = 0;
  std::memcpy(&piece, bytes, sizeof piece);
  return piece;
}

// A word of up to 8 bytes, without a detour through memory.
template <std::size_t size>
std::uint64_t word_at(const char *bytes) {
  if constexpr (size >= 8)
    return piece_at<std::uint64_t>(bytes);
  else if constexpr (size >= 4)
    return piece_at<std::uint32_t>(bytes) | word_at<size - 4>(bytes + 4) << 32;
  else if constexpr (size >= 2)
    return piece_at<std::uint16_t>(bytes) | word_at<size - 2>(bytes + 2) << 16;
  else
    return size == 1 ? piece_at<std::uint8_t>(bytes) : 0;
}

// Units of each row, and `tail` bytes behind them.
template <std::size_t tail, class Units>
std::uint64_t sum_of(std::uint64_t first, std::size_t rows, Units units, const char *bytes) {
  std::uint64_t total = 0, place = place_start + first * (units + (tail > 0)) * place_step;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t n = 0; n < units; ++n, bytes += sum_unit, place += place_step)
      total += mixed(word_at<8>(bytes), word_at<8>(bytes + 8), place);
    if constexpr (tail > 0) {
      total += mixed(word_at<tail>(bytes), word_at<(tail > 8 ? tail - 8 : 0)>(bytes + 8), place);
      bytes += tail;
      place += place_step;
    }
  }
  return total;
}

template <std::size_t tail>
std::uint64_t sum(std::uint64_t first, std::size_t rows, std::size_t units, const char *bytes) {
  if (tail == 0) return sum_of<0>(first, rows, std::integral_constant<std::size_t, 1>(), bytes);
  if (units == 0) return sum_of<tail>(first, rows, std::integral_constant<std::size_t, 0>(), bytes);
  return sum_of<tail>(first, rows, units, bytes);
}

using Sum = std::uint64_t (*)(std::uint64_t, std::size_t, std::size_t, const char *);

template <std::size_t... tails>
constexpr std::array<Sum, sizeof...(tails)> all_sums(std::index_sequence<tails...>) {
  return {sum<tails>...};
}

} // namespace

std::uint64_t sum_of_rows(std::int64_t first, std::int64_t rows, std::size_t row_bytes, const void *data) {
  static constexpr auto sums = all_sums(std::make_index_sequence<sum_unit>());
  const std::size_t units = row_bytes / sum_unit, tail = row_bytes % sum_unit, count = static_cast<std::size_t>(rows);
  const char *const bytes = static_cast<const char *>(data);
  if (tail > 0) return sums[tail](static_cast<std::uint64_t>(first), count, units, bytes);
  return sum<0>(static_cast<std::uint64_t>(first) * units, count * units, 1, bytes); // rows of one unit
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
