// trace_counts.hpp: what a process has asked of the emulated driver, by kind of call (FAKE_CUDA_TRACE).
#ifndef OP2_BENCH_TRACE_COUNTS_HPP
#define OP2_BENCH_TRACE_COUNTS_HPP

#include <fstream>
#include <string>

namespace bench {

struct TraceCounts {
  double calls = 0;      // of the driver by the host
  double operations = 0; // put on streams
  double waits = 0;      // of the host for the device
  double flags = 0;      // that tell another process something: written by streams or by kernels
  double packs = 0;      // launches that only pack rows to be sent

  // All lines so far; false: there is no such file, so this is not the emulated driver.
  bool read(const std::string &file) {
    std::ifstream in(file);
    if (!in) return false;
    *this = {};
    for (std::string line; std::getline(in, line);) add(line.substr(0, line.find(' ')), line);
    return true;
  }
  [[nodiscard]] TraceCounts since(const TraceCounts &before, double share) const {
    return {(calls - before.calls) / share, (operations - before.operations) / share, (waits - before.waits) / share,
            (flags - before.flags) / share, (packs - before.packs) / share};
  }

 private:
  static bool has(const std::string &name, const char *part) { return name.find(part) != std::string::npos; }
  void add(const std::string &name, const std::string &line) {
    if (name == "flag") ++flags;
    if (name.rfind("cu", 0) != 0) return;
    ++calls;
    if (has(name, "Synchronize")) ++waits;
    for (const char *kind : {"Launch", "Async", "EventRecord", "StreamWait", "StreamWrite", "BatchMemOp"})
      if (has(name, kind)) {
        ++operations;
        break;
      }
    if (has(name, "StreamWriteValue")) ++flags;
    if (name == "cuLaunchKernel" && has(line, "name=op2_halo_pack")) ++packs;
  }
};

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
