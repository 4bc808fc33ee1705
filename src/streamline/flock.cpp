#include "streamline/flock.hpp"

namespace op2::core::streamline {

namespace {

constexpr unsigned all_lanes = (1u << lanes) - 1;

// act(lane) for each bit.
template <class Act>
OP2_INLINE void each(unsigned bits, const Act &act) {
  for (; bits != 0; bits &= bits - 1) act(std::countr_zero(bits));
}

template <class N>
OP2_INLINE Vector of_lane(const Vectors<N> &of, int lane) {
  return {of[0][lane], of[1][lane], of[2][lane]};
}
OP2_INLINE void set_lane(Vectors<Many> &of, int lane, const Vector &value) {
  for (std::size_t k = 0; k < 3; ++k) of[k].set(lane, value[k]);
}

} // namespace

void CellsOfLanes::set(int lane, int number, CellType type, const Chart &chart, const Interpolation &velocities,
                       bool has_number) {
  const unsigned bit = 1u << lane;
  cell[static_cast<std::size_t>(lane)] = number;
  const auto mark = [bit](unsigned &which, bool is) { which = is ? which | bit : which & ~bit; };
  mark(usual, has_number && type != CellType::pyramid);
  mark(simplex, is_simplex(type));
  mark(prism, type == CellType::prism);
  mark(box, type == CellType::hexahedron || type == CellType::quadrangle);
  mark(bent, !chart.straight());
  const Inverse<double> &its = chart.inverse();
  set_lane(inverse.origin, lane, its.origin);
  for (std::size_t i = 0; i < 3; ++i) set_lane(inverse.row[i], lane, its.row[i]);
  for (std::size_t i = 0; i < 4; ++i) set_lane(velocity.linear[i], lane, velocities.factors().linear[i]);
  if (is_simplex(type)) return;
  for (std::size_t i = 0; i < 4; ++i) set_lane(velocity.product[i], lane, velocities.factors().product[i]);
  if (chart.straight()) return;
  set_lane(inverse.middle, lane, its.middle);
  for (std::size_t i = 0; i < 4; ++i) set_lane(inverse.bend[i], lane, its.bend[i]);
}

// In the lane's own time: cells are left, entered, or unusual.
bool Flock::sample_alone(int lane, const Vector &point, const Vector &before, bool is_placed, Vector &velocity) {
  const auto i = static_cast<std::size_t>(lane);
  Nearby &nearby = nearby_[i];
  nearby.look_around(particle_[i].x, plan_[i].reach);
  Place place{trial_[i], before};
  const Place first{trial_[i], of_lane(at_, lane)};
  if (field_.sample(point, place, nearby, velocity, is_placed ? &first : nullptr) != Found::inside) return false;
  trial_[i] = place.cell;
  set_lane(at_, lane, place.at);
  cells_.set(lane, place.cell, nearby.type_, nearby.chart_, nearby.velocities_, nearby.has_number_);
  return true;
}

// Returns the lanes whose velocity was found.
unsigned Flock::sample(const Vectors<Many> &point, unsigned going, Vectors<Many> &velocity) {
  const Vectors<Many> before = at_;
  at_ = straight_place(cells_.inverse, point);
  unsigned here = going & cells_.usual;
  each(here, [&](int lane) {
    const auto i = static_cast<std::size_t>(lane);
    if (trial_[i] != cells_.cell[i]) here &= ~(1u << lane);
  });
  if (const unsigned bent = here & cells_.bent; bent != 0) {
    const Some found = bent_place(
        cells_.inverse.middle,
        [&](const Vectors<Many> &s) __attribute__((always_inline)) { return bent_at(cells_.inverse.bend, s); },
        Some::of(bent), at_);
    here &= ~bent | found.bits();
  }
  const auto &[a, b, c] = at_;
  const auto below = [](const Many &depth) __attribute__((always_inline)) { return depth < Many(-rounding); };
  Some outside = below(a) | below(b) | below(c);
  // As in depths(), by the kind of the cell.
  unsigned beyond = 0;
  if (cells_.simplex & here) beyond |= cells_.simplex & below(Many(1) - a - b - c).bits();
  if ((cells_.box | cells_.prism) & here) {
    const Some top = below(Many(1) - c);
    if (cells_.box & here) beyond |= cells_.box & (top | below(Many(1) - a) | below(Many(1) - b)).bits();
    if (cells_.prism & here) beyond |= cells_.prism & (top | below(Many(1) - a - b)).bits();
  }
  Some seen = (low_[0] <= point[0]) & (point[0] <= high_[0]);
  for (std::size_t k = 1; k < 3; ++k) seen = seen & (low_[k] <= point[k]) & (point[k] <= high_[k]);
  const unsigned placed = here;
  here &= seen.bits() & ~outside.bits() & ~beyond;
  velocity = linear_sum(cells_.velocity, at_);
  if (const unsigned products = here & ~cells_.simplex; products != 0) {
    const Some which = Some::of(products);
    const Vectors<Many> with = with_products(cells_.velocity, at_, velocity);
    for (std::size_t k = 0; k < 3; ++k) velocity[k] = select(which, with[k], velocity[k]);
  }
  unsigned found = here;
  each(going & ~here, [&](int lane) {
    Vector its;
    if (!sample_alone(lane, of_lane(point, lane), of_lane(before, lane), (placed >> lane & 1) != 0, its)) return;
    set_lane(velocity, lane, its);
    found |= 1u << lane;
  });
  return found;
}

// Returns the lanes whose step was made.
unsigned Flock::make_steps(unsigned going) {
  Vectors<Many> x, velocity;
  Many h(0), reach(0);
  each(all_lanes, [&](int lane) {
    const auto i = static_cast<std::size_t>(lane);
    set_lane(x, lane, particle_[i].x);
    set_lane(velocity, lane, going >> lane & 1 ? particle_[i].velocity : Vector{1, 0, 0}); // any that has a direction
    h.set(lane, options_.backward ? -plan_[i].wish.h : plan_[i].wish.h);
    reach.set(lane, plan_[i].reach);
    trial_[i] = particle_[i].place.cell;
    set_lane(at_, lane, particle_[i].place.at);
  });
  for (std::size_t k = 0; k < 3; ++k) low_[k] = x[k] - reach, high_[k] = x[k] + reach;
  const auto look_up = [&](const Vectors<Many> &point, double, Vectors<Many> &found) {
    going = sample(point, going, found);
    return going != 0;
  };
  with_tableau(options_.method, options_.unit == Unit::length,
               [&]<const Tableau & table, bool along>() { make_step<table, along>(x, velocity, h, look_up, moved_); });
  return going;
}

void Flock::advance(unsigned running) {
  unsigned going = 0;
  each(running, [&](int lane) {
    const auto i = static_cast<std::size_t>(lane);
    if (begin_step(field_, options_, particle_[i], plan_[i])) going |= 1u << lane;
  });
  constexpr int worth_it = 3;
  const bool together = !field_.changes() && std::popcount(going) >= worth_it;
  unsigned made = together ? make_steps(going) : 0;
  const bool controlled = options_.method == Method::dormand_prince;
  each(made, [&](int lane) {
    const auto i = static_cast<std::size_t>(lane);
    Particle &p = particle_[i];
    const double error = controlled ? moved_.error[lane] : 0;
    if (controlled && !(error <= options_.tolerance)) { // it tries again
      made &= ~(1u << lane);
      return;
    }
    p.place = {trial_[i], of_lane(at_, lane)};
    if (controlled) p.next = better_step(options_, p.next, error);
    end_step(options_, plan_[i], {Found::inside, of_lane(moved_.point, lane), of_lane(moved_.velocity, lane), error},
             p);
  });
  each(going & ~made, [&](int lane) {
    const auto i = static_cast<std::size_t>(lane);
    streamline::advance(field_, options_, particle_[i], nearby_[i]);
  });
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
