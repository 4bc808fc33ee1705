// Conditions that differ between elements.
#include "jit_lanes_kernels.hpp"

namespace op2_test {

std::vector<Case> branch_cases() {
  return {
      {"if_else", "d1 d1 d2", R"(
void kernel(const double *a, const double *b, double *out) {
  if (*a < *b) { out[0] = *a * 2; out[1] -= 1; } else { out[0] = -*b; }
})"},
      {"nested", "d3 i2 d3", R"(
void kernel(const double *a, const int *n, double *out) {
  double x = a[0];
  if (a[1] > 0) {
    x += 1.5;
    if (n[0] > n[1]) { out[0] = x; x = a[2]; } else if (n[0] == n[1]) { out[1] += x; } else out[2] = 0;
    out[1] = x;
  } else {
    const double y = x * a[1];
    x = y - 1;
  }
  out[2] += x;
})"},
      {"else_if", "t1 d1 i1", R"(
void kernel(const double *a, double *out, int *which) {
  if (*a < -1.0) { *out = 1.0 / *a; *which = 1; }
  else if (*a < 0.0) { *out = *a; *which = 2; }
  else if (*a == 0.0) { *out = -0.0; *which = 3; }
  else if (*a < 1.0) *which += 4;
  else { *which -= 1; ++*which; (*which)++; *out *= 2; }
})"},
      {"early_return", "d2 d2 i1", R"(
void kernel(const double *a, double *out, int *n) {
  if (a[0] < 0.0) return;
  out[0] = a[0];
  if (a[1] > a[0]) { out[1] = 3.0; return; }
  *n += 1;
  out[1] += a[1];
})"},
      {"return_deep", "d3 d2 i1", R"(
void kernel(const double *a, double *out, int *n) {
  int steps = 0;
  if (a[0] > 0) {
    if (a[1] > 0) {
      out[0] = 1;
      if (a[2] > 0) return;
      out[0] = 2;
    }
    steps += 1;
    out[1] = a[2];
  }
  steps++;
  *n = steps;
})"},
      {"ternaries", "d4 d4", R"(
void kernel(const double *a, double *out) {
  out[0] = a[0] > a[1] ? a[0] : a[1];
  out[1] = a[0] > 0 ? (a[1] > 0 ? 1 : 2) : a[2] > 0 ? 3.5 : a[3];
  out[2] += 2.0 * (a[0] < a[1] ? 1 : -1) + (a[2] != a[3] ? a[2] : 0.0f);
  out[3] = -(a[0] >= 0 ? a[0] : -a[0]);
})"},
      {"logic", "d4 i2 d1 i3", R"(
void kernel(const double *a, const int *n, double *out, int *m) {
  if (a[0] > 0 && a[1] > 0 || !(a[2] < a[3])) *out += 1;
  if (n[0] && !n[1]) m[0] = 7;
  if (!n[0]) m[1]--;
  m[2] = (a[0] > a[1]) + (a[1] > a[2]) * 2 - !(n[0] == 3);
  bool both = a[0] > a[1] && n[0] < n[1];
  both = both || a[3] == 0;
  if (both) *out *= 3;
  m[1] += both;
})"},
      {"flags", "d3 d2", R"(
void kernel(const double *a, double *out) {
  bool found = false, other = a[0] > 1;
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (a[i] > 0.5) { found = true; count++; }
    if (a[i] < -0.5) other = !other;
  }
  if (found) out[0] = count;
  if (other && !found) out[1] = -count;
  out[1] += found ? 0.25 : 0.125;
})"},
      {"swap", "d3", R"(
void kernel(double *a) {
  if (a[0] > a[1]) { double t = a[0]; a[0] = a[1]; a[1] = t; }
  if (a[1] > a[2]) { const double t = a[1]; a[1] = a[2]; a[2] = t; }
  if (a[0] > a[1]) { double t; t = a[0]; a[0] = a[1]; a[1] = t; }
})"},
      {"chained", "d2 d3", R"(
void kernel(const double *a, double *out) {
  double x, y;
  x = y = a[0];
  out[0] = out[1] = x + y;
  if (a[1] > 0) { x = y = 2.5f; out[1] = out[2] = a[1]; }
  out[2] += x - y;
  if (a[0] > 0) x += y -= 0.5;
  out[0] += x * y;
})"},
      {"limiter", "d6 d2", R"(
void kernel(const double *q, double *lim) {
  for (int i = 0; i < 2; i++) {
    const double l = q[i + 2] - q[i], r = q[i + 4] - q[i + 2];
    double s;
    if (l * r <= 0.0)
      s = 0.0;
    else if (fabs(l) < fabs(r))
      s = l;
    else
      s = r;
    lim[i] = s / (fabs(l) + 1e-6);
  }
})"},
      {"far_memory", "i1 d2 d4", R"(
void kernel(const int *n, const double *a, double *out) {
  for (int i = 0; i < 3; ++i)
    if (i < 2) { if (*n > 0) out[i] += a[i]; }
  double r = *n > 2 ? a[1] : out[3];
  if (*n == 1 && a[1] > 0) r = out[2];
  if (*n < 0 || out[1] > 0) r *= 2;
  out[0] = r;
})"},
      {"zeros", "d2 d3", R"(
void kernel(const double *a, double *out) {
  double none = -0.0;
  out[0] = a[0] > a[1] ? -0.0 : 0.0;
  out[1] = none;
  if (a[0] < a[1]) out[1] = 0;
  none *= a[0];
  out[2] = -0.0 + none;
})"},
      {"absent", "i1 d2 !d2 !d1 d2", R"(
double first(const double *p) { return *p; }
void kernel(const int *n, const double *a, const double *no, double *nowhere, double *out) {
  if (no) out[0] = *no;
  if (a[0] > 0 && no && no[1] > 0) out[0] += no[1];
  if (*n > 1000) { out[1] = no[0]; *nowhere = a[0]; nowhere[0] += out[1]; }
  if (*n < 1000 || no[0] > a[0]) out[0] += a[1];
  out[1] += *n > 1000 ? first(no) : *n < -1000 ? no[1] * a[0] : a[0];
  out[0] *= no != nullptr ? no[0] : a[1];
  if (*n < 1000) return;
  *nowhere += no[1];
})"},
      {"min_location", "d4 d1 i1 i1", R"(
void kernel(const double *a, double *least, const int *where, int *at) {
  for (int k = 0; k < 4; ++k)
    if (a[k] < *least) { *least = a[k]; *at = *where * 4 + k; }
})"},
      {"compare_nan", "d2 i6", R"(
void kernel(const double *a, int *out) {
  out[0] = a[0] < a[1]; out[1] = a[0] <= a[1]; out[2] = a[0] > a[1];
  out[3] = a[0] >= a[1]; out[4] = a[0] == a[1]; out[5] = a[0] != a[1];
  if (!(a[0] < a[1])) out[0] = 2;
  if (a[0]) out[1] += 4;
  out[2] += isnan(a[0]) ? 8 : 0;
})"},
  };
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
