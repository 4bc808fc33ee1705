// More fluxes and boundary conditions: reconstruction, dissipation, other physics, other ways to write them.
#ifndef FLUX_MORE_KERNELS_H
#define FLUX_MORE_KERNELS_H

#include <algorithm>
#include <array>
#include <cmath>

#include "flux_math.h"

// MUSCL reconstruction of both states at a face, slopes limited by van Albada's function.
inline void muscl_van_albada(const double *ql, const double *qr, const double *grad_l, const double *grad_r,
                             const double *xl, const double *xr, double *face_states) {
  const double dx = xr[0] - xl[0];
  const double dy = xr[1] - xl[1];
  const double eps = 1e-3 * (dx * dx + dy * dy);

  auto limited = [eps](double a, double b) {
    const double a2 = a * a + eps, b2 = b * b + eps;
    return a * b > 0 ? (a2 * b + b2 * a) / (a2 + b2) : 0.0;
  };
  auto along = [&](const double *gradient, int c) { return gradient[2 * c] * dx + gradient[2 * c + 1] * dy; };

  double *left = face_states;
  double *right = face_states + 4;
  for (int c = 0; c < 4; ++c) {
    const double central = qr[c] - ql[c];
    left[c] = ql[c] + 0.5 * limited(2 * along(grad_l, c) - central, central);
    right[c] = qr[c] - 0.5 * limited(2 * along(grad_r, c) - central, central);
  }

  // First order where the pressure or the density would not be positive.
  const auto physical = [](const double *q) {
    return q[0] > 1e-8 && q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) / q[0] > 1e-8;
  };
  if (!physical(left) || !physical(right)) {
    for (int c = 0; c < 4; ++c) {
      left[c] = ql[c];
      right[c] = qr[c];
    }
  }
}

#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Artificial viscosity of Jameson, Schmidt and Turkel on an edge: second and fourth differences with a sensor. */
static inline void jst_dissipation(const double *q0, const double *q1, const double *lap0, const double *lap1,
                                   const double *sensor0, const double *sensor1, const double *radius0,
                                   const double *radius1, const double *weight, const double *k, double *d0,
                                   double *d1) {
  double lambda, phi0, phi1, phi, eps2, eps4, vn0, vn1, c0, c1, p0, p1, diff;
  int m;

  p0 = 0.4 * (q0[3] - 0.5 * (SQR(q0[1]) + SQR(q0[2])) / q0[0]);
  p1 = 0.4 * (q1[3] - 0.5 * (SQR(q1[1]) + SQR(q1[2])) / q1[0]);
  c0 = sqrt(1.4 * p0 / q0[0]);
  c1 = sqrt(1.4 * p1 / q1[0]);
  vn0 = (q0[1] * weight[0] + q0[2] * weight[1]) / q0[0];
  vn1 = (q1[1] * weight[0] + q1[2] * weight[1]) / q1[0];
  lambda = fabs(0.5 * (vn0 + vn1)) + 0.5 * (c0 + c1) * sqrt(SQR(weight[0]) + SQR(weight[1]));

  /* stretched cells get less across than along */
  phi0 = pow(*radius0 / (4.0 * lambda), 0.3);
  phi1 = pow(*radius1 / (4.0 * lambda), 0.3);
  phi = 4.0 * phi0 * phi1 / (phi0 + phi1);

  eps2 = k[0] * MAX(*sensor0, *sensor1);
  eps4 = MAX(0.0, k[1] - eps2);

  for (m = 0; m < 4; m++) {
    diff = phi * lambda * (eps2 * (q1[m] - q0[m]) - eps4 * (lap1[m] - lap0[m]));
    d0[m] += diff;
    d1[m] -= diff;
  }
}

enum boundary_kind { BC_WALL = 0, BC_FAR_FIELD, BC_SYMMETRY, BC_OUTFLOW };

