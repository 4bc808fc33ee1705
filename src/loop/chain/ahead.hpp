// While a tile of a chain runs, its loops ask memory for what the next one will want: the first loops of a tile wait
// for memory, and the others only compute. It pays for chains of few loops.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "jit/ahead.hpp"
#include "loop/chain/call.hpp"
#include "loop/chain/lists.hpp"
#include "loop/chain/segments.hpp"

namespace op2::core {

// Rows and maps of the loops; and where their present code looks for what it is to ask for.
struct AheadMemory {
  const char *at;
  double bytes;
};
std::vector<AheadMemory> chain_memory(std::span<const ChainCall> calls);
std::vector<jit::AheadOfThread *> chain_places(std::span<Loop *const> loops);

// The steps of lists, tile by tile: with the first one of a tile, its list begins to ask for the next tile that it has.
struct AheadSteps {
  struct Tile {
    std::size_t first; // step
    int next;          // the tile that its loops ask for; -1: none
    double elements;   // of its steps
  };
  int tiles = 0; // of the chain
  std::vector<std::vector<Tile>> lists;
};
AheadSteps ahead_steps(const ChainTiles &tiles);            // one list
AheadSteps ahead_steps(const ChainLists &lists, int tiles); // tiles: of the chain

// Until the object ends, code asks for what belongs to the tile behind the one whose steps run.
class AheadOfTiles {
 public:
  // steps must outlive it.
  AheadOfTiles(std::vector<AheadMemory> memory, std::vector<jit::AheadOfThread *> places, const AheadSteps &steps);
  AheadOfTiles(const AheadOfTiles &) = delete;
  AheadOfTiles &operator=(const AheadOfTiles &) = delete;
  ~AheadOfTiles();

  // By the thread that runs the list, before each of its steps, in order.
  void before(std::size_t list, std::size_t step) {
    List &at = lists_[list];
    const std::vector<AheadSteps::Tile> &tiles = steps_.lists[list];
    while (at.tile < tiles.size() && tiles[at.tile].first == step) begin(at, tiles[at.tile]);
  }

 private:
  struct alignas(64) List {
    std::size_t tile = 0; // the next one
    std::vector<jit::AheadSpan> spans;
    jit::Ahead ahead{};
  };
  void begin(List &list, const AheadSteps::Tile &tile);

  const std::vector<AheadMemory> memory_;
  const std::vector<jit::AheadOfThread *> places_;
  const AheadSteps &steps_;
  std::vector<List> lists_;
};

} // namespace op2::core
