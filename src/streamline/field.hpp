// A velocity on a mesh: given at its nodes and interpolated, or one per cell.
//
// A point is looked for from the place of an earlier one, cell by cell through their sides. What is found depends on
// that place and on the point alone, so whoever repeats a walk from the same place gets the same bits.
#pragma once

#include <span>

#include "streamline/locator.hpp"

namespace op2::core::streamline {

enum class Found {
  inside,
  left,      // the point is outside of the mesh
  no_number, // point or velocity is not finite
  lost       // cells around the point are degenerate
};

// What all points in one cell have in common, for whoever looks for many points near each other.
class Nearby {
 private:
  friend class Field;
  int cell_ = -1;
  CellType type_{};
  int sides_ = 0;
  Interpolation positions_, velocities_;
  // Of a simplex: node 0, and rows by which the way from there becomes reference coordinates.
  Vector origin_{};
  std::array<Vector, 3> to_place_{};
};

class Field {
 public:
  enum class On { nodes, cells };
  // velocity: [nodes or cells][dim]. All must outlive this. Throws OP_ERR_ARGUMENT if there are not as many values.
  Field(const Cells &cells, const Locator &locator, std::span<const double> velocity, On on);

  int dim() const { return cells_.dim(); }
  // The cell with the lowest number at the point, and the velocity there.
  Found start(const Vector &point, Place &place, Nearby &nearby, Vector &velocity) const;
  // The velocity at a point near the place, which becomes the point's if it is inside; else it stays. `nearby` changes
  // no result; it belongs to one thread.
  Found sample(const Vector &point, Place &place, Nearby &nearby, Vector &velocity) const;
  // The edge of a cube (a square) as large as the box around the cell.
  double cell_size(int cell) const;

 private:
  Found walk(const Vector &point, Place &place, Nearby &nearby) const;
  Found jump(const Vector &point, Place &place) const;
  bool enter(int cell, Nearby &nearby) const;
  bool place_in(int cell, const Vector &point, Nearby &nearby, Place &place) const;
  Found velocity_at(const Place &place, Nearby &nearby, Vector &velocity) const;

  const Cells &cells_;
  const Locator &locator_;
  std::span<const double> velocity_;
  On on_;
};

} // namespace op2::core::streamline
