// Why do two runs of one element disagree? More runs, each different in one thing only.
#include <algorithm>
#include <cstring>

#include "exec_check.hpp"
#include "values.hpp"

namespace op2::exec_check {

namespace {

using ArenaContents = std::vector<char>; // the contents of an arena after a run

// Runs the kernel on the present element's rows, after `change` has had its way with them.
template <class Change>
ArenaContents trial(CheckedRun &run, Change &&change) {
  Arena &probe = *run.kernel.probe;
  probe.renew(first_pattern);
  for (std::size_t i = 0; i < run.slots(); ++i) copy_row(probe.row(run.slot(i)), run.rows[i], run.slot(i).bytes);
  change(probe);
  probe.run(run.number, run.call.args);
  ArenaContents rows(run.kernel.frame.bytes());
  for (const Slot &slot : run.kernel.frame.slots) copy_row(rows.data() + slot.offset, probe.row(slot), slot.bytes);
  return rows;
}

struct Difference {
  int slot = -1, component = 0;
  explicit operator bool() const { return slot >= 0; }
};

// The first value a run changed that is not as in another run.
Difference difference(const CheckedRun &run, const ArenaContents &a, const ArenaContents &b, int except = -1) {
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    if (static_cast<int>(i) == except || slot.role == Role::read || slot.role == Role::scratch ||
        slot.role == Role::free)
      continue;
    if (const int c = first_difference(slot, a.data() + slot.offset, b.data() + slot.offset); c >= 0)
      return {static_cast<int>(i), c};
  }
  return {};
}

// "component 2 of row 4 of dat 'q' (argument 1) becomes 5 or 6"
std::string outcomes(const CheckedRun &run, Difference at, const ArenaContents &a, const ArenaContents &b) {
  const Slot &slot = run.slot(static_cast<std::size_t>(at.slot));
  const auto [one, other] = print_both(slot, a.data() + slot.offset, b.data() + slot.offset, at.component);
  return place(run, static_cast<std::size_t>(at.slot), at.component) + " (argument " + std::to_string(slot.arg) +
         ") becomes " + one + " or " + other;
}

bool blame_state(CheckedRun &run, const ArenaContents &plain) {
  ArenaContents first(run.kernel.frame.bytes());
  for (const Slot &slot : run.kernel.frame.slots)
    copy_row(first.data() + slot.offset, run.kernel.first->row(slot), slot.bytes);
  const ArenaContents again = trial(run, [](Arena &) {});
  const ArenaContents &other = difference(run, plain, again) ? again : first;
  const Difference at = difference(run, plain, other);
  if (!at) return false;
  const int arg = run.slot(static_cast<std::size_t>(at.slot)).arg;
  found(run, Kind::state, arg,
        "the kernel gives other results when it runs again on the same values: " + here(run) + ", " +
            outcomes(run, at, other, plain) +
            ". It keeps something from call to call (a static or global variable, random numbers), or uses a local "
            "variable without a value. Make it an argument: a dat, or a global OP_INC, OP_MIN, OP_MAX");
  return true;
}

bool blame_neighbourhood(CheckedRun &run, const ArenaContents &plain) {
  if (!difference(run, plain, trial(run, [](Arena &probe) { probe.renew(second_pattern); }))) return false;
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const ArenaContents rows = trial(run, [&](Arena &probe) { probe.renew_near(run.slot(i), second_pattern); });
    const Difference at = difference(run, plain, rows);
    if (!at) continue;
    const Slot &slot = run.slot(i);
    found(run, Kind::bounds, slot.arg,
          "the kernel reads outside of " + about(run, slot.arg) + ", which has " + std::to_string(slot.dim) +
              (slot.dim == 1 ? " component: " : " components: ") + here(run) + ", " + outcomes(run, at, plain, rows) +
              " depending on what lies beside that row. Correct the index in the kernel, or the dim of the dat");
    return true;
  }
  return false;
}

// A row that is to be written: does something depend on what stood there, and is all of it written?
bool blame_write(CheckedRun &run, const ArenaContents &plain, std::size_t i) {
  const Slot &slot = run.slot(i);
  const bool scratch = slot.role == Role::scratch, variable = run.arg(slot.arg).dat < 0;
  for (const std::vector<char> &poison : run.kernel.poison) {
    const char *const fill = poison.data() + slot.offset;
    const ArenaContents rows = trial(run, [&](Arena &probe) { copy_row(probe.row(slot), fill, slot.bytes); });
    const char *const out1 = plain.data() + slot.offset, *const out2 = rows.data() + slot.offset;
    Difference read = difference(run, plain, rows, static_cast<int>(i));
    int unwritten = -1;
    for (int c = 0; c < slot.dim && !scratch; ++c) {
      const std::size_t at = static_cast<std::size_t>(c) * static_cast<std::size_t>(slot.type_size);
      const std::size_t size = static_cast<std::size_t>(slot.type_size);
      if (same_row(out1 + at, out2 + at, size)) continue;
      if (same_row(out1 + at, run.rows[i] + at, size) && same_row(out2 + at, fill + at, size))
        unwritten = c;
      else if (!read && slot.type != OP_TYPE_USER)
        read = {static_cast<int>(i), c};
    }
    if (read) {
      found(run, Kind::write, slot.arg,
            about(run, slot.arg) + " is read before it is written: " + here(run) + ", " +
                outcomes(run, read, plain, rows) + " depending on what stood in the " +
                (variable ? "variable" : "row") +
                " before. Declare OP_RW, or let the kernel set every component before it reads it");
      return true;
    }
    if (unwritten >= 0) {
      found(run, Kind::partial, slot.arg,
            about(run, slot.arg) + " is not written everywhere: " + here(run) + " the kernel leaves " +
                place(run, i, unwritten) + " as it was. OP_WRITE promises that every component is set" +
                (variable ? "" : ", so a back end need not keep old values") + ": set it always, or declare OP_RW");
      return true;
    }
  }
  return false;
}

