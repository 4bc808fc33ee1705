// Several processes: the loops of a group in tiles that stay in cache, on each process by itself
// (loop/chain/segments.hpp), with the bits of one after the other.
//
// A part of a loop is to the inspector a loop of its own. Elements and rows of the core have their places in the mesh
// by their numbers; those of the boundary, and copies of other processes', lie behind it, and go to the tiles of the
// elements that they meet. Executors with threads get the same tiles in lists (loop/chain/threaded.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/segments.hpp"
#include "loop/chain/threaded.hpp"
#include "loop/loop.hpp"

namespace op2::core {

class Stretches;

struct LayerStep {
  int loop; // of the group
  int part;
  std::size_t begin, end; // its elements, among all ranges
};

class LayerTiles {
 public:
  // loops: of a group, prepared. tile_bytes: of the rows of a tile.
  LayerTiles(std::span<Loop *const> loops, double tile_bytes);
  ~LayerTiles();
  LayerTiles(const LayerTiles &) = delete;
  LayerTiles &operator=(const LayerTiles &) = delete;

  // Why there are none: the loops run one after the other. "" = there are.
  const std::string &why() const { return why_; }
  void refuse(const std::string &why);
  // On threads of the executor, all once the copies are there; NULL: step by step.
  ThreadedChain *threads() const { return threads_.get(); }
  std::span<const LayerStep> steps() const { return steps_; }
  std::span<const ElementRange> ranges_of(const LayerStep &step) const {
    return std::span(ranges_).subspan(step.begin, step.end - step.begin);
  }
  // So many first steps need no copies: they run while messages travel.
  std::size_t early() const { return early_; }
  int tiles() const { return tiles_; }
  std::size_t pieces() const { return pieces_; }
  double seconds() const { return seconds_; } // that finding them took

 private:
  void find(std::span<Loop *const> loops, double tile_bytes);
  void find_lists(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, const ChainTiles &tiles, int threads);

  std::string why_;
  std::unique_ptr<Stretches> stretches_; // to which threads_ points
  std::unique_ptr<ThreadedChain> threads_;
  std::vector<LayerStep> steps_;
  std::vector<ElementRange> ranges_;
  std::size_t early_ = 0, pieces_ = 0;
  int tiles_ = 0;
  double seconds_ = 0;
};

// On which the executor runs chains; 0: it does not.
int chain_threads(const Executor &executor);
// Bytes of the rows of all dats of the loops, on this process.
double bytes_of_rows(std::span<Loop *const> loops);

} // namespace op2::core
