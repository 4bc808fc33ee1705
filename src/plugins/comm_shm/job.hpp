// Shared by op2_launch and the processes that it starts: variables of the environment, and the layout at the beginning
// of an unnamed shared memory. The processes themselves allocate the memory behind it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/comm_common/counter.hpp"

namespace op2::comm_shm {

constexpr const char *rank_variable = "OP2_LAUNCH_RANK", *size_variable = "OP2_LAUNCH_SIZE",
                     *memory_variable = "OP2_LAUNCH_MEMORY"; // its file descriptor, open in each process

constexpr uint64_t job_magic = 0x6f70322d6c61756e;
constexpr uint32_t job_version = 1; // increases with each change below
constexpr int most_processes = 1024;

// The state of one process. The launcher writes `ended`, the process the rest.
struct Seat {
  alignas(64) int32_t process; // its process id; 0: it has not joined yet
  int32_t open;                // communicators that it has not closed
  int32_t ended;               // 1: the process has ended
  int32_t reserved;
  uint64_t opened; // communicators opened so far
};

struct Job {
  uint64_t magic;
  uint32_t version;
  int32_t processes;
  int32_t launcher; // its process id; 0: none
  int32_t reserved;
  alignas(64) uint64_t end;                // bytes of the memory that are allocated
  alignas(64) uint64_t ending;             // Ending::word(), 0 while the job runs; only the first write counts
  alignas(64) comm_common::Counter boards; // communicators that process 0 has made
  uint64_t board;                          // offset of the last one; 0: there was no memory
  alignas(64) Seat seats[1];               // [processes]
};

inline size_t job_bytes(int processes) {
  return sizeof(Job) + static_cast<size_t>(processes > 1 ? processes - 1 : 0) * sizeof(Seat);
}

// Why the job ends, in one 64-bit word.
struct Ending {
  enum Kind : uint32_t {
    none,
    exited,    // a process ended with code `number`
    killed,    // ... by signal `number`
    left,      // ... with code 0 and without op_exit
    aborted,   // a process aborted the job and reported why
    signalled, // the launcher got signal `number`
    silent     // a process could not be started; the launcher reports why
  };
  Kind kind = none;
  int rank = 0, number = 0;
  uint64_t word() const {
    return uint64_t{kind} << 48 | uint64_t{static_cast<uint16_t>(rank)} << 32 | static_cast<uint32_t>(number);
  }
  static Ending of(uint64_t word) {
    return {static_cast<Kind>(word >> 48), static_cast<int>(word >> 32 & 0xffff),
            static_cast<int>(static_cast<uint32_t>(word))};
  }
};

// Records why the job ends; true if no process has done so before.
inline bool note_ending(Job &job, const Ending &ending) {
  uint64_t nothing = 0;
  return std::atomic_ref<uint64_t>(job.ending).compare_exchange_strong(nothing, ending.word());
}
inline Ending ending_of(Job &job) {
  return Ending::of(std::atomic_ref<uint64_t>(job.ending).load(std::memory_order_acquire));
}

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
