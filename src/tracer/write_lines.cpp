#include "tracer/write_lines.hpp"

#include <cmath>

#include "base/error.hpp"
#include "meshio/polylines.hpp"

namespace op2::core::tracer {

void need_lines_format(const std::string &file) {
  if (!file.ends_with(".vtp"))
    fail(OP_ERR_ARGUMENT, "the name of the file, '", file, "', does not end with .vtp, the format of lines");
}

namespace {

// The values of all processes, by rank, on process 0. Collective.
template <class T>
std::vector<T> on_first(Communicator &communicator, const std::vector<T> &own) {
  const int root = 0;
  const std::size_t offset[] = {0, own.size() * sizeof(T)};
  const std::size_t messages = own.empty() ? 0 : 1;
  const SparseMessages received =
      communicator.sparse_exchange(std::span(&root, messages), std::span(offset, messages + 1), own.data());
  const std::span<const T> all = received.all<T>();
  return {all.begin(), all.end()};
}

// Those of this process that have points.
struct Own {
  std::vector<std::int64_t> counts, seeds, ends, steps;
  std::vector<double> times, lengths;
};

Own own_lines(const op_lines_core &lines) {
  Own out;
  const std::size_t each = lines.directions == Directions::both ? 2 : 1;
  for (std::size_t i = 0; i < lines.end.size(); ++i) {
    const std::int64_t points = lines.begin[i + 1] - lines.begin[i];
    if (points == 0) continue;
    out.counts.push_back(points);
    out.seeds.push_back(lines.first_seed + static_cast<std::int64_t>(i / each));
    out.ends.push_back(lines.end[i]);
    out.steps.push_back(lines.steps[i]);
    out.times.push_back(lines.end_time[i]);
    out.lengths.push_back(lines.length[i]);
  }
  return out;
}

std::vector<double> speeds(const std::vector<double> &velocity) {
  std::vector<double> out;
  for (std::size_t i = 0; i + 2 < velocity.size(); i += 3)
    out.push_back(std::hypot(velocity[i], velocity[i + 1], velocity[i + 2]));
  return out;
}

} // namespace

void write_lines(Mesh &mesh, const op_lines_core &lines, const std::string &file) {
  Communicator &communicator = mesh.communicator();
  const Own own = own_lines(lines);
  Polylines all;
  const std::vector<std::int64_t> counts = on_first(communicator, own.counts);
  all.points = on_first(communicator, lines.x);
  std::vector<double> velocity = on_first(communicator, lines.velocity);
  all.at_points.push_back({"speed", 1, speeds(velocity)});
  all.at_points.push_back({"velocity", 3, std::move(velocity)});
  all.at_points.push_back({"time", 1, on_first(communicator, lines.time)});
  all.of_lines.push_back({"end_time", 1, on_first(communicator, own.times)});
  all.of_lines.push_back({"length", 1, on_first(communicator, own.lengths)});
  all.numbers_of_lines.push_back({"seed", 1, on_first(communicator, own.seeds)});
  all.numbers_of_lines.push_back({"end", 1, on_first(communicator, own.ends)});
  all.numbers_of_lines.push_back({"steps", 1, on_first(communicator, own.steps)});
  std::int64_t end = 0;
  for (const std::int64_t count : counts) all.ends.push_back(end += count);
  write_polylines(mesh, all, file);
}

} // namespace op2::core::tracer
