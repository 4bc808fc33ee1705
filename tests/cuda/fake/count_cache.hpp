// count_cache.hpp: a model of a cache for counts: lines of 128 bytes of four sectors, the line unused for longest
// leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace fake {

inline constexpr std::uint64_t sector_bytes = 32, line_bytes = 128;
inline constexpr std::size_t l2_bytes = 40u << 20; // of A100

// L1 of a block: of the memory that A100 has for both, what a block with `shared` bytes has when eight share a
// multiprocessor.
constexpr std::size_t l1_bytes(std::size_t shared) {
  constexpr std::size_t of_both = 24u << 10, least = 4u << 10;
  return shared + least < of_both ? of_both - shared : least;
}

class Cache {
 public:
  explicit Cache(std::size_t bytes) : capacity_(bytes / line_bytes) {}
  // The sector with this number (address / 32) is read: whether it was not there.
  bool load(std::uint64_t sector) { return !set(line(sector).valid, sector); }
  // It is written: whether it has to go to memory once more.
  bool store(std::uint64_t sector) {
    Line &at = line(sector);
    set(at.valid, sector);
    return !set(at.dirty, sector);
  }
  void clear() {
    lines_.clear();
    order_.clear();
  }

 private:
  struct Line {
    std::uint8_t valid = 0, dirty = 0; // a bit for each sector
    std::list<std::uint64_t>::iterator place;
  };
  // Sets the sector's bit; whether it was set.
  static bool set(std::uint8_t &bits, std::uint64_t sector) {
    const auto bit = static_cast<std::uint8_t>(1u << sector % (line_bytes / sector_bytes));
    const bool before = (bits & bit) != 0;
    bits |= bit;
    return before;
  }
  Line &line(std::uint64_t sector) {
    const std::uint64_t number = sector / (line_bytes / sector_bytes);
    const auto [found, fresh] = lines_.try_emplace(number);
    if (!fresh) {
      order_.splice(order_.begin(), order_, found->second.place);
      return found->second;
    }
    order_.push_front(number);
    found->second.place = order_.begin();
    if (order_.size() > capacity_) {
      lines_.erase(order_.back());
      order_.pop_back();
    }
    return found->second;
  }

  std::size_t capacity_;
  std::unordered_map<std::uint64_t, Line> lines_;
  std::list<std::uint64_t> order_; // the last used one first
};

} // namespace fake

// SPDX-License-Identifier: MIT
