#include "tracer/draw/gather.hpp"

#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "distributed/groups.hpp"

namespace op2::core::tracer {

namespace {

template <class T>
std::vector<int> homes(const std::vector<T> &all) {
  std::vector<int> out;
  for (const T &one : all) out.push_back(one.home);
  return out;
}

} // namespace

void gather(Communicator &communicator, Archive &made, Lines &lines) {
  const SparseMessages finished =
      post(communicator, group_by_rank(homes(made.finished)), std::span<const Finished>(made.finished));
  for (const Finished &one : finished.all<Finished>())
    lines.line[static_cast<std::size_t>(one.line)] = {static_cast<End>(one.end), one.steps, one.time, one.length,
                                                      one.x};

  const SparseMessages parts = post(communicator, group_by_rank(homes(made.parts)), std::span<const Part>(made.parts));
  std::vector<int> to; // of each point: points are in the order of the parts
  for (const Part &part : made.parts) to.insert(to.end(), static_cast<std::size_t>(part.count), part.home);
  std::vector<LinePoint> kept;
  kept.reserve(to.size());
  for (std::vector<LinePoint> &some : std::exchange(made.points, {})) kept.insert(kept.end(), some.begin(), some.end());
  const SparseMessages points = post(communicator, group_by_rank(to), std::span<const LinePoint>(kept));
  kept = {};
  made = {};

  struct Own {
    Part part;
    std::int64_t begin; // among all points that have come
  };
  std::vector<Own> own;
  std::int64_t begin = 0;
  for (const Part &part : parts.all<Part>()) {
    own.push_back({part, begin});
    begin += part.count;
  }
  const std::span<const LinePoint> all = points.all<LinePoint>();
  if (begin != static_cast<std::int64_t>(all.size()))
    fail(OP_ERR_INTERNAL, "tracing: ", all.size(), " points of lines have come, expected are ", begin);
  std::sort(own.begin(), own.end(), [](const Own &a, const Own &b) {
    return std::tie(a.part.line, a.part.number) < std::tie(b.part.line, b.part.number);
  });
  lines.points.reserve(all.size());
  std::size_t next = 0;
  for (std::size_t line = 0; line < lines.line.size(); ++line) {
    for (; next < own.size() && own[next].part.line == static_cast<std::int64_t>(line); ++next) {
      const auto from = all.begin() + own[next].begin;
      lines.points.insert(lines.points.end(), from, from + own[next].part.count);
    }
    lines.begin.push_back(static_cast<std::int64_t>(lines.points.size()));
  }
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
