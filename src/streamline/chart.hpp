// Where in a cell points are: its reference coordinates, the inverse of the interpolation of positions.
#pragma once

#include "streamline/place.hpp"

namespace op2::core::streamline {

// A cell is straight, as simplices are and parallelepipeds: then three products and sums for each coordinate are all.
// Or it is bent, and Newton's method finds them, beginning with those of a straight cell. So coordinates depend on the
// cell and the point, and on nothing that was found before.
class Chart {
 public:
  // positions: of the cell's nodes. False: the cell is degenerate, and nothing may be found in it.
  bool set(CellType type, const Interpolation &positions);

  // The coordinates of a point, which may be outside of the cell. False: there are none (far outside of bent cells).
  bool find(const Vector &point, Vector &at) const {
    at = straight_place(inverse_, point);
    return straight_ || find_bent(at);
  }
  bool straight() const { return straight_; }
  const Inverse<double> &inverse() const { return inverse_; }

 private:
  bool find_bent(Vector &at) const;

  CellType type_ = CellType::tetrahedron;
  bool straight_ = true;
  Inverse<double> inverse_;
};

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
