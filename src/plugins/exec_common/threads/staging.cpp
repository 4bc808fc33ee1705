#include "staging.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace op2::exec_threads {

namespace {

template <size_t bytes>
void copy_rows(int count, const int32_t *rows, char *slots, char *base, std::ptrdiff_t stride, bool back) {
  for (int s = 0; s < count; ++s) {
    char *const slot = slots + bytes * static_cast<size_t>(s), *const row = base + rows[s] * stride;
    std::memcpy(back ? row : slot, back ? slot : row, bytes);
  }
}

void copy_rows(size_t bytes, int count, const int32_t *rows, char *slots, const RowPlace &place, bool back) {
  if (!place.contiguous()) {
    for (int s = 0; s < count; ++s) place.copy(rows[s], slots + bytes * static_cast<size_t>(s), back);
    return;
  }
  char *const base = place.base;
  const std::ptrdiff_t stride = place.stride;
  switch (bytes) { // the usual sizes without a call for each row
    case 8:
      return copy_rows<8>(count, rows, slots, base, stride, back);
    case 16:
      return copy_rows<16>(count, rows, slots, base, stride, back);
    case 24:
      return copy_rows<24>(count, rows, slots, base, stride, back);
    case 32:
      return copy_rows<32>(count, rows, slots, base, stride, back);
    case 40:
      return copy_rows<40>(count, rows, slots, base, stride, back);
    case 48:
      return copy_rows<48>(count, rows, slots, base, stride, back);
    case 64:
      return copy_rows<64>(count, rows, slots, base, stride, back);
    default:
      for (int s = 0; s < count; ++s) {
        char *const slot = slots + bytes * static_cast<size_t>(s), *const row = base + rows[s] * stride;
        std::memcpy(back ? row : slot, back ? slot : row, bytes);
      }
  }
}

} // namespace

void SlotTable::clear(int rows) {
  const uint32_t size = std::bit_ceil(static_cast<uint32_t>(rows + rows / 2 + 2));
  entries_.assign(size, {-1, 0});
  mask_ = size - 1;
  shift_ = 32 - std::countr_zero(size);
  rows_.clear();
}

Staging::Staging(const Run &run, char *memory)
    : run_(run), plan_(*run.call->plan), layout_(*run.owner), args_(run), memory_(memory) {
  if (plan_.own) own_.resize(static_cast<size_t>(plan_.ngroups));
}

char *Staging::dropped_record() {
  std::memcpy(memory_, run_.call->reduce_start, run_.kernel->signature->reduce->record_bytes);
  return memory_;
}

void Staging::run(const op_exec_segment &segment, char *record) {
  if (record) args_.reduce_into(run_, record);
  find_table(segment);
  point_at_scratch(segment);
  copy_staged(segment, false);
  copy_direct(segment, false);
  run_elements(segment);
  copy_staged(segment, true);
  copy_direct(segment, true);
}

void Staging::run_elements(const op_exec_segment &segment) {
  const int elements = segment.end - segment.begin;
  if (!plan_.own || segment.staged < 0) return args_.run(run_, segment.begin, segment.end);
  const uint32_t *const words = plan_.own + segment.staged;
  const auto bits = static_cast<uint32_t>(columns() + 1);
  const auto wanted = [words, bits](int n) {
    const uint32_t bit = static_cast<uint32_t>(n) * bits;
    return (words[bit / 32] >> (bit % 32) & 1u) != 0;
  };
  for (int n = 0; n < elements;) {
    while (n < elements && !wanted(n)) ++n;
    const int first = n;
    while (n < elements && wanted(n)) ++n;
    if (n > first) args_.run(run_, segment.begin + first, segment.begin + n);
  }
}

void Staging::find_table(const op_exec_segment &segment) {
  if (!plan_.own) {
    table_ = plan_.local + plan_.local_offset[segment.staged];
    return;
  }
  made_.resize(static_cast<size_t>((segment.end - segment.begin) * columns()));
  table_ = made_.data();
  for (int g = 0; g < plan_.ngroups; ++g) find_own(segment, g);
}

