#include "loop/until/written_rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "base/text.hpp"

namespace op2::core {

namespace {

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }
// Enough for any scalar that rows of this many bytes may hold; slots are small, since they go from core to core.
std::size_t alignment(std::size_t bytes) { return bytes % 16 == 0 ? 16 : 8; }
std::size_t aligned(std::size_t bytes) { return round_up(bytes, alignment(bytes)); }

constexpr auto columns_in_order = [] {
  std::array<int, 256> out{};
  for (int i = 0; i < 256; ++i) out[static_cast<std::size_t>(i)] = i;
  return out;
}();

template <class T>
void add(char *row, const char *increment, int dim) {
  for (int i = 0; i < dim; ++i) {
    T a, b;
    std::memcpy(&a, row + sizeof(T) * static_cast<std::size_t>(i), sizeof(T));
    std::memcpy(&b, increment + sizeof(T) * static_cast<std::size_t>(i), sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
      a = a || b;
    else
      a = static_cast<T>(a + b);
    std::memcpy(row + sizeof(T) * static_cast<std::size_t>(i), &a, sizeof(T));
  }
}

} // namespace

void put_no_increment(const ElementType &type, int dim, char *values) {
  with_type(type.id, [&]<class T>(T *) {
    T none{};
    if constexpr (std::is_floating_point_v<T>) none = T(-0.0);
    for (int i = 0; i < dim; ++i) std::memcpy(values + sizeof(T) * static_cast<std::size_t>(i), &none, sizeof(T));
  });
}

WrittenRows::WrittenRows(const LoopSignature &what) {
  for (const ReachedRow &row : reached_rows(what, [](const LoopArg &arg) { return writes_new(arg.access); })) {
    Row &made = rows_.emplace_back(Row{row, round_up(bytes_, alignment(row.bytes())), nullptr});
    bytes_ = made.offset + aligned(row.bytes());
    no_increments_.resize(bytes_);
    if (row.of->access != OP_INC || !row.of->element.builtin()) continue;
    made.add = with_type(row.of->element.id, []<class T>(T *) { return &add<T>; });
    put_no_increment(row.of->element, row.of->dim, no_increments_.data() + made.offset);
  }
  bytes_ = round_up(bytes_, 16);
  no_increments_.resize(bytes_);
}

std::string WrittenRows::why_not_private() const {
  for (const Row &row : rows_) {
    const LoopArg &arg = *row.of;
    if (arg.count > static_cast<int>(columns_in_order.size()))
      return text("argument ", row.arg, " writes more than ", columns_in_order.size(), " rows");
    if (!arg.map || row.add || arg.access == OP_WRITE) continue;
    if (arg.access == OP_INC)
      return text("argument ", row.arg, " adds to dat '", arg.dat->label, "' of type ", arg.dat->type_label,
                  ", whose values only the kernel can add");
    return text("argument ", row.arg, " reads and writes rows of dat '", arg.dat->label, "' through map '",
                arg.map->label, "', which earlier elements may have written");
  }
  return "";
}

void WrittenRows::make_private(char *slot, int element, std::span<op_range_arg> args) const {
  if (bytes_ > 0) std::memcpy(slot, no_increments_.data(), bytes_);
  for (const Row &row : rows_) {
    char *const mine = slot + row.offset;
    if (!row.add) std::memcpy(mine, row.place(element), row.bytes());
    op_range_arg &arg = args[row.arg];
    if (row.of->kind != OP_RANGE_VECTOR) {
      arg.kind = OP_RANGE_GLOBAL;
      arg.base = mine;
    } else if (row.column == row.of->column) {
      arg.base = mine;
      arg.map = columns_in_order.data();
      arg.map_stride = 0;
      arg.stride = static_cast<std::ptrdiff_t>(aligned(row.bytes()));
    }
  }
}

void WrittenRows::commit(const char *slot, int element) const {
  for (const Row &row : rows_) {
    const char *const mine = slot + row.offset;
    if (row.add)
      row.add(row.place(element), mine, row.of->dim);
    else
      std::memcpy(row.place(element), mine, row.bytes());
  }
}

void WrittenRows::save(char *slot, int element) const {
  for (const Row &row : rows_) std::memcpy(slot + row.offset, row.place(element), row.bytes());
}

// Two arguments may have saved one row, to the same values.
void WrittenRows::restore(const char *slot, int element) const {
  for (const Row &row : rows_) std::memcpy(row.place(element), slot + row.offset, row.bytes());
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