// Boundary flux of an edge by the kind of its patch; each end of the edge takes half.
inline void boundary_flux(const double **q, const double *normal, const int *kind, const double *freestream,
                          const double *back_pressure, double **res) {
  const double gam = 1.4;
  const double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double nx = normal[0] / area, ny = normal[1] / area;

  for (int end = 0; end < 2; end++) {
    double rho = q[end][0];
    double u = q[end][1] / rho;
    double v = q[end][2] / rho;
    double p = (gam - 1) * (q[end][3] - 0.5 * rho * (u * u + v * v));
    double vn = u * nx + v * ny;
    const double c = sqrt(gam * p / rho);

    switch (*kind) {
      case BC_WALL:
        u = v = vn = 0.0;
        break;
      case BC_SYMMETRY:
        u -= vn * nx;
        v -= vn * ny;
        vn = 0.0;
        break;
      case BC_OUTFLOW:
        if (vn < c) {
          // subsonic: the pressure comes from outside, entropy and the outgoing invariant from inside
          const double entropy = p / pow(rho, gam);
          p = *back_pressure;
          rho = pow(p / entropy, 1.0 / gam);
          const double added = 2.0 / (gam - 1.0) * (c - sqrt(gam * p / rho));
          u += added * nx;
          v += added * ny;
          vn += added;
        }
        break;
      case BC_FAR_FIELD:
      default: {
        const double c_inf = sqrt(gam * freestream[3] / freestream[0]);
        const double vn_inf = freestream[1] * nx + freestream[2] * ny;
        const double outgoing = (vn > -c) ? vn + 2.0 * c / (gam - 1.0) : vn_inf + 2.0 * c_inf / (gam - 1.0);
        const double incoming = (vn > c) ? vn - 2.0 * c / (gam - 1.0) : vn_inf - 2.0 * c_inf / (gam - 1.0);
        const double vn_b = 0.5 * (outgoing + incoming);
        const double c_b = 0.25 * (gam - 1.0) * (outgoing - incoming);
        double entropy;
        if (vn_b > 0) {
          entropy = p / pow(rho, gam);
          u += (vn_b - vn) * nx;
          v += (vn_b - vn) * ny;
        } else {
          entropy = freestream[3] / pow(freestream[0], gam);
          u = freestream[1] + (vn_b - vn_inf) * nx;
          v = freestream[2] + (vn_b - vn_inf) * ny;
        }
        rho = pow(c_b * c_b / (gam * entropy), 1.0 / (gam - 1.0));
        p = rho * c_b * c_b / gam;
        vn = vn_b;
        break;
      }
    }

    const double half = 0.5 * area;
    const double energy = p / (gam - 1) + 0.5 * rho * (u * u + v * v);
    res[end][0] -= half * rho * vn;
    res[end][1] -= half * (rho * vn * u + p * nx);
    res[end][2] -= half * (rho * vn * v + p * ny);
    res[end][3] -= half * (energy + p) * vn;
  }
}

namespace real_gas {

constexpr int entries = 64;

// Ratio of specific heats by internal energy, linear between the entries of a table.
inline double gamma_of(double energy, const double *table, const double *range) {
  const double x = (energy - range[0]) / (range[1] - range[0]) * (entries - 1);
  const int i = std::clamp(int(x), 0, entries - 2);
  const double t = std::clamp(x - (double)(i), 0.0, 1.0);
  return (1.0 - t) * table[i] + t * table[i + 1];
}

} // namespace real_gas

// Rusanov flux of a gas whose ratio of specific heats comes from a table.
inline void real_gas_flux(const double *ql, const double *qr, const double *normal, const double *table,
                          const double *range, double *rl, double *rr) {
  const double el = (ql[3] - 0.5 * (ql[1] * ql[1] + ql[2] * ql[2]) / ql[0]) / ql[0];
  const double er = (qr[3] - 0.5 * (qr[1] * qr[1] + qr[2] * qr[2]) / qr[0]) / qr[0];
  const double gl = real_gas::gamma_of(el, table, range);
  const double gr = real_gas::gamma_of(er, table, range);
  const double pl = (gl - 1.) * ql[0] * el, pr = (gr - 1.) * qr[0] * er;
  const double vl = (ql[1] * normal[0] + ql[2] * normal[1]) / ql[0];
  const double vr = (qr[1] * normal[0] + qr[2] * normal[1]) / qr[0];
  const double area = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double speed = std::max(std::fabs(vl) + area * std::sqrt(gl * pl / ql[0]),
                                std::fabs(vr) + area * std::sqrt(gr * pr / qr[0]));
  double f[4];
  for (int i = 0; i < 4; i++) f[i] = 0.5 * (ql[i] * vl + qr[i] * vr - speed * (qr[i] - ql[i]));
  for (int d = 0; d < 2; d++) f[1 + d] += 0.5 * (pl + pr) * normal[d];
  f[3] += 0.5 * (pl * vl + pr * vr);
  for (int i = 0; i < 4; i++) rl[i] -= f[i], rr[i] += f[i];
}