// What op_exec_owns() tells of all elements, with all that does not change in registers.
void Staging::find_own(const op_exec_segment &segment, int group) {
  const int elements = segment.end - segment.begin, all = static_cast<int>(columns());
  const int first = plan_.group_offset[group], last = plan_.group_offset[group + 1];
  const uint32_t run_bit = segment.staged >= 0 ? 1 : 0, bits = static_cast<uint32_t>(all) + run_bit;
  const uint32_t *const words = plan_.own + (run_bit ? segment.staged : -2 - segment.staged);
  const int32_t nobodys = others(segment, group);
  SlotTable &own = own_[static_cast<size_t>(group)];
  own.clear(elements * (last - first));
  for (int c = first; c < last; ++c) {
    const OwnerLayout::Column &column = layout_.columns[static_cast<size_t>(c)];
    const op_range_arg &arg = run_.call->args[column.arg];
    const std::ptrdiff_t stride = arg.map_stride;
    const int32_t *row = arg.map + segment.begin * stride + column.entry;
    int32_t *slot = made_.data() + c, row_before = -1, slot_before = 0;
    uint32_t bit = run_bit + static_cast<uint32_t>(c);
    for (int n = 0; n < elements; ++n, row += stride, slot += all, bit += bits) {
      *slot = nobodys;
      if (!(words[bit / 32] >> (bit % 32) & 1u)) continue;
      if (*row != row_before) row_before = *row, slot_before = own.of(row_before); // neighbours often share it
      *slot = slot_before;
    }
  }
}

std::span<const int32_t> Staging::rows(const op_exec_segment &segment, int group) const {
  if (plan_.own) return own_[static_cast<size_t>(group)].rows();
  const int64_t *const offset = plan_.slot_offset + static_cast<std::ptrdiff_t>(segment.staged) * plan_.ngroups + group;
  return {plan_.slot_row + offset[0], plan_.slot_row + offset[1]};
}

int32_t Staging::others(const op_exec_segment &segment, int group) const {
  if (plan_.own) return static_cast<int32_t>(layout_.most_slots[static_cast<size_t>(group)]) - 1;
  return static_cast<int32_t>(rows(segment, group).size());
}

void Staging::point_at_scratch(const op_exec_segment &segment) {
  for (const OwnerLayout::ThroughMap &through : layout_.through) {
    const OwnerLayout::StagedDat &dat = layout_.dats[through.dat];
    op_range_arg &arg = args_[through.arg];
    arg.base = memory_ + dat.offset;
    arg.stride = static_cast<std::ptrdiff_t>(dat.row_bytes);
    arg.map = table_ + through.column - segment.begin * columns();
    arg.map_stride = static_cast<int>(columns());
    args_.use_rows(run_, through.arg);
  }
  for (const OwnerLayout::Direct &direct : layout_.direct) {
    op_range_arg &arg = args_[direct.arg];
    arg.stride = static_cast<std::ptrdiff_t>(direct.row_bytes);
    arg.base = memory_ + direct.offset - segment.begin * arg.stride;
    args_.use_rows(run_, direct.arg);
  }
}

// The part's own rows, to the scratch rows or back; what others own starts from zeros.
void Staging::copy_staged(const op_exec_segment &segment, bool back) {
  for (const OwnerLayout::StagedDat &dat : layout_.dats) {
    const std::span<const int32_t> own = rows(segment, dat.group);
    char *const scratch = memory_ + dat.offset;
    copy_rows(dat.row_bytes, static_cast<int>(own.size()), own.data(), scratch, place_of(run_, dat.any_arg), back);
    const auto nobodys = static_cast<size_t>(others(segment, dat.group));
    if (!back) std::memset(scratch + dat.row_bytes * nobodys, 0, dat.row_bytes);
  }
}

// The owner of the first row that an element writes keeps what it writes to itself.
void Staging::copy_direct(const op_exec_segment &segment, bool back) {
  if (layout_.direct.empty()) return;
  const int32_t nobodys = others(segment, 0);
  for (const OwnerLayout::Direct &direct : layout_.direct) {
    const RowPlace real = place_of(run_, direct.arg);
    for (int n = segment.begin; n < segment.end; ++n) {
      if (table_[(n - segment.begin) * columns()] == nobodys) continue;
      char *const mine = args_[direct.arg].base + n * args_[direct.arg].stride;
      if (real.contiguous())
        std::memcpy(back ? real.at(n) : mine, back ? mine : real.at(n), direct.row_bytes);
      else
        real.copy(n, mine, back);
    }
  }
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
