// predict.hpp: how long a kernel would take on GPUs of NVIDIA, by what it has to move. A model, not a measurement: all
// its figures are predicted.
//
// Sources: NVIDIA's data sheets of A100 80GB SXM, H100 SXM and H200 SXM (memory, multiprocessors; clocks are those that
// their peak figures of tensor cores imply, 1.41 and 1.83 GHz) and the A100 whitepaper (L2: 80 slices, 5120 bytes a
// clock), and the CUDA C++ Programming Guide (a bank of shared memory moves four bytes a clock: a pass over the banks
// takes a clock). Taken, not published: H100's L2 as wide as A100's, with 96 slices; one sector with atomic additions a
// clock and slice; 3 microseconds for a launch.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace fake {

struct Gpu {
  std::string_view name, arch;
  int multiprocessors;
  double memory;  // bytes a second
  double l2;      // bytes a second
  double atomics; // sectors with additions a second
  double shared;  // passes over the shared memory of a multiprocessor a second, of all multiprocessors
  double launch;  // seconds
};

inline constexpr std::array gpus = {
    Gpu{"A100", "sm_80", 108, 2.039e12, 5120 * 1.41e9, 80 * 1.41e9, 108 * 1.41e9, 3e-6},
    Gpu{"H100", "sm_90", 132, 3.35e12, 5120 * 1.83e9, 96 * 1.83e9, 132 * 1.83e9, 3e-6},
    Gpu{"H200", "sm_90", 132, 4.8e12, 5120 * 1.83e9, 96 * 1.83e9, 132 * 1.83e9, 3e-6},
};

// Of one launch, on the average.
struct Work {
  double memory_bytes = 0, l2_bytes = 0, atomic_sectors = 0, shared_passes = 0;
  double blocks = 0;    // of threads
  double occupancy = 1; // share of the threads that run at a time
};

// The slowest of memory, L2, atomic additions and shared memory takes all the time. Half of the threads keep memory
// busy; with fewer of them, or with fewer blocks than multiprocessors, bandwidth falls in proportion.
constexpr double predicted_seconds(const Gpu &gpu, const Work &work) {
  const double moving = std::max({work.memory_bytes / gpu.memory, work.l2_bytes / gpu.l2,
                                  work.atomic_sectors / gpu.atomics, work.shared_passes / gpu.shared});
  const double busy = std::min(1.0, work.occupancy / 0.5) * std::min(1.0, work.blocks / gpu.multiprocessors);
  return gpu.launch + (busy > 0 ? moving / busy : 0);
}

} // namespace fake

// SPDX-License-Identifier: MIT
