#include "tracer/block/bins.hpp"

#include <cmath>

namespace op2::core::tracer {

std::size_t bins_for(std::int64_t cells) {
  constexpr std::int64_t least = 512, most = std::int64_t{1} << 26, cells_of_a_bin = 2;
  return static_cast<std::size_t>(std::clamp(cells / cells_of_a_bin, least, most));
}

Bins::Bins(const Box &whole, int dim, std::size_t most) : low_(whole.low) {
  double volume = 1;
  int extended = 0; // coordinates along which the mesh has an extent
  Vector length{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
    length[k] = whole.high[k] - whole.low[k];
    if (!(length[k] > 0) || !std::isfinite(length[k])) continue;
    volume *= length[k];
    ++extended;
  }
  if (extended == 0) return;
  const double edge = std::pow(volume / static_cast<double>(std::max<std::size_t>(most, 1)), 1.0 / extended);
  for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
    if (!(length[k] > 0) || !std::isfinite(length[k])) continue;
    constexpr double most_along = 4096;
    along_[k] = static_cast<int>(std::clamp(std::floor(length[k] / edge), 1.0, most_along));
    scale_[k] = along_[k] / length[k];
  }
}

int Bins::along(std::size_t k, double x) const {
  return static_cast<int>(std::clamp((x - low_[k]) * scale_[k], 0.0, static_cast<double>(along_[k] - 1)));
}

bool Bins::range(const Box &box, std::array<int, 3> &low, std::array<int, 3> &high) const {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!std::isfinite(box.low[k]) || !std::isfinite(box.high[k])) return false;
    low[k] = along(k, box.low[k]);
    high[k] = along(k, box.high[k]);
  }
  return true;
}

std::size_t Bins::of(const Vector &point) const {
  return number(along(0, point[0]), along(1, point[1]), along(2, point[2]));
}

std::array<int, 3> Bins::place(std::size_t bin) const {
  const auto nx = static_cast<std::size_t>(along_[0]), ny = static_cast<std::size_t>(along_[1]);
  return {static_cast<int>(bin % nx), static_cast<int>(bin / nx % ny), static_cast<int>(bin / nx / ny)};
}

Region Region::grown(const Bins &bins) const {
  Region out(bins.count());
  for (std::size_t bin = 0; bin < bins.count(); ++bin)
    if (has(bin)) bins.each_around(bin, [&](std::size_t other) { out.add(other); });
  return out;
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
