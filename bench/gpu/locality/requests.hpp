// requests.hpp: counts what instructions of warps ask of a GPU's memory: sectors of 32 bytes, those that a model of its
// caches answers, additions that meet, passes over banks of shared memory. The instructions are given by whoever knows
// which addresses a kernel uses; docs/gpu_counts.md has the model, which is that of the emulated device.
#ifndef OP2_BENCH_LOCALITY_REQUESTS_HPP
#define OP2_BENCH_LOCALITY_REQUESTS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fake/count_cache.hpp"

namespace bench::locality {

enum class Use : std::uint8_t { load, store, add, shared };

struct Counts {
  std::uint64_t launches = 0, blocks = 0, barriers = 0;
  std::uint64_t sectors = 0, l2 = 0, memory = 0;           // requested, not answered by L1, not answered by L2
  std::uint64_t read_sectors = 0;                          // of those requested
  std::uint64_t add_sectors = 0;                           // of those requested, with atomic additions
  std::uint64_t adds = 0, warp_meets = 0, block_meets = 0; // additions; to an address met before
  std::uint64_t shared_requests = 0, shared_passes = 0, shared_conflicts = 0;
  std::size_t shared_bytes = 0; // of the largest block
};

class Requests {
 public:
  explicit Requests(int threads) : threads_(threads), warps_(static_cast<std::size_t>((threads + 31) / 32)) {}

  // L2 is empty; l1_bytes: the share of a block.
  void start_launch(std::size_t shared_bytes);
  // One instruction of all threads of the block: address(thread) is where it goes, if anywhere. Addresses of shared
  // memory begin at 0.
  template <class F>
  void instruction(Use use, unsigned bytes, F &&address) {
    for (int first = 0; first < threads_; first += 32) {
      Request request{use, bytes, {}};
      for (int thread = first; thread < first + 32 && thread < threads_; ++thread)
        if (const std::optional<std::uint64_t> at = address(thread)) request.lanes.push_back({thread - first, *at});
      if (!request.lanes.empty()) warps_[static_cast<std::size_t>(first / 32)].push_back(std::move(request));
    }
  }
  // A loop in which thread t takes t, t + threads, ... below `count`: runs f(number of the first thread in this turn).
  template <class F>
  void strided(std::uint64_t count, F &&f) {
    for (std::uint64_t first = 0; first < count; first += static_cast<std::uint64_t>(threads_)) f(first);
  }
  void barrier() { ++counts_.barriers; }
  // Warps take turns, request by request. As on the emulated device, a warp's requests are those of its first lane,
  // then others of its second lane, and so on.
  void end_block();

  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] const Counts &counts() const { return counts_; }

 private:
  struct Lane {
    int lane;
    std::uint64_t address;
  };
  struct Request {
    Use use;
    unsigned bytes; // of each lane
    std::vector<Lane> lanes;
  };
  void count_memory(const Request &request);
  void count_shared(const Request &request);

  int threads_;
  std::vector<std::vector<Request>> warps_; // of the present block
  std::unordered_map<std::uint64_t, unsigned> met_;
  fake::Cache l1_{fake::l1_bytes(0)}, l2_{fake::l2_bytes};
  Counts counts_;
};

} // namespace bench::locality

#endif

// SPDX-License-Identifier: MIT
