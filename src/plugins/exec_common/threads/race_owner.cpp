// Parts of the rows: each runs all elements that write one of its rows, in the order of the set, so rows
// receive their increments as on seq. An element whose rows have several owners is run by each of them in scratch rows
// (staging.cpp).
#include <algorithm>

#include "staging.hpp"

namespace op2::exec_threads {

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

// How many rows of the group the part owns in a segment at most.
size_t own_rows(const op_exec_plan &plan, const op_exec_segment &segment, size_t group) {
  if (plan.own)
    return static_cast<size_t>((segment.end - segment.begin) *
                               (plan.group_offset[group + 1] - plan.group_offset[group]));
  const int64_t *const offset = plan.slot_offset + static_cast<std::ptrdiff_t>(segment.staged) * plan.ngroups + group;
  return static_cast<size_t>(offset[1] - offset[0]);
}

int local_column(const op_exec_plan &plan, int group, const op_exec_arg &arg) {
  int c = plan.group_offset[group];
  while (plan.column_map[c] != arg.map || plan.column[c] != arg.column) ++c;
  return c;
}

char *scratch_of(const Run &run, int thread) {
  std::vector<char> &memory = run.exec->scratch[static_cast<size_t>(thread)];
  if (memory.size() < run.owner->bytes + 64) memory.resize(run.owner->bytes + 64);
  return at_cache_line(memory);
}

void run_part(const Run &run, const Records &records, int part, int thread) {
  const op_exec_plan &plan = *run.call->plan;
  ThreadArgs args(run);
  Staging staging(run, scratch_of(run, thread));
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
  const auto groups = static_cast<size_t>(plan.ngroups);
  layout.most_slots.assign(groups, 1);
  size_t most_elements = 0;
  for (int32_t s = 0; s < plan.part_offset[plan.nparts]; ++s) {
    const op_exec_segment &segment = plan.segments[s];
    if (segment.staged == -1) continue;
    const auto elements = static_cast<size_t>(segment.end - segment.begin);
    most_elements = std::max(most_elements, elements);
    for (size_t g = 0; g < groups; ++g)
      layout.most_slots[g] = std::max(layout.most_slots[g], own_rows(plan, segment, g) + 1);
  }
  layout.columns.resize(static_cast<size_t>(plan.group_offset[plan.ngroups]));
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
      layout.bytes += whole_lines(row_bytes(arg) * layout.most_slots[static_cast<size_t>(layout.dats.back().group)]);
    }
    layout.through.push_back({i, dat, local_column(plan, layout.dats[dat].group, arg)});
    for (int j = 0; j < exec_common::pointers(arg); ++j)
      layout.columns[static_cast<size_t>(layout.through.back().column + j)] = {i, j, layout.dats[dat].group};
  }
  return layout;
}

void run_owner(const Run &run, const Records &records) {
  share(run.exec, run.team(), run.call->plan->nparts, [&](int part, int thread) {
    try {
      run_part(run, records, part, thread);
    } catch (...) { // no memory for the scratch rows
      run.failure->without_memory();
    }
  });
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
