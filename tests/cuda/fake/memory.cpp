// memory.cpp: device memory lies in one file without a name, so that other processes can map parts of it. A block ends
// just before a page that nobody may touch.
#include "memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "settings.hpp"

namespace fake {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t alignment = 256;

constexpr std::size_t up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

// Room for `bytes` and one page more that is out of bounds.
char *reserve(std::size_t bytes) {
  void *base = mmap(nullptr, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return base == MAP_FAILED ? nullptr : static_cast<char *>(base);
}

} // namespace

Memory::Memory() : file_(memfd_create("fake device memory", MFD_CLOEXEC)), next_offset_(page) {
  if (ftruncate(file_, page) != 0) std::abort(); // the first page is not memory, see neighbour.hpp
}

Block *Memory::allocate(std::size_t bytes, Kind kind, int device) {
  Block block;
  block.bytes = bytes;
  block.kind = kind;
  block.device = device;
  block.mapped = up(std::max<std::size_t>(bytes, 1), page);
  block.base = reserve(block.mapped);
  if (!block.base) return nullptr;
  block.offset = next_offset_;
  next_offset_ += block.mapped;
  const bool grown = ftruncate(file_, static_cast<off_t>(next_offset_)) == 0;
  if (!grown || mmap(block.base, block.mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
                     static_cast<off_t>(block.offset)) == MAP_FAILED) {
    munmap(block.base, block.mapped + page);
    return nullptr;
  }
  std::memset(block.base, poison, block.mapped);
  block.start = block.base + block.mapped - up(std::max<std::size_t>(bytes, 1), alignment);
  return &(blocks_[reinterpret_cast<std::uintptr_t>(block.start)] = block);
}

Block &Memory::adopt(char *start, std::size_t bytes, Kind kind, int device) {
  Block block;
  block.start = start;
  block.bytes = bytes;
  block.kind = kind;
  block.device = device;
  return blocks_[reinterpret_cast<std::uintptr_t>(start)] = block;
}

Block *Memory::map_foreign(int file, std::uint64_t offset, std::size_t bytes, int device) {
  Block block;
  block.kind = Kind::foreign;
  block.device = device;
  block.bytes = bytes;
  block.mapped = up(std::max<std::size_t>(bytes, 1), page);
  block.base = reserve(block.mapped);
  if (!block.base) return nullptr;
  if (mmap(block.base, block.mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    munmap(block.base, block.mapped + page);
    return nullptr;
  }
  block.start = block.base + block.mapped - up(std::max<std::size_t>(bytes, 1), alignment);
  return &(blocks_[reinterpret_cast<std::uintptr_t>(block.start)] = block);
}

void Memory::release(const Block &given) {
  const Block block = given;
  blocks_.erase(reinterpret_cast<std::uintptr_t>(block.start));
  if (!block.base) return;
  if (block.kind == Kind::device || block.kind == Kind::pinned) {
    const char *slack = block.start + block.bytes, *end = block.base + block.mapped;
    if (std::any_of(slack, end, [](char c) { return static_cast<unsigned char>(c) != poison; }))
      report("something wrote past the end of an allocation of " + std::to_string(block.bytes) + " bytes");
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(block.offset),
              static_cast<off_t>(block.mapped));
  }
  munmap(block.base, block.mapped + page);
}

Block *Memory::reserve_range(std::size_t bytes, std::size_t unit, int device) {
  Block block;
  block.kind = Kind::reserved;
  block.device = device;
  block.bytes = bytes;
  block.mapped = bytes + unit; // so that it can begin at a multiple of the unit
  char *const base = reserve(block.mapped);
  if (!base) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  block.start = base + (up(first, unit) - first);
  block.base = base;
  return &(blocks_[reinterpret_cast<std::uintptr_t>(block.start)] = block);
}

bool Memory::new_piece(std::size_t bytes, std::uint64_t &offset) {
  offset = next_offset_;
  next_offset_ += up(bytes, page);
  if (ftruncate(file_, static_cast<off_t>(next_offset_)) != 0) return false;
  const std::string values(bytes, static_cast<char>(poison));
  return pwrite(file_, values.data(), bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

void Memory::end_piece(std::uint64_t offset, std::size_t bytes) {
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(bytes));
}

bool Memory::map_piece(std::uintptr_t address, std::uint64_t offset, std::size_t bytes) {
  return mmap(reinterpret_cast<void *>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file_,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

void Memory::open_piece(std::uintptr_t address, std::size_t bytes) {
  mprotect(reinterpret_cast<void *>(address), bytes, PROT_READ | PROT_WRITE);
}

void Memory::unmap_piece(std::uintptr_t address, std::size_t bytes) {
  mmap(reinterpret_cast<void *>(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
       0);
}

Block *Memory::find(std::uintptr_t address, std::size_t bytes) {
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return nullptr;
  --it;
  return it->second.contains(address, bytes) ? &it->second : nullptr;
}

Block *Memory::starting_at(std::uintptr_t address) {
  const auto it = blocks_.find(address);
  return it == blocks_.end() ? nullptr : &it->second;
}

std::string Memory::describe(std::uintptr_t address) const {
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return "before every allocation";
  --it;
  const std::size_t after = address - it->first;
  return std::to_string(after) + " bytes after the start of an allocation of " + std::to_string(it->second.bytes) +
         " bytes" + (it->second.freed == never ? "" : " that has been freed");
}

} // namespace fake

// SPDX-License-Identifier: MIT
