// Finds the cell that contains a point: a uniform grid of bins over the mesh, each with the cells whose bounding boxes
// reach into it. Built in O(cells).
#pragma once

#include <vector>

#include "streamline/place.hpp"

namespace op2::core::streamline {

class Locator {
 public:
  explicit Locator(const Cells &cells); // which must outlive this

  // The cell with the lowest number that contains the point, sides included; cell -1 = there is none.
  Place find(const Vector &point) const;

 private:
  int bin(std::size_t k, double x) const; // along coordinate k

  const Cells &cells_;
  Vector low_{}, high_{}, scale_{}; // bins per length
  std::array<int, 3> bins_{1, 1, 1};
  std::vector<std::size_t> begin_;
  std::vector<int> cell_;
  // Of each cell, so that most are left out at a glance.
  struct CloseBox {
    std::array<float, 3> low, high;
  };
  std::vector<CloseBox> box_;
};

// Whether the point is in the cell; place becomes where.
bool contains(const Cells &cells, int cell, const Vector &point, Place &place);

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
