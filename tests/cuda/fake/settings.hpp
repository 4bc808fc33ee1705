// settings.hpp: what the environment asks of the fake driver, and the trace of its calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace fake {

struct Settings {
  int devices = 1;                 // FAKE_CUDA_DEVICES
  std::size_t memory = 8ull << 30; // FAKE_CUDA_MEMORY: bytes of each device
  std::size_t unit = 2 << 20;      // FAKE_CUDA_UNIT: bytes, of memory that is put at reserved addresses
  int arch = 90;                   // FAKE_CUDA_ARCH
  int init = 0;                    // FAKE_CUDA_INIT: what cuInit answers
  std::uint64_t seed = 1;          // FAKE_CUDA_SEED: order of blocks and threads
  int resident = 32;               // FAKE_CUDA_RESIDENT: blocks that a multiprocessor runs at a time, at most
  std::string fault;               // FAKE_CUDA_FAULT: a mistake to make on purpose, name or name:every
  std::uint64_t fault_every = 1;
  double patience = 60;   // FAKE_CUDA_PATIENCE: seconds that a stream waits for a value
  long enqueue = 0; // FAKE_CUDA_ENQUEUE: microseconds in which the host puts a piece of work on a stream, at least
  double speed = 1; // FAKE_CUDA_SPEED: how much faster than here events say that the device runs
  std::string ipc = "on"; // FAKE_CUDA_IPC: on, off (it is not there), closed (memory of others cannot be opened)
  std::string count;      // OP2_CUDA_COUNT: the file for counts of kernels; %p is the number of the process
  std::uint64_t count_most = ~0ull; // FAKE_CUDA_COUNT_MOST: launches of each kernel that are counted, the first ones
  bool leaks = false;               // FAKE_CUDA_LEAKS
  bool keep_going = false;          // FAKE_CUDA_KEEP_GOING: errors of kernels are printed and nothing else
};

Settings read_settings();

// One line per call: name, details, answer. %p in the file's name is the number of the process.
class Trace {
 public:
  Trace();
  bool on() const { return file_ != nullptr; }
  void line(const std::string &text);

 private:
  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

// To the standard error stream and the trace.
void report(const std::string &text);

} // namespace fake

// SPDX-License-Identifier: MIT
