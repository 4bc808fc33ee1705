#include "tracer/draw/moving_particle.hpp"

#include <cstring>
#include <utility>

namespace op2::core::tracer {

namespace {

template <class T>
void append_to(std::vector<T> &to, std::vector<T> &from) {
  to.insert(to.end(), from.begin(), from.end());
  from.clear();
}

} // namespace

void Archive::take(Made &made) {
  append_to(finished, made.finished);
  append_to(parts, made.parts);
  if (!made.points.empty()) points.push_back(std::exchange(made.points, {}));
  steps += std::exchange(made.steps, 0);
}

void Packing::pack(const MovingParticle &moving, std::vector<char> &to) const {
  const auto append = [&to](const auto &value) {
    to.resize(to.size() + sizeof value);
    std::memcpy(to.data() + to.size() - sizeof value, &value, sizeof value);
  };
  append(static_cast<const ParticleState &>(moving));
  if (next_) append(moving.next);
  if (kept_) append(moving.kept);
}

MovingParticle Packing::unpack(const char *from) const {
  ParticleState state;
  std::memcpy(&state, from, sizeof state);
  MovingParticle out{state};
  from += sizeof state;
  if (next_) std::memcpy(&out.next, from, sizeof out.next);
  if (next_) from += sizeof out.next;
  if (kept_) std::memcpy(&out.kept, from, sizeof out.kept);
  return out;
}

void Drawer::begin(const MovingParticle &t, streamline::Particle &p) {
  p = {};
  p.x = t.x;
  p.place.cell = t.here;
  p.time = t.time;
  p.length = t.length;
  p.next = t.next;
  p.steps = static_cast<long>(t.steps);
  p.kept = t.kept;
  p.kept_steps = t.kept_here ? p.steps : p.steps - 1; // any other than this one; before the first step: none yet
  nearby_.set_time(time_of(block_.field(), options_, p));
  if (block_.field().found_again(p.x, p.place, nearby_, p.velocity) != streamline::Found::inside)
    p.end = End::no_number;
}

void Drawer::end(MovingParticle t, const streamline::Particle &p, std::vector<LinePoint> &points, Made &made) const {
  const bool ended = p.end != End::running;
  made.steps += p.steps - static_cast<long>(t.steps);
  if (!points.empty()) { // a line that ends where it has come to has another piece of the same steps
    made.parts.push_back({t.line, 2 * p.steps + (ended ? 1 : 0), static_cast<std::int64_t>(points.size()), t.home});
    append_to(made.points, points);
  }
  if (ended) {
    made.finished.push_back({t.line, t.home, static_cast<std::int32_t>(p.end), p.steps, p.time, p.length, p.x});
    return;
  }
  t.x = p.x;
  t.cell = block_.number(p.place.cell);
  t.time = p.time;
  t.length = p.length;
  t.steps = static_cast<std::uint64_t>(p.steps) & (~std::uint64_t{0} >> 2);
  t.kept_here = p.kept_steps == p.steps ? 1 : 0;
  t.next = p.next;
  t.kept = p.kept;
  made.leaving.push_back(t);
  made.destination.push_back(block_.owner(p.place.cell));
}

void Drawer::draw(const std::function<const MovingParticle *()> &next, const std::function<void()> &ended, Made &made) {
  const auto at = [](int lane) { return static_cast<std::size_t>(lane); };
  streamline::draw_all(
      flock_, options_,
      [&](int lane, streamline::Particle &particle) {
        const MovingParticle *const moving = next();
        if (!moving) return false;
        moving_[at(lane)] = *moving;
        begin(*moving, particle);
        return true;
      },
      [&](const streamline::Particle &particle) { return block_.complete(particle.place.cell); },
      [&](int lane, const streamline::Particle &particle) {
        points_[at(lane)].push_back({particle.x, particle.velocity, particle.time});
      },
      [&](int lane, const streamline::Particle &particle) {
        end(moving_[at(lane)], particle, points_[at(lane)], made);
        if (particle.end != End::running) ended();
      });
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
