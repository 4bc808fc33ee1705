// Every thread owns a part of the rows and runs all elements that write one of them, in the order of the set, so rows
// receive their increments as on seq. An element whose rows have several owners is run by each of them in scratch rows,
// into which the thread's own rows were copied; they are copied back, the rest is forgotten.
#include <algorithm>
#include <cstring>

#include "exec_openmp.hpp"

namespace op2::exec_openmp {

namespace {

size_t whole_lines(size_t bytes) { return round_up(bytes, 64); }

// The group whose columns hold all those through which the dat is written.
int group_of(const op_exec_signature &signature, const op_exec_plan &plan, int dat) {
  const auto holds = [&](int group, int map, int column) {
    for (int c = plan.group_offset[group]; c < plan.group_offset[group + 1]; ++c)
      if (plan.column_map[c] == map && plan.column[c] == column) return true;
    return false;
  };
  for (int g = 0; g < plan.ngroups; ++g) {
    bool all = true;
    for (int i = 0; i < signature.nargs; ++i) {
      const op_exec_arg &arg = signature.args[i];
      for (int j = 0; arg.dat == dat && j < exec_common::pointers(arg); ++j)
        all = all && holds(g, arg.map, arg.column + j);
    }
    if (all) return g;
  }
  return 0; // not reached: every written dat has a group
}

int local_column(const op_exec_plan &plan, int group, const op_exec_arg &arg) {
  int c = plan.group_offset[group];
  while (plan.column_map[c] != arg.map || plan.column[c] != arg.column) ++c;
  return c;
}

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

// A thread's scratch rows in place of the dats.
class Staging {
 public:
  Staging(const Run &run, int part)
      : run_(run), plan_(*run.call->plan), layout_(run.kernel->owner), args_(run), memory_(scratch(run, part)) {}

  // Partial results that belong to another part go here.
  char *dropped_record() {
    std::memcpy(memory_, run_.call->reduce_start, run_.kernel->signature->reduce->record_bytes);
    return memory_;
  }

  void run(const op_exec_segment &segment, char *record) {
    if (record) args_.reduce_into(run_, record);
    point_at_scratch(segment);
    copy_staged(segment, false);
    copy_direct(segment, false);
    args_.run(run_, segment.begin, segment.end);
    copy_staged(segment, true);
    copy_direct(segment, true);
  }

 private:
  static char *scratch(const Run &run, int part) {
    std::vector<char> &memory = run.exec->scratch[static_cast<size_t>(part)];
    if (memory.size() < run.kernel->owner.bytes + 64) memory.resize(run.kernel->owner.bytes + 64);
    return at_cache_line(memory);
  }

  std::ptrdiff_t columns() const { return plan_.group_offset[plan_.ngroups]; }
  const int32_t *table(const op_exec_segment &segment) const {
    return plan_.local + plan_.local_offset[segment.staged];
  }