bool blame_sum(CheckedRun &run, const ArenaContents &plain, std::size_t i) {
  const Slot &slot = run.slot(i);
  std::vector<char> start(slot.bytes);
  shifted(slot, Starts::far, run.rows[i], plain.data() + slot.offset, start.data());
  const ArenaContents rows = trial(run, [&](Arena &probe) { copy_row(probe.row(slot), start.data(), slot.bytes); });
  const char *const out1 = plain.data() + slot.offset, *const out2 = rows.data() + slot.offset;
  const bool variable = run.arg(slot.arg).dat < 0;
  if (const int c = not_added(slot, Starts::far, run.rows[i], out1, start.data(), out2); c >= 0) {
    const bool overwritten = value_of(slot, out1, c) == value_of(slot, out2, c);
    found(run, Kind::inc, slot.arg,
          about(run, slot.arg) + (overwritten ? " is overwritten" : " is changed") +
              " instead of added to: " + here(run) + ", " + place(run, i, c) + " goes from " +
              print(slot, run.rows[i], c) + " to " + print(slot, out1, c) + ", and from " +
              print(slot, start.data(), c) + " to " + print(slot, out2, c) + ". Use += in the kernel" +
              (variable ? "; for the last, smallest or largest value use OP_MIN, OP_MAX or a reduction of your own"
                        : ", or declare OP_WRITE or OP_RW"));
    return true;
  }
  const Difference at = difference(run, plain, rows, static_cast<int>(i));
  if (!at) return false;
  found(run, Kind::inc, slot.arg,
        about(run, slot.arg) + " is read: " + here(run) + ", " + outcomes(run, at, plain, rows) +
            " depending on what the sum was before. Increments may be collected elsewhere first, so a kernel must not "
            "use the value it adds to: split the loop in two, and read the sum in the second");
  return true;
}

bool blame_extremum(CheckedRun &run, const ArenaContents &plain, std::size_t i) {
  const Slot &slot = run.slot(i);
  std::vector<char> start(slot.bytes);
  beaten(slot, run.rows[i], plain.data() + slot.offset, start.data());
  const ArenaContents rows = trial(run, [&](Arena &probe) { copy_row(probe.row(slot), start.data(), slot.bytes); });
  const char *const out = rows.data() + slot.offset;
  const char *const sign = slot.role == Role::low ? "<" : ">";
  if (const int c = first_difference(slot, start.data(), out); c >= 0) {
    found(run, Kind::inc, slot.arg,
          about(run, slot.arg) + " is overwritten: " + here(run) + ", component " + std::to_string(c) + " goes from " +
              print(slot, start.data(), c) + " to " + print(slot, out, c) +
              ". The kernel must combine with the value it finds: if (x " + sign + " *m) *m = x");
    return true;
  }
  const Difference at = difference(run, plain, rows, static_cast<int>(i));
  if (!at) return false;
  found(run, Kind::inc, slot.arg,
        about(run, slot.arg) + " is used for more than the comparison: " + here(run) + ", " +
            outcomes(run, at, plain, rows) +
            " depending on the extremum so far, which depends on the order of the elements. Split the loop in two, or "
            "use op_arg_payload for values that go with the extremum");
  return true;
}

} // namespace

void diagnose(CheckedRun &run, bool certain) {
  const ArenaContents plain = trial(run, [](Arena &) {});
  if (blame_state(run, plain) || blame_neighbourhood(run, plain)) return;
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Role role = run.slot(i).role;
    if ((role == Role::write || role == Role::scratch) && blame_write(run, plain, i)) return;
    if (role == Role::add && blame_sum(run, plain, i)) return;
    if ((role == Role::low || role == Role::high) && blame_extremum(run, plain, i)) return;
  }
  if (!certain) return;
  found(
      run, Kind::state, -1,
      "the kernel's results depend on more than the values it may use: " + here(run) +
          " two runs disagreed that differ only in what a kernel must not depend on (what stood in rows to be written, "
          "sums so far, memory beside the rows). Several of these seem to work together: look at the kernel's OP_WRITE "
          "and OP_INC arguments, its indices, and variables that live longer than one call");
}

void report_broken_guard(const CheckedRun &run, const Arena &arena, Kind kind, const char *who) {
  const std::size_t byte = arena.first_broken();
  const Slot *nearest = nullptr;
  std::size_t distance = 0;
  for (const Slot &slot : run.kernel.frame.slots) {
    const std::size_t away = byte < slot.offset ? slot.offset - byte : byte - (slot.offset + slot.bytes);
    if (nearest && away >= distance) continue;
    nearest = &slot;
    distance = away;
  }
  if (!nearest) return; // without arguments there is nothing to write to
  const bool behind = byte >= nearest->offset + nearest->bytes;
  const std::size_t size = static_cast<std::size_t>(nearest->type_size);
  const int index =
      behind ? nearest->dim + static_cast<int>(distance / size) : -static_cast<int>((distance + size - 1) / size);
  found(run, kind, nearest->arg,
        std::string(who) + " writes outside of " + about(run, nearest->arg) + ": " + here(run) +
            " it changes what lies " + (behind ? "behind the end" : "before the beginning") +
            " of the row, where index " + std::to_string(index) + " would be; the row has indices 0 to " +
            std::to_string(nearest->dim - 1) + ". Correct the index, or the dim of the dat");
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
