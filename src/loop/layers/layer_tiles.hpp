// Several processes: the loops of a group in tiles that stay in cache, on each process by itself
// (loop/chain/segments.hpp), with the bits of one after the other.
//
// A part of a loop is to the inspector a loop of its own. Elements and rows of the core have their places in the mesh
// by their numbers; those of the boundary, and copies of other processes', lie behind it, and go to the tiles of the
// elements that they meet.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/segments.hpp"
#include "loop/loop.hpp"

namespace op2::core {

struct LayerStep {
  int loop; // of the group
  int part;
  std::size_t begin, end; // its elements, among all ranges
};

class LayerTiles {
 public:
  // loops: of a group, prepared. tile_bytes: of the rows of a tile.
  LayerTiles(std::span<Loop *const> loops, double tile_bytes);

  // Why there are none: the loops run one after the other. "" = there are.
  const std::string &why() const { return why_; }
  void refuse(const std::string &why);
  std::span<const LayerStep> steps() const { return steps_; }
  std::span<const ElementRange> ranges_of(const LayerStep &step) const {
    return std::span(ranges_).subspan(step.begin, step.end - step.begin);
  }
  // So many first steps need no copies: they run while messages travel.
  std::size_t early() const { return early_; }
  int tiles() const { return tiles_; }
  double seconds() const { return seconds_; } // that finding them took

 private:
  void find(std::span<Loop *const> loops, double tile_bytes);

  std::string why_;
  std::vector<LayerStep> steps_;
  std::vector<ElementRange> ranges_;
  std::size_t early_ = 0;
  int tiles_ = 0;
  double seconds_ = 0;
};

// Bytes of the rows of all dats of the loops, on this process.
double bytes_of_rows(std::span<Loop *const> loops);

} // namespace op2::core
