// One call of a loop: check it on copies, then run it as seq does.
#include <cfenv>
#include <exception>
#include <stdexcept>

#include "exec_check.hpp"
#include "plugins/exec_common/host.hpp"
#include "plugins/exec_common/in_order.hpp"

namespace op2::exec_check {

namespace {

CheckedRun::Source source_of(const CheckedRun &run, const Slot &slot) {
  const op_range_arg &arg = run.call.args[slot.arg];
  switch (arg.kind) {
    case OP_RANGE_DIRECT:
      return {arg.base, arg.stride, nullptr, 0};
    case OP_RANGE_INDIRECT:
    case OP_RANGE_VECTOR:
      return {arg.base, arg.stride, arg.map ? arg.map + slot.column : nullptr, arg.map_stride};
    case OP_RANGE_INDEX:
      return {reinterpret_cast<const char *>(&run.number), 0, nullptr, 0};
    case OP_RANGE_MAP_INDEX:
      return {reinterpret_cast<const char *>(arg.map), arg.map_stride * static_cast<std::ptrdiff_t>(sizeof(int)),
              nullptr, 0};
    default: {
      const op_exec_reduce *reduce = run.signature().reduce;
      for (int place = 0; reduce && place < reduce->count; ++place)
        if (reduce->arg[place] == slot.arg)
          return {static_cast<const char *>(run.call.reduce_start) + reduce->offset[place], 0, nullptr, 0};
      return {arg.base, 0, nullptr, 0};
    }
  }
}

void run_as_seq(op_exec_kernel_s &kernel, const op_exec_call &call) {
  const op_exec_signature &signature = *kernel.signature;
  std::vector<op_range_arg> args(call.args, call.args + signature.nargs);
  const op_range_ctx ctx{sizeof(op_range_ctx), args.data(), signature.nargs, 0, kernel.element, nullptr};
  if (!signature.reduce) return kernel.range(&ctx, call.begin, call.end);
  exec_common::run_blocks(*signature.reduce, call, kernel.exec->record, args.data(),
                          [&](int begin, int end) { kernel.range(&ctx, begin, end); });
}

// Nothing that happens on copies shall stop a program that asks for floating point exceptions.
class NoTraps {
 public:
  NoTraps() { std::feholdexcept(&before_); }
  ~NoTraps() { std::fesetenv(&before_); }
  NoTraps(const NoTraps &) = delete;
  NoTraps &operator=(const NoTraps &) = delete;

 private:
  std::fenv_t before_;
};

void check(CheckedRun &run) {
  const NoTraps no_traps;
  const bool orders = (run.wants(Kind::order) || run.wants(Kind::range)) && order_is_due(run.kernel);
  if (orders) begin_scales(run);
  try {
    check_elements(run, orders);
    if (run.wants(Kind::state) && now_and_then(run.kernel)) check_variables(run);
  } catch (const std::exception &thrown) { // by the kernel; a Finding is no std::exception
    throw std::runtime_error(thrown.what() + (" (" + here(run) + ")"));
  }
  if (orders) check_order(run);
}

} // namespace

CheckedRun::CheckedRun(op_exec_kernel_s &the_kernel, const op_exec_call &the_call)
    : kernel(the_kernel), call(the_call), rows(the_kernel.frame.slots.size()), number(0) {
  for (const Slot &slot : kernel.frame.slots) {
    source.push_back(source_of(*this, slot));
    const char *const base = source.back().base;
    if (is_shared(arg(slot.arg))) carried.push_back({source.size() - 1, {base, base + slot.bytes}});
  }
}

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  try {
    ++kernel->calls;
    CheckedRun run(*kernel, *call);
    check(run);
    run_as_seq(*kernel, *call);
  } catch (const Finding &finding) {
    return exec->host->fail(exec->host, OP_ERR_CHECK, finding.message.c_str());
  } catch (...) {
    return exec_common::kernel_failed(exec->host);
  }
  return OP_OK;
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
