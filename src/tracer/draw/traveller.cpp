#include "tracer/draw/traveller.hpp"

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

void Drawer::begin(const Traveller &t, streamline::Particle &p) {
  p = {};
  p.x = t.x;
  p.place = {block_.find(t.cell), t.at};
  p.time = t.time;
  p.length = t.length;
  p.next = t.next;
  p.steps = t.steps;
  p.kept = t.kept;
  p.kept_steps = t.kept_steps;
  nearby_.set_time(time_of(block_.field(), options_, p));
  if (block_.field().velocity_at(p.place, nearby_, p.velocity) != streamline::Found::inside) p.end = End::no_number;
}

void Drawer::end(Traveller t, const streamline::Particle &p, std::vector<LinePoint> &points, Made &made) const {
  made.steps += p.steps - t.steps;
  if (!points.empty()) {
    made.parts.push_back({t.line, t.home, t.parts++, static_cast<std::int64_t>(points.size())});
    append_to(made.points, points);
  }
  if (p.end != End::running) {
    made.finished.push_back({t.line, t.home, static_cast<std::int32_t>(p.end), p.steps, p.time, p.length, p.x});
    return;
  }
  t.cell = block_.number(p.place.cell);
  t.x = p.x;
  t.at = p.place.at;
  t.time = p.time;
  t.length = p.length;
  t.next = p.next;
  t.steps = p.steps;
  t.kept = p.kept;
  t.kept_steps = p.kept_steps;
  t.block = block_.block(p.place.cell);
  made.leaving.push_back(t);
  made.destination.push_back(block_.owner(p.place.cell));
}

void Drawer::draw(const std::function<const Traveller *()> &next, Made &made) {
  const auto at = [](int lane) { return static_cast<std::size_t>(lane); };
  streamline::draw_all(
      flock_, options_,
      [&](int lane, streamline::Particle &particle) {
        const Traveller *const traveller = next();
        if (!traveller) return false;
        traveller_[at(lane)] = *traveller;
        begin(*traveller, particle);
        return true;
      },
      [&](const streamline::Particle &particle) { return block_.complete(particle.place.cell); },
      [&](int lane, const streamline::Particle &particle) {
        points_[at(lane)].push_back({particle.x, particle.velocity, particle.time});
      },
      [&](int lane, const streamline::Particle &particle) {
        end(traveller_[at(lane)], particle, points_[at(lane)], made);
      });
}

Traveller seeded(const streamline::Options &options, const Located &where, const Vector &seed) {
  Traveller out;
  out.cell = where.cell;
  out.block = where.block;
  out.x = seed;
  out.at = where.at;
  out.next = options.step;
  return out;
}

} // namespace op2::core::tracer
