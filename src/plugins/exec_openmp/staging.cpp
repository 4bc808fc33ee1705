#include "staging.hpp"

#include <algorithm>
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

// run ... end: pairs (first row, rows).
void copy_runs(size_t bytes, const int32_t *run, const int32_t *end, char *slots, const RowPlace &place, bool back) {
  const bool dense = place.contiguous() && place.stride == static_cast<std::ptrdiff_t>(bytes);
  for (; run < end; run += 2) {
    const size_t count = static_cast<size_t>(run[1]);
    char *const rows = dense ? place.at(run[0]) : nullptr;
    if (dense)
      std::memcpy(back ? rows : slots, back ? slots : rows, bytes * count);
    else
      for (size_t s = 0; s < count; ++s) place.copy(run[0] + static_cast<int>(s), slots + bytes * s, back);
    slots += bytes * count;
  }
}

} // namespace

int64_t slots_of(const op_exec_plan &plan, const int64_t *offset) {
  if (!plan.slot_run) return offset[1] - offset[0];
  int64_t sum = 0;
  for (int64_t run = offset[0]; run < offset[1]; ++run) sum += plan.slot_run[2 * run + 1];
  return sum;
}

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
  if (segment.staged < -1) return find_own(segment);
  if (plan_.slot_run) return find_in_runs(segment);
  const int64_t first = plan_.local_offset[segment.staged];
  if (plan_.local) {
    table_ = plan_.local + first;
    return;
  }
  const uint16_t *const table = plan_.short_local + first;
  made_.assign(table, table + (segment.end - segment.begin) * columns());
  table_ = made_.data();
}

// Runs first, so that the elements of each are compared at once.
void Staging::find_in_runs(const op_exec_segment &segment) {
  const int elements = segment.end - segment.begin;
  made_.resize(static_cast<size_t>(elements * columns()));
  table_ = made_.data();
  for (std::ptrdiff_t c = 0; c < columns(); ++c) {
    const OwnerLayout::Column &column = layout_.columns[static_cast<size_t>(c)];
    const op_range_arg &arg = run_.call->args[column.arg];
    const int32_t *const row = arg.map + static_cast<std::ptrdiff_t>(segment.begin) * arg.map_stride + column.entry;
    const int64_t *const runs = offset(segment, column.group);
    const int32_t nobodys = static_cast<int32_t>(slots(segment, column.group));
    int32_t *const slot = made_.data() + c;
    for (int n = 0; n < elements; ++n) slot[n * columns()] = nobodys;
    int32_t before = 0;
    for (int64_t run = runs[0]; run < runs[1]; ++run) {
      const int32_t first = plan_.slot_run[2 * run], count = plan_.slot_run[2 * run + 1];
      for (int n = 0; n < elements; ++n) {
        const int32_t place = row[static_cast<std::ptrdiff_t>(n) * arg.map_stride] - first;
        if (static_cast<uint32_t>(place) < static_cast<uint32_t>(count)) slot[n * columns()] = before + place;
      }
      before += count;
    }
  }
}

// Few elements: each row is looked for among those found so far.
void Staging::find_own(const op_exec_segment &segment) {
  const int elements = segment.end - segment.begin, all = static_cast<int>(columns());
  made_.assign(static_cast<size_t>(elements * all), 0);
  table_ = made_.data();
  own_.clear();
  own_offset_.assign(1, 0);
  for (int g = 0; g < plan_.ngroups; ++g) {
    const auto first = static_cast<size_t>(own_offset_.back());
    const auto for_each_entry = [&](const auto &body) {
      for (int n = 0; n < elements; ++n)
        for (int c = plan_.group_offset[g]; c < plan_.group_offset[g + 1]; ++c) body(n * all + c, n, c);
    };
    for_each_entry([&](int entry, int n, int c) {
      if (!op_exec_owns(segment.staged, entry)) return;
      const OwnerLayout::Column &column = layout_.columns[static_cast<size_t>(c)];
      const op_range_arg &arg = run_.call->args[column.arg];
      const int32_t row = arg.map[static_cast<std::ptrdiff_t>(segment.begin + n) * arg.map_stride + column.entry];
      const auto found = std::find(own_.begin() + static_cast<std::ptrdiff_t>(first), own_.end(), row);
      made_[static_cast<size_t>(entry)] = static_cast<int32_t>(found - own_.begin()) - own_offset_.back();
      if (found == own_.end()) own_.push_back(row);
    });
    const auto count = static_cast<int32_t>(own_.size() - first);
    for_each_entry([&](int entry, int, int) {
      if (!op_exec_owns(segment.staged, entry)) made_[static_cast<size_t>(entry)] = count;
    });
    own_offset_.push_back(static_cast<int32_t>(own_.size()));
  }
}

int64_t Staging::slots(const op_exec_segment &segment, int group) const {
  const auto g = static_cast<size_t>(group);
  return segment.staged < 0 ? own_offset_[g + 1] - own_offset_[g] : slots_of(plan_, offset(segment, group));
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
    const int64_t count = slots(segment, dat.group);
    char *const scratch = memory_ + dat.offset;
    const RowPlace place = place_of(run_, dat.any_arg);
    const int64_t *const at = segment.staged < 0 ? nullptr : offset(segment, dat.group);
    if (at && plan_.slot_run)
      copy_runs(dat.row_bytes, plan_.slot_run + 2 * at[0], plan_.slot_run + 2 * at[1], scratch, place, back);
    else
      copy_rows(dat.row_bytes, static_cast<int>(count),
                at ? plan_.slot_row + at[0] : own_.data() + own_offset_[static_cast<size_t>(dat.group)], scratch, place,
                back);
    if (!back) std::memset(scratch + dat.row_bytes * static_cast<size_t>(count), 0, dat.row_bytes);
  }
}

// The owner of the first row that an element writes keeps what it writes to itself.
void Staging::copy_direct(const op_exec_segment &segment, bool back) {
  if (layout_.direct.empty()) return;
  const int64_t owned = slots(segment, 0);
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
