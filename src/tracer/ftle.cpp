#include "tracer/ftle.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "distributed/directory.hpp"
#include "distributed/groups.hpp"
#include "tracer/block/divide.hpp"
#include "tracer/context.hpp"

namespace op2::core::tracer {

namespace {

using Matrix = std::array<Vector, 3>;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Where a particle begins and ends. Sent and compared as bytes of doubles.
struct Way {
  Vector from, to;
  double complete; // 1: it was traced for all of the time, or rests
};

struct Pair {
  std::int64_t node, other;
  bool operator<(const Pair &pair) const { return node != pair.node ? node < pair.node : other < pair.other; }
  bool operator==(const Pair &pair) const { return node == pair.node && other == pair.other; }
};

void sort_once(std::vector<Pair> &pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

// Pairs of nodes in a cell, with the process that has the first one's row. Each once, ascending.
std::vector<Pair> neighbours_of_nodes(Communicator &communicator, std::span<const CellRecord> cells,
                                      const Directory &holders) {
  std::vector<Pair> pairs;
  for (const CellRecord &cell : cells) {
    const auto nodes = static_cast<std::size_t>(shape(static_cast<CellType>(cell.type)).nodes);
    for (std::size_t i = 0; i < nodes; ++i)
      for (std::size_t j = 0; j < nodes; ++j)
        if (i != j) pairs.push_back({cell.node[i], cell.node[j]});
  }
  sort_once(pairs);
  std::vector<op_gindex> nodes;
  for (const Pair &pair : pairs) nodes.push_back(pair.node);
  const std::vector<int> to = holders.ask(nodes);
  const SparseMessages received = post(communicator, group_by_rank(to), std::span<const Pair>(pairs));
  const std::span<const Pair> all = received.all<Pair>();
  std::vector<Pair> out(all.begin(), all.end());
  sort_once(out);
  return out;
}

// The ways of any nodes: ask their holders. numbers: ascending.
std::vector<Way> ways_of(Communicator &communicator, const Directory &holders, std::span<const op_gindex> numbers,
                         std::span<const Way> own, op_gindex first) {
  const Groups groups = group_by_rank(holders.ask(numbers));
  const SparseMessages questions = post(communicator, groups, numbers);
  std::vector<Way> found;
  for (const op_gindex number : questions.all<op_gindex>())
    found.push_back(own[static_cast<std::size_t>(number - first)]);
  const SparseMessages answers =
      answer(communicator, questions, found, [&](int m) { return questions.values<op_gindex>(m).size(); });
  std::vector<Way> out(numbers.size());
  const std::span<const Way> all = answers.all<Way>();
  for (std::size_t i = 0; i < all.size(); ++i) out[static_cast<std::size_t>(groups.order[i])] = all[i];
  return out;
}

Vector cross(const Vector &p, const Vector &q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
double dot(const Vector &p, const Vector &q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }

// The largest eigenvalue of a symmetric matrix that is not negative, from its characteristic polynomial (O. Smith,
// Communications of the ACM 4 (1961) 168).
double largest_eigenvalue(const Matrix &m) {
  const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3;
  Matrix rest = m;
  for (std::size_t k = 0; k < 3; ++k) rest[k][k] -= mean;
  double square = 0;
  for (const Vector &row : rest) square += dot(row, row);
  const double radius = std::sqrt(square / 6);
  if (!(radius > 0)) return mean;
  const double det = dot(rest[0], cross(rest[1], rest[2]));
  const double angle = std::acos(std::clamp(det / (2 * radius * radius * radius), -1.0, 1.0)) / 3;
  return mean + 2 * radius * std::cos(angle);
}

// log of the largest factor by which ways from around a node stretch; not a number where they lie in a plane.
double stretching(const Way &own, std::span<const Way> others, int dim) {
  Matrix a{}, b{}; // sums of d d^T, and of e d^T
  for (const Way &other : others)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = other.from[k] - own.from[k];
        a[i][k] += (other.from[i] - own.from[i]) * d;
        b[i][k] += (other.to[i] - own.to[i]) * d;
      }
  if (dim == 2) a[2][2] = 1; // nothing moves there
  const Matrix adjoint{cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])};
  const double det = dot(a[0], adjoint[0]);
  if (!(std::abs(det) > 0)) return not_a_number;
  Matrix gradient{}, tensor{}; // b a^-1, and the gradient's transpose times itself (Cauchy and Green)
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) gradient[i][k] = dot(b[i], adjoint[k]) / det;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (const Vector &row : gradient) tensor[i][k] += row[i] * row[k];
  return 0.5 * std::log(largest_eigenvalue(tensor));
}

// Of the nodes whose rows this process has, in their order.
std::vector<Way> own_ways(Context &context, op_tracer_core &tracer, const Traced &traced, Request request) {
  request.options.every = 0;
  request.options.turn = 0;
  const std::vector<char> rows = fetch_declared(context, traced.coordinates);
  const auto count = static_cast<std::size_t>(facts_of(traced.coordinates.set).declared_size);
  const std::vector<Vector> seeds = points_of(traced.coordinates, rows.data(), count);
  const std::unique_ptr<op_lines_core> lines = trace(context, tracer, request, seeds);
  std::vector<Way> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({seeds[i],
                   {lines->end_x[3 * i], lines->end_x[3 * i + 1], lines->end_x[3 * i + 2]},
                   lines->end[i] == OP_LINE_TIME || lines->end[i] == OP_LINE_SLOW ? 1.0 : 0.0});
  return out;
}

} // namespace

void ftle(Context &context, op_tracer_core &tracer, const Request &request, const DatFacts &out) {
  Communicator &communicator = context.communicator;
  const Traced traced = traced_of(tracer);
  const SetFacts nodes = facts_of(traced.coordinates.set);
  const std::vector<Way> own = own_ways(context, tracer, traced, request);
  Directory holders(communicator, nodes.global_size);
  holders.enter_range(nodes.declared_first, nodes.declared_size, communicator.rank());
  const Source source = source_of(communicator, traced, false);
  const std::vector<Pair> pairs = neighbours_of_nodes(communicator, source.cells, holders);
  std::vector<op_gindex> numbers;
  for (const Pair &pair : pairs) numbers.push_back(pair.other);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const std::vector<Way> ways = ways_of(communicator, holders, numbers, own, nodes.declared_first);

  std::vector<double> rows(own.size(), not_a_number);
  std::vector<Way> others;
  for (std::size_t i = 0, end = 0; i < pairs.size(); i = end) {
    others.clear();
    for (end = i; end < pairs.size() && pairs[end].node == pairs[i].node; ++end)
      others.push_back(ways[static_cast<std::size_t>(
          std::lower_bound(numbers.begin(), numbers.end(), pairs[end].other) - numbers.begin())]);
    const auto node = static_cast<std::size_t>(pairs[i].node - nodes.declared_first);
    const bool complete = own[node].complete > 0 &&
                          std::all_of(others.begin(), others.end(), [](const Way &way) { return way.complete > 0; });
    if (complete) rows[node] = stretching(own[node], others, traced.coordinates.dim) / request.options.longest_time;
  }
  put_declared(out, rows.data());
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
