// additions.hpp: finds two threads that add to one address with nothing between them that orders them.
#pragma once

#include <cstdint>
#include <vector>

namespace fake {

struct Adder {
  unsigned block = 0, thread = 0;
  std::uint32_t phase = 0;      // barriers of the block so far
  std::uint32_t warp_phase = 0; // waits of the warp so far
};

class Additions {
 public:
  void start_launch();
  // The earlier adder in conflict with this one, or null. `shared`: the address means other memory in every block.
  const Adder *add(const void *address, const Adder &now, bool shared);

 private:
  struct Entry {
    const void *address = nullptr;
    std::uint32_t launch = 0;
    Adder adder;
  };
  Entry &entry(const void *address);
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  std::size_t used_ = 0;
  std::uint32_t launch_ = 0;
  Adder earlier_;
};

} // namespace fake

// SPDX-License-Identifier: MIT
