// Which neighbouring loops of a chain may run as one loop, element by element: those over the same set whose changed
// rows belong to their own element. Then an element of one of them needs nothing of other elements of the others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "loop/chain/call.hpp"

namespace op2::core {

// Calls `first` ... `last` - 1 of a chain.
struct FusedGroup {
  std::size_t first, last;
  std::size_t reduces; // the call among them that reduces values; `first` if there is none
  bool together() const { return last - first > 1; }
};

// What loops do with rows and values, whatever code they have.
bool accesses_fuse(std::span<const LoopSignature *const> loops);
// All calls of a chain in groups, in their order. Of loops with generated code, or whatever they have.
enum class FusedCode { generated, any };
std::vector<FusedGroup> fused_groups(std::span<const ChainCall> calls, FusedCode code = FusedCode::generated);

} // namespace op2::core
