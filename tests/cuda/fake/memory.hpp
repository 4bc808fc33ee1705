// memory.hpp: memory of the fake devices, and what is known about memory of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "abi.hpp"

namespace fake {

// reserved: addresses, which may have no memory.
enum class Kind { device, pinned, registered, global, foreign, reserved };

inline constexpr std::uint64_t never = ~std::uint64_t{0};

struct Block {
  char *start = nullptr; // on the host, without the tag
  std::size_t bytes = 0;
  Kind kind = Kind::device;
  int device = 0;
  char *base = nullptr; // what is mapped, with a page behind it that nobody may touch
  std::size_t mapped = 0;
  std::uint64_t offset = 0;    // in the file of all device memory, for other processes
  std::uint64_t freed = never; // work issued later must not use it

  bool contains(std::uintptr_t address, std::size_t size) const {
    const auto first = reinterpret_cast<std::uintptr_t>(start);
    return address >= first && size <= bytes && address - first <= bytes - size;
  }
};

class Memory {
 public:
  Memory();
  // New memory, poisoned. Nothing when the system has none.
  Block *allocate(std::size_t bytes, Kind kind, int device);
  // Memory of somebody else: a variable of a module, or a range of the host.
  Block &adopt(char *start, std::size_t bytes, Kind kind, int device);
  // A range of another process' file of device memory.
  Block *map_foreign(int file, std::uint64_t offset, std::size_t bytes, int device);
  void release(const Block &block);
  // Addresses without memory, and pieces of memory that are put there (driver_virtual.cpp). A piece keeps its values,
  // and nobody may touch it before open_piece().
  Block *reserve_range(std::size_t bytes, std::size_t unit, int device);
  bool new_piece(std::size_t bytes, std::uint64_t &offset); // poisoned
  void end_piece(std::uint64_t offset, std::size_t bytes);
  bool map_piece(std::uintptr_t address, std::uint64_t offset, std::size_t bytes);
  void open_piece(std::uintptr_t address, std::size_t bytes);
  void unmap_piece(std::uintptr_t address, std::size_t bytes);
  // The block which holds the whole range; addresses without the tag.
  Block *find(std::uintptr_t address, std::size_t bytes);
  Block *starting_at(std::uintptr_t address);
  // "in an allocation of 80 bytes, 16 after its start" and so on, for messages.
  std::string describe(std::uintptr_t address) const;
  const std::map<std::uintptr_t, Block> &blocks() const { return blocks_; }
  int file() const { return file_; }

 private:
  std::map<std::uintptr_t, Block> blocks_;
  int file_ = -1;
  std::uint64_t next_offset_ = 0;
};

inline constexpr unsigned char poison = 0xFF;

} // namespace fake

// SPDX-License-Identifier: MIT
