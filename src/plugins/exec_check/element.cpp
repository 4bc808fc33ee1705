// The trial of every element: two runs on copies, and what must hold between them.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "exec_check.hpp"
#include "values.hpp"

namespace op2::exec_check {

namespace {

// Elements at the beginning that are tried in any case, and for which, in the first call of a loop, a range function of
// the program is compared with the kernel.
constexpr int first_elements = 64;
// Elements after which the guard bytes are looked at.
constexpr int guard_interval = 16;

// A row that must be written, after two runs that began with different contents. Bytes of a user type may be padding.
bool written_alike(const Slot &slot, const char *old, const char *out1, const char *poison, const char *out2) {
  if (same_row(out1, out2, slot.bytes)) return true;
  if (slot.type != OP_TYPE_USER) return false;
  for (std::size_t c = 0; c < slot.bytes; c += static_cast<std::size_t>(slot.type_size)) {
    bool any = false;
    for (std::size_t i = c; i < c + static_cast<std::size_t>(slot.type_size); ++i) {
      if (out1[i] != out2[i] && !(out1[i] == old[i] && out2[i] == poison[i])) return false;
      any = any || out1[i] == out2[i];
    }
    if (!any) return false;
  }
  return true;
}

// Some sums of whole numbers begin far away, where a kernel that compares them with a limit takes another branch.
Starts starts_of(const CheckedRun &run, const Slot &slot) {
  return run.number % 4 == 3 && !is_real(slot.type) ? Starts::far : Starts::close;
}

// Both runs, from the rows that run.rows points to.
void run_twice(CheckedRun &run) {
  op_exec_kernel_s &kernel = run.kernel;
  Arena &first = *kernel.first, &second = *kernel.second;
  const std::vector<char> &poison = kernel.poison[static_cast<std::size_t>(run.number % poison_variants)];
  bool later = false;
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    copy_row(first.row(slot), run.rows[i], slot.bytes);
    if (slot.role == Role::write || slot.role == Role::scratch)
      copy_row(second.row(slot), poison.data() + slot.offset, slot.bytes);
    else if (slot.role == Role::add || slot.role == Role::low || slot.role == Role::high)
      later = true;
    else
      copy_row(second.row(slot), run.rows[i], slot.bytes);
  }
  first.run(run.number, run.call.args);
  for (std::size_t i = 0; later && i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    char *const start = kernel.start.data() + slot.offset;
    if (slot.role == Role::add)
      shifted(slot, starts_of(run, slot), run.rows[i], first.row(slot), start);
    else if (slot.role == Role::low || slot.role == Role::high)
      beaten(slot, run.rows[i], first.row(slot), start);
    else
      continue;
    copy_row(second.row(slot), start, slot.bytes);
  }
  second.run(run.number, run.call.args);
}

bool as_promised(const CheckedRun &run, std::size_t i) {
  const op_exec_kernel_s &kernel = run.kernel;
  const Slot &slot = run.slot(i);
  const char *const before = run.rows[i], *const out1 = kernel.first->row(slot), *const out2 = kernel.second->row(slot);
  switch (slot.role) {
    case Role::write: {
      const std::vector<char> &poison = kernel.poison[static_cast<std::size_t>(run.number % poison_variants)];
      return written_alike(slot, before, out1, poison.data() + slot.offset, out2);
    }
    case Role::update:
      return same_row(out1, out2, slot.bytes);
    case Role::add:
      return not_added(slot, starts_of(run, slot), before, out1, kernel.start.data() + slot.offset, out2) < 0;
    case Role::low:
    case Role::high:
      return same_row(kernel.start.data() + slot.offset, out2, slot.bytes);
    default:
      return true;
  }
}

void report_read(const CheckedRun &run, std::size_t i) {
  const Slot &slot = run.slot(i);
  const op_exec_arg &arg = run.arg(slot.arg);
  const char *const now = run.kernel.first->row(slot);
  const int c = std::max(first_difference(slot, run.rows[i], now), 0);
  found(run, Kind::read, slot.arg,
        about(run, slot.arg) + " is written: " + here(run) + " the kernel changes " + place(run, i, c) + " from " +
            print(slot, run.rows[i], c) + " to " + print(slot, now, c) +
            (arg.kind == OP_RANGE_INDEX || arg.kind == OP_RANGE_MAP_INDEX ? ". It cannot be changed"
             : arg.dat >= 0 ? ". Declare OP_RW (or OP_WRITE, OP_INC) if it is meant to"
                            : ". Declare OP_INC, OP_MIN or OP_MAX if it is meant to") +
            "; else make the kernel's parameter a pointer to const, and the compiler will show the place. (Or an index "
            "far outside of another argument's row leads here.)");
}

std::string values_read(const CheckedRun &run) {
  std::string out;
  for (std::size_t i = 0; i < run.slots() && out.size() < 400; ++i) {
    const Slot &slot = run.slot(i);
    if (slot.role == Role::write || slot.role == Role::scratch || slot.role == Role::free) continue;
    out.append(out.empty() ? "argument " : "; argument ").append(std::to_string(slot.arg)).append(" =");
    for (int c = 0; c < std::min(slot.dim, 8); ++c) out.append(" ").append(print(slot, run.rows[i], c));
  }
  return out;
}

// NaN and Inf where everything that went in was finite: this is the element that made them.
void check_wild(const CheckedRun &run) {
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    if (slot.role == Role::read || slot.role == Role::scratch || slot.role == Role::free) continue;
    const int c = first_wild(slot, run.kernel.first->row(slot), run.rows[i]);
    if (c < 0) continue;
    bool something_goes_in = false;
    for (std::size_t j = 0; j < run.slots(); ++j) {
      const Slot &other = run.slot(j);
      const bool goes_in = other.role == Role::read || other.role == Role::update || other.role == Role::add;
      if (goes_in && first_wild(other, run.rows[j], nullptr) >= 0) return;
      something_goes_in = something_goes_in || (goes_in && is_real(other.type));
    }
    if (!something_goes_in) return; // a kernel that only sets values means them
    return found(run, Kind::nan, slot.arg,
                 about(run, slot.arg) + " becomes " + print(slot, run.kernel.first->row(slot), c) + ": " + here(run) +
                     ", " + place(run, i, c) + ". All values that the kernel is given are finite: " + values_read(run) +
                     ". Look for a division by zero, a root or logarithm of a negative number, or "
                     "an overflow in the kernel. Where they are meant: OP2_CHECK=-nan");
  }
}

