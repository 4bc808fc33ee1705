// Several kernels as one that calls them one after the other: the text of loops that run as one (loop/fuse).
#pragma once

#include <span>
#include <vector>

#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

struct KernelPart {
  KernelText text;
  std::vector<int> position; // of each parameter among those of the merged kernel
};

// Throws Refusal where the texts cannot stand beside each other: a name means different things in them, or one of them
// is only known word for word.
KernelText merge_kernels(std::span<const KernelPart> parts);

} // namespace op2::core::jit
