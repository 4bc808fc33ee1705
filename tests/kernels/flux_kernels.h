// Numerical fluxes between two states, and boundary states.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "flux_math.h"

namespace flow {

constexpr double gamma_air = 1.4;

inline double pressure(const double *q) {
  return (gamma_air - 1.0) * (q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) / q[0]);
}

} // namespace flow

// Lax-Friedrichs (Rusanov) flux with a helper in a namespace.
inline void rusanov_flux(const double *left, const double *right, const double *normal, double *res_left,
                         double *res_right) {
  const double pl = flow::pressure(left), pr = flow::pressure(right);
  const double ul = (left[1] * normal[0] + left[2] * normal[1]) / left[0];
  const double ur = (right[1] * normal[0] + right[2] * normal[1]) / right[0];
  const double area = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double speed = std::max(std::abs(ul) + area * std::sqrt(flow::gamma_air * pl / left[0]),
                                std::abs(ur) + area * std::sqrt(flow::gamma_air * pr / right[0]));
  const double f[4] = {0.5 * (left[0] * ul + right[0] * ur),
                       0.5 * (left[1] * ul + pl * normal[0] + right[1] * ur + pr * normal[0]),
                       0.5 * (left[2] * ul + pl * normal[1] + right[2] * ur + pr * normal[1]),
                       0.5 * ((left[3] + pl) * ul + (right[3] + pr) * ur)};
  for (int i = 0; i < 4; ++i) {
    const double flux = f[i] - 0.5 * speed * (right[i] - left[i]);
    res_left[i] -= flux;
    res_right[i] += flux;
  }
}

// HLLC flux (three waves) with wave speeds from Roe's averages.
inline void hllc_flux(const double *ql, const double *qr, const double *normal, double *res_l, double *res_r) {
  using namespace flux_math;
  const double area = std::hypot(normal[0], normal[1]);
  const double nx = normal[0] / area;
  const double ny = normal[1] / area;

  const Primitive l = to_primitive(ql);
  const Primitive r = to_primitive(qr);
  const double vl = l.u * nx + l.v * ny;
  const double vr = r.u * nx + r.v * ny;

  const double wl = std::sqrt(l.rho) / (std::sqrt(l.rho) + std::sqrt(r.rho));
  const double wr = 1.0 - wl;
  const double u = wl * l.u + wr * r.u;
  const double v = wl * l.v + wr * r.v;
  const double h = wl * total_enthalpy(l) + wr * total_enthalpy(r);
  const double c = std::sqrt(gm1 * (h - 0.5 * (u * u + v * v)));

  const double sl = std::min(vl - sound_speed(l), u * nx + v * ny - c);
  const double sr = std::max(vr + sound_speed(r), u * nx + v * ny + c);
  const double sm = (r.p - l.p + l.rho * vl * (sl - vl) - r.rho * vr * (sr - vr)) /
                    (l.rho * (sl - vl) - r.rho * (sr - vr));

  // The side that the face lies in, and its part of the fan.
  const bool from_left = sm >= 0.0;
  const Primitive &w = from_left ? l : r;
  const double *q = from_left ? ql : qr;
  const double vn = from_left ? vl : vr;
  const double s = from_left ? sl : sr;

  double f[4] = {q[0] * vn, q[1] * vn + w.p * nx, q[2] * vn + w.p * ny, (q[3] + w.p) * vn};
  if (sl < 0.0 && sr > 0.0) {
    const double factor = w.rho * (s - vn) / (s - sm);
    const double star[4] = {factor, factor * (w.u + (sm - vn) * nx), factor * (w.v + (sm - vn) * ny),
                            factor * (q[3] / w.rho + (sm - vn) * (sm + w.p / (w.rho * (s - vn))))};
    for (int k = 0; k < 4; k++) f[k] += s * (star[k] - q[k]);
  }
  for (int k = 0; k < 4; k++) {
    res_l[k] -= area * f[k];
    res_r[k] += area * f[k];
  }
}

