#include "loop/fuse/merged_kernel.hpp"

#include <algorithm>

namespace op2::core {

namespace {

bool same_row(const LoopArg &a, const LoopArg &b) {
  return a.dat && a.dat == b.dat && a.map == b.map && a.column == b.column && a.count == b.count && a.kind == b.kind;
}

// Of a row that one kernel accesses after another. What a kernel writes the next one may read, and it need not write
// all of it.
op_access together(op_access a, op_access b) { return a == b ? a : OP_RW; }

} // namespace

MergedKernel::MergedKernel(std::span<const ChainCall> calls, bool awaited) : awaited_(awaited) {
  for (const ChainCall &call : calls) {
    const std::size_t part = loops_.size();
    loops_.push_back(call.loop);
    name_ += (part > 0 ? " + " : "") + call.loop->name();
    std::vector<int> &positions = positions_.emplace_back();
    for (std::size_t i = 0; i < call.loop->what().args.size(); ++i) positions.push_back(add(part, i));
  }
  site_ = site_of(0);
  site_.element = reinterpret_cast<op_kernel_fn>(this); // for run()
  site_.range = run;
  site_.text = nullptr;
  site_.flags = OP_SITE_INDEX_BY_KIND;
}

int MergedKernel::add(std::size_t part, std::size_t at) {
  const LoopArg &arg = loops_[part]->what().args[at];
  for (std::size_t k = 0; k < arguments_.size(); ++k) {
    Argument &known = arguments_[k];
    if (known.part == part || !same_row(loops_[known.part]->what().args[known.at], arg)) continue;
    known.access = together(known.access, arg.access);
    return static_cast<int>(k);
  }
  arguments_.push_back({part, at, arg.access});
  return static_cast<int>(arguments_.size() - 1);
}

const MergedKernel *MergedKernel::of(const op_loop_site &site) {
  return site.range == run ? reinterpret_cast<const MergedKernel *>(site.element) : nullptr;
}

LoopCall MergedKernel::call(std::span<const ChainCall> calls, std::vector<op_arg> &args) const {
  args.clear();
  for (const Argument &argument : arguments_) {
    op_arg &arg = args.emplace_back(calls[argument.part].call.args[argument.at]);
    if (arg.argtype == OP_ARG_DAT) arg.acc = argument.access;
    if (arg.argtype == OP_ARG_INFO && loops_[argument.part]->what().args[argument.at].payload_of >= 0)
      arg.idx = positions_[argument.part][static_cast<std::size_t>(arg.idx)];
  }
  return {&site_, name_.c_str(), calls.front().call.set, args};
}

// As the loops' generated code, which the merged code is tried against.
void MergedKernel::run(const op_range_ctx *ctx, int begin, int end) {
  const auto &self = *reinterpret_cast<const MergedKernel *>(ctx->element);
  for (std::size_t part = 0; part < self.parts(); ++part) {
    op_range_arg args[OP_MAX_ARGS];
    int count = 0;
    for (const int position : self.positions(part)) args[count++] = ctx->args[position];
    const op_range_ctx own{sizeof(op_range_ctx), args, count, 0, self.site_of(part).element, nullptr};
    self.loops_[part]->how().fast_form().range()(&own, begin, end);
  }
}

std::size_t merged_arguments(std::span<const ChainCall> calls) {
  std::vector<const LoopArg *> all;
  for (const ChainCall &call : calls) {
    const std::size_t before = all.size();
    for (const LoopArg &arg : call.loop->what().args)
      if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before),
                       [&](const LoopArg *other) { return same_row(*other, arg); }))
        all.push_back(&arg);
  }
  return all.size();
}

} // namespace op2::core
