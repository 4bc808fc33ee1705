// count.cpp: from accesses of threads to requests of warps, sectors and passes.
#include "count.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "state.hpp"

namespace fake {

namespace {

// Lists and buffers of the ways to run a loop; everything else is the program's.
const char *const own_memory[] = {"order",       "block_offset", "elements", "colours", "block_colours",
                                  "rows_offset", "rows",         "local",    "records", "record_start",
                                  "result",      "counter",      "scratch"};

std::uint64_t bits_in(const std::unordered_map<std::uint64_t, std::uint32_t> &masks) {
  std::uint64_t sum = 0;
  for (const auto &[sector, mask] : masks) sum += static_cast<std::uint64_t>(std::popcount(mask));
  return sum;
}

} // namespace

void AccessCounts::add(const AccessCounts &other) {
  requests += other.requests;
  lanes += other.lanes;
  bytes += other.bytes;
  sectors += other.sectors;
  l2 += other.l2;
  memory += other.memory;
}

bool Region::is_data() const {
  const std::string bare = name.substr(0, name.find_first_of("0123456789"));
  return std::none_of(std::begin(own_memory), std::end(own_memory), [&](const char *own) { return bare == own; });
}

std::uint64_t Region::distinct_bytes() const { return bits_in(read) + bits_in(written); }

double KernelCounts::compulsory_bytes() const {
  double sum = 0;
  for (const Region &region : regions)
    if (region.is_data()) sum += static_cast<double>(region.distinct_bytes());
  return sum * calls();
}

AccessCounts KernelCounts::total() const {
  AccessCounts sum;
  for (const Region &region : regions)
    for (const AccessCounts &one : region.by_use) sum.add(one);
  return sum;
}

void KernelCounts::add(const KernelCounts &other) {
  shared = other.shared;
  launches += other.launches;
  blocks += other.blocks;
  elements += other.elements;
  ranges.insert(other.ranges.begin(), other.ranges.end());
  for (const Region &more : other.regions) {
    auto region = std::find_if(regions.begin(), regions.end(), [&](const Region &p) { return p.name == more.name; });
    if (region == regions.end()) region = regions.insert(regions.end(), Region(more.name));
    for (std::size_t i = 0; i < more.by_use.size(); i++) region->by_use[i].add(more.by_use[i]);
    for (const auto &[sector, mask] : more.read) region->read[sector] |= mask;
    for (const auto &[sector, mask] : more.written) region->written[sector] |= mask;
  }
  atomics += other.atomics;
  warp_conflicts += other.warp_conflicts;
  block_conflicts += other.block_conflicts;
  shared_requests += other.shared_requests;
  shared_passes += other.shared_passes;
  shared_conflicts += other.shared_conflicts;
  barriers += other.barriers;
  warp_waits += other.warp_waits;
  steps += other.steps;
  split_steps += other.split_steps;
}

std::string KernelCounts::way() const {
  const auto uses = [&](const char *name) {
    return std::any_of(regions.begin(), regions.end(), [&](const Region &r) { return r.name.rfind(name, 0) == 0; });
  };
  const bool adds = std::any_of(regions.begin(), regions.end(), [](const Region &r) {
    return r.is_data() && r.by_use[static_cast<std::size_t>(Use::atomic)].requests > 0;
  });
  if (uses("elements")) return adds ? "blocks, atomic" : "blocks";
  if (uses("scratch")) return "gather";
  if (uses("order")) return "colours";
  return adds ? "atomic" : "plain";
}

Counter::Counter() : most_(state().settings.count_most) {}

bool Counter::on() {
  static const bool asked = !state().settings.count.empty();
  return asked;
}

void Counter::start(const Launch &launch, const char *shared) {
  launch_ = &launch;
  now_ = KernelCounts{};
  now_.title = launch.module->text("op2_fake_title");
  now_.function = launch.function->name;
  now_.resources = launch.module->text("op2_fake_resources");
  now_.threads = launch.threads;
  now_.shared = launch.shared;
  now_.launches = 1;
  now_.blocks = launch.blocks;
  shared_begin_ = reinterpret_cast<std::uint64_t>(shared);
  touching_ = 0;
  pointers_.clear();
  ranges_.clear();
  host_pages_.fill(0);
  events_.assign(launch.threads, {});
  l2_.clear(); // each launch on its own, as where data do not fit
  l1_ = Cache(l1_bytes(launch.shared));
}

int Counter::region_named(const std::string &name) {
  auto &regions = now_.regions;
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const Region &p) { return p.name == name; });
  if (found != regions.end()) return static_cast<int>(found - regions.begin());
  regions.emplace_back(name);
  return static_cast<int>(regions.size()) - 1;
}

