// count.hpp: counts what kernels do with memory (OP2_CUDA_COUNT), access by access of their warps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "count_cache.hpp"
#include "module.hpp"

namespace fake {

enum class Use : std::uint8_t { load, store, atomic };

// Accesses of one kind to one region.
struct AccessCounts {
  std::uint64_t requests = 0; // of warps
  std::uint64_t lanes = 0, bytes = 0;
  std::uint64_t sectors = 0; // of 32 bytes, distinct ones of each request
  std::uint64_t l2 = 0;      // sectors that L1 does not answer, and all that are written
  std::uint64_t memory = 0;  // sectors that L2 does not answer, and those that L2 writes back

  void add(const AccessCounts &other);
};

// Memory behind one pointer of a kernel's parameters. Bytes that are used, as masks by sector.
struct Region {
  explicit Region(std::string its_name) : name(std::move(its_name)) {}
  std::string name;
  std::array<AccessCounts, 3> by_use{};
  std::unordered_map<std::uint64_t, std::uint32_t> read, written;

  // False: memory that only this way of running the loop needs.
  bool is_data() const;
  std::uint64_t distinct_bytes() const;
};

// One kernel on the same data, over all its launches.
struct KernelCounts {
  std::string title, function, resources; // resources: lines of "function arch registers stack spilled instructions"
  unsigned threads = 0;
  std::size_t shared = 0; // bytes of a block, of the last launch
  std::uint64_t launches = 0, blocks = 0, elements = 0;
  std::set<std::pair<int, int>> ranges; // of elements, that launches were for
  std::vector<Region> regions;
  std::uint64_t atomics = 0, warp_conflicts = 0, block_conflicts = 0; // additions to an address met before
  std::uint64_t shared_requests = 0, shared_passes = 0, shared_conflicts = 0;
  std::uint64_t barriers = 0, warp_waits = 0;
  std::uint64_t steps = 0, split_steps = 0; // pieces of code run by warps; those that only part of the lanes runs

  // How often all data were gone through.
  double calls() const { return static_cast<double>(launches) / static_cast<double>(ranges.size()); }
  // Bytes that each call has to move at least once, over all calls.
  double compulsory_bytes() const;
  AccessCounts total() const;
  std::string way() const;
  void add(const KernelCounts &other); // more launches of the same
};

class Counter {
 public:
  Counter();
  static bool on(); // the environment asks for counts
  // Whether this launch is to be counted.
  bool wants(const Launch &launch) { return on() && seen_[launch.function]++ < most_; }
  void start(const Launch &launch, const char *shared);
  bool named(const char *text, const void *pointer); // false: known already
  // Of thread `thread`; accesses of one site in one phase (barriers and waits so far) belong together in a warp.
  void access(const void *site, const void *address, unsigned bytes, Use use, unsigned thread, std::uint64_t phase);
  void step(const void *site, unsigned thread, std::uint64_t phase);
  void end_block(std::uint64_t barriers, std::uint64_t warp_waits);
  void end();

  const std::vector<KernelCounts> &kernels() const { return kernels_; }

 private:
  static constexpr int in_shared = -1, is_step = -2; // instead of a region
  struct Event {
    const void *site = nullptr;
    std::uint64_t address = 0, phase = 0;
    std::uint16_t bytes = 0;
    Use use = Use::load;
    int region = 0;
  };
  struct LaneAccess {
    unsigned lane;
    std::uint64_t address;
    unsigned bytes;
  };
  struct Request {
    Use use;
    int region;
    std::vector<LaneAccess> lanes;
  };
  struct Range {
    std::uint64_t begin = 0, end = 0;
    int region = 0;
  };
  const Range *range_of(std::uint64_t address);
  int region_named(const std::string &name);
  std::vector<Request> requests_of(unsigned first_thread) const;
  void count(const Request &request);
  void count_step(const Request &request, unsigned lanes_of_warp);
  void count_shared(const Request &request);
  void count_global(const Request &request);
  void count_block_conflicts();
  std::uint64_t elements_of(const Launch &launch) const;

  std::vector<KernelCounts> kernels_;
  std::map<std::pair<std::string, std::vector<std::uint64_t>>, std::size_t> known_; // by code and data
  KernelCounts now_;
  const std::uint64_t most_;
  std::map<const Function *, std::uint64_t> seen_; // launches
  const Launch *launch_ = nullptr;
  std::uint64_t shared_begin_ = 0, touching_ = 0;
  std::map<std::uint64_t, int> pointers_; // where regions begin
  std::vector<Range> ranges_;             // found so far
  std::array<std::uint64_t, 1024> host_pages_{};
  std::vector<std::vector<Event>> events_;          // of each thread of the block
  std::unordered_map<std::uint64_t, unsigned> met_; // additions of the block, by address
  Cache l1_{l1_bytes(0)}, l2_{l2_bytes};
};

Counter &counter();

// The table and the JSON into the files that the environment names.
void write_counts(const Counter &counter);

} // namespace fake

// SPDX-License-Identifier: MIT
