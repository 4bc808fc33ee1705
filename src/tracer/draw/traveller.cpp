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

void draw(const Block &block, const streamline::Options &options, Traveller t, streamline::Nearby &nearby, Made &made) {
  streamline::Particle p;
  p.x = t.x;
  p.place = {block.find(t.cell), t.at};
  p.time = t.time;
  p.length = t.length;
  p.next = t.next;
  p.steps = t.steps;
  p.kept = t.kept;
  p.kept_steps = t.kept_steps;
  nearby.set_time(time_of(block.field(), options, p));
  if (block.field().velocity_at(p.place, nearby, p.velocity) != streamline::Found::inside) p.end = End::no_number;
  const auto begin = static_cast<std::int64_t>(made.points.size());
  streamline::draw(
      block.field(), options, p, nearby, [&](const streamline::Particle &at) { return block.complete(at.place.cell); },
      [&](const streamline::Particle &at) {
        made.points.push_back({at.x, at.velocity, at.time});
      });
  made.steps += p.steps - t.steps;
  if (const auto count = static_cast<std::int64_t>(made.points.size()) - begin; count > 0)
    made.parts.push_back({t.line, t.home, t.parts++, count});
  if (p.end != End::running) {
    made.finished.push_back({t.line, t.home, static_cast<std::int32_t>(p.end), p.steps, p.time, p.length, p.x});
    return;
  }
  t.cell = block.number(p.place.cell);
  t.x = p.x;
  t.at = p.place.at;
  t.time = p.time;
  t.length = p.length;
  t.next = p.next;
  t.steps = p.steps;
  t.kept = p.kept;
  t.kept_steps = p.kept_steps;
  t.block = block.block(p.place.cell);
  made.leaving.push_back(t);
  made.destination.push_back(block.owner(p.place.cell));
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
