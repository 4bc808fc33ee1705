// Data shared by all loops of a context, and data shared by all forms of one loop.
#pragma once

#include <span>
#include <string>

#include "host/cache_size.hpp"
#include "loop/form/description.hpp"
#include "loop/reduce/reduce.hpp"
#include "loop/signature/signature.hpp"
#include "plan/plan_cache.hpp"

namespace op2::core {

class CodeProvider;

// Consecutive elements of a loop's set that run together.
struct LoopPart {
  int begin, end;
  bool own = true;                               // false: reduced values of its elements are discarded
  const PlanCache::Sequence *sequence = nullptr; // the order its elements must keep; NULL = any
  int level = 0;                                 // of the sequence, see sequence_number()
  std::span<const int> added = {}; // the order in which rows get increments, as in op_exec_plan; empty = any
};

struct ExchangeOptions {
  bool timing = true;
  int partial_percent = 30; // see distributed/halo/partial_halo.hpp
};

// Options of all loops of a context.
struct LoopOptions {
  int block_size = 0;                 // 0 = automatic
  const CodeProvider *code = nullptr; // of the mesh's executor; never NULL in a loop
  bool reproducible = false;          // results depend neither on the processes nor on the threads
  bool wait = false;                  // a run returns when the executor has run its elements
  bool layers = false; // of a chain: other processes run some of its elements, too, and get the same bits
  int own_vectors = 32;          // bytes, of the widest vectors of the program's own code
  std::string own_form = "auto"; // OP2_JIT_FORM
  int own_least = 0;             // elements of a set for which forms are worth while
  Caches caches{1 << 20, 1 << 25};
  ExchangeOptions exchange;
};

// Shared by all forms of a loop; must outlive them.
struct LoopCommon {
  Mesh &mesh;
  PlanCache &plans;      // of the set
  PlanCache &mesh_plans; // of sets of the mesh; the same, unless the loop is over particles
  const LoopOptions &options;
  const LoopSignature &what;
  const LoopDescription &described;
  const Reduction &reduction;
  std::span<const LoopPart> parts;
  double bytes;           // moved by one call

  // The program's own range function. NULL: there is none, or it counts elements itself while the loop needs looked-up
  // numbers; the core then calls the kernel through its pointer.
  op_range_fn own_range() const;
  op_range_fn known_range() const; // the same, or the core's over the kernel pointer
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
