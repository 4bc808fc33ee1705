// See geometric.hpp.
#include "distributed/partition/geometric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "distributed/partition/bisect.hpp"
#include "plan/hilbert.hpp"

namespace op2::core {

namespace {

using Vector = std::array<double, 3>;

// Points with finite coordinates.
struct Points {
  std::span<const double> coordinates;
  std::size_t dim;

  std::size_t size() const { return coordinates.size() / dim; }
  double at(std::size_t point, std::size_t d) const { return coordinates[point * dim + d]; }
};

Points checked(Communicator &communicator, std::span<const double> coordinates, int dim) {
  if (dim < 1 || dim > 3) fail(OP_ERR_ARGUMENT, "points cannot have ", dim, " coordinates: 1, 2 or 3 are possible");
  const Points points{coordinates, static_cast<std::size_t>(dim)};
  const auto bad = std::find_if(coordinates.begin(), coordinates.end(), [](double x) { return !std::isfinite(x); });
  const std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t before = communicator.sum_before(static_cast<std::int64_t>(points.size()));
  const std::int64_t here = bad == coordinates.end() ? none : before + (bad - coordinates.begin()) / dim;
  const std::int64_t first = communicator.min(here);
  if (first == none) return points;
  if (first == here)
    fail_on_all(OP_ERR_ARGUMENT, "point ", first, " has the coordinate ", *bad,
                ": without finite coordinates it has no part");
  fail_on_all(OP_ERR_ARGUMENT, "point ", first, ", on another process, has no finite coordinates");
}

// Boxes of the subsets of a level. Sizes are halves, which do not overflow.
class Boxes {
 public:
  Boxes(Communicator &communicator, const Points &points, int subsets, std::span<const int> subset)
      : dim_(points.dim), edge_(2 * dim_ * static_cast<std::size_t>(subsets), std::numeric_limits<double>::infinity()) {
    for (std::size_t i = 0; i < subset.size(); ++i)
      for (std::size_t d = 0; d < dim_ && subset[i] >= 0; ++d) {
        double *edge = edge_.data() + (static_cast<std::size_t>(subset[i]) * dim_ + d) * 2;
        edge[0] = std::min(edge[0], points.at(i, d));
        edge[1] = std::min(edge[1], -points.at(i, d));
      }
    communicator.allreduce(edge_.data(), edge_.size(), OP_TYPE_DOUBLE, OP_COMM_MIN);
  }
  double half_size(int box, std::size_t d) const { return -edge(box, d)[1] / 2 - edge(box, d)[0] / 2; }
  std::size_t longest(int box) const {
    std::size_t out = 0;
    for (std::size_t d = 1; d < dim_; ++d)
      if (half_size(box, d) > half_size(box, out)) out = d;
    return out;
  }
  // Where x lies between 0, the lower edge, and 1, a box's size of 2 * half_size above it.
  double place(int box, std::size_t d, double x, double half_size) const {
    return half_size > 0 ? std::clamp((x / 2 - edge(box, d)[0] / 2) / half_size, 0.0, 1.0) : 0;
  }
  double place(int box, std::size_t d, double x) const { return place(box, d, x, half_size(box, d)); }

 private:
  const double *edge(int box, std::size_t d) const {
    return edge_.data() + (static_cast<std::size_t>(box) * dim_ + d) * 2;
  }
  std::size_t dim_;
  std::vector<double> edge_; // [box][dim]: lowest, and highest with the other sign
};

// Numbers from 0 to 1 as keys. Points in one column of a mesh differ in their last bits; as keys they agree, so that
// the column is cut across and not at random. A power of two, so that columns at simple fractions are not where it
// rounds.
std::uint64_t key_of(double place) { return static_cast<std::uint64_t>(std::llround(std::ldexp(place, 32))); }

// The direction in which symmetric a[dim][dim] is largest, by Jacobi's rotations; its largest component is positive.
Vector principal_axis(std::array<Vector, 3> a, std::size_t dim) {
  std::array<Vector, 3> v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; // columns are the eigenvectors in the end
  constexpr int sweeps = 30;                                  // it converges in less than ten
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t p = 0; p < dim; ++p)
      for (std::size_t q = p + 1; q < dim; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < dim; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < dim; ++k) {
          const double pk = a[p][k], qk = a[q][k], vp = v[k][p], vq = v[k][q];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          v[k][p] = c * vp - s * vq;
          v[k][q] = s * vp + c * vq;
        }
        a[p][q] = a[q][p] = 0;
      }
  std::size_t best = 0, widest = 0;
  for (std::size_t d = 1; d < dim; ++d)
    if (a[d][d] > a[best][best]) best = d;
  for (std::size_t d = 1; d < dim; ++d)
    if (std::abs(v[d][best]) > std::abs(v[widest][best])) widest = d;
  Vector axis{};
  for (std::size_t d = 0; d < dim; ++d) axis[d] = v[widest][best] < 0 ? -v[d][best] : v[d][best];
  return axis;
}

