#include "streamline/field.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace op2::core::streamline {

Field::Field(const Cells &cells, const Locator &locator, std::span<const double> velocity, On on, const Change &change)
    : cells_(cells), locator_(locator), duration_(change.later.empty() ? 0 : change.duration), on_(on) {
  const int rows = on == On::nodes ? cells.nodes() : cells.size();
  const std::size_t values = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cells.dim());
  for (const auto &given : {velocity, change.later.empty() ? velocity : change.later})
    if (given.size() != values)
      fail(OP_ERR_ARGUMENT, "the velocity has ", given.size(), " values; ", rows, " ",
           on == On::nodes ? "nodes" : "cells", " of ", cells.dim(), " components need ", values);
  fastest_ = std::max(fastest_of(velocity, cells.dim()), fastest_of(change.later, cells.dim()));
  if (on == On::cells) {
    velocity_ = velocity;
    later_ = change.later;
    return;
  }
  const auto dim = static_cast<std::ptrdiff_t>(cells.dim());
  rows_.reserve(values * (changes() ? 3 : 2));
  for (int node = 0; node < rows; ++node) {
    const double *const x = cells.x(node);
    rows_.insert(rows_.end(), x, x + dim);
    rows_.insert(rows_.end(), velocity.begin() + node * dim, velocity.begin() + (node + 1) * dim);
    if (changes())
      rows_.insert(rows_.end(), change.later.begin() + node * dim, change.later.begin() + (node + 1) * dim);
  }
}

double fastest_of(std::span<const double> velocity, int dim) {
  const auto columns = static_cast<std::size_t>(dim);
  double out = 0;
  for (std::size_t i = 0; i + columns <= velocity.size(); i += columns) {
    double square = 0;
    for (std::size_t k = 0; k < columns; ++k) square += velocity[i + k] * velocity[i + k];
    if (std::isfinite(square)) out = std::max(out, std::sqrt(square));
  }
  return out;
}

void Nearby::look_around(const Vector &centre, double reach) {
  for (std::size_t k = 0; k < 3; ++k) seen_.low[k] = centre[k] - reach, seen_.high[k] = centre[k] + reach;
}

bool Nearby::sees(const Vector &point) const { return sees(Box{point, point}); }

bool Nearby::sees(const Box &box) const {
  bool out = true;
  for (std::size_t k = 0; k < 3; ++k) out &= box.low[k] <= seen_.high[k] && box.high[k] >= seen_.low[k];
  return out;
}

// Positions and velocities of the cell's nodes; how many there are. Only positions where velocities are of cells.
std::size_t Field::look_up(int cell, Rows &out) const {
  const std::span<const int> nodes = cells_.nodes_of(cell);
  const auto copy = [&](std::size_t columns, std::size_t parts) __attribute__((always_inline)) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double *const row = rows_.data() + static_cast<std::size_t>(nodes[i]) * parts * columns;
      for (std::size_t k = 0; k < columns; ++k) {
        out.x[i][k] = row[k];
        out.velocity[i][k] = row[columns + k];
        if (parts == 3) out.later[i][k] = row[2 * columns + k];
      }
      if (columns == 2) out.x[i][2] = out.velocity[i][2] = out.later[i][2] = 0;
    }
  };
  if (on_ == On::cells)
    out.x = values_of(cells_, cell, cells_.x(0));
  else if (cells_.dim() == 3)
    changes() ? copy(3, 3) : copy(3, 2);
  else
    changes() ? copy(2, 3) : copy(2, 2);
  return nodes.size();
}

// False: the cell is degenerate.
bool Field::enter(int cell, Nearby &nearby) const {
  if (nearby.cell_ == cell) return true;
  nearby.cell_ = -1;
  nearby.type_ = cells_.type(cell);
  nearby.sides_ = static_cast<int>(shape(nearby.type_).sides.size());
  Rows rows; // NOLINT: look_up() sets those of the cell's nodes
  const std::size_t nodes = look_up(cell, rows);
  nearby.box_ = box_around(std::span(rows.x).first(nodes));
  nearby.has_number_ = true;
  if (on_ == On::nodes) {
    for (std::size_t i = 0; i < nodes; ++i)
      nearby.has_number_ &= finite(rows.velocity[i]) && (!changes() || finite(rows.later[i]));
    nearby.velocities_.set(nearby.type_, rows.velocity);
    if (changes()) nearby.later_.set(nearby.type_, rows.later);
  } else {
    const auto row = [&](std::span<const double> values) {
      const auto dim = static_cast<std::size_t>(cells_.dim());
      Vector out{};
      for (std::size_t c = 0; c < dim; ++c) out[c] = values[static_cast<std::size_t>(cell) * dim + c];
      nearby.has_number_ &= finite(out);
      return out;
    };
    nearby.velocities_.set_constant(row(velocity_));
    if (changes()) nearby.later_.set_constant(row(later_));
  }
  if (!nearby.chart_.set(nearby.type_, Interpolation(nearby.type_, rows.x))) return false;
  nearby.cell_ = cell;
  cells_.expect_around(cell); // one of those is next, as a rule
  return true;
}

