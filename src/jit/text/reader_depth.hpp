// Limits the recursion of a reader.
#pragma once

#include "jit/text/reader.hpp"

namespace op2::core::jit {

struct Reader::Depth {
  explicit Depth(Reader &reader) : depth(reader.depth_) {
    if (++depth > 200) {
      --depth;
      reader.refuse("is nested too deeply");
    }
  }
  ~Depth() { --depth; }
  Depth(const Depth &) = delete;
  Depth &operator=(const Depth &) = delete;

  int &depth;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
