#include "streamline/locator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "streamline/chart.hpp"

namespace op2::core::streamline {

namespace {

bool finite(const Box &box) { return streamline::finite(box.low) && streamline::finite(box.high); }

// Not above, and not below, the number.
float below(double x) {
  const auto near = static_cast<float>(x);
  return near > x ? std::nextafter(near, -std::numeric_limits<float>::infinity()) : near;
}
float above(double x) { return -below(-x); }

} // namespace

bool contains(const Cells &cells, int cell, const Vector &point, Place &place) {
  const CellType type = cells.type(cell);
  const std::array<Vector, most_nodes> x = values_of(cells, cell, cells.x(0));
  place.cell = cell;
  Chart chart;
  if (!chart.set(type, Interpolation(type, x))) return false;
  if (!chart.find(point, place.at)) return false;
  std::array<double, most_sides> depth{};
  depths(type, place.at, depth);
  const auto sides = static_cast<std::ptrdiff_t>(shape(type).sides.size());
  return std::all_of(depth.begin(), depth.begin() + sides, [](double d) { return d >= -rounding; });
}

int Locator::bin(std::size_t k, double x) const {
  const double at = (x - low_[k]) * scale_[k];
  return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(bins_[k] - 1)));
}

Locator::Locator(const Cells &cells) : cells_(cells) {
  const auto dim = static_cast<std::size_t>(cells.dim());
  std::vector<Box> boxes;
  low_.fill(std::numeric_limits<double>::infinity());
  high_.fill(-std::numeric_limits<double>::infinity());
  for (int cell = 0; cell < cells.size(); ++cell) {
    boxes.push_back(box_of(cells, cell));
    if (!finite(boxes.back())) continue;
    for (std::size_t k = 0; k < dim; ++k) {
      low_[k] = std::min(low_[k], boxes.back().low[k]);
      high_[k] = std::max(high_[k], boxes.back().high[k]);
    }
  }
  for (std::size_t k = dim; k < 3; ++k) low_[k] = high_[k] = 0;
  for (const Box &box : boxes)
    box_.push_back({{below(box.low[0]), below(box.low[1]), below(box.low[2])},
                    {above(box.high[0]), above(box.high[1]), above(box.high[2])}});
  double volume = 1;
  for (std::size_t k = 0; k < dim; ++k) volume *= std::max(high_[k] - low_[k], 1e-300);
  const double edge = std::pow(volume / std::max(cells.size(), 1), 1.0 / static_cast<double>(dim));
  constexpr double most_bins = 1024; // along a coordinate: a thin mesh would have many otherwise
  for (std::size_t k = 0; k < dim; ++k) {
    const double length = high_[k] - low_[k];
    bins_[k] = length > 0 ? static_cast<int>(std::clamp(std::ceil(length / edge), 1.0, most_bins)) : 1;
    scale_[k] = length > 0 ? bins_[k] / length : 0;
  }
  const auto count =
      static_cast<std::size_t>(bins_[0]) * static_cast<std::size_t>(bins_[1]) * static_cast<std::size_t>(bins_[2]);
  const auto each_bin = [&](const Box &box, const auto &act) {
    if (!finite(box)) return; // no point is in it
    for (int z = bin(2, box.low[2]); z <= bin(2, box.high[2]); ++z)
      for (int y = bin(1, box.low[1]); y <= bin(1, box.high[1]); ++y)
        for (int x = bin(0, box.low[0]); x <= bin(0, box.high[0]); ++x)
          act((static_cast<std::size_t>(z) * static_cast<std::size_t>(bins_[1]) + static_cast<std::size_t>(y)) *
                  static_cast<std::size_t>(bins_[0]) +
              static_cast<std::size_t>(x));
  };
  begin_.assign(count + 1, 0);
  for (const Box &box : boxes) each_bin(box, [&](std::size_t b) { ++begin_[b + 1]; });
  for (std::size_t b = 0; b < count; ++b) begin_[b + 1] += begin_[b];
  cell_.resize(begin_[count]);
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (int cell = 0; cell < cells.size(); ++cell)
    each_bin(boxes[static_cast<std::size_t>(cell)], [&](std::size_t b) { cell_[next[b]++] = cell; });
}

// The cells of a bin are in the order of their numbers.
Place Locator::find(const Vector &point) const {
  for (std::size_t k = 0; k < static_cast<std::size_t>(cells_.dim()); ++k)
    if (!(point[k] >= low_[k] && point[k] <= high_[k])) return {};
  const std::size_t b = (static_cast<std::size_t>(bin(2, point[2])) * static_cast<std::size_t>(bins_[1]) +
                         static_cast<std::size_t>(bin(1, point[1]))) *
                            static_cast<std::size_t>(bins_[0]) +
                        static_cast<std::size_t>(bin(0, point[0]));
  for (std::size_t i = begin_[b]; i < begin_[b + 1]; ++i) {
    const CloseBox &box = box_[static_cast<std::size_t>(cell_[i])];
    bool near = true;
    for (std::size_t k = 0; k < 3; ++k) near = near && box.low[k] <= point[k] && point[k] <= box.high[k];
    if (Place place; near && contains(cells_, cell_[i], point, place)) return place;
  }
  return {};
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
