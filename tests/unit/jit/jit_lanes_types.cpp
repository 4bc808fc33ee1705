// Types and their conversions, and the functions of mathematics.
#include "jit_lanes_kernels.hpp"

namespace op2_test {

std::vector<Case> type_cases() {
  return {
      {"float_kernel", "f4 f4", R"(
void kernel(const float *a, float *out) {
  out[0] = a[0] * a[1] + a[2];
  out[1] += 0.1 * a[1];
  out[2] = a[2] * 0.1f - 1;
  float x = a[3] / 3.0;
  if (x > a[0]) x = sqrt(x);
  out[3] = x;
})"},
      {"float_c", "f4 f4", R"(
void kernel(const float *a, float *out) {
  float x = sqrt(a[0]) * 0.3f, y = fabs(a[1]) + fmin(a[2], a[3]);
  double z = sqrtf(a[0]) + fabsf(a[1]) * exp(a[2] * 0.1f);
  out[0] = x * y;
  out[1] = z;
  out[2] = pow(a[0], 2) + pow(a[1], 2.0f);
  out[3] = floor(a[3]) - ceilf(a[2]);
})",
       "", true},
      {"mixed", "d2 f2 i2 d2 f2 i2", R"(
void kernel(const double *a, const float *b, const int *n, double *x, float *y, int *m) {
  x[0] = b[0] * n[0] + a[0];
  x[1] += n[1] / 2 + n[0] * 0.5f;
  y[0] = a[0] * b[1];
  y[1] -= n[0] % 3;
  m[0] = n[0] * n[1] - (a[0] > b[0]);
  if (n[0] < a[1]) m[1] = n[1]; else m[1] *= 2;
  if (b[0] == a[0]) y[1] = n[1];
  if (n[0] > 1.5f) x[0] += n[0];
})"},
      {"conversions", "t2 i2 u1 l1 t2 i2 f2", R"(
void kernel(const double *a, const int *n, const unsigned *u, const long long *l, double *x, int *m, float *f) {
  m[0] = (int)(a[0] * 1000);
  m[1] = a[1];
  x[0] = (double)n[0] / n[1] + (float)a[0];
  x[1] = static_cast<double>(*u) - double(*l);
  f[0] = *u;
  f[1] = *l * 3;
})"},
      {"integers", "i3 i6", R"(
void kernel(const int *a, int *out) {
  out[0] = a[0] / (a[1] == 0 ? 1 : a[1]);
  out[1] = a[0] % 3 + (a[1] << 2) - (a[2] >> 1);
  out[2] = (a[0] & 6) | (a[1] ^ ~a[2]);
  if (a[1] != 0) out[3] = a[0] / a[1]; else out[3] = 0;
  if (a[2] > 0) { out[4] = a[0] % a[2]; out[4] <<= 1; out[4] |= 1; }
  out[5] = -a[0] + +a[1];
  out[5] += abs(a[2]) + min(a[0], a[1]) - max(a[1], a[2]);
})"},
      {"unsigned_wrap", "u3 u4 k2", R"(
void kernel(const unsigned *a, unsigned *out, unsigned long long *k) {
  out[0] = a[0] * 2654435761u + a[1];
  out[1] = a[0] - a[1];
  out[2] = a[0] > a[1] ? a[0] >> 5 : a[1] << 3;
  if (a[2] < -1) out[3] = a[2] / 7 % 5;
  k[0] = k[0] * 6364136223846793005ull + a[0];
  k[1] ^= k[0] >> 33;
})"},
      {"long_long", "l2 i1 l3", R"(
void kernel(const long long *a, const int *n, long long *out) {
  out[0] = a[0] * 3 - *n;
  if (a[0] > a[1]) out[1] = a[1] / 7; else out[1] += a[0];
  out[2] = *n * 2.5 > a[1] ? *n : a[0];
})"},
      {"bool_arithmetic", "d2 d2 i1", R"(
void kernel(const double *a, double *out, int *n) {
  out[0] += 2.0 * (a[0] > a[1]);
  out[1] = (a[0] > 0) - (a[0] < 0);
  *n = (a[0] > a[1]) == (a[1] > 0);
  *n += (a[0] > 0) & (a[1] > 0) | (a[0] < -1);
  *n -= (a[0] > 0) < (a[1] > 0);
  const bool b = *n, even = (*n & 1) == 0, always = true;
  if (always & b | (b ^ even)) out[0] *= 1.25;
  out[1] *= b ? 1.5 : b + 1;
  out[0] -= !b;
})"},
      {"exact_functions", "d3 d10", R"(
void kernel(const double *a, double *out) {
  out[0] = sqrt(a[0]); out[1] = fabs(a[1]); out[2] = fmin(a[0], a[1]); out[3] = fmax(a[1], a[2]);
  out[4] = floor(a[0]) + ceil(a[1]); out[5] = trunc(a[2]) - rint(a[0]); out[6] = copysign(a[0], a[1]);
  out[7] = abs(a[0]) + min(a[0], a[1]) * max(a[1], 0.0);
  out[8] = isnan(a[0]) + 2 * isfinite(a[1]) + 4 * isinf(a[2]) + 8 * isnormal(a[0]);
  out[9] = signbit(a[0]) ? a[1] : fma(a[0], a[1], a[2]);
  if (signbit(a[2]) && !isnan(a[1])) out[9] = round(a[0]) + nearbyint(a[1]);
})"},
      {"exact_floats", "f3 f8", R"(
void kernel(const float *a, float *out) {
  out[0] = sqrt(a[0]) + sqrtf(a[1]); out[1] = fabs(a[1]) * fminf(a[0], a[2]); out[2] = fmax(a[0], a[1]);
  out[3] = floor(a[0]) - ceilf(a[1]) + trunc(a[2]); out[4] = rintf(a[0]); out[5] = copysign(a[0], a[1]);
  out[6] = abs(a[0]) + powf(a[1], 1.5f);
  out[7] = max(a[0], a[1]) + (isfinite(a[2]) ? min(a[2], 0.5f) : fmaf(a[0], a[1], a[2]));
})"},
      {"library_functions", "t3 d8", R"(
void kernel(const double *a, double *out) {
  out[0] = exp(a[0]) + log(fabs(a[1]) + 1e-3);
  out[1] = pow(fabs(a[0]), 1.4) - pow(a[1], 2) + pow(a[2], 3);
  out[2] = sin(a[0]) * cos(a[1]) + tan(a[2]);
  out[3] = atan2(a[0], a[1]) + tanh(a[2]);
  out[4] = cbrt(a[0]) + hypot(a[1], a[2]) - fmod(a[0], 1.7);
  if (a[0] > 0.5) out[5] = exp(-a[0] * a[1]); else out[6] += log10(a[0] * a[0] + 1);
  out[5] += pow(fabs(a[0]), 0.5) + pow(a[1], -1) + pow(a[2], 1) - pow(fabs(a[2]), 1.5) * pow(2, a[1]);
  out[6] -= ldexp(a[0], 3) + scalbn(a[1], -2) + lround(a[0]) * llrint(a[1]) - logb(a[2] + 9);
  out[7] = a[1] > 0 ? asin(1 / (1 + a[1])) : expm1(a[2]) + erf(a[0]);
})"},
      {"uniform_reals", "d2 =d3 d2", R"(
double gam; double table[3];
void kernel(const double *a, const double *shared, double *out) {
  const double h = 0.5 * gam, g = shared[0] * h;
  double steps = 0;
  for (double t = 0; t < 1; t += 0.25) steps += t * shared[1];
  if (g > 0.1) out[0] = a[0] * g; else out[0] = a[1] - h;
  if (gam > 1 && a[0] > shared[2]) out[1] = gam > 2 ? a[0] : steps;
  out[1] += (h > 0.1f ? a[1] : 1.0f) + (h > 100 ? 1 : 0.5f) * table[2];
  for (int i = 0; i < 3; ++i) out[0] += table[i] * shared[i];
})",
       "double gam = 1.4, table[3] = {0.1, 0.2, 0.7};"},
      {"names", "d2 d2 i1", R"(
void kernel(const double *v, double *lanes, int *W) {
  double mask = v[0], select = v[1], any = 0, T = 1, assign = 2;
  if (mask > select) { any = mask; lanes[0] = any + T; }
  lanes[1] = assign * (any > T ? mask : select);
  *W += 1;
})"},
      {"automatic", "d2 i2 d2 i1", R"(
void kernel(const double *a, const int *n, double *out, int *m) {
  const auto x = a[0] * n[0];
  auto y = 0.0, z = 1.5;
  auto k = 3;
  auto c = n[0] > n[1];
  if (c) { y = x; k += n[1]; c = a[0] > 0; }
  if (c) z = y;
  out[0] = y - z; out[1] = x;
  *m = k;
})"},
  };
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
