// The loop as a whole, on copies of what it changes: does the order of the elements matter beyond rounding, and does a
// range function of the program do for all elements what the kernel does for each?
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "exec_check.hpp"
#include "plugins/exec_common/arguments.hpp"
#include "plugins/exec_common/in_order.hpp"
#include "values.hpp"

namespace op2::exec_check {

using exec_common::row_bytes;

namespace {

// Copies of everything that a loop changes, and its arguments pointed there.
class World {
 public:
  explicit World(const CheckedRun &run) : run_(run), args_(run.call.args, run.call.args + run.signature().nargs) {
    const op_exec_signature &signature = run.signature();
    for (const Target &target : run.kernel.targets) {
      const op_exec_arg &arg = run.arg(target.arg);
      std::vector<char> &copy = copies_.emplace_back();
      if (is_shared(arg)) {
        const char *const value = run.call.args[target.arg].base;
        copy.assign(value, value + row_bytes(arg));
        args_[static_cast<std::size_t>(target.arg)].base = copy.data();
      }
      if (target.dat < 0) continue;
      const char *const from = run.call.args[target.arg].base;
      copy.assign(from, from + static_cast<std::size_t>(arg.rows) * row_bytes(arg));
      for (int i = 0; i < signature.nargs; ++i)
        if (run.arg(i).dat == target.dat && args_[static_cast<std::size_t>(i)].kind != OP_RANGE_ABSENT)
          args_[static_cast<std::size_t>(i)].base = copy.data();
    }
    if (!signature.reduce) return;
    const char *const start = static_cast<const char *>(run.call.reduce_start);
    record_.assign(start, start + signature.reduce->record_bytes);
    exec_common::point_into(*signature.reduce, record_.data(), args_.data());
  }
  World(const World &) = delete;
  World &operator=(const World &) = delete;

  // Element n, by the kernel.
  void run(int n) const { call(run_.kernel.generic ? run_.kernel.generic : run_.kernel.range, n, n + 1); }
  // All elements, as the real run will do it.
  void run_all() const { call(run_.kernel.range, run_.call.begin, run_.call.end); }
  // What target t was, and what it became: all rows of a dat, or the variable.
  const char *before(std::size_t t) const {
    const Target &target = run_.kernel.targets[t];
    return run_.source[static_cast<std::size_t>(run_.kernel.frame.first_slot[static_cast<std::size_t>(target.arg)])]
        .base;
  }
  const char *data(std::size_t t) const {
    const Target &target = run_.kernel.targets[t];
    return target.dat >= 0 ? copies_[t].data() : args_[static_cast<std::size_t>(target.arg)].base;
  }

 private:
  void call(op_range_fn function, int begin, int end) const {
    const op_range_ctx ctx{sizeof(op_range_ctx), args_.data(), run_.signature().nargs, 0, run_.kernel.element, nullptr};
    function(&ctx, begin, end);
  }

  const CheckedRun &run_;
  std::vector<std::vector<char>> copies_;
  std::vector<char> record_;
  std::vector<op_range_arg> args_;
};

// A way through [begin, end): backwards, or with a stride that meets every element once and leaves no neighbours
// together. The same in every run of the program.
class Order {
 public:
  Order(int begin, int end, std::uint64_t seed) : begin_(begin), count_(end - begin), seed_(seed) {
    if (seed == 0 || count_ < 3) return;
    std::uint64_t mixed = seed * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 29;
    stride_ = static_cast<std::int64_t>(mixed % static_cast<std::uint64_t>(count_ - 2)) + 2;
    while (std::gcd(stride_, static_cast<std::int64_t>(count_)) != 1) stride_ = stride_ % count_ + 1;
  }
  int operator()(int k) const {
    if (seed_ == 0) return begin_ + count_ - 1 - k;
    return begin_ + static_cast<int>((static_cast<std::int64_t>(k) * stride_ + count_ / 2) % count_);
  }
  const char *name() const { return seed_ == 0 ? "backwards" : "in a shuffled order"; }

