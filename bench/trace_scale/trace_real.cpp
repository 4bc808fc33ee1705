// trace_real.cpp: see trace_real.hpp.
#include "trace_scale/trace_real.hpp"

#include <algorithm>
#include <mutex>

#include "ranks.hpp"

namespace trace_scale {

namespace tracer = op2::core::tracer;

namespace {

// What one of several processes has: every so many'th cell, since the library divides again.
tracer::Source share_of(const Flow &flow, int rank, int size) {
  tracer::Source out;
  for (int cell = rank; cell < flow.cells->size(); cell += size) {
    tracer::CellRecord record;
    record.number = cell;
    record.type = static_cast<int>(flow.cells->type(cell));
    std::copy(flow.cells->nodes_of(cell).begin(), flow.cells->nodes_of(cell).end(), record.node.begin());
    out.cells.push_back(record);
  }
  const auto rows = [](const std::vector<double> &all) {
    return [&all](std::span<const std::int64_t> numbers) {
      std::vector<double> picked;
      for (const std::int64_t number : numbers)
        picked.insert(picked.end(), all.begin() + 3 * number, all.begin() + 3 * number + 3);
      return picked;
    };
  };
  out.coordinates = rows(flow.x);
  out.velocity = rows(flow.velocity);
  return out;
}

} // namespace

RealRun run_really(const Flow &flow, const Options &options, const tracer::Division &division,
                   const tracer::Running &running, const std::vector<Vector> &seeds, int processes) {
  RealRun out;
  std::mutex mutex;
  unit::run_ranks(processes, [&](op2::core::Communicator &ranks) {
    const tracer::Block block(ranks, share_of(flow, ranks.rank(), processes), options, division);
    std::vector<Vector> own;
    for (std::size_t i = static_cast<std::size_t>(ranks.rank()); i < seeds.size();
         i += static_cast<std::size_t>(processes))
      own.push_back(seeds[i]);
    const tracer::Lines lines = tracer::draw_lines(ranks, block, options, tracer::Directions::forward, running, own);
    const std::lock_guard lock(mutex);
    for (const tracer::Lines::Line &line : lines.line)
      out.lines += line.end != tracer::End::outside && line.end != tracer::End::running ? 1 : 0;
    out.counts.steps += lines.counts.steps;
    out.counts.finished += lines.counts.finished;
    out.counts.sent += lines.counts.sent;
    out.counts.returned += lines.counts.returned;
    out.counts.particle_messages += lines.counts.particle_messages;
    out.counts.other_messages += lines.counts.other_messages;
    out.counts.working += lines.counts.working;
    out.counts.all = std::max(out.counts.all, lines.counts.all);
  });
  return out;
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
