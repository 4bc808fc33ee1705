#include "mesh/layout.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace op2::core {

namespace {

constexpr int most_values = 64;  // of a row; longer ones do not fit the registers of generated code anyway
constexpr std::size_t line = 64; // bytes of a cache line
constexpr int tile = 128;        // rows that are transposed at a time: what they need stays in the first cache

bool known_to_generated_code(const ElementType &element) {
  switch (element.id) {
    case OP_TYPE_DOUBLE:
    case OP_TYPE_FLOAT:
    case OP_TYPE_INT:
    case OP_TYPE_UINT:
    case OP_TYPE_LL:
    case OP_TYPE_ULL:
      return true;
    default:
      return false;
  }
}

// Components begin at lines of the cache, an odd number of lines apart: with a power of two all of them would meet in
// the same few places of a cache.
std::ptrdiff_t room_for_component(int rows, int value_bytes) {
  const std::size_t bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(value_bytes);
  const std::size_t lines = ((bytes + line - 1) / line) | 1;
  return static_cast<std::ptrdiff_t>(lines * line / static_cast<std::size_t>(value_bytes));
}

// `count` rows, which lie one after the other on one side and with unit stride on the other, `step` values between
// components.
template <class T>
void spread(T *to, std::ptrdiff_t step, const T *rows, int dim, int count) {
  for (int c = 0; c < dim; ++c)
    for (int r = 0; r < count; ++r) to[c * step + r] = rows[static_cast<std::ptrdiff_t>(r) * dim + c];
}
template <class T>
void gather(T *rows, const T *from, std::ptrdiff_t step, int dim, int count) {
  for (int c = 0; c < dim; ++c)
    for (int r = 0; r < count; ++r) rows[static_cast<std::ptrdiff_t>(r) * dim + c] = from[c * step + r];
}

// Calls move(first row, count) for all rows, a tile at a time.
template <class Move>
void for_tiles(const Layout &layout, const Move &move) {
  for (int first = 0; first < layout.rows; first += tile) move(first, std::min(tile, layout.rows - first));
}

// The values as integers of their size: bits are moved, whatever they mean.
template <class Body>
void with_values(int value_bytes, const Body &body) {
  if (value_bytes == 8)
    body(std::uint64_t{});
  else
    body(std::uint32_t{});
}

} // namespace

std::size_t Layout::bytes() const {
  const std::size_t row = static_cast<std::size_t>(dim) * static_cast<std::size_t>(value_bytes);
  return row * static_cast<std::size_t>(aos() ? rows : component);
}

std::ptrdiff_t Layout::stride() const { return std::ptrdiff_t{aos() ? dim : 1} * value_bytes; }

std::ptrdiff_t Layout::step() const { return (aos() ? 1 : component) * value_bytes; }

Layout layout_for(const LayoutRequest &request, const ElementType &element, int rows, int dim) {
  Layout out;
  out.rows = rows;
  out.dim = dim;
  out.value_bytes = element.size;
  const bool by_type = element.soa && (request.declared_only || request.hinted);
  const int kind = by_type ? OP_LAYOUT_SOA : request.declared_only ? OP_LAYOUT_AOS : request.kind;
  if (dim < 2 || dim > most_values || !known_to_generated_code(element)) return out;
  const bool at_once = dim * element.size <= request.longer_than && std::has_single_bit(static_cast<unsigned>(dim));
  if (!by_type && !request.declared_only && at_once) return out;
  out.kind = kind;
  return with_rows(out, rows);
}

Layout with_rows(Layout layout, int rows) {
  layout.rows = rows;
  if (layout.kind == OP_LAYOUT_SOA) layout.component = room_for_component(rows, layout.value_bytes);
  return layout;
}

void rows_to_layout(char *to, const char *rows, const Layout &layout) {
  with_values(layout.value_bytes, [&](auto value) {
    using T = decltype(value);
    const T *const in = reinterpret_cast<const T *>(rows);
    const std::ptrdiff_t step = layout.step() / layout.value_bytes;
    for_tiles(layout, [&](int first, int count) {
      spread(reinterpret_cast<T *>(to) + first, step, in + std::ptrdiff_t{first} * layout.dim, layout.dim, count);
    });
  });
}

void layout_to_rows(char *rows, const char *from, const Layout &layout) {
  with_values(layout.value_bytes, [&](auto value) {
    using T = decltype(value);
    T *const out = reinterpret_cast<T *>(rows);
    const std::ptrdiff_t step = layout.step() / layout.value_bytes;
    for_tiles(layout, [&](int first, int count) {
      gather(out + std::ptrdiff_t{first} * layout.dim, reinterpret_cast<const T *>(from) + first, step, layout.dim,
             count);
    });
  });
}

void layout_to_row(char *row, const char *from, const Layout &layout, int r) {
  const char *const place = from + r * layout.stride();
  const std::size_t bytes = static_cast<std::size_t>(layout.value_bytes);
  for (int c = 0; c < layout.dim; ++c)
    std::memcpy(row + static_cast<std::size_t>(c) * bytes, place + c * layout.step(), bytes);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