// Roe's flux, eigenvalues bounded from below by Harten's parabola.
static inline void roe_flux(const double *qL, const double *qR, const double *n, double *rL, double *rR) {
  double area, nx, ny, rhoL, uL, vL, pL, HL, rhoR, uR, vR, pR, HR;
  double lambda[4], alpha[4], K[4][4], flux[4];
  int i, k;

  area = sqrt(SQR(n[0]) + SQR(n[1]));
  nx = n[0] / area;
  ny = n[1] / area;

  rhoL = qL[0];
  uL = qL[1] / rhoL;
  vL = qL[2] / rhoL;
  pL = flow::pressure(qL);
  HL = (qL[3] + pL) / rhoL;
  rhoR = qR[0];
  uR = qR[1] / rhoR;
  vR = qR[2] / rhoR;
  pR = flow::pressure(qR);
  HR = (qR[3] + pR) / rhoR;

  /* averages */
  const double ratio = sqrt(rhoR / rhoL);
  const double rho = ratio * rhoL;
  const double u = (uL + ratio * uR) / (1. + ratio);
  const double v = (vL + ratio * vR) / (1. + ratio);
  const double H = (HL + ratio * HR) / (1. + ratio);
  const double c2 = (flow::gamma_air - 1.) * (H - 0.5 * (SQR(u) + SQR(v)));
  const double c = sqrt(c2);
  const double un = u * nx + v * ny, ut = -u * ny + v * nx;

  /* strengths of the waves */
  const double dp = pR - pL;
  const double dun = (uR - uL) * nx + (vR - vL) * ny;
  const double dut = -(uR - uL) * ny + (vR - vL) * nx;
  alpha[0] = (dp - rho * c * dun) / (2. * c2);
  alpha[1] = rhoR - rhoL - dp / c2;
  alpha[2] = rho * dut;
  alpha[3] = (dp + rho * c * dun) / (2. * c2);

  lambda[0] = fabs(un - c);
  lambda[1] = lambda[2] = fabs(un);
  lambda[3] = fabs(un + c);
  const double delta = 0.1 * c;
  for (k = 0; k < 4; k++) {
    if (lambda[k] < delta) lambda[k] = 0.5 * (SQR(lambda[k]) / delta + delta);
  }

  K[0][0] = 1.;
  K[0][1] = u - c * nx;
  K[0][2] = v - c * ny;
  K[0][3] = H - c * un;
  K[1][0] = 1.;
  K[1][1] = u;
  K[1][2] = v;
  K[1][3] = 0.5 * (SQR(u) + SQR(v));
  K[2][0] = 0.;
  K[2][1] = -ny;
  K[2][2] = nx;
  K[2][3] = ut;
  K[3][0] = 1.;
  K[3][1] = u + c * nx;
  K[3][2] = v + c * ny;
  K[3][3] = H + c * un;

  const double unL = uL * nx + vL * ny, unR = uR * nx + vR * ny;
  flux[0] = rhoL * unL + rhoR * unR;
  flux[1] = rhoL * unL * uL + pL * nx + rhoR * unR * uR + pR * nx;
  flux[2] = rhoL * unL * vL + pL * ny + rhoR * unR * vR + pR * ny;
  flux[3] = rhoL * unL * HL + rhoR * unR * HR;
  for (k = 0; k < 4; k++)
    for (i = 0; i < 4; i++) flux[i] -= lambda[k] * alpha[k] * K[k][i];

  for (i = 0; i < 4; i++) {
    flux[i] *= 0.5 * area;
    rL[i] -= flux[i];
    rR[i] += flux[i];
  }
}

// AUSM+ flux: convection by a split Mach number, pressure by its own splitting.
inline void ausm_plus_flux(const double *left, const double *right, const double *normal, double *res_left,
                           double *res_right) {
  namespace fm = flux_math;
  const auto l = fm::to_primitive(left);
  const auto r = fm::to_primitive(right);
  const double area = std::sqrt(fm::length2<2>(normal));
  const double nx = normal[0] / area, ny = normal[1] / area;
  const double hl = fm::total_enthalpy(l), hr = fm::total_enthalpy(r);
  const double unl = l.u * nx + l.v * ny, unr = r.u * nx + r.v * ny;

  // Speed of sound at the face from the critical speeds of both sides.
  const auto critical = [](double h, double un) {
    const double a2 = 2.0 * fm::gm1 / (fm::gamma + 1.0) * h;
    return a2 / std::max(std::sqrt(a2), un);
  };
  const double a = std::min(critical(hl, unl), critical(hr, -unr));

  const double ml = unl / a, mr = unr / a;
  const double m = fm::split_mach(ml, +1.0) + fm::split_mach(mr, -1.0);
  const double p = fm::split_pressure(ml, +1.0) * l.p + fm::split_pressure(mr, -1.0) * r.p;
  const double mass = a * (m > 0.0 ? m * l.rho : m * r.rho);

  const auto &up = mass > 0.0 ? l : r;
  const double f[] = {mass, mass * up.u + p * nx, mass * up.v + p * ny, mass * (mass > 0.0 ? hl : hr)};
  for (int i = 0; i < 4; ++i) {
    res_left[i] -= f[i] * area;
    res_right[i] += f[i] * area;
  }
}

