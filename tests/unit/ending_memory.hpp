// Memory that ends, for tests of what is left behind. A program that has ending_memory.cpp gets its `operator new`.
#pragma once

namespace unit {

// While it lives, so many allocations of this thread go well, and the one after them fails; with `lasting` all of them.
class EndingMemory {
 public:
  explicit EndingMemory(long allocations, bool lasting = false);
  ~EndingMemory();
  EndingMemory(const EndingMemory &) = delete;
  EndingMemory &operator=(const EndingMemory &) = delete;
  static bool ended(); // one has failed
};

} // namespace unit

// SPDX-License-Identifier: MIT