// The reference coordinates of the point in a cell, which may be outside of it.
bool Field::place_in(int cell, const Vector &point, Nearby &nearby, Place &place) const {
  if (!enter(cell, nearby)) return false;
  place.cell = cell;
  return nearby.chart_.find(point, place.at);
}

namespace {

constexpr int here = -1, nowhere = -2;

} // namespace

// The cell behind the side that the point is farthest behind; or `here`: the point is in this cell, or `nowhere`.
int Field::behind(const Place &place, const Nearby &nearby) const {
  std::array<double, most_sides> depth; // NOLINT: depths() sets those of the cell's sides
  depths(nearby.type_, place.at, depth);
  int through = -1;
  double least = -rounding;
  for (int side = 0; side < nearby.sides_; ++side)
    if (const double its = depth[static_cast<std::size_t>(side)]; its < least) {
      least = its;
      through = side;
    }
  if (through < 0) return here;
  const int cell = cells_.neighbour(place.cell, through);
  return cell < 0 ? nowhere : cell;
}

// From cell to cell. If that leads nowhere, the locator has the last word.
Found Field::walk(const Vector &point, Place &from, Nearby &nearby, const Place *first) const {
  constexpr int most_hops = 64;
  Place place = first ? *first : from;
  for (int hop = 0, cell = from.cell; hop < most_hops; ++hop) {
    if (hop == 0 && first ? !enter(cell, nearby) : !place_in(cell, point, nearby, place)) break;
    if (hop > 0 && !nearby.sees(nearby.box_)) break; // as if it was not there
    cell = behind(place, nearby);
    if (cell == here) {
      from = place;
      return Found::inside;
    }
    if (cell == nowhere) break;
  }
  return jump(point, from);
}

// The walk ended at the border, or in degenerate cells. The point is taken if the mesh has it, and all of the way to it
// as far as ten points tell: what is behind a hole is not reached.
Found Field::jump(const Vector &point, Place &place) const {
  const Place target = locator_.find(point);
  if (target.cell < 0) return Found::left;
  constexpr int pieces = 11;
  const int cell = place.cell;
  const Vector from = Interpolation(cells_.type(cell), values_of(cells_, cell, cells_.x(0))).value(place.at);
  for (int piece = 1; piece < pieces; ++piece) {
    const double t = static_cast<double>(piece) / pieces;
    Vector between;
    for (std::size_t k = 0; k < 3; ++k) between[k] = from[k] + t * (point[k] - from[k]);
    if (locator_.find(between).cell < 0) return Found::left;
  }
  place = target;
  return Found::inside;
}

Found Field::velocity_at(const Place &place, Nearby &nearby, Vector &velocity) const {
  if (!enter(place.cell, nearby)) return Found::lost;
  velocity = nearby.velocities_.value(place.at);
  if (changes()) {
    const Vector other = nearby.later_.value(place.at);
    const double later = nearby.time_ / duration_; // its share
    for (std::size_t k = 0; k < 3; ++k) velocity[k] = (1 - later) * velocity[k] + later * other[k];
  }
  return nearby.has_number_ ? Found::inside : Found::no_number;
}

Found Field::start(const Vector &point, Place &place, Nearby &nearby, Vector &velocity) const {
  if (!finite(point)) return Found::no_number;
  place = locator_.find(point);
  return place.cell < 0 ? Found::left : velocity_at(place, nearby, velocity);
}

Found Field::found_again(const Vector &point, Place &place, Nearby &nearby, Vector &velocity) const {
  return place_in(place.cell, point, nearby, place) ? velocity_at(place, nearby, velocity) : Found::lost;
}

// All of a walk in one function: it is short as a rule, and calls are a sixth of its time.
__attribute__((flatten)) Found Field::sample(const Vector &point, Place &place, Nearby &nearby, Vector &velocity,
                                             const Place *first) const {
  if (!nearby.sees(point)) return finite(point) ? Found::far : Found::no_number;
  Place target = place;
  Found found = walk(point, target, nearby, first);
  if (found == Found::inside) found = velocity_at(target, nearby, velocity);
  if (found == Found::inside) place = target;
  return found;
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