// First-order upwind flux of one scalar with diffusion across the face, single precision.
inline void scalar_upwind_flux(const float *phi0, const float *phi1, const float *velocity, const float *normal,
                               const float *distance, const float *nu, float *sum0, float *sum1) {
  const float vn = velocity[0] * normal[0] + velocity[1] * normal[1];
  const float area = sqrtf(normal[0] * normal[0] + normal[1] * normal[1]);
  const float convection = fmaxf(vn, 0.0f) * phi0[0] + fminf(vn, 0.0f) * phi1[0];
  const float diffusion = nu[0] * area * (phi1[0] - phi0[0]) / distance[0];
  const float flux = convection - diffusion;
  *sum0 -= flux;
  *sum1 += flux;
}

// Upwind flux of N passive scalars that a known mass flux carries, with a diffusivity for each.
template <int N>
void passive_scalar_flux(const double *mass_flux, const double *left, const double *right, const double *diffusivity,
                         double *res_left, double *res_right) {
  static_assert(N > 0);
  const double plus = 0.5 * (*mass_flux + std::abs(*mass_flux));
  const double minus = *mass_flux - plus;
  for (int i = 0; i < N; ++i) {
    const double flux = plus * left[i] + minus * right[i] - diffusivity[i] * (right[i] - left[i]);
    res_left[i] -= flux;
    res_right[i] += flux;
  }
}

// Conserved variables: density, momentum (u, v) and energy.
struct State {
  double rho, u, v, e;

  explicit State(const double *q) : rho(q[0]), u(q[1]), v(q[2]), e(q[3]) {}
  State(double rho_, double u_, double v_, double e_) : rho(rho_), u(u_), v(v_), e(e_) {}

  double pressure() const { return 0.4 * (e - 0.5 * (u * u + v * v) / rho); }
  double soundSpeed() const { return std::sqrt(1.4 * pressure() / rho); }
  double normalVelocity(double nx, double ny) const { return (u * nx + v * ny) / rho; }
  State flux(double nx, double ny) const {
    const double vn = normalVelocity(nx, ny);
    const double p = pressure();
    return State(rho * vn, u * vn + p * nx, v * vn + p * ny, (e + p) * vn);
  }
  State operator+(const State &o) const { return State(rho + o.rho, u + o.u, v + o.v, e + o.e); }
  State operator-(const State &o) const { return {rho - o.rho, u - o.u, v - o.v, e - o.e}; }
  State &operator*=(double s) {
    rho *= s;
    u *= s;
    v *= s;
    e *= s;
    return *this;
  }
  void addTo(double *q, double factor) const {
    q[0] += factor * rho;
    q[1] += factor * u;
    q[2] += factor * v;
    q[3] += factor * e;
  }
};

inline State operator*(double s, State q) { return q *= s; }

// HLL flux by Einfeldt, written with a state that has operators.
inline void hlle_state_flux(const double *left, const double *right, const double *normal, double *res_left,
                            double *res_right) {
  const State l(left), r(right);
  const double area = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double nx = normal[0] / area, ny = normal[1] / area;
  const State mean = 0.5 * (l + r);
  const double vm = mean.normalVelocity(nx, ny), cm = mean.soundSpeed();
  const double sl = std::min({0.0, l.normalVelocity(nx, ny) - l.soundSpeed(), vm - cm});
  const double sr = std::max({0.0, r.normalVelocity(nx, ny) + r.soundSpeed(), vm + cm});
  const State f = (1.0 / (sr - sl)) * (sr * l.flux(nx, ny) - sl * r.flux(nx, ny) + (sl * sr) * (r - l));
  f.addTo(res_left, -area);
  f.addTo(res_right, area);
}

