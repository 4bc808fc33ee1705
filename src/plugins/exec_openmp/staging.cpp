#include "staging.hpp"

#include <cstring>

namespace op2::exec_openmp {

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
    case 32:
      return copy_rows<32>(count, rows, slots, base, stride, back);
    default:
      for (int s = 0; s < count; ++s) {
        char *const slot = slots + bytes * static_cast<size_t>(s), *const row = base + rows[s] * stride;
        std::memcpy(back ? row : slot, back ? slot : row, bytes);
      }
  }
}

} // namespace

Staging::Staging(const Run &run, char *memory)
    : run_(run), plan_(*run.call->plan), layout_(*run.owner), args_(run), memory_(memory) {}

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
  args_.run(run_, segment.begin, segment.end);
  copy_staged(segment, true);
  copy_direct(segment, true);
}

void Staging::find_table(const op_exec_segment &segment) {
  const int64_t first = plan_.local_offset[segment.staged];
  if (plan_.local) {
    table_ = plan_.local + first;
    return;
  }
  const uint16_t *const table = plan_.short_local + first;
  widened_.assign(table, table + (segment.end - segment.begin) * columns());
  table_ = widened_.data();
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
    const int64_t *const offset =
        plan_.slot_offset + static_cast<std::ptrdiff_t>(segment.staged) * plan_.ngroups + dat.group;
    const int count = static_cast<int>(offset[1] - offset[0]);
    char *const slots = memory_ + dat.offset;
    copy_rows(dat.row_bytes, count, plan_.slot_row + offset[0], slots, place_of(run_, dat.any_arg), back);
    if (!back) std::memset(slots + dat.row_bytes * static_cast<size_t>(count), 0, dat.row_bytes);
  }
}

// The owner of the first row that an element writes keeps what it writes to itself.
void Staging::copy_direct(const op_exec_segment &segment, bool back) {
  if (layout_.direct.empty()) return;
  const int64_t *const offset = plan_.slot_offset + static_cast<std::ptrdiff_t>(segment.staged) * plan_.ngroups;
  const int64_t owned = offset[1] - offset[0];
  for (const OwnerLayout::Direct &direct : layout_.direct) {
    const RowPlace real = place_of(run_, direct.arg);
    for (int n = segment.begin; n < segment.end; ++n) {
      if (table_[(n - segment.begin) * columns()] >= owned) continue;
      char *const mine = args_[direct.arg].base + n * args_[direct.arg].stride;
      if (real.contiguous())
        std::memcpy(back ? real.at(n) : mine, back ? mine : real.at(n), direct.row_bytes);
      else
        real.copy(n, mine, back);
    }
  }
}

} // namespace op2::exec_openmp
