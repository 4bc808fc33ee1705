// trace_paths.cpp: see trace_paths.hpp.
#include "trace_scale/trace_paths.hpp"

#include <thread>

#include "common/measure.hpp"

namespace trace_scale {

Paths draw_paths(const Flow &flow, const Options &options, std::span<const Vector> seeds) {
  using namespace op2::core::streamline;
  Paths out;
  Nearby nearby;
  const double start = bench::now();
  for (const Vector &seed : seeds) {
    Particle particle = seeded(*flow.field, options, seed, nearby);
    draw(
        *flow.field, options, particle, nearby,
        [&](const Particle &at) {
          out.cell.push_back(at.place.cell);
          return true;
        },
        [](const Particle &) {});
    out.begin.push_back(out.cell.size());
    out.steps.push_back(static_cast<int>(particle.steps));
    out.all_steps += particle.steps;
  }
  out.seconds = bench::now() - start;
  return out;
}

double step_seconds(const Flow &flow, const Options &options, std::span<const Vector> seeds, int threads) {
  std::vector<Paths> paths(static_cast<std::size_t>(threads));
  std::vector<std::thread> others;
  for (Paths &its : paths) others.emplace_back([&] { its = draw_paths(flow, options, seeds); });
  for (std::thread &other : others) other.join();
  double seconds = 0, steps = 0;
  for (const Paths &its : paths) {
    seconds += its.seconds;
    steps += static_cast<double>(its.all_steps);
  }
  return seconds / steps;
}

} // namespace trace_scale