  void point_at_scratch(const op_exec_segment &segment) {
    for (const OwnerLayout::ThroughMap &through : layout_.through) {
      const OwnerLayout::StagedDat &dat = layout_.dats[through.dat];
      op_range_arg &arg = args_[through.arg];
      arg.base = memory_ + dat.offset;
      arg.stride = static_cast<std::ptrdiff_t>(dat.row_bytes);
      arg.map = table(segment) + through.column - segment.begin * columns();
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
  void copy_staged(const op_exec_segment &segment, bool back) {
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
  void copy_direct(const op_exec_segment &segment, bool back) {
    if (layout_.direct.empty()) return;
    const int64_t *const offset = plan_.slot_offset + static_cast<std::ptrdiff_t>(segment.staged) * plan_.ngroups;
    const int64_t owned = offset[1] - offset[0];
    for (const OwnerLayout::Direct &direct : layout_.direct) {
      const RowPlace real = place_of(run_, direct.arg);
      for (int n = segment.begin; n < segment.end; ++n) {
        if (table(segment)[(n - segment.begin) * columns()] >= owned) continue;
        char *const mine = args_[direct.arg].base + n * args_[direct.arg].stride;
        if (real.contiguous())
          std::memcpy(back ? real.at(n) : mine, back ? mine : real.at(n), direct.row_bytes);
        else
          real.copy(n, mine, back);
      }
    }
  }

  const Run &run_;
  const op_exec_plan &plan_;
  const OwnerLayout &layout_;
  ThreadArgs args_;
  char *memory_;
};

void run_part(const Run &run, const Records &records, int part) {
  const op_exec_plan &plan = *run.call->plan;
  ThreadArgs args(run);
  Staging staging(run, part);
  const int32_t last = plan.part_offset[part + 1];
  for (int32_t s = plan.part_offset[part]; s < last && !run.failure->happened(); ++s) {
    const op_exec_segment &segment = plan.segments[s];
    char *record = nullptr;
    if (records.any()) record = segment.block >= 0 ? records.of(segment.block, part) : staging.dropped_record();
    if (segment.staged >= 0) {
      staging.run(segment, record);
      continue;
    }
    if (record) args.reduce_into(run, record);
    args.run(run, segment.begin, segment.end);
  }
}

} // namespace

// May elements be run twice, once for each owner of a row? Increments read nothing but the row itself, and rows that
// are only written can be written again; whatever is read must not be written by the loop.
bool can_own(const op_exec_signature &signature) {
  for (int i = 0; i < signature.nargs; ++i) {
    const op_exec_arg &a = signature.args[i];
    if (a.dat < 0 || !writes(a.access)) continue;
    if (a.map < 0 && a.access != OP_WRITE) return false;
    if (a.map >= 0 && a.access == OP_RW) return false;
    for (int j = 0; j < signature.nargs; ++j) {
      const op_exec_arg &b = signature.args[j];
      if (b.dat == a.dat && i != j && (a.map < 0 || b.map < 0 || b.access != a.access)) return false;
    }
  }
  return true;
}

OwnerLayout owner_layout(const op_exec_signature &signature, const op_exec_plan &plan) {
  OwnerLayout layout;
  std::vector<size_t> most_slots(static_cast<size_t>(plan.ngroups));
  size_t most_elements = 0;
  for (int32_t s = 0; s < plan.part_offset[plan.nparts]; ++s) {
    const op_exec_segment &segment = plan.segments[s];
    if (segment.staged < 0) continue;
    most_elements = std::max(most_elements, static_cast<size_t>(segment.end - segment.begin));
    for (size_t g = 0; g < most_slots.size(); ++g) {
      const int64_t *const offset = plan.slot_offset + static_cast<std::ptrdiff_t>(segment.staged) * plan.ngroups +
                                    static_cast<std::ptrdiff_t>(g);
      most_slots[g] = std::max(most_slots[g], static_cast<size_t>(offset[1] - offset[0]) + 1);
    }
  }
  if (signature.reduce) layout.bytes = whole_lines(signature.reduce->record_bytes);
  for (int i = 0; i < signature.nargs; ++i) {
    const op_exec_arg &arg = signature.args[i];
    if (arg.dat < 0 || !writes(arg.access)) continue;
    if (arg.map < 0) {
      layout.direct.push_back({i, row_bytes(arg), layout.bytes});
      layout.bytes += whole_lines(row_bytes(arg) * most_elements);
      continue;
    }
    const auto same = std::find_if(layout.dats.begin(), layout.dats.end(), [&](const OwnerLayout::StagedDat &dat) {
      return signature.args[dat.any_arg].dat == arg.dat;
    });
    const size_t dat = static_cast<size_t>(same - layout.dats.begin());
    if (same == layout.dats.end()) {
      layout.dats.push_back({group_of(signature, plan, arg.dat), row_bytes(arg), layout.bytes, i});
      layout.bytes += whole_lines(row_bytes(arg) * most_slots[static_cast<size_t>(layout.dats.back().group)]);
    }
    layout.through.push_back({i, dat, local_column(plan, layout.dats[dat].group, arg)});
  }
  return layout;
}

void run_owner(const Run &run, const Records &records) {
  const int parts = run.call->plan->nparts;
#pragma omp parallel for num_threads(parts) schedule(static, 1)
  for (int part = 0; part < parts; ++part) {
    try {
      run_part(run, records, part);
    } catch (...) { // no memory for the scratch rows
      run.failure->record();
    }
  }
}

} // namespace op2::exec_openmp