// `text` is the argument of op2_at, mostly p.something.
bool Counter::named(const char *text, const void *pointer) {
  const char *const dot = std::strrchr(text, '.');
  const std::uint64_t address = untagged(reinterpret_cast<std::uintptr_t>(pointer));
  if (address == 0 || pointers_.contains(address)) return false;
  pointers_[address] = region_named(dot ? dot + 1 : text);
  ranges_.clear();
  return true;
}

// The stretch from one named pointer to the next, in one allocation; null: memory of the host.
const Counter::Range *Counter::range_of(std::uint64_t address) {
  for (const Range &range : ranges_)
    if (address >= range.begin && address < range.end) return &range;
  if (host_pages_[address / 4096 % host_pages_.size()] == address / 4096) return nullptr;
  const Block *const block = state().memory.find(address, 1);
  if (!block || block->kind == Kind::global) { // constants have a cache of their own
    host_pages_[address / 4096 % host_pages_.size()] = address / 4096;
    return nullptr;
  }
  const auto begin = reinterpret_cast<std::uint64_t>(block->start);
  Range range{begin, begin + block->bytes, -1};
  const auto next = pointers_.upper_bound(address);
  if (next != pointers_.end()) range.end = std::min(range.end, next->first);
  if (next != pointers_.begin() && std::prev(next)->first >= begin) {
    range.begin = std::prev(next)->first;
    range.region = std::prev(next)->second;
  } else if (next != pointers_.end() && next->first < begin + block->bytes) {
    range.region = next->second; // columns of a map may lie before its pointer
  } else {
    range.region = region_named("other");
  }
  ranges_.push_back(range);
  return &ranges_.back();
}

void Counter::access(const void *site, const void *pointer, unsigned bytes, Use use, unsigned thread,
                     std::uint64_t phase) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  int region = in_shared;
  if (address < shared_begin_ || address >= shared_begin_ + launch_->shared) {
    const Range *const range = range_of(address);
    if (!range) return;
    region = range->region;
  }
  for (unsigned done = 0; done < bytes; done += 16) // no lane moves more at once
    events_[thread].push_back(
        {site, address + done, phase, static_cast<std::uint16_t>(std::min(16u, bytes - done)), use, region});
}

void Counter::step(const void *site, unsigned thread, std::uint64_t phase) {
  events_[thread].push_back({site, 0, phase, 0, Use::load, is_step});
}

// The n-th run of an instruction by one lane belongs to the n-th run by the others.
std::vector<Counter::Request> Counter::requests_of(unsigned first) const {
  struct Site {
    std::vector<std::size_t> requests;
    std::array<unsigned, 32> runs{};
  };
  struct Hash {
    std::size_t operator()(const std::pair<const void *, std::uint64_t> &key) const {
      return (reinterpret_cast<std::size_t>(key.first) ^ key.second << 40) * 0x9E3779B97F4A7C15ull >> 16;
    }
  };
  std::unordered_map<std::pair<const void *, std::uint64_t>, Site, Hash> sites;
  std::vector<Request> requests;
  for (unsigned lane = 0; lane < 32 && first + lane < events_.size(); lane++)
    for (const Event &event : events_[first + lane]) {
      Site &site = sites[{event.site, event.phase}];
      const unsigned run = site.runs[lane]++;
      if (run == site.requests.size()) {
        site.requests.push_back(requests.size());
        requests.push_back({event.use, event.region, {}});
      }
      requests[site.requests[run]].lanes.push_back({lane, event.address, event.bytes});
    }
  return requests;
}

// Banks of four bytes; lanes that move eight bytes take turns in halves of the warp, those that move 16 in quarters.
void Counter::count_shared(const Request &request) {
  now_.shared_requests++;
  unsigned bytes = 4;
  for (const LaneAccess &lane : request.lanes) bytes = std::max(bytes, lane.bytes);
  const unsigned together = 128 / std::bit_ceil(bytes);
  for (unsigned first = 0; first < 32; first += together) {
    std::array<std::set<std::uint64_t>, 32> words;
    for (const LaneAccess &lane : request.lanes)
      if (lane.lane >= first && lane.lane < first + together)
        for (std::uint64_t at = (lane.address - shared_begin_) / 4; at * 4 < lane.address - shared_begin_ + lane.bytes;
             at++)
          words[at % 32].insert(at);
    std::size_t passes = 0;
    for (const auto &bank : words) passes = std::max(passes, bank.size());
    now_.shared_passes += passes;
    now_.shared_conflicts += passes ? passes - 1 : 0;
  }
}

