// box.hpp: a periodic box of cells, divided among the processes of a job in equal boxes, as maps with global numbers.
#ifndef OP2_BENCH_BOX_HPP
#define OP2_BENCH_BOX_HPP

#include <array>
#include <vector>

namespace bench {

// n * n * n cells of each process. Cells of a process have consecutive numbers.
class Box {
 public:
  using Place = std::array<int, 3>; // of a cell, in the whole box

  Box(int n, int rank, int processes) : n_(n), rank_(rank), parts_(divide(processes)) {}
  [[nodiscard]] int cells() const { return n_ * n_ * n_; }
  [[nodiscard]] int first() const { return rank_ * cells(); } // number of the first own cell

  // The targets of own cells at these distances.
  [[nodiscard]] std::vector<int> targets(const std::vector<Place> &distances) const {
    std::vector<int> out;
    for (int cell = 0; cell < cells(); ++cell)
      for (const Place &d : distances) {
        const Place own = place_of(cell);
        out.push_back(number_of({own[0] + d[0], own[1] + d[1], own[2] + d[2]}));
      }
    return out;
  }
  // The two cells of each face: own cells with the next one in each direction.
  [[nodiscard]] std::vector<int> faces() const {
    std::vector<int> out;
    for (const Place &d : {Place{1, 0, 0}, Place{0, 1, 0}, Place{0, 0, 1}}) {
      const std::vector<int> pairs = targets({{0, 0, 0}, d});
      out.insert(out.end(), pairs.begin(), pairs.end());
    }
    return out;
  }
  // The cell of a box with half as many cells in each direction that holds each own cell. n must be even.
  [[nodiscard]] std::vector<int> parents() const {
    const Box half(n_ / 2, rank_, parts_[0] * parts_[1] * parts_[2]);
    std::vector<int> out;
    for (int cell = 0; cell < cells(); ++cell) {
      const Place own = place_of(cell);
      out.push_back(half.number_of({own[0] / 2, own[1] / 2, own[2] / 2}));
    }
    return out;
  }
  // Distances of a cell to itself and its 26 neighbours, and to the 8 corners above it.
  static std::vector<Place> around(int lowest) {
    std::vector<Place> out;
    for (int z = lowest; z <= 1; ++z)
      for (int y = lowest; y <= 1; ++y)
        for (int x = lowest; x <= 1; ++x) out.push_back({x, y, z});
    return out;
  }

 private:
  // As cubic as factors of two and three allow: 8 is 2 * 2 * 2, 27 is 3 * 3 * 3.
  static Place divide(int processes) {
    Place parts{1, 1, 1};
    for (std::size_t direction = 0; processes > 1; direction = (direction + 1) % 3) {
      const int factor = processes % 3 == 0 ? 3 : processes % 2 == 0 ? 2 : processes;
      parts[direction] *= factor;
      processes /= factor;
    }
    return parts;
  }
  [[nodiscard]] Place place_of(int cell) const {
    const Place part{rank_ % parts_[0], rank_ / parts_[0] % parts_[1], rank_ / (parts_[0] * parts_[1])};
    return {part[0] * n_ + cell % n_, part[1] * n_ + cell / n_ % n_, part[2] * n_ + cell / (n_ * n_)};
  }
  [[nodiscard]] int number_of(Place at) const {
    int part = 0, within = 0;
    for (std::size_t d = 3; d-- > 0;) {
      const int all = n_ * parts_[d], in = (at[d] % all + all) % all;
      part = part * parts_[d] + in / n_;
      within = within * n_ + in % n_;
    }
    return part * cells() + within;
  }

  int n_, rank_;
  Place parts_;
};

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