// Two arguments that are one row, which one of them changes.
void check_aliases(const CheckedRun &run) {
  for (const auto &[i, j] : run.kernel.aliases) {
    std::size_t a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    if (run.rows[a] != run.rows[b]) continue;
    if (run.slot(a).role == Role::read) std::swap(a, b); // a: one that writes
    const Slot &writer = run.slot(a), &other = run.slot(b);
    const char *const written = run.kernel.first->row(writer), *const also = run.kernel.first->row(other);
    if (same_row(written, run.rows[a], writer.bytes) && same_row(also, run.rows[b], other.bytes)) continue;
    if (writer.role == Role::write && other.role == Role::write && same_row(written, also, writer.bytes))
      continue; // they agree
    const int c = std::max(first_difference(writer, written, also), 0);
    const std::string values = same_row(written, also, writer.bytes)
                                   ? ", which each of them changes. What"
                                   : ", which becomes " + print(writer, written, c) + " through the one and is " +
                                         print(other, also, c) + " for the other. What";
    return found(run, Kind::alias, writer.arg,
                 about(run, writer.arg) + " and " + about(run, other.arg) + " are the same row: " + here(run) +
                     " both lead to " + place(run, a, c) + values +
                     " a kernel then sees depends on the back end: use one OP_RW argument, read "
                     "from a copy of the dat, or leave such elements out of the set");
  }
}

// How much a kernel changed a value. A result below the rounding of what stood there was not computed by adding to it
// (the old value was a mark such as 1e30 or infinity), so its own size counts.
double changed(const Slot &slot, int c, const char *before, const char *after) {
  const double in = value_of(slot, before, c), out = value_of(slot, after, c);
  if (!std::isfinite(out)) return 0;
  if (!std::isfinite(in) || std::fabs(out) < rounding(slot.type) * std::fabs(in)) return std::fabs(out);
  return std::fabs(out - in);
}

// Terms that cancel inside a kernel are larger than what it adds. By how much the two runs disagree, beyond the
// rounding of the values they began and ended with, tells how large they were.
double cancelled(const Slot &slot, int c, const char *in1, const char *out1, const char *in2, const char *out2) {
  const double i1 = value_of(slot, in1, c), o1 = value_of(slot, out1, c), i2 = value_of(slot, in2, c),
               o2 = value_of(slot, out2, c), unit = rounding(slot.type);
  const double noise = std::fabs((o2 - o1) - (i2 - i1)) - unit * (std::fabs(i2) + std::fabs(o2));
  return std::isfinite(noise) && noise > 0 ? noise / unit : 0;
}

