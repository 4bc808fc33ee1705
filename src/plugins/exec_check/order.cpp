// Does the order of the elements matter beyond rounding? The loop runs in other orders on copies of what it changes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "exec_check.hpp"

namespace op2::exec_check {

namespace {

// Copies of everything that a loop changes, and its arguments pointed there.
class World {
 public:
  explicit World(const Run &run) : run_(run), args_(run.call.args, run.call.args + run.signature().nargs) {
    const op_exec_signature &signature = run.signature();
    for (const Target &target : run.kernel.targets) {
      const op_exec_arg &arg = run.arg(target.arg);
      std::vector<char> &copy = copies_.emplace_back();
      if (target.dat < 0) continue;
      const char *const from = run.call.args[target.arg].base;
      copy.assign(from, from + static_cast<std::size_t>(arg.rows) * static_cast<std::size_t>(arg.type_size) *
                                   static_cast<std::size_t>(arg.dim));
      for (int i = 0; i < signature.nargs; ++i)
        if (run.arg(i).dat == target.dat && args_[static_cast<std::size_t>(i)].kind != OP_RANGE_OFF)
          args_[static_cast<std::size_t>(i)].base = copy.data();
    }
    if (!signature.reduce) return;
    const char *const start = static_cast<const char *>(run.call.reduce_start);
    record_.assign(start, start + signature.reduce->record_bytes);
    for (int place = 0; place < signature.reduce->count; ++place)
      args_[static_cast<std::size_t>(signature.reduce->arg[place])].base =
          record_.data() + signature.reduce->offset[place];
  }
  World(const World &) = delete;
  World &operator=(const World &) = delete;

  void run(int n) const {
    const op_range_ctx ctx{sizeof(op_range_ctx), args_.data(), run_.signature().nargs, 0, run_.kernel.element};
    (run_.kernel.generic ? run_.kernel.generic : run_.kernel.range)(&ctx, n, n + 1);
  }
  // What target t became: all rows of a dat, or the variable.
  const char *data(std::size_t t) const {
    const Target &target = run_.kernel.targets[t];
    return target.dat >= 0 ? copies_[t].data() : args_[static_cast<std::size_t>(target.arg)].base;
  }

 private:
  const Run &run_;
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
std::vector<Meeting> who_meets(Run &run, int dat, std::ptrdiff_t row) {
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

void report(Run &run, const Target &target, int at, const char *natural, const char *other, const Order &order) {
  const op_exec_arg &arg = run.arg(target.arg);
  Slot slot{};
  slot.type = arg.type;
  slot.type_size = arg.type_size;
  std::string message = "the result depends on the order of the elements: ";
  if (target.dat >= 0)
    message += "component " + std::to_string(at % arg.dim) + " of row " + std::to_string(at / arg.dim) + " of dat " +
               name_of(run.signature().names[target.arg].dat);
  else
    message += "component " + std::to_string(at) + " of " + about(run, target.arg);
  message += " becomes " + print(slot, natural, at) + " when they run in order, and " + print(slot, other, at) +
             " when they run " + order.name();
  int blamed = target.arg;
  if (target.dat >= 0) {
    const std::vector<Meeting> met = who_meets(run, target.dat, at / arg.dim);
    if (met.size() == 2) {
      blamed = met[0].arg;
      message += ". Elements " + std::to_string(met[0].element) + " and " + std::to_string(met[1].element) +
                 " of set " + name_of(run.signature().set_name) + " both use that row: the first through " +
                 about(run, met[0].arg) + ", the second through " + about(run, met[1].arg);
    } else if (met.size() == 1) {
      message += ". Element " + std::to_string(met[0].element) + " of set " + name_of(run.signature().set_name) +
                 " computes it from values that other elements of this loop change";
    }
  }
  found(run, Kind::order, blamed,
        message +
            ". Let elements add to shared rows (OP_INC), write only rows of their own, or read from a dat that this "
            "loop does not change");
}

// Within what rounding can do, given how much was added up?
bool close(double a, double b, double scale, double unit, int elements) {
  if (std::isnan(a) && std::isnan(b)) return true;
  const double sums = std::max(4096.0, 16.0 * std::sqrt(static_cast<double>(elements)));
  return a == b || std::fabs(a - b) <= sums * unit * (std::fabs(a) + scale);
}

void compare(Run &run, const World &natural, const World &other, const Order &order) {
  for (std::size_t t = 0; t < run.kernel.targets.size(); ++t) {
    const Target &target = run.kernel.targets[t];
    const op_exec_arg &arg = run.arg(target.arg);
    const Slot &first =
        run.slot(static_cast<std::size_t>(run.kernel.frame.first_slot[static_cast<std::size_t>(target.arg)]));
    if (first.role == Role::free && target.dat < 0) continue; // among equals the winner's payload is up to the order
    const int count = (target.dat >= 0 ? arg.rows : 1) * arg.dim;
    const char *const a = natural.data(t), *const b = other.data(t);
    Slot slot = first;
    const std::size_t size = static_cast<std::size_t>(arg.type_size);
    for (int i = 0; i < count; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * size;
      if (same_row(a + at, b + at, size)) continue;
      if (is_real(arg.type) && run.kernel.step > 1) continue; // how much was added up is not known
      if (is_real(arg.type) &&
          close(value_of(slot, a, i), value_of(slot, b, i), target.scale[static_cast<std::size_t>(i)],
                rounding(arg.type), run.call.end - run.call.begin))
        continue;
      return report(run, target, i, a, b, order);
    }
  }
}

} // namespace

// Where all shared rows are only added to, calls 1, 4, 16, ... are enough.
bool order_is_due(const op_exec_kernel_s &kernel) {
  std::int64_t due = 1;
  while (due < kernel.calls) due *= 4;
  return kernel.order_matters || due == kernel.calls;
}

void check_order(Run &run) {
  const int begin = run.call.begin, end = run.call.end;
  if (end - begin < 2 || run.kernel.targets.empty() || run.kernel.suspect) return;
  const World natural(run);
  for (int n = begin; n < end; ++n) natural.run(n);
  std::vector<Order> orders;
  if (run.kernel.calls % 2 == 1 || !run.kernel.order_matters)
    orders.emplace_back(begin, end, static_cast<std::uint64_t>(run.kernel.calls));
  if (run.kernel.calls % 2 == 0 || run.kernel.calls == 1) orders.emplace_back(begin, end, 0u);
  for (const Order &order : orders) {
    const World other(run);
    for (int k = 0; k < end - begin; ++k) other.run(order(k));
    compare(run, natural, other, order);
  }
}

} // namespace op2::exec_check
