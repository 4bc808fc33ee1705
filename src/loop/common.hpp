// What loops of a context have in common, and what the forms of one loop do.
#pragma once

#include <span>

#include "loop/description.hpp"
#include "loop/loop_exchange.hpp"
#include "loop/reduce/reduce.hpp"
#include "loop/schedule.hpp"
#include "loop/signature.hpp"
#include "plan/plan_cache.hpp"

namespace op2::core {

class CodeProvider;

// What is the same for all loops of a context.
struct LoopOptions {
  int block_size = 0;                 // 0 = automatic
  const CodeProvider *code = nullptr; // of the mesh's executor; never NULL in a loop
  bool reproducible = false;          // results depend neither on the processes nor on the threads
  bool wait = false;                  // until the executor has run each
  ExchangeOptions exchange;
};

// What all forms of a loop have in common. All of it outlives them.
struct LoopCommon {
  Mesh &mesh;
  PlanCache &plans;
  const LoopOptions &options;
  const LoopSignature &what;
  const LoopDescription &described;
  const Reduction &reduction;
  std::span<const LoopPart> parts;
  double bytes; // that one call moves

  // The program's own range function, NULL = none that is right: one that counts elements itself knows only their
  // places, and where numbers are looked up, the kernel is called through its pointer instead.
  op_range_fn own_range() const;
  op_range_fn known_range() const; // the same, or the core's over the bare pointer
};

} // namespace op2::core
