#include "loop/form/code_provider.hpp"

#include <utility>

#include "base/error.hpp"

namespace op2::core {

FastFormRequest request_of(const LoopCommon &loop, const LoopCall &call, std::span<const op_range_arg> ranges) {
  const bool last_bits_free = !loop.options.reproducible && !loop.options.layers && !loop.mesh.several();
  return {&loop.mesh,
          &loop.what,
          loop.known_range(),
          ranges,
          call.args,
          &loop.reduction,
          loop.bytes,
          loop.described.last(),
          loop.options.own_vectors,
          loop.options.caches,
          last_bits_free};
}

ProvidedCode CodeProvider::first(const LoopCommon &loop, const LoopCall &call) const {
  return loop.what.shares ? shared(loop) : make(loop, call);
}

ProvidedCode CodeProvider::make(const LoopCommon &, const LoopCall &) const { return {&executor_}; }

ProvidedCode CodeProvider::shared(const LoopCommon &) const { return {in_order_ ? in_order_ : &executor_}; }

ProvidedCode CodeProvider::next(const LoopCommon &, const LoopCall &, ProvidedCode old, bool) const { return old; }

ProvidedCode CodeProvider::on_host(const LoopCommon &, const std::string &why) const {
  fail(OP_ERR_UNSUPPORTED, "executor ", executor_.name(), " cannot run it: ", why);
}

ProvidedCode HostCode::make(const LoopCommon &loop, const LoopCall &call) const {
  ProvidedCode code{&executor()};
  // Other processes and other ways to run the loop get the same bits from the first run on.
  const bool same_bits = loop.mesh.several() || loop.options.reproducible || loop.options.layers;
  const bool young =
      !same_bits && code.fast.begin_young(specialiser_, request_of(loop, call, loop.described.ranges(true)));
  return young ? std::move(code) : generate(loop, call);
}

ProvidedCode HostCode::generate(const LoopCommon &loop, const LoopCall &call) const {
  ProvidedCode code{&executor()};
  code.fast.prepare(specialiser_, request_of(loop, call, loop.described.ranges(true)), executor().caps().concurrency,
                    executor().changes_ranges());
  code.layouts = code.fast.layouts();
  return code;
}

ProvidedCode HostCode::next(const LoopCommon &loop, const LoopCall &call, ProvidedCode old,
                            bool constants_changed) const {
  if (old.fast.young()) return old.fast.grown() ? generate(loop, call) : std::move(old);
  if (constants_changed) old.fast.give_up("a constant was declared again with another type or dim");
  old.layouts = old.fast.layouts();
  return old;
}

ProvidedCode CheckedCode::make(const LoopCommon &loop, const LoopCall &call) const {
  ProvidedCode code{&executor()};
  code.beside.prepare(specialiser_, request_of(loop, call, loop.described.ranges(true)), 1, false);
  if (!code.beside.differs().empty())
    fail(OP_ERR_KERNEL, "the code made for the loop computes something else than its kernel: ", code.beside.differs());
  return code;
}

ProvidedCode CheckedCode::next(const LoopCommon &loop, const LoopCall &call, ProvidedCode, bool) const {
  return make(loop, call);
}

ProvidedCode DeviceCode::shared(const LoopCommon &loop) const {
  return on_host(loop, "its elements share a variable (a global with OP_WRITE, OP_RW or OP_WORK)");
}

// On a device all loops find dats in the layout they have there.
ProvidedCode DeviceCode::make(const LoopCommon &loop, const LoopCall &call) const {
  ProvidedCode code{&executor()};
  code.device = std::make_unique<DeviceForm>();
  code.device->prepare(specialiser_, request_of(loop, call, loop.described.ranges(true)));
  if (!code.device->why().empty()) return on_host(loop, code.device->why());
  for (const LoopArg &arg : loop.what.args)
    code.layouts.push_back(arg.dat ? arg.dat->layout.range() : op_range_layout{arg.element.size, OP_LAYOUT_AOS});
  return code;
}

ProvidedCode DeviceCode::next(const LoopCommon &loop, const LoopCall &call, ProvidedCode old, bool) const {
  return old.why_on_host.empty() ? make(loop, call) : std::move(old);
}

ProvidedCode DeviceCode::on_host(const LoopCommon &, const std::string &why) const {
  if (!host_)
    fail(OP_ERR_UNSUPPORTED, "executor ", executor().name(), " cannot run it: ", why,
         "; OP2_FALLBACK=warn lets such loops run on the host");
  ProvidedCode code{host_};
  code.why_on_host = why;
  return code;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