 private:
  int begin_, count_;
  std::uint64_t seed_;
  std::int64_t stride_ = 1;
};

// Elements that lead to a row of a dat, and through which arguments.
struct Meeting {
  int element, arg;
};
std::vector<Meeting> who_meets(CheckedRun &run, int dat, std::ptrdiff_t row) {
  std::vector<Meeting> out;
  for (int n = run.call.begin; n < run.call.end && out.size() < 2; ++n) {
    run.locate(n);
    for (std::size_t i = 0; i < run.slots(); ++i) {
      const int arg = run.slot(i).arg;
      if (run.arg(arg).dat != dat || (run.rows[i] - run.source[i].base) / run.source[i].stride != row) continue;
      if (out.empty() || out.back().element != n) out.push_back({n, arg});
    }
  }
  return out;
}

// "component 2 of row 4 of dat 'q'", or of a variable.
std::string place_of(const CheckedRun &run, const Target &target, std::ptrdiff_t at) {
  const int dim = run.arg(target.arg).dim;
  if (target.dat < 0) return "component " + std::to_string(at) + " of " + about(run, target.arg);
  return "component " + std::to_string(at % dim) + " of row " + row_number(run, target.arg, at / dim) + " of dat " +
         name_of(run.signature().names[target.arg].dat);
}

// Through which elements and arguments a row depends on the order; blamed: one of the arguments.
std::string culprits(CheckedRun &run, const Target &target, std::ptrdiff_t row, int &blamed) {
  const std::vector<Meeting> met = who_meets(run, target.dat, row);
  const std::string set = " of set " + name_of(run.signature().set_name);
  if (met.empty()) return {};
  const bool only_added = std::all_of(met.begin(), met.end(),
                                      [&](const Meeting &meeting) { return run.arg(meeting.arg).access == OP_INC; });
  if (met.size() == 1 || only_added)
    return ". Element " + element_number(run, met[0].element) + set +
           " computes it from values that other elements of this loop change";
  blamed = met[0].arg;
  return ". Elements " + element_number(run, met[0].element) + " and " + element_number(run, met[1].element) + set +
         " both use that row: the first through " + about(run, met[0].arg) + ", the second through " +
         about(run, met[1].arg);
}

// a, b: the component at `at`, in order and otherwise.
void report(CheckedRun &run, const Target &target, std::ptrdiff_t at, const Slot &slot, const char *a, const char *b,
            const Order &order) {
  const auto [natural, other] = print_both(slot, a, b, 0);
  int blamed = target.arg;
  std::string message = "the result depends on the order of the elements: " + place_of(run, target, at) + " becomes " +
                        natural + " when they run in order, and " + other + " when they run " + order.name();
  if (target.dat >= 0) message += culprits(run, target, at / run.arg(target.arg).dim, blamed);
  found(run, Kind::order, blamed,
        message +
            ". Let elements add to shared rows (OP_INC), write only rows of their own, or read from a dat that this "
            "loop does not change");
}

// Within what rounding can do to a sum of `terms` numbers? It is right to that many times the unit, and some orders
// come near that: small terms after large ones are lost. magnitude: of all that was added up; inputs: of all that
// kernels read to do so, which some terms cancelled from.
bool close(double a, double b, double magnitude, double inputs, double unit, int terms) {
  constexpr double cancelled_terms = 64; // in a kernel
  if (std::isnan(a) && std::isnan(b)) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return a == b || std::fabs(a - b) <=
                       std::max(4096, terms) * unit * (std::fabs(a) + magnitude) + cancelled_terms * unit * inputs;
}

// The components of a target, in the order of memory: visit(position, offset in bytes) until it returns false.
template <class Visit>
void each_component(const CheckedRun &run, const Target &target, Visit &&visit) {
  const op_exec_arg &arg = run.arg(target.arg);
  const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(target.dat >= 0 ? arg.rows : 1) * arg.dim;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    if (!visit(i, static_cast<std::size_t>(i) * static_cast<std::size_t>(arg.type_size))) return;
}

const Slot &slot_of(const CheckedRun &run, const Target &target) {
  return run.slot(static_cast<std::size_t>(run.kernel.frame.first_slot[static_cast<std::size_t>(target.arg)]));
}

// Which payload the winner has among equals is up to the order, and how sums of user types round is not known.
bool comparable(const CheckedRun &run, const Target &target) {
  const op_exec_arg &arg = run.arg(target.arg);
  const Role role = slot_of(run, target).role;
  if (target.dat < 0 && (role == Role::free || role == Role::scratch)) return false;
  return arg.type != OP_TYPE_USER || arg.access != OP_INC;
}

void compare(CheckedRun &run, const World &natural, const World &other, const Order &order) {
  for (std::size_t t = 0; t < run.kernel.targets.size(); ++t) {
    const Target &target = run.kernel.targets[t];
    const Slot &slot = slot_of(run, target);
    if (!comparable(run, target) || (is_real(slot.type) && run.kernel.step > 1)) continue; // or no scale is known
    const char *const a = natural.data(t), *const b = other.data(t);
    each_component(run, target, [&](std::ptrdiff_t i, std::size_t at) {
      if (same_row(a + at, b + at, static_cast<std::size_t>(slot.type_size))) return true;
      const auto component = static_cast<std::size_t>(i), row = component / static_cast<std::size_t>(slot.dim);
      if (is_real(slot.type) &&
          close(value_of(slot, a + at, 0), value_of(slot, b + at, 0), target.scale[component] + target.cancelled,
                target.inputs[row], rounding(slot.type), target.changes[row]))
        return true;
      report(run, target, i, slot, a + at, b + at, order);
      return false;
    });
  }
}

// A range function may round otherwise than the kernel does by itself, so what counts is whether many values are
// others.
void compare_all(CheckedRun &run, const World &natural) {
  const World by_range(run);
  by_range.run_all();
  for (std::size_t t = 0; t < run.kernel.targets.size(); ++t) {
    const Target &target = run.kernel.targets[t];
    const Slot &slot = slot_of(run, target);
    if (!comparable(run, target) || slot.type == OP_TYPE_USER || run.kernel.step > 1) continue;
    const char *const old = natural.before(t), *const a = natural.data(t), *const b = by_range.data(t);
    std::ptrdiff_t changed = 0, different = 0, example = 0;
    each_component(run, target, [&](std::ptrdiff_t i, std::size_t at) {
      const double before = value_of(slot, old + at, 0), by_kernel = value_of(slot, a + at, 0),
                   all = value_of(slot, b + at, 0), distance = std::fabs(by_kernel - all);
      if (before == by_kernel && before == all) return true;
      ++changed;
      const double magnitude = is_real(slot.type) ? target.scale[static_cast<std::size_t>(i)] + target.cancelled : 0;
      const double least = is_real(slot.type) ? 1e-9 * run.kernel.largest : 0;
      if (!std::isfinite(distance) || distance <= std::max(1e-3 * magnitude, least)) return true;
      if (different++ == 0) example = i;
      return true;
    });
    if (8 * different <= changed) continue;
    const std::size_t at = static_cast<std::size_t>(example) * static_cast<std::size_t>(slot.type_size);
    const auto [right, wrong] = print_both(slot, a + at, b + at, 0);
    return found(run, Kind::range, target.arg,
                 "the range function is not the kernel: for elements " + std::to_string(run.call.begin) + " to " +
                     std::to_string(run.call.end - 1) + " it gives other values in " + std::to_string(different) +
                     " of " + std::to_string(changed) + " places, for instance " + place_of(run, target, example) +
                     " = " + wrong + " instead of " + right +
                     ". It must do for each element from begin to end what the kernel does");
  }
}

} // namespace

bool now_and_then(const op_exec_kernel_s &kernel) {
  std::int64_t due = 1;
  while (due < kernel.calls) due *= 4;
  return due == kernel.calls;
}

bool order_is_due(const op_exec_kernel_s &kernel) { return kernel.order_matters || now_and_then(kernel); }

// What a row holds is a term of its sum, too: a loop may come in several runs, and the later ones add to what the first
// left.
void add_what_is_there(CheckedRun &run, Target &target) {
  const Slot &slot = slot_of(run, target);
  const auto &source =
      run.source[static_cast<std::size_t>(run.kernel.frame.first_slot[static_cast<std::size_t>(target.arg)])];
  const std::size_t dim = static_cast<std::size_t>(run.arg(target.arg).dim);
  for (std::size_t i = 0; i < target.scale.size(); ++i)
    target.scale[i] = std::fabs(
        value_of(slot, source.base + static_cast<std::ptrdiff_t>(i / dim) * source.stride, static_cast<int>(i % dim)));
}

void begin_scales(CheckedRun &run) {
  for (Target &target : run.kernel.targets) {
    const op_exec_arg &arg = run.arg(target.arg);
    const std::size_t rows = static_cast<std::size_t>(target.dat >= 0 ? arg.rows : 1);
    target.cancelled = 0;
    if (!is_real(arg.type)) continue;
    target.changes.assign(rows, 0);
    target.inputs.assign(rows, 0.0);
    target.scale.assign(rows * static_cast<std::size_t>(arg.dim), 0.0);
    if (target.dat >= 0 && arg.access == OP_INC) add_what_is_there(run, target);
  }
}

void check_order(CheckedRun &run) {
  const int begin = run.call.begin, end = run.call.end;
  if (!run.kernel.targets.empty() && !run.kernel.suspect && begin < end) {
    const World natural(run);
    for (int n = begin; n < end; ++n) natural.run(n);
    if (run.kernel.by_range && run.wants(Kind::range)) compare_all(run, natural);
    std::vector<Order> orders;
    if (run.kernel.calls % 2 == 1 || !run.kernel.order_matters)
      orders.emplace_back(begin, end, static_cast<std::uint64_t>(run.kernel.calls));
    if (run.kernel.calls % 2 == 0 || run.kernel.calls == 1) orders.emplace_back(begin, end, 0u);
    if (end - begin < 2 || run.kernel.in_order || !run.wants(Kind::order)) orders.clear();
    for (const Order &order : orders) {
      const World other(run);
      for (int k = 0; k < end - begin; ++k) other.run(order(k));
      compare(run, natural, other, order);
    }
  }
  for (Target &target : run.kernel.targets)
    target.scale = std::vector<double>(), target.inputs = std::vector<double>(), target.changes = std::vector<int>();
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