// The largest real number that the kernel reads: terms of about that size may cancel to much less than it adds, and
// what they leave is rounding. Marks such as 1e30 are no terms.
double largest_input(const CheckedRun &run) {
  constexpr double mark = 1e20;
  double largest = 0;
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    if (slot.role != Role::read || !is_real(slot.type)) continue;
    for (int c = 0; c < slot.dim; ++c)
      if (const double size = std::fabs(value_of(slot, run.rows[i], c)); size < mark) largest = std::max(largest, size);
  }
  return largest;
}

void note_scales(const CheckedRun &run) {
  const double input = largest_input(run);
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    if (slot.role == Role::read || !is_real(slot.type)) continue;
    const int dat = run.arg(slot.arg).dat;
    const char *const before = run.rows[i], *const out1 = run.kernel.first->row(slot),
                      *const start2 = run.kernel.start.data() + slot.offset, *const out2 = run.kernel.second->row(slot);
    for (Target &target : run.kernel.targets) {
      if (dat >= 0 ? target.dat != dat : target.arg != slot.arg) continue;
      const std::ptrdiff_t row =
          run.source[i].stride > 0 ? (run.rows[i] - run.source[i].base) / run.source[i].stride : 0;
      double *const scale = target.scale.data() + row * slot.dim;
      ++target.changes[static_cast<std::size_t>(row)];
      if (slot.role == Role::add) target.inputs[static_cast<std::size_t>(row)] += input;
      for (int c = 0; c < slot.dim; ++c) {
        scale[c] += changed(slot, c, before, out1);
        if (slot.role == Role::add)
          target.cancelled = std::max(target.cancelled, cancelled(slot, c, before, out1, start2, out2));
      }
    }
  }
}

void check_guards(const CheckedRun &run) {
  for (const Arena *arena : {run.kernel.first.get(), run.kernel.second.get()})
    if (!arena->intact()) report_broken_guard(run, *arena, Kind::bounds, "the kernel");
}

// guards_too: look at the guard bytes in any case.
void check_element(CheckedRun &run, bool guards_too) {
  const op_exec_kernel_s &kernel = run.kernel;
  run_twice(run);
  bool strange = false, certain = false, wild = false;
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    const char *const now = kernel.first->row(slot);
    if (slot.role == Role::read) {
      strange = strange || !same_row(run.rows[i], now, slot.bytes);
      continue;
    }
    wild = wild || !all_finite(slot, now);
    if (as_promised(run, i)) continue;
    strange = true;
    certain = certain || slot.role != Role::add;
  }
  if (strange || guards_too) check_guards(run);
  for (std::size_t i = 0; strange && i < run.slots(); ++i)
    if (run.slot(i).role == Role::read && !same_row(run.rows[i], kernel.first->row(run.slot(i)), run.slot(i).bytes)) {
      report_read(run, i);
      strange = false;
    }
  if (strange) diagnose(run, certain);
  if (wild) check_wild(run);
  if (!kernel.aliases.empty()) check_aliases(run);
}

// Guard bytes stay broken, so looking at them now and then is enough; the second time element by element.
void find_broken_guard(CheckedRun &run, int begin, int end) {
  run.kernel.first->renew(first_pattern);
  run.kernel.second->renew(second_pattern);
  for (int n = begin; n < end; ++n) {
    run.locate(n);
    check_element(run, true);
  }
  check_guards(run); // a kernel with a memory may not do it again
}

} // namespace

void check_elements(CheckedRun &run, bool note_scale) {
  const bool compare = run.kernel.by_range && order_is_due(run.kernel) && run.wants(Kind::range);
  const int compared_end = compare ? std::min(run.call.end, run.call.begin + first_elements) : run.call.begin;
  int guarded = run.call.begin; // elements before this one left the guard bytes alone
  for (int n = run.call.begin; n < run.call.end; ++n) {
    const int tried = n - run.call.begin;
    if (tried >= first_elements && tried % run.kernel.step != 0 && n + 1 < run.call.end) continue;
    run.locate(n);
    check_element(run, n < compared_end);
    if (note_scale) note_scales(run);
    if (n < compared_end && (n == 1 || !run.kernel.numbered)) compare_range(run);
    run.carry();
    if (n + 1 == compared_end) judge_range(run);
    if (n + 1 - guarded < guard_interval && n + 1 < run.call.end) continue;
    if (!run.kernel.first->intact() || !run.kernel.second->intact()) find_broken_guard(run, guarded, n + 1);
    guarded = n + 1;
  }
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