// One half of van Leer's splitting: what moves with the normal (sign 1) or against it (sign -1).
static inline void add_van_leer_half(const double *__restrict__ q, double nx, double ny, int sign,
                                     double *__restrict__ f) {
  const double g = flow::gamma_air;
  const double p = flow::pressure(q);
  const double c = std::sqrt(g * p / q[0]);
  const double u = q[1] / q[0];
  const double v = q[2] / q[0];
  const double un = u * nx + v * ny;
  const double mach = un / c;

  if (sign * mach <= -1.0) return; // all of it goes the other way
  if (sign * mach >= 1.0) {
    f[0] += q[0] * un;
    f[1] += q[1] * un + p * nx;
    f[2] += q[2] * un + p * ny;
    f[3] += (q[3] + p) * un;
    return;
  }
  const double mass = sign * 0.25 * q[0] * c * (mach + sign) * (mach + sign);
  const double push = (-un + sign * 2.0 * c) / g;
  const double energy = (g - 1.0) * un + sign * 2.0 * c;
  f[0] += mass;
  f[1] += mass * (u + nx * push);
  f[2] += mass * (v + ny * push);
  f[3] += mass * (energy * energy / (2.0 * (g * g - 1.0)) + 0.5 * (u * u + v * v - un * un));
}

// Van Leer's flux vector splitting.
static inline void van_leer_flux(const double *__restrict__ ql, const double *__restrict__ qr,
                                 const double *__restrict__ normal, double *__restrict__ rl,
                                 double *__restrict__ rr) {
  const double area = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double inverse = 1.0 / area;
  double f[4] = {};
  add_van_leer_half(ql, normal[0] * inverse, normal[1] * inverse, 1, f);
  add_van_leer_half(qr, normal[0] * inverse, normal[1] * inverse, -1, f);
  for (int i = 0; i < 4; ++i) {
    rl[i] -= area * f[i];
    rr[i] += area * f[i];
  }
}

// HLL flux of shallow water over a bed: levels at the face as in a lake at rest, dry cells on either side.
inline void shallow_water_hll_flux(const double *ul, const double *ur, const double *bed_l, const double *bed_r,
                                   const double *normal, const double *gravity, double *res_l, double *res_r,
                                   double *max_speed) {
  constexpr double dry = 1.0e-6;
  if (ul[0] < dry && ur[0] < dry) return;

  const double g = *gravity;
  const double nx = normal[0], ny = normal[1];

  const double step = std::max(*bed_l, *bed_r);
  const double hl = std::max(0.0, ul[0] + *bed_l - step);
  const double hr = std::max(0.0, ur[0] + *bed_r - step);

  // Weight of the water that stays behind the step.
  const double behind_l = 0.5 * g * (ul[0] * ul[0] - hl * hl);
  const double behind_r = 0.5 * g * (ur[0] * ur[0] - hr * hr);
  res_l[1] -= behind_l * nx;
  res_l[2] -= behind_l * ny;
  res_r[1] += behind_r * nx;
  res_r[2] += behind_r * ny;
  if (hl < dry && hr < dry) return;

  double velocity_l[2] = {0.0, 0.0}, velocity_r[2] = {0.0, 0.0};
  if (ul[0] > dry) {
    velocity_l[0] = ul[1] / ul[0];
    velocity_l[1] = ul[2] / ul[0];
  }
  if (ur[0] > dry) {
    velocity_r[0] = ur[1] / ur[0];
    velocity_r[1] = ur[2] / ur[0];
  }
  const double vl = velocity_l[0] * nx + velocity_l[1] * ny;
  const double vr = velocity_r[0] * nx + velocity_r[1] * ny;
  const double cl = std::sqrt(g * hl), cr = std::sqrt(g * hr);

  double sl, sr;
  if (hl < dry) {
    sl = vr - 2.0 * cr;
    sr = vr + cr;
  } else if (hr < dry) {
    sl = vl - cl;
    sr = vl + 2.0 * cl;
  } else {
    const double v = 0.5 * (vl + vr) + cl - cr;
    const double c = 0.5 * (cl + cr) + 0.25 * (vl - vr);
    sl = std::min(vl - cl, v - c);
    sr = std::max(vr + cr, v + c);
  }

  const double fl[3] = {hl * vl, hl * vl * velocity_l[0] + 0.5 * g * hl * hl * nx,
                        hl * vl * velocity_l[1] + 0.5 * g * hl * hl * ny};
  const double fr[3] = {hr * vr, hr * vr * velocity_r[0] + 0.5 * g * hr * hr * nx,
                        hr * vr * velocity_r[1] + 0.5 * g * hr * hr * ny};
  const double jump[3] = {hr - hl, hr * velocity_r[0] - hl * velocity_l[0], hr * velocity_r[1] - hl * velocity_l[1]};
  for (int i = 0; i < 3; ++i) {
    double f;
    if (sl >= 0.0)
      f = fl[i];
    else if (sr <= 0.0)
      f = fr[i];
    else
      f = (sr * fl[i] - sl * fr[i] + sl * sr * jump[i]) / (sr - sl);
    res_l[i] -= f;
    res_r[i] += f;
  }

  const double speed = std::max(std::abs(sl), std::abs(sr));
  if (speed > *max_speed) *max_speed = speed;
}

