// How a kernel adds to the components of a row: to all, or to one or a few at an index of each element.
#pragma once

#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

enum class Components {
  any,  // what follows is not so, or not known
  once, // to one component, once at most, at an index that is known when the element runs
  few,  // so often, or to rows so short, that it pays to look at every component for each addition
};

// Of parameter `position`, which points to a row of `dim` values. Not `any`: all that the kernel does with it is to add
// to a component, or to subtract, in statements of their own.
Components added_components(const KernelText &kernel, std::size_t position, int dim);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
