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
constexpr int nothing_next = -1;

thread_local jit::Ahead *of_thread = nullptr;
jit::Ahead *asked_by_thread() { return of_thread; }

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

std::vector<jit::AheadOfThread *> chain_places(std::span<Loop *const> loops) {
  std::vector<jit::AheadOfThread *> out;
  for (const Loop *const loop : loops) {
    jit::AheadOfThread *const place = loop->how().fast_form().made().ahead;
    if (place && std::ranges::find(out, place) == out.end()) out.push_back(place);
  }
  return out;
}

AheadSteps ahead_steps(const ChainTiles &tiles) {
  AheadSteps out{tiles.tiles(), {{}}};
  for (int t = 0; t < tiles.tiles(); ++t) {
    const auto at = static_cast<std::size_t>(t);
    double elements = 0;
    for (std::size_t s = tiles.first[at]; s < tiles.first[at + 1]; ++s)
      elements += tiles.steps[s].end - tiles.steps[s].begin;
    out.lists.front().push_back({tiles.first[at], t + 1 < tiles.tiles() ? t + 1 : nothing_next, elements});
  }
  return out;
}

AheadSteps ahead_steps(const ChainLists &lists, int tiles) {
  AheadSteps out{tiles, {}};
  for (const op_exec_chain_list &list : lists.lists) {
    std::vector<AheadSteps::Tile> &found = out.lists.emplace_back();
    for (auto s = static_cast<std::size_t>(list.first_step); s < static_cast<std::size_t>(list.last_step); ++s) {
      if (found.empty() || lists.tile[s] != lists.tile[s - 1]) {
        if (!found.empty()) found.back().next = lists.tile[s];
        found.push_back({s, nothing_next, 0});
      }
      const op_exec_chain_step &step = lists.steps[s];
      const ListedLoop &loop = lists.loops[static_cast<std::size_t>(step.loop)];
      for (int k = step.first; k < step.last; ++k)
        found.back().elements += loop.elements(loop.segments[static_cast<std::size_t>(k)]);
    }
  }
  return out;
}

AheadOfTiles::AheadOfTiles(std::vector<AheadMemory> memory, std::vector<jit::AheadOfThread *> places,
                           const AheadSteps &steps)
    : memory_(std::move(memory)), places_(std::move(places)), steps_(steps), lists_(steps.lists.size()) {
  for (jit::AheadOfThread *const place : places_) *place = asked_by_thread;
}

AheadOfTiles::~AheadOfTiles() {
  for (jit::AheadOfThread *const place : places_) *place = nullptr;
}

// Tiles begin as equal parts of a set, whose rows lie in the order in which others reach theirs: so the next tile
// wants the next part of everything. It is only a hint.
void AheadOfTiles::begin(List &list, const AheadSteps::Tile &tile) {
  ++list.tile;
  list.spans.clear();
  double bytes = 0;
  for (const AheadMemory &memory : memory_) {
    if (tile.next < 0) break;
    const double share = memory.bytes / steps_.tiles;
    const char *const at = memory.at + static_cast<std::size_t>(share * tile.next);
    list.spans.push_back({at, at + static_cast<std::size_t>(share)});
    bytes += share;
  }
  list.spans.push_back({nullptr, nullptr});
  const double lines = spare_rate * bytes / line_bytes / (tile.elements + 1);
  list.ahead = {list.spans.data(), static_cast<int>(std::min(lines, 16.0) * elements_unit), 0};
  of_thread = &list.ahead;
}

} // namespace op2::core