// Change of velocity over one wave of the Riemann problem that ends at pressure p, and its derivative.
inline void velocity_change(double p, double rho, double p0, double &f, double &df) {
  using flux_math::gamma;
  if (p > p0) { // shock
    const double a = 2.0 / ((gamma + 1.0) * rho);
    const double b = (gamma - 1.0) / (gamma + 1.0) * p0;
    const double root = std::sqrt(a / (p + b));
    f = (p - p0) * root;
    df = root * (1.0 - 0.5 * (p - p0) / (p + b));
  } else { // rarefaction
    const double c = std::sqrt(gamma * p0 / rho);
    const double ratio = p / p0;
    f = 2.0 * c / (gamma - 1.0) * (std::pow(ratio, (gamma - 1.0) / (2.0 * gamma)) - 1.0);
    df = std::pow(ratio, -(gamma + 1.0) / (2.0 * gamma)) / (rho * c);
  }
}

// Godunov's flux from the exact solution of the Riemann problem; rows hold density, velocity, pressure.
inline void exact_riemann_flux(const double *wl, const double *wr, const double *normal, double *res_l,
                               double *res_r) {
  using flux_math::gamma;
  const double area = std::hypot(normal[0], normal[1]);
  const double nx = normal[0] / area, ny = normal[1] / area;
  const double ul = wl[1] * nx + wl[2] * ny;
  const double ur = wr[1] * nx + wr[2] * ny;
  const double cl = std::sqrt(gamma * wl[3] / wl[0]);
  const double cr = std::sqrt(gamma * wr[3] / wr[0]);

  // Pressure between the waves, by Newton's method from the linear guess.
  const double low = 1.0e-6 * std::min(wl[3], wr[3]);
  double p = std::max(low, 0.5 * (wl[3] + wr[3]) - 0.125 * (ur - ul) * (wl[0] + wr[0]) * (cl + cr));
  double fl = 0.0, fr = 0.0, dfl, dfr;
  double change = 1.0;
  int iterations = 0;
  while (change > 1.0e-10 && iterations < 50) {
    velocity_change(p, wl[0], wl[3], fl, dfl);
    velocity_change(p, wr[0], wr[3], fr, dfr);
    const double next = std::max(low, p - (fl + fr + ur - ul) / (dfl + dfr));
    change = 2.0 * std::fabs(next - p) / (next + p);
    p = next;
    ++iterations;
  }
  const double middle = 0.5 * (ul + ur) + 0.5 * (fr - fl);

  // The state at the face: look from the side that the contact leaves behind, s = 1 for the left one.
  const double s = middle >= 0.0 ? 1.0 : -1.0;
  const double *w = middle >= 0.0 ? wl : wr;
  const double c = middle >= 0.0 ? cl : cr;
  const double un = s * (middle >= 0.0 ? ul : ur);
  const double um = s * middle;
  double rho = w[0], velocity = un, pressure = w[3];
  if (p > w[3]) {
    const double ratio = p / w[3];
    const double g = (gamma - 1.0) / (gamma + 1.0);
    const double shock = un - c * std::sqrt((gamma + 1.0) / (2.0 * gamma) * ratio + (gamma - 1.0) / (2.0 * gamma));
    if (shock < 0.0) {
      rho = w[0] * (ratio + g) / (g * ratio + 1.0);
      velocity = um;
      pressure = p;
    }
  } else {
    const double head = un - c;
    const double cm = c * std::pow(p / w[3], (gamma - 1.0) / (2.0 * gamma));
    const double tail = um - cm;
    if (tail <= 0.0) {
      rho = w[0] * std::pow(p / w[3], 1.0 / gamma);
      velocity = um;
      pressure = p;
    } else if (head < 0.0) { // inside the fan
      velocity = 2.0 / (gamma + 1.0) * (c + 0.5 * (gamma - 1.0) * un);
      rho = w[0] * std::pow(velocity / c, 2.0 / (gamma - 1.0));
      pressure = w[3] * std::pow(velocity / c, 2.0 * gamma / (gamma - 1.0));
    }
  }

  const double vn = s * velocity;
  const double ut = -w[1] * ny + w[2] * nx; // carried along unchanged
  const double u = vn * nx - ut * ny, v = vn * ny + ut * nx;
  const double energy = pressure / (gamma - 1.0) + 0.5 * rho * (vn * vn + ut * ut);
  const double flux[4] = {area * rho * vn, area * (rho * vn * u + pressure * nx),
                          area * (rho * vn * v + pressure * ny), area * (energy + pressure) * vn};
  for (int i = 0; i < 4; ++i) {
    res_l[i] -= flux[i];
    res_r[i] += flux[i];
  }
}

/* SPDX-License-Identifier: MIT */
