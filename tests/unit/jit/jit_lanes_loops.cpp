// Loops: with the same number of rounds for all elements, and with different ones.
#include "jit_lanes_kernels.hpp"

namespace op2_test {

std::vector<Case> loop_cases() {
  return {
      {"matrix", "d9 d3 d3", R"(
void kernel(const double *m, const double *x, double *y) {
  double sum[3] = {0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) sum[i] += m[i * 3 + j] * x[j];
    y[i] = sum[i];
  }
})"},
      {"local_arrays", "d4 d4", R"(
const double weights[4] = {0.5, 0.25, -0.125, 1e-3};
void kernel(const double *x, double *y) {
  double w[4], v[2][2] = {{1, 2}, {3, 4}}, *p = w;
  int order[4] = {2, 0, 3, 1};
  for (int i = 0; i < 4; ++i) w[i] = x[order[i]] * weights[i];
  v[1][0] += x[0];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) y[2 * i + j] = v[i][j] - p[2 * i + j];
  if (x[0] > x[1]) v[0][1] = p[3];
  y[3] += v[0][1];
})"},
      {"while_uniform", "d3 d1", R"(
void kernel(const double *x, double *y) {
  int i = 0, n = 3;
  double s = 0;
  while (i < n) { s += x[i]; i++; if (i == 2) continue; s *= 0.5; }
  do { s -= 1; --i; } while (i > 0);
  for (int a = 0, b = 2; a < b; ++a, --b) s += x[a] - x[b];
  for (;;) { if (++i > 2) break; s += i; }
  *y = s;
})"},
      {"switch_uniform", "d3 d3", R"(
enum { first = 1, second, third = 7 };
void kernel(const double *x, double *y) {
  for (int k = 0; k < 8; ++k) {
    switch (k) {
      case first: y[0] = x[0]; break;
      case second: if (x[1] > 0) y[1] = x[1]; break;
      case third: { double t = x[2]; y[2] = t * k; }
      default: y[0] += 0.5; break;
    }
  }
})"},
      {"switch_between_elements", "t2 d3", R"(
enum { low = -1, middle, high };
void kernel(const double *x, double *y) {
  const int kind = x[0] < -1 ? low : x[0] > 1 ? high : x[0] > 0.5 ? 7 : middle;
  switch (kind) {
    case low: y[0] = x[0]; break;
    case middle:
    case high: { const double t = x[1]; y[1] = t * kind; break; }
    default: if (x[1] > 0) y[2] = x[1]; else return;
  }
  switch (kind) { default: y[0] += 2; break; case low: y[0] -= 1; break; case high: for (int i = 0; i < 9; ++i) { if (i > 3) break; y[2] += i; } }
})"},
      {"own_index", "t4 d4 i2", R"(
const double table[6] = {0.5, 0.25, -0.125, 1e-3, 7, 11};
const int order[4] = {2, 0, 3, 1};
void kernel(const double *x, double *y, int *n) {
  double own[4] = {1, 2, 3, 4};
  int at = x[0] < -1 ? 0 : x[0] < 0 ? 1 : x[0] < 1 ? 2 : 3;
  own[at] = x[1];
  own[order[at]] += table[at + 2] * x[2];
  if (x[3] > 0) {
    own[at] *= 2;
    own[(at + 1) % 4]++;
    n[at / 2] += 1;
    y[at] = table[order[at]];
  } else {
    at = 100; // these elements must not reach what the others do
  }
  if (x[3] > 0) y[3 - at] -= own[at] + x[order[at]];
  for (int i = 0; i < 4; ++i) y[i] += own[i];
})"},
      {"newton", "t1 d1 i1", R"(
void kernel(const double *a, double *root, int *rounds) {
  const double target = fabs(*a) + 0.1;
  double x = target > 1 ? target : 1.0;
  int n = 0;
  while (fabs(x * x - target) > 1e-12 && n < 50) {
    x = 0.5 * (x + target / x);
    n++;
  }
  *root = x;
  *rounds = n;
})"},
      {"for_break", "d6 d1 i2", R"(
void kernel(const double *a, double *out, int *n) {
  int found = -1;
  for (int i = 0; i < 6; ++i) {
    found = i;
    if (a[i] > 1.0) break;
    *out += a[i];
  }
  n[0] = found;
  for (int k = 0; k < 6; k++) {
    if (a[k] < 0) continue;
    n[1] += 1;
    if (a[k] > 2) { *out = a[k]; break; }
    *out -= 0.5;
  }
})"},
      {"counters_asked_for_later", "t4 d4 i5 i1", R"(
const double at[7] = {-4, -1.5, -0.5, 0, 0.5, 1.5, 4};
void next(int &j) { j += 2; }
int position(double x) {
  int i;
  for (i = 0; i < 6; i++) if (x < at[i]) return i;
  return -i;
}
void kernel(const double *a, double *out, int *n, const int *most) {
  int i, j, k = 9, m;
  for (i = 0; i < 6; ++i) { if (a[0] < at[i + 1]) break; out[0] += at[i]; }
  n[0] = i;
  out[1] = at[i] + i;
  for (i = 6; i > 0 && a[1] < at[i]; --i) { if (i == 3) continue; out[1] -= i; }
  n[1] = i;
  if (a[2] > 0) {
    for (k = 1; k < *most; ++k) {
      if (a[2] * k > 3) break;
      for (m = 0; m < 4; ++m) if (a[m] > a[2]) break;
      out[2] += m * k;
    }
    if (k > 2) return;
  }
  n[2] = k + position(a[3]);
  for (j = 0; j < 6; ++j) { if (a[3] > at[j]) next(j); }
  n[3] = j;
  int s, t, u, &r = s, *p = &t;
  for (s = 0; s < 5; ++s) { out[3] += s; if (a[1] > 0) ++r; }
  for (t = 0; t < 5; ++t) { out[3] += 10 * t; if (a[1] > 0) *p += 1; }
  for (u = 0; u < 5; ++u) { if (a[1] > 0) u += 2; if (u > a[3]) break; }
  for (k = 0; k < 4; ++k) out[3] += k;
  n[4] = s + 10 * t + 100 * k + 1000 * u;
})"},
      {"trip_counts", "i1 t4 d1", R"(
void kernel(const int *n, const double *a, double *out) {
  double s = 0;
  for (int i = 0; i < *n; ++i) {
    s += a[0] * i;
    for (int j = 0; j < 2; ++j) { if (j > i) break; s -= a[j + 1]; }
  }
  int left = *n;
  do { s += a[3]; left -= 2; } while (left > 0);
  *out = s;
})"},
      {"return_in_loop", "d4 d2", R"(
void kernel(const double *a, double *out) {
  for (int i = 0; i < 4; ++i) {
    if (a[i] > 0.7) { out[0] = a[i]; out[1] = i; return; }
    if (i == 2 && a[0] < -0.5) continue;
    out[1] -= 1;
  }
  out[0] = -1;
})"},
      {"return_while_true", "d2 d1", R"(
void kernel(const double *a, double *out) {
  int i = 0;
  double x = 0.125;
  while (true) {
    x = x + x;
    if (!(x < fabs(a[0]))) { *out = x; return; }
    i = i + 1;
    if (i > 20) return;
    *out += a[1];
  }
})"},
      {"pointers", "d6 d6", R"(
void kernel(const double *a, double *out) {
  const double *p = a + 2, *q = &a[4];
  double *o = out;
  for (int i = 0; i < 2; ++i) *o++ = p[i] * *q;
  if (p != q) o[0] = *(p - 1);
  const double *none = nullptr;
  if (none) out[5] = *none;
  double &r = out[4];
  r += 1;
  if (a[0] > 0) r = p[0];
  const double &c = a[1];
  out[5] += c;
})"},
      {"counters_at_top", "d4 d4", R"(
void kernel(const double *a, double *out) {
  int i, j;
  double s;
  for (i = 0; i < 4; i++) { s = 0; for (j = 0; j <= i; j++) s += a[j]; out[i] = s; }
})"},
      {"counters_in_branch", "d4 d4", R"(
void kernel(const double *a, double *out) {
  int i, j;
  if (a[0] > 0) {
    for (i = 0; i < 4; i++)
      for (j = i; j < 4; j++) out[i] += a[j];
  } else {
    for (i = 3; i > 0; i--) out[i] -= a[i - 1];
  }
})"},
      {"traps", "i2 =i1 i2", R"(
void kernel(const int *n, const int *shared, int *out) {
  const int zero = shared[0] - shared[0];
  if (n[0] > 1000) out[0] = 7 / zero;
  out[1] += n[1] > 1000 ? 5 % zero : 3;
  if (n[0] > 1000 && 8 / zero > 2) out[1] = 0;
})"},
      {"continue_in_varying", "d4 d2", R"(
void kernel(const double *a, double *out) {
  if (a[0] > 0) {
    for (int i = 0; i < 4; ++i) {
      if (i == 1) continue;
      if (a[i] > 1) continue;
      out[0] += a[i];
      if (a[i] < -1) { out[1] = i; break; }
      if (i == 2) break;
    }
  }
})"},
  };
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