// The principal axis of each subset's points. Sums are of whole numbers, so that their order does not matter: places in
// 2^14 steps, whose products can be added up for 2^35 points.
std::vector<Vector> principal_axes(Communicator &communicator, const Points &points, const Boxes &boxes, int subsets,
                                   std::span<const int> subset) {
  constexpr double steps = 16383;
  constexpr std::size_t sums = 10; // count, three coordinates, six products
  std::vector<long long> sum(sums * static_cast<std::size_t>(subsets), 0);
  for (std::size_t i = 0; i < subset.size(); ++i) {
    if (subset[i] < 0) continue;
    const double scale = boxes.half_size(subset[i], boxes.longest(subset[i]));
    long long *to = sum.data() + sums * static_cast<std::size_t>(subset[i]);
    std::array<long long, 3> x{};
    for (std::size_t d = 0; d < points.dim; ++d)
      x[d] = std::llround(boxes.place(subset[i], d, points.at(i, d), scale) * steps);
    *to++ += 1;
    for (std::size_t d = 0; d < 3; ++d) *to++ += x[d];
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = d; e < 3; ++e) *to++ += x[d] * x[e];
  }
  communicator.allreduce(sum.data(), sum.size(), OP_TYPE_LL, OP_COMM_SUM);
  std::vector<Vector> axes;
  for (int s = 0; s < subsets; ++s) {
    const long long *from = sum.data() + sums * static_cast<std::size_t>(s);
    const double count = std::max(1.0, static_cast<double>(from[0]));
    const Vector mean{static_cast<double>(from[1]) / count, static_cast<double>(from[2]) / count,
                      static_cast<double>(from[3]) / count};
    std::array<Vector, 3> spread{};
    from += 4;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = d; e < 3; ++e)
        spread[d][e] = spread[e][d] = static_cast<double>(*from++) / count - mean[d] * mean[e];
    axes.push_back(principal_axis(spread, points.dim));
  }
  return axes;
}

template <std::size_t dim, int bits>
std::uint64_t curve_key(const Points &points, const Boxes &box, std::size_t point) {
  std::array<std::uint32_t, 3> cell{};
  const double scale = box.half_size(0, box.longest(0)), last = (1u << bits) - 1;
  for (std::size_t d = 0; d < dim; ++d)
    cell[d] = static_cast<std::uint32_t>(box.place(0, d, points.at(point, d), scale) * last);
  return hilbert_position<dim, bits>(cell);
}

} // namespace

std::vector<int> part_rcb(Communicator &communicator, std::span<const double> coordinates, int dim,
                          const PartShares &shares, std::span<const int> weight) {
  const Points points = checked(communicator, coordinates, dim);
  return bisect(communicator, points.size(), weight, shares, [&](int subsets, std::span<const int> subset) {
    const Boxes boxes(communicator, points, subsets, subset);
    return CutOrder{dim, [=](int stage, std::size_t i) {
                      const std::size_t d = (boxes.longest(subset[i]) + static_cast<std::size_t>(stage)) % points.dim;
                      return key_of(boxes.place(subset[i], d, points.at(i, d)));
                    }};
  });
}

std::vector<int> part_inertial(Communicator &communicator, std::span<const double> coordinates, int dim,
                               const PartShares &shares, std::span<const int> weight) {
  const Points points = checked(communicator, coordinates, dim);
  return bisect(communicator, points.size(), weight, shares, [&](int subsets, std::span<const int> subset) {
    const Boxes boxes(communicator, points, subsets, subset);
    const std::vector<Vector> axes = principal_axes(communicator, points, boxes, subsets, subset);
    const auto along_axis = [=](std::size_t i) {
      const double scale = boxes.half_size(subset[i], boxes.longest(subset[i]));
      double along = 0; // -sqrt(3) ... sqrt(3)
      for (std::size_t d = 0; d < points.dim; ++d)
        along += axes[static_cast<std::size_t>(subset[i])][d] * boxes.place(subset[i], d, points.at(i, d), scale);
      return key_of((along + 2) / 4);
    };
    return CutOrder{dim + 1, [=](int stage, std::size_t i) {
                      if (stage == 0) return along_axis(i);
                      const std::size_t d = static_cast<std::size_t>(stage - 1);
                      return key_of(boxes.place(subset[i], d, points.at(i, d)));
                    }};
  });
}

std::vector<int> part_hilbert(Communicator &communicator, std::span<const double> coordinates, int dim,
                              const PartShares &shares, std::span<const int> weight) {
  const Points points = checked(communicator, coordinates, dim);
  const std::vector<int> all(points.size(), 0);
  const Boxes box(communicator, points, 1, all);
  std::vector<std::uint64_t> key(points.size());
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = dim == 1   ? curve_key<1, 31>(points, box, i)
             : dim == 2 ? curve_key<2, 31>(points, box, i)
                        : curve_key<3, 21>(points, box, i);
  return bisect(communicator, points.size(), weight, shares, [&](int, std::span<const int>) {
    return CutOrder{1, [&](int, std::size_t i) { return key[i]; }};
  });
}

std::vector<int> part_random(Communicator &communicator, std::span<const std::int64_t> numbers, std::uint64_t seed,
                             const PartShares &shares, std::span<const int> weight) {
  return bisect(communicator, numbers.size(), weight, shares, [&](int, std::span<const int>) {
    return CutOrder{2, [=](int stage, std::size_t i) {
                      const std::uint64_t number = static_cast<std::uint64_t>(numbers[i]);
                      return stage == 0 ? Hash().add(seed).add(number).value() : number;
                    }};
  });
}

std::vector<int> part_block(Communicator &communicator, std::size_t elements, const PartShares &shares,
                            std::span<const int> given) {
  const std::vector<int> weight = agreed_weights(communicator, elements, given);
  std::int64_t own = 0;
  for (const int w : weight) own += w;
  double below = static_cast<double>(communicator.sum_before(own));
  const double total = static_cast<double>(communicator.sum(own));
  std::vector<int> part(elements);
  int p = 0;
  double end = shares.of(0) * total; // of part p
  for (std::size_t i = 0; i < elements; ++i) {
    const double middle = below + weight[i] / 2.0; // an element belongs where most of it lies
    while (p + 1 < shares.parts() && middle > end) end = shares.of(0, ++p + 1) * total;
    part[i] = p;
    below += weight[i];
  }
  return part;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
