// Several particles that are advanced together, one in each lane of `Many`: one alone waits most of the time for the
// results of its own sums. Each has the bits that advance() gives it.
#pragma once

#include <bit>

#include "streamline/stages.hpp"
#include "streamline/streamline.hpp"

namespace op2::core::streamline {

// The cells that the lanes are in. Those of a kind that several points are not looked for in at once have no bit set in
// `usual`.
struct CellsOfLanes {
  Inverse<Many> inverse;
  Factors<Many> velocity;
  // Lanes by the kind of their cell (bit i: lane i). box: hexahedra and quadrangles.
  unsigned usual = 0, bent = 0, simplex = 0, prism = 0, box = 0;
  std::array<int, lanes> cell{};

  void set(int lane, int number, CellType type, const Chart &chart, const Interpolation &velocities, bool has_number);
};

class Flock {
 public:
  // Both must outlive this. options: of all its particles.
  Flock(const Field &field, const Options &options) : field_(field), options_(options) {}

  Particle &particle(int lane) { return particle_[static_cast<std::size_t>(lane)]; }
  // One step, or the end, of the particles in these lanes (bit i: lane i), which are running.
  void advance(unsigned running);

 private:
  unsigned make_steps(unsigned going);
  unsigned sample(const Vectors<Many> &point, unsigned going, Vectors<Many> &velocity);
  bool sample_alone(int lane, const Vector &point, const Vector &before, bool is_placed, Vector &velocity);

  const Field &field_;
  const Options &options_;
  std::array<Particle, lanes> particle_;
  std::array<Nearby, lanes> nearby_;
  std::array<Plan, lanes> plan_;
  std::array<int, lanes> trial_{}; // the cell in the middle of a step
  CellsOfLanes cells_;
  Vectors<Many> low_{}, high_{}; // what may be seen
  Vectors<Many> at_{};           // of the last points that were sampled
  Moved<Many> moved_{};
};

// Draws lines in all lanes, as draw() does. next(lane, particle) puts another particle there, running or not; false:
// there are none any more. keep(lane, particle) and then done(lane, particle), when the particle has ended or go_on()
// is false, belong to the particle that was put there last.
template <class Next, class GoOn, class Keep, class Done>
void draw_all(Flock &flock, const Options &options, const Next &next, const GoOn &go_on, const Keep &keep,
              const Done &done) {
  unsigned running = 0;
  const auto kept = [&](int lane, Particle &p) {
    keep(lane, p);
    p.kept = p.velocity;
    p.kept_steps = p.steps;
  };
  const auto fill = [&](int lane) {
    Particle &p = flock.particle(lane);
    while (next(lane, p)) {
      if (p.end == End::running && p.kept_steps < 0) kept(lane, p);
      if (p.end == End::running && go_on(p)) {
        running |= 1u << lane;
        return;
      }
      done(lane, p);
    }
    running &= ~(1u << lane);
  };
  for (int lane = 0; lane < lanes; ++lane) fill(lane);
  while (running != 0) {
    flock.advance(running);
    for (unsigned open = running; open != 0; open &= open - 1) {
      const int lane = std::countr_zero(open);
      Particle &p = flock.particle(lane);
      if (is_kept(options, p)) kept(lane, p);
      if (p.end == End::running && go_on(p)) continue;
      done(lane, p);
      fill(lane);
    }
  }
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
