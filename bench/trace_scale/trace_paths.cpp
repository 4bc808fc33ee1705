// trace_paths.cpp: see trace_paths.hpp.
#include "trace_scale/trace_paths.hpp"

#include <numeric>
#include <thread>

#include "common/measure.hpp"
#include "streamline/flock.hpp"

namespace trace_scale {

Paths draw_paths(const Flow &flow, const Options &options, std::span<const Vector> seeds) {
  using namespace op2::core::streamline;
  Paths out;
  Nearby nearby;
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
  return out;
}

double step_seconds(const Flow &flow, const Options &options, std::span<const Vector> seeds, int threads) {
  using namespace op2::core::streamline;
  std::vector<double> seconds(static_cast<std::size_t>(threads)), steps(seconds.size());
  const auto draw_them = [&](std::size_t thread) {
    Flock flock(*flow.field, options);
    Nearby nearby;
    std::size_t next = 0;
    const double start = bench::now();
    draw_all(
        flock, options,
        [&](int, Particle &particle) {
          if (next == seeds.size()) return false;
          particle = seeded(*flow.field, options, seeds[next++], nearby);
          return true;
        },
        [](const Particle &) { return true; }, [](int, const Particle &) {},
        [&](int, const Particle &particle) { steps[thread] += static_cast<double>(particle.steps); });
    seconds[thread] = bench::now() - start;
  };
  std::vector<std::thread> others;
  for (std::size_t thread = 0; thread < seconds.size(); ++thread) others.emplace_back(draw_them, thread);
  for (std::thread &other : others) other.join();
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / std::accumulate(steps.begin(), steps.end(), 0.0);
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
