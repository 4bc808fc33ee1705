#include "loop/until/until_loops.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "loop/interpreter.hpp"

namespace op2::core {

namespace {

int position_of_stop(std::span<const op_arg> args) {
  const auto stops = [](const op_arg &arg) { return arg.argtype == OP_ARG_STOP; };
  const auto found = std::ranges::find_if(args, stops);
  if (found == args.end())
    fail(OP_ERR_ARGUMENT, "no argument says where the loop stops; one is to be op_arg_stop(&number)");
  if (std::ranges::count_if(args, stops) > 1)
    fail(OP_ERR_ARGUMENT, "more than one argument is an op_arg_stop(); the kernel says stop through one");
  const int position = static_cast<int>(found - args.begin());
  if (found->data && (found->sent == 0 || found->sent == 1)) return position;
  Error error(OP_ERR_ARGUMENT,
              found->data ? text("numbers of elements begin at 0 or 1, not at ", found->sent)
                          : "the address for the number of the last element is NULL; pass that of an op_gindex");
  error.arg = position;
  throw error;
}

} // namespace

UntilLoop &UntilLoops::find(const LoopCall &call, int stop) {
  forget_changed();
  for (const auto &loop : loops_)
    if (loop->matches(call, stop)) return *loop;
  return *loops_.emplace_back(std::make_unique<UntilLoop>(mesh_, exchanges_, stats_, call, stop, options_));
}

void UntilLoops::run(const LoopCall &call) {
  const int stop = position_of_stop(call.args);
  int flag = 0; // each element has its own
  std::vector<op_arg> args(call.args.begin(), call.args.end());
  op_arg &arg = args[static_cast<std::size_t>(stop)];
  op_gindex *const number = reinterpret_cast<op_gindex *>(arg.data);
  arg.argtype = OP_ARG_GBL;
  arg.data = reinterpret_cast<char *>(&flag);
  const LoopCall plain{call.site, call.name, call.set, args};
  UntilLoop &loop = find(plain, stop);
  const ScopedFlag running(running_);
  *number = loop.run(plain) + arg.sent;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
