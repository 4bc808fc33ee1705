// While a tile of a chain runs, its loops ask memory for what the next one will want: the first loops of a tile wait
// for memory, and the others only compute. It pays for chains of few loops.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "jit/ahead.hpp"
#include "loop/chain/call.hpp"
#include "loop/chain/segments.hpp"

namespace op2::core {

// Rows and maps of the loops; and where their present code looks for what it is to ask for.
struct AheadMemory {
  const char *at;
  double bytes;
};
std::vector<AheadMemory> chain_memory(std::span<const ChainCall> calls);
std::vector<jit::Ahead **> chain_places(std::span<const ChainCall> calls);

// Until the object ends, code asks for what belongs to the tile behind the one whose steps run.
class AheadOfTiles {
 public:
  // tiles must outlive it.
  AheadOfTiles(std::vector<AheadMemory> memory, std::vector<jit::Ahead **> places, const ChainTiles &tiles);
  AheadOfTiles(const AheadOfTiles &) = delete;
  AheadOfTiles &operator=(const AheadOfTiles &) = delete;
  ~AheadOfTiles();

  void before(std::size_t step) { // of all, in order
    if (step == tiles_.first[tile_]) begin();
  }

 private:
  void begin();

  const std::vector<AheadMemory> memory_;
  const std::vector<jit::Ahead **> places_;
  const ChainTiles &tiles_;
  std::size_t tile_ = 0; // the next one
  std::vector<jit::AheadSpan> spans_;
  jit::Ahead ahead_{};
};

} // namespace op2::core
