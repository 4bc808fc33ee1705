// late_stores.hpp: stores into memory of other devices, which arrive late and in any order. Only a fence of the thread
// that stored makes them arrive. Two stores of a thread to one address keep their order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace fake {

class LateStores {
 public:
  using Thread = std::uint64_t;
  void put(Thread thread, void *to, const void *value, unsigned bytes);
  void fence(Thread thread);
  void one(std::uint64_t random); // some store arrives
  void all();
  bool empty() const { return waiting_.empty(); }

 private:
  struct Store {
    void *to;
    unsigned bytes;
    std::array<char, 16> value;
  };
  static void arrive(const Store &store);
  std::map<Thread, std::vector<Store>> waiting_;
};

} // namespace fake

// SPDX-License-Identifier: MIT
