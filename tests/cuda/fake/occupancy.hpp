// occupancy.hpp: how many blocks a multiprocessor runs at a time, from the public limits of NVIDIA's architectures
// (CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability", and the toolkit's
// cuda_occupancy.h).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace fake {

struct Architecture {
  std::string_view name;
  int threads, blocks;     // at most, of a multiprocessor
  int registers;           // of a multiprocessor
  int register_unit;       // registers of a warp come in multiples of it
  int warp_unit;           // warps that registers are for come in multiples of it
  int shared;              // bytes of a multiprocessor
  int shared_own;          // bytes of a block that the system takes
  int shared_unit;         // bytes of a block come in multiples of it
  int registers_of_thread; // at most
};

inline constexpr std::array architectures = {
    Architecture{"sm_35", 2048, 16, 65536, 256, 4, 48 << 10, 0, 256, 255},
    Architecture{"sm_80", 2048, 32, 65536, 256, 4, 164 << 10, 1 << 10, 128, 255},
    Architecture{"sm_90", 2048, 32, 65536, 256, 4, 228 << 10, 1 << 10, 128, 255},
};

constexpr const Architecture *architecture(std::string_view name) {
  for (const Architecture &one : architectures)
    if (one.name == name) return &one;
  return nullptr;
}

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

// Blocks of `threads` threads with `registers` registers each and `shared` bytes that one multiprocessor runs at a
// time; 0: none fits.
constexpr int resident_blocks(const Architecture &arch, int threads, int registers, int shared) {
  if (threads < 1 || threads > 1024 || registers > arch.registers_of_thread) return 0;
  const int warps = (threads + 31) / 32;
  int blocks = std::min(arch.blocks, arch.threads / 32 / warps);
  if (registers > 0) {
    const int of_warp = round_up(registers * 32, arch.register_unit);
    blocks = std::min(blocks, arch.registers / of_warp / arch.warp_unit * arch.warp_unit / warps);
  }
  if (const int bytes = round_up(shared + arch.shared_own, arch.shared_unit); bytes > 0)
    blocks = std::min(blocks, arch.shared / bytes);
  return blocks;
}

// Threads that run at a time, of those that the multiprocessor has room for.
constexpr double occupancy(const Architecture &arch, int threads, int registers, int shared) {
  return static_cast<double>(resident_blocks(arch, threads, registers, shared) * round_up(threads, 32)) / arch.threads;
}

} // namespace fake

// SPDX-License-Identifier: MIT