void Counter::count_global(const Request &request) {
  Region &region = now_.regions[static_cast<std::size_t>(request.region)];
  AccessCounts &counts = region.by_use[static_cast<std::size_t>(request.use)];
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sectors; // and the bytes in them
  for (const LaneAccess &lane : request.lanes) {
    counts.bytes += lane.bytes;
    for (unsigned i = 0; i < lane.bytes;) {
      const std::uint64_t at = lane.address + i, offset = at % sector_bytes;
      const auto n = std::min<std::uint64_t>(lane.bytes - i, sector_bytes - offset);
      sectors.emplace_back(at / sector_bytes, static_cast<std::uint32_t>(((1ull << n) - 1) << offset));
      i += static_cast<unsigned>(n);
    }
  }
  std::sort(sectors.begin(), sectors.end());
  counts.requests++;
  counts.lanes += request.lanes.size();
  for (std::size_t i = 0; i < sectors.size();) {
    const std::uint64_t sector = sectors[i].first;
    std::uint32_t mask = 0;
    for (; i < sectors.size() && sectors[i].first == sector; i++) mask |= sectors[i].second;
    counts.sectors++;
    if (request.use != Use::store) region.read[sector] |= mask;
    if (request.use != Use::load) region.written[sector] |= mask;
    if (request.use == Use::load && !l1_.load(sector)) continue;
    counts.l2++;
    if (request.use != Use::store) counts.memory += l2_.load(sector);
    if (request.use != Use::load) counts.memory += l2_.store(sector);
  }
  if (request.use != Use::atomic) return;
  std::set<std::uint64_t> addresses;
  for (const LaneAccess &lane : request.lanes) addresses.insert(lane.address), met_[lane.address]++;
  now_.atomics += request.lanes.size();
  now_.warp_conflicts += request.lanes.size() - addresses.size();
}

void Counter::count_step(const Request &request, unsigned lanes_of_warp) {
  now_.steps++;
  now_.split_steps += request.lanes.size() < lanes_of_warp;
}

void Counter::count(const Request &request) {
  if (request.region == in_shared)
    count_shared(request);
  else
    count_global(request);
}

// Warps take turns, request by request.
void Counter::end_block(std::uint64_t barriers, std::uint64_t warp_waits) {
  std::vector<std::vector<Request>> warps;
  std::size_t most = 0;
  for (unsigned first = 0; first < launch_->threads; first += 32) {
    std::vector<Request> &requests = warps.emplace_back(requests_of(first));
    std::erase_if(requests, [&](const Request &request) {
      const bool step = request.region == is_step;
      if (step) count_step(request, std::min(32u, launch_->threads - first));
      return step;
    });
    most = std::max(most, requests.size());
  }
  for (std::size_t i = 0; i < most; i++)
    for (const std::vector<Request> &requests : warps)
      if (i < requests.size()) count(requests[i]);
  for (const auto &[address, times] : met_) now_.block_conflicts += times - 1;
  met_.clear();
  for (auto &events : events_) {
    touching_ += std::any_of(events.begin(), events.end(), [](const Event &e) { return e.region >= 0; });
    events.clear();
  }
  now_.barriers += barriers;
  now_.warp_waits += warp_waits;
  l1_.clear();
}

// Of the program's set, where the kernel is a loop's; threads that use memory otherwise.
std::uint64_t Counter::elements_of(const Launch &launch) const {
  for (const Region &region : now_.regions)
    if (region.name == "elements") return region.by_use[0].lanes;
  if (launch.function->name != "op2_loop") return touching_;
  int range[2];
  std::memcpy(range, launch.parameters.data(), sizeof range);
  return static_cast<std::uint64_t>(range[1] - range[0]);
}

void Counter::end() {
  int range[2] = {};
  if (launch_->function->parameter_bytes >= sizeof range) std::memcpy(range, launch_->parameters.data(), sizeof range);
  now_.ranges.insert({range[0], range[1]});
  now_.elements = elements_of(*launch_);
  std::vector<std::uint64_t> data;
  for (const auto &[address, region] : pointers_)
    if (now_.regions[static_cast<std::size_t>(region)].is_data()) data.push_back(address);
  data.push_back(reinterpret_cast<std::uint64_t>(launch_->module.get()));
  data.push_back(launch_->threads);
  const auto [found, fresh] = known_.try_emplace({now_.function, data}, kernels_.size());
  if (fresh)
    kernels_.push_back(std::move(now_));
  else
    kernels_[found->second].add(now_);
  launch_ = nullptr;
}

Counter &counter() {
  static Counter &only = *new Counter;
  return only;
}

} // namespace fake

// SPDX-License-Identifier: MIT
