// neighbour.hpp: what processes that share memory of fake devices know of each other. Streams run only as far as
// somebody waits for them, and that somebody may be a stream of another process.
#pragma once

#include <cstdint>
#include <map>
#include <thread>

namespace fake {

// Lies in the first page of the file of a process' device memory.
struct Needs {
  std::uint32_t waits;        // 1: a stream of it waits for a value, and so does its host
  std::uint32_t helper_waits; // 1: so does a stream that another process waits for
};

// A thread that runs what streams have to write into memory of processes that wait for something.
class Neighbours {
 public:
  explicit Neighbours(int own_file);
  void watch(int process, int file); // whose memory has been mapped
  void stop();                       // forgets them all
  void set_waiting(bool waits);

 private:
  void serve();
  bool somebody_waits() const;
  Needs *own_ = nullptr;
  std::map<int, const Needs *> others_;
  std::thread thread_;
  bool stop_ = false;
};

} // namespace fake

// SPDX-License-Identifier: MIT
