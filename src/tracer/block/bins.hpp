// A uniform grid over the whole mesh, the same on all processes, and sets of its bins: which part of space a process
// knows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tracer/block/source.hpp"

namespace op2::core::tracer {

// How many bins a mesh of so many cells has: as large as two cells, and a bit for each is not much.
std::size_t bins_for(std::int64_t cells);

class Bins {
 public:
  // Not more than `most` bins.
  Bins(const Box &whole, int dim, std::size_t most);

  std::size_t count() const { return static_cast<std::size_t>(along_[0]) * slice(); }
  // Calls act(bin) for each bin that the box touches. A box that is not finite touches none.
  template <class Act>
  void each(const Box &box, const Act &act) const {
    std::array<int, 3> low, high;
    if (!range(box, low, high)) return;
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x) act(number(x, y, z));
  }
  // The bins around a bin, itself included.
  template <class Act>
  void each_around(std::size_t bin, const Act &act) const {
    const std::array<int, 3> at = place(bin);
    for (int z = std::max(at[2] - 1, 0); z <= std::min(at[2] + 1, along_[2] - 1); ++z)
      for (int y = std::max(at[1] - 1, 0); y <= std::min(at[1] + 1, along_[1] - 1); ++y)
        for (int x = std::max(at[0] - 1, 0); x <= std::min(at[0] + 1, along_[0] - 1); ++x) act(number(x, y, z));
  }
  std::size_t of(const Vector &point) const; // of the next bin, for points outside

 private:
  std::size_t slice() const { return static_cast<std::size_t>(along_[1]) * static_cast<std::size_t>(along_[2]); }
  std::size_t number(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(along_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(along_[0]) +
           static_cast<std::size_t>(x);
  }
  std::array<int, 3> place(std::size_t bin) const;
  int along(std::size_t k, double x) const;
  bool range(const Box &box, std::array<int, 3> &low, std::array<int, 3> &high) const;

  Vector low_{}, scale_{};
  std::array<int, 3> along_{1, 1, 1};
};

// A set of bins.
class Region {
 public:
  explicit Region(std::size_t bins) : words_((bins + 63) / 64, 0) {}
  void add(std::size_t bin) { words_[bin / 64] |= std::uint64_t{1} << (bin % 64); }
  bool has(std::size_t bin) const { return (words_[bin / 64] >> (bin % 64) & 1) != 0; }
  // With the bins around each.
  Region grown(const Bins &bins) const;
  const std::vector<std::uint64_t> &words() const { return words_; }
  std::vector<std::uint64_t> &words() { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
