// A velocity on a mesh: given at its nodes and interpolated, or one per cell.
//
// A point is looked for from the place of an earlier one, cell by cell through their sides. What is found depends on
// that place and on the point alone, so whoever repeats a walk from the same place gets the same bits.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "streamline/chart.hpp"
#include "streamline/locator.hpp"

namespace op2::core::streamline {

enum class Found {
  inside,
  left,      // the point is outside of the mesh
  far,       // the point is farther away than a step may look (Nearby::look_around)
  no_number, // point or velocity is not finite
  lost       // cells around the point are degenerate
};

// What all points in one cell have in common, for whoever looks for many points near each other.
class Nearby {
 public:
  // How far around a point all that follows may look, along each coordinate. Cells beyond change nothing, so whoever
  // has the others gets the same bits. At first: everywhere.
  void look_around(const Vector &centre, double reach);
  // The time for which velocities are wanted, since the beginning of a field that changes. At first: the beginning.
  void set_time(double time) { time_ = time; }

 private:
  friend class Field;
  friend class Flock;
  bool sees(const Vector &point) const;
  bool sees(const Box &box) const;
  Box seen_{{-everywhere, -everywhere, -everywhere}, {everywhere, everywhere, everywhere}};
  static constexpr double everywhere = std::numeric_limits<double>::max();
  int cell_ = -1;
  CellType type_{};
  int sides_ = 0;
  double time_ = 0;
  Interpolation velocities_, later_;
  Chart chart_;
  Box box_;                // of the cell
  bool has_number_ = true; // the velocity in the cell
};

// The largest speed of rows [..][dim], without those that are not finite.
double fastest_of(std::span<const double> velocity, int dim);

// How a velocity changes: from that of the field to another one, linearly in time.
struct Change {
  std::span<const double> later; // [nodes or cells][dim]; empty: it does not change
  double duration = 0;
};

class Field {
 public:
  enum class On { nodes, cells };
  // velocity: [nodes or cells][dim]. All must outlive this, but velocities of nodes. Throws OP_ERR_ARGUMENT if there
  // are not as many values.
  Field(const Cells &cells, const Locator &locator, std::span<const double> velocity, On on, const Change &change = {});

  int dim() const { return cells_.dim(); }
  bool changes() const { return duration_ > 0; }
  double duration() const { return duration_; } // 0: it does not change
  // The cell with the lowest number at the point, and the velocity there.
  Found start(const Vector &point, Place &place, Nearby &nearby, Vector &velocity) const;
  // A point that has been found in the place's cell before: its coordinates there, and the velocity.
  Found found_again(const Vector &point, Place &place, Nearby &nearby, Vector &velocity) const;
  // The velocity at a place.
  Found velocity_at(const Place &place, Nearby &nearby, Vector &velocity) const;
  // The velocity at a point near the place, which becomes the point's if it is inside; else it stays. `nearby` changes
  // no result; it belongs to one thread. first: coordinates of the point in the place's cell, for whoever has them.
  Found sample(const Vector &point, Place &place, Nearby &nearby, Vector &velocity, const Place *first = nullptr) const;
  // The largest speed at a node (of a cell). A part of a mesh is told that of the whole.
  double fastest() const { return fastest_; }
  void set_fastest(double speed) { fastest_ = speed; }
  double cell_size(int cell) const { return streamline::cell_size(cells_, cell); }

 private:
  Found walk(const Vector &point, Place &place, Nearby &nearby, const Place *first) const;
  Found jump(const Vector &point, Place &place) const;
  int behind(const Place &place, const Nearby &nearby) const;
  struct Rows {
    std::array<Vector, most_nodes> x, velocity, later;
  };
  std::size_t look_up(int cell, Rows &rows) const;
  bool enter(int cell, Nearby &nearby) const;
  bool place_in(int cell, const Vector &point, Nearby &nearby, Place &place) const;

  const Cells &cells_;
  const Locator &locator_;
  std::span<const double> velocity_, later_; // of cells
  // Of nodes: position, velocity and, if it changes, the later one side by side; empty with velocities of cells.
  std::vector<double> rows_;
  double duration_ = 0;
  On on_;
  double fastest_ = 0;
};

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
