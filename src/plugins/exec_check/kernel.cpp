#include <algorithm>
#include <new>

#include "exec_check.hpp"
#include "values.hpp"

namespace op2::exec_check {

namespace {

bool writes(op_access access) { return access != OP_READ; }

// Slots that may turn out to be one row: same dat, one of them written, and not both only added to.
std::vector<std::pair<int, int>> possible_aliases(const op_exec_signature &signature, const Frame &frame) {
  std::vector<std::pair<int, int>> out;
  for (std::size_t i = 0; i < frame.slots.size(); ++i)
    for (std::size_t j = i + 1; j < frame.slots.size(); ++j) {
      const op_exec_arg &a = signature.args[frame.slots[i].arg], &b = signature.args[frame.slots[j].arg];
      if (a.dat < 0 || a.dat != b.dat) continue;
      if ((writes(a.access) || writes(b.access)) && !(a.access == OP_INC && b.access == OP_INC))
        out.emplace_back(static_cast<int>(i), static_cast<int>(j));
    }
  return out;
}

// Can the elements' order change more than rounding, if kernels keep to what they declare?
bool order_matters(const op_exec_signature &signature) {
  for (int i = 0; i < signature.nargs; ++i)
    for (int j = i; j < signature.nargs; ++j) {
      const op_exec_arg &a = signature.args[i], &b = signature.args[j];
      if (a.dat < 0 || a.dat != b.dat) continue;
      if ((a.map >= 0 || b.map >= 0) && (writes(a.access) || writes(b.access)) &&
          !(a.access == OP_INC && b.access == OP_INC))
        return true;
    }
  return false;
}

std::vector<Target> changed_things(const op_exec_signature &signature) {
  std::vector<Target> out;
  for (int i = 0; i < signature.nargs; ++i) {
    const op_exec_arg &arg = signature.args[i];
    if (!writes(arg.access) || arg.kind == OP_RANGE_ABSENT) continue;
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const Target &target) { return arg.dat >= 0 && target.dat == arg.dat; });
    if (!known) out.push_back({i, arg.dat, {}, {}, {}, 0});
  }
  return out;
}

void prepare(op_exec_kernel_s &kernel) {
  kernel.frame = make_frame(*kernel.signature);
  std::size_t bytes = 0;
  for (const Slot &slot : kernel.frame.slots) bytes += slot.bytes;
  kernel.step = 1 + static_cast<int>(bytes / modest_bytes);
  kernel.numbered = std::any_of(kernel.signature->args, kernel.signature->args + kernel.signature->nargs,
                                [](const op_exec_arg &arg) { return arg.kind == OP_RANGE_INDEX; });
  const Form form = kernel.generic ? Form::element : Form::range;
  kernel.first = std::make_unique<Arena>(kernel, form, first_pattern);
  kernel.second = std::make_unique<Arena>(kernel, form, second_pattern);
  kernel.probe = std::make_unique<Arena>(kernel, form, first_pattern);
  if (kernel.native_range && kernel.generic)
    kernel.by_range = std::make_unique<Arena>(kernel, Form::range, second_pattern);
  for (int variant = 0; variant < poison_variants; ++variant) {
    std::vector<char> &poison = kernel.poison.emplace_back(kernel.frame.bytes());
    for (const Slot &slot : kernel.frame.slots) fill_poison(slot, variant, poison.data() + slot.offset);
  }
  kernel.start.resize(kernel.frame.bytes());
  kernel.targets = changed_things(*kernel.signature);
  for (const Slot &slot : kernel.frame.slots) {
    const std::size_t dim = static_cast<std::size_t>(slot.dim);
    kernel.range_agrees.push_back({std::vector<int>(dim), std::vector<int>(dim)});
  }
  kernel.aliases = possible_aliases(*kernel.signature, kernel.frame);
  kernel.in_order = std::any_of(kernel.signature->args, kernel.signature->args + kernel.signature->nargs, is_shared);
  kernel.order_matters = !kernel.in_order && order_matters(*kernel.signature);
}

} // namespace

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  try {
    auto made = std::make_unique<op_exec_kernel_s>();
    made->exec = exec;
    made->signature = signature;
    made->element = source->element;
    made->range = source->range;
    made->generic = source->generic;
    made->native_range = source->range_is_native != 0;
    made->name = signature->name;
    made->file = source->file ? source->file : "";
    made->line = source->line;
    prepare(*made);
    *kernel = made.release();
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for copies of the rows of one element");
  }
}

void kernel_free(op_exec *, op_exec_kernel *kernel) { delete kernel; }

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) {
  return kernel->native_range ? "range, checked" : "element, checked";
}

// As seq, so that sums have its bits.
op_status kernel_plan_request(op_exec *, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  request->plan = kernel->signature->reduce ? OP_PLAN_BLOCKS : OP_PLAN_NONE;
  request->block_size = 0;
  request->chains = kernel->exec->options.wants(Kind::chain) ? 1 : 0;
  return OP_OK;
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
