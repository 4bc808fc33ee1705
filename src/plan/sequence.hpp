// sequence.hpp: the order of the declaration among the elements that a process executes, its own and copies of others'.
//
// With OP2_REPRODUCIBLE=1 rows receive what is added to them in this order, whoever executes the elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace op2::core {

// Consecutive local elements whose numbers ascend, with no other executed element's number between them.
struct SequenceRun {
  int begin, end;
  bool own; // not copies
  friend bool operator==(const SequenceRun &, const SequenceRun &) = default;
};

// All elements [0, executed) by ascending number, of which [0, size) are own. numbers: of each element, empty = its
// place. A pure function.
std::vector<SequenceRun> sequence_of(std::span<const std::int64_t> numbers, int size, int executed);

} // namespace op2::core
