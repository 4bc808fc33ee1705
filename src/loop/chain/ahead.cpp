#include "loop/chain/ahead.hpp"

#include <algorithm>
#include <utility>

#include "loop/loop.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

namespace {

constexpr double line_bytes = 64;
constexpr double spare_rate = 1.125; // lines are asked for so much faster than is needed
constexpr int elements_unit = 1024;  // elements, of Ahead::lines

} // namespace

std::vector<AheadMemory> chain_memory(std::span<const ChainCall> calls) {
  std::vector<AheadMemory> out;
  const auto add = [&](const void *at, std::size_t bytes) {
    const auto *const begin = static_cast<const char *>(at);
    if (std::ranges::find(out, begin, &AheadMemory::at) == out.end())
      out.push_back({begin, static_cast<double>(bytes)});
  };
  for (const ChainCall &call : calls)
    for (const LoopArg &arg : call.loop->what().args) {
      if (arg.dat && arg.dat->layout.aos()) add(arg.dat->host.data(), arg.dat->host.bytes());
      if (arg.map) add(arg.map->table.data(), arg.map->table.size() * sizeof(int));
    }
  return out;
}

std::vector<jit::Ahead **> chain_places(std::span<const ChainCall> calls) {
  std::vector<jit::Ahead **> out;
  for (const ChainCall &call : calls) {
    jit::Ahead **const place = call.loop->how().fast_form().made().ahead;
    if (place && std::ranges::find(out, place) == out.end()) out.push_back(place);
  }
  return out;
}

AheadOfTiles::AheadOfTiles(std::vector<AheadMemory> memory, std::vector<jit::Ahead **> places, const ChainTiles &tiles)
    : memory_(std::move(memory)), places_(std::move(places)), tiles_(tiles) {
  spans_ = {{nullptr, nullptr}};
  ahead_ = {spans_.data(), 0, 0};
  for (jit::Ahead **const place : places_) *place = &ahead_;
}

AheadOfTiles::~AheadOfTiles() {
  for (jit::Ahead **const place : places_) *place = nullptr;
}

// Tiles begin as equal parts of a set, whose rows lie in the order in which others reach theirs: so the next tile
// wants the next part of everything. It is only a hint.
void AheadOfTiles::begin() {
  const std::size_t next = ++tile_;
  const auto tiles = static_cast<double>(tiles_.tiles());
  spans_.clear();
  double bytes = 0;
  for (const AheadMemory &memory : memory_) {
    if (static_cast<double>(next) >= tiles) break;
    const double share = memory.bytes / tiles;
    const char *const at = memory.at + static_cast<std::size_t>(share * static_cast<double>(next));
    spans_.push_back({at, at + static_cast<std::size_t>(share)});
    bytes += share;
  }
  spans_.push_back({nullptr, nullptr});
  double elements = 1;
  for (std::size_t s = tiles_.first[next - 1]; s < tiles_.first[next]; ++s)
    elements += tiles_.steps[s].end - tiles_.steps[s].begin;
  ahead_ = {spans_.data(), static_cast<int>(std::min(spare_rate * bytes / line_bytes / elements, 16.0) * elements_unit),
            0};
}

} // namespace op2::core