// Rusanov flux of ideal magnetohydrodynamics: density, momentum, magnetic field, energy.
inline void mhd_rusanov_flux(const double *ql, const double *qr, const double *normal, double *res_l,
                             double *res_r) {
  using flux_math::dot;
  using flux_math::length2;
  using flux_math::sq;
  constexpr int variables = 8;
  const double area = std::sqrt(length2<3>(normal));
  const double n[3] = {normal[0] / area, normal[1] / area, normal[2] / area};

  double f[variables] = {0.0};
  double speed = 0.0;
  const double *sides[2] = {ql, qr};
  for (const double *q : sides) {
    const double *momentum = q + 1, *field = q + 4;
    const double rho = q[0], b2 = length2<3>(field);
    const double p = (5.0 / 3.0 - 1.0) * (q[7] - 0.5 * length2<3>(momentum) / rho - 0.5 * b2);
    const double total = p + 0.5 * b2;
    const double vn = dot<3>(momentum, n) / rho, bn = dot<3>(field, n);

    const double a2 = 5.0 / 3.0 * p / rho, sum = a2 + b2 / rho;
    const double fast = std::sqrt(0.5 * (sum + std::sqrt(std::max(0.0, sq(sum) - 4.0 * a2 * sq(bn) / rho))));
    speed = std::max(speed, std::abs(vn) + fast);

    f[0] += rho * vn;
    for (int d = 0; d < 3; ++d) {
      f[1 + d] += momentum[d] * vn + total * n[d] - bn * field[d];
      f[4 + d] += field[d] * vn - bn * momentum[d] / rho;
    }
    f[7] += (q[7] + total) * vn - bn * dot<3>(momentum, field) / rho;
  }
  for (int i = 0; i < variables; ++i) {
    const double flux = 0.5 * area * (f[i] - speed * (qr[i] - ql[i]));
    res_l[i] -= flux;
    res_r[i] += flux;
  }
}

// Flux through a face that conserves entropy and kinetic energy (logarithmic means).
inline std::array<double, 4> entropy_flux(const std::array<double, 4> &l, const std::array<double, 4> &r, double nx,
                                          double ny) {
  using namespace flux_math;
  const auto [rho_l, u_l, v_l, p_l] = l;
  const auto [rho_r, u_r, v_r, p_r] = r;
  const double beta_l = 0.5 * rho_l / p_l, beta_r = 0.5 * rho_r / p_r;
  const double u = average(u_l, u_r), v = average(v_l, v_r);
  const double p = average(rho_l, rho_r) / (beta_l + beta_r);
  const double speed2 = average(sq(u_l) + sq(v_l), sq(u_r) + sq(v_r));

  std::array<double, 4> f;
  f[0] = log_mean(rho_l, rho_r) * (u * nx + v * ny);
  f[1] = f[0] * u + p * nx;
  f[2] = f[0] * v + p * ny;
  f[3] = f[0] * (0.5 / (gm1 * log_mean(beta_l, beta_r)) - 0.5 * speed2) + u * f[1] + v * f[2];
  return f;
}

// Entropy-conserving flux of Chandrashekar; states and fluxes are std::array.
inline void entropy_conserving_flux(const double *left, const double *right, const double *normal, double *res_left,
                                    double *res_right) {
  const std::array<double, 4> f = entropy_flux(flux_math::primitive_array(left), flux_math::primitive_array(right),
                                               normal[0], normal[1]);
  std::size_t i = 0;
  for (const double value : f) {
    res_left[i] -= value;
    res_right[i] += value;
    ++i;
  }
}

// Flux with Weiss and Smith's low-Mach preconditioning of its dissipation; rows hold pressure, velocity, temperature.
inline void low_mach_flux(const double *left, const double *right, const double *normal, const double *gas,
                          double *res_left, double *res_right) {
  const double &p_l = left[0], &u_l = left[1], &v_l = left[2], &t_l = left[3];
  const double &p_r = right[0], &u_r = right[1], &v_r = right[2], &t_r = right[3];
  const double &R = gas[0];
  const double &cp = gas[1];
  const double &cutoff = gas[2];

  const double area = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double nx = normal[0] / area, ny = normal[1] / area;
  const double rho_l = p_l / (R * t_l), rho_r = p_r / (R * t_r);
  const double h_l = cp * t_l + 0.5 * (u_l * u_l + v_l * v_l);
  const double h_r = cp * t_r + 0.5 * (u_r * u_r + v_r * v_r);
  const double m_l = rho_l * (u_l * nx + v_l * ny), m_r = rho_r * (u_r * nx + v_r * ny);

  // Mean state, preconditioned wave speeds.
  const double u = 0.5 * (u_l + u_r), v = 0.5 * (v_l + v_r), t = 0.5 * (t_l + t_r);
  const double rho = 0.5 * (p_l + p_r) / (R * t);
  const double h = cp * t + 0.5 * (u * u + v * v);
  const double c = std::sqrt(cp / (cp - R) * R * t);
  const double reference = std::min(c, std::max(std::sqrt(u * u + v * v), cutoff * c));
  const double un = u * nx + v * ny;
  const double alpha = 0.5 * (1.0 - reference * reference / (c * c));
  const double lambda = std::abs(un * (1.0 - alpha)) +
                        std::sqrt(alpha * alpha * un * un + reference * reference);

  // Preconditioning matrix times the jump.
  const double theta = 1.0 / (reference * reference) + 1.0 / (cp * t);
  const double rho_t = -rho / t;
  const double jump[4] = {p_r - p_l, u_r - u_l, v_r - v_l, t_r - t_l};
  double dissipation[4];
  double &mass = dissipation[0], &energy = dissipation[3];
  mass = theta * jump[0] + rho_t * jump[3];
  dissipation[1] = mass * u + rho * jump[1];
  dissipation[2] = mass * v + rho * jump[2];
  energy = mass * h - jump[0] + rho * (u * jump[1] + v * jump[2] + cp * jump[3]);

  const double half = 0.5 * area;
  double flux[4] = {half * (m_l + m_r), half * (m_l * u_l + m_r * u_r + (p_l + p_r) * nx),
                    half * (m_l * v_l + m_r * v_r + (p_l + p_r) * ny), half * (m_l * h_l + m_r * h_r)};
  for (int i = 0; i < 4; ++i) {
    double &f = flux[i];
    f -= half * lambda * dissipation[i];
    res_left[i] -= f;
    res_right[i] += f;
  }
}

