// sequence.hpp: the order of the declaration among the elements that a process executes: owned ones and copies.
//
// With OP2_REPRODUCIBLE=1 rows receive their increments in this order, whichever process executes the elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace op2::core {

// Consecutive local elements with ascending numbers; no other executed element has a number between them.
struct SequenceRun {
  int begin, end;
  bool own; // owned elements, not copies
  friend bool operator==(const SequenceRun &, const SequenceRun &) = default;
};

// All elements [0, executed) by ascending number, of which [0, size) are own. numbers: of each element; empty = its
// position. A pure function.
std::vector<SequenceRun> sequence_of(std::span<const std::int64_t> numbers, int size, int executed);

} // namespace op2::core

// SPDX-License-Identifier: MIT
