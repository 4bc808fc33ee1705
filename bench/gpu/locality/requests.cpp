#include "gpu/locality/requests.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace bench::locality {

void Requests::start_launch(std::size_t shared_bytes) {
  ++counts_.launches;
  counts_.shared_bytes = std::max(counts_.shared_bytes, shared_bytes);
  l1_ = fake::Cache(fake::l1_bytes(shared_bytes));
  l2_ = fake::Cache(fake::l2_bytes);
}

void Requests::end_block() {
  std::size_t most = 0;
  for (auto &warp : warps_) {
    std::ranges::stable_sort(warp, {}, [](const Request &request) { return request.lanes.front().lane; });
    most = std::max(most, warp.size());
  }
  for (std::size_t turn = 0; turn < most; ++turn)
    for (const auto &warp : warps_)
      if (turn < warp.size()) warp[turn].use == Use::shared ? count_shared(warp[turn]) : count_memory(warp[turn]);
  for (const auto &[address, times] : met_) counts_.block_meets += times - 1;
  for (auto &warp : warps_) warp.clear();
  met_.clear();
  l1_.clear();
  ++counts_.blocks;
}

void Requests::count_memory(const Request &request) {
  std::set<std::uint64_t> sectors, addresses;
  for (const Lane &lane : request.lanes) {
    addresses.insert(lane.address);
    for (std::uint64_t at = lane.address / fake::sector_bytes;
         at <= (lane.address + request.bytes - 1) / fake::sector_bytes; ++at)
      sectors.insert(at);
  }
  counts_.sectors += sectors.size();
  if (request.use == Use::load) counts_.read_sectors += sectors.size();
  if (request.use == Use::add) counts_.add_sectors += sectors.size();
  for (const std::uint64_t sector : sectors) {
    if (request.use == Use::load && !l1_.load(sector)) continue;
    ++counts_.l2;
    if (request.use != Use::store) counts_.memory += l2_.load(sector);
    if (request.use != Use::load) counts_.memory += l2_.store(sector);
  }
  if (request.use != Use::add) return;
  for (const Lane &lane : request.lanes) ++met_[lane.address];
  counts_.adds += request.lanes.size();
  counts_.warp_meets += request.lanes.size() - addresses.size();
}

// 32 banks of four bytes; lanes that move eight bytes take turns in halves of the warp, those that move 16 in quarters.
void Requests::count_shared(const Request &request) {
  ++counts_.shared_requests;
  const int together = static_cast<int>(128 / std::max(request.bytes, 4u));
  for (int first = 0; first < 32; first += together) {
    std::array<std::set<std::uint64_t>, 32> words;
    for (const Lane &lane : request.lanes)
      if (lane.lane >= first && lane.lane < first + together)
        for (std::uint64_t word = lane.address / 4; word * 4 < lane.address + request.bytes; ++word)
          words[word % 32].insert(word);
    std::size_t passes = 0;
    for (const auto &bank : words) passes = std::max(passes, bank.size());
    counts_.shared_passes += passes;
    counts_.shared_conflicts += passes > 0 ? passes - 1 : 0;
  }
}

} // namespace bench::locality

// SPDX-License-Identifier: MIT