#define GAM 1.4
#define RHO(q) ((q)[0])
#define VELX(q) ((q)[1] / RHO(q))
#define VELY(q) ((q)[2] / RHO(q))
#define ENERGY(q) ((q)[3])
#define PRES(q) ((GAM - 1.0) * (ENERGY(q) - 0.5 * RHO(q) * (SQR(VELX(q)) + SQR(VELY(q)))))
#define SOUND(q) (sqrt(GAM * PRES(q) / RHO(q)))
#define SMOOTH_PART(l, sign, eps) (0.5 * ((l) + (sign) * sqrt(SQR(l) + SQR(eps))))

/* adds the fluxes of the waves that run to one side */
#define ADD_SPLIT_FLUX(f, q, nx, ny, sign)                                                                         \
  do {                                                                                                             \
    const double c_ = SOUND(q), un_ = VELX(q) * (nx) + VELY(q) * (ny);                                             \
    const double l1_ = SMOOTH_PART(un_, sign, 0.05 * c_);                                                          \
    const double l2_ = SMOOTH_PART(un_ + c_, sign, 0.05 * c_);                                                     \
    const double l3_ = SMOOTH_PART(un_ - c_, sign, 0.05 * c_);                                                     \
    const double w_ = RHO(q) / (2.0 * GAM), sum_ = 2.0 * (GAM - 1.0) * l1_ + l2_ + l3_;                            \
    (f)[0] += w_ * sum_;                                                                                           \
    (f)[1] += w_ * (sum_ * VELX(q) + c_ * (l2_ - l3_) * (nx));                                                     \
    (f)[2] += w_ * (sum_ * VELY(q) + c_ * (l2_ - l3_) * (ny));                                                     \
    (f)[3] += w_ * ((GAM - 1.0) * l1_ * (SQR(VELX(q)) + SQR(VELY(q))) +                                            \
                    0.5 * l2_ * (SQR(VELX(q) + c_ * (nx)) + SQR(VELY(q) + c_ * (ny))) +                            \
                    0.5 * l3_ * (SQR(VELX(q) - c_ * (nx)) + SQR(VELY(q) - c_ * (ny))) +                            \
                    (3.0 - GAM) * (l2_ + l3_) * SQR(c_) / (2.0 * (GAM - 1.0)));                                    \
  } while (0)

/* Steger and Warming's flux vector splitting with rounded eigenvalues, written with macros. */
static inline void steger_warming_flux(const double *ql, const double *qr, const double *s, double *rl, double *rr) {
  double f[4] = {0., 0., 0., 0.};
  const double area = sqrt(SQR(s[0]) + SQR(s[1]));
  const double nx = s[0] / area, ny = s[1] / area;
  int i;

  ADD_SPLIT_FLUX(f, ql, nx, ny, +1.0);
  ADD_SPLIT_FLUX(f, qr, nx, ny, -1.0);
  for (i = 0; i < 4; i++) {
    f[i] *= area;
    rl[i] -= f[i];
    rr[i] += f[i];
  }
}

#endif

/* SPDX-License-Identifier: MIT */
