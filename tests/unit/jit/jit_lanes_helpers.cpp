// Kernels that call functions, among them lambdas.
#include "jit_lanes_kernels.hpp"

namespace op2_test {

std::vector<Case> helper_cases() {
  return {
      {"helper_value", "d4 d2", R"(
double square(double x) { return x * x; }
double pressure(const double *q) { return 0.4 * (q[3] - 0.5 * (square(q[1]) + square(q[2])) / q[0]); }
void kernel(const double *q, double *out) { out[0] = pressure(q); out[1] += square(out[0]) + square(3); }
)"},
      {"helper_branches", "d2 d3", R"(
double minmod(double a, double b) {
  if (a * b <= 0.0) return 0.0;
  if (fabs(a) < fabs(b)) return a;
  return b;
}
float half(double x) { return x / 2; }
bool positive(double x) { return x > 0; }
int sign(double x) { if (x > 0) return 1; else if (x < 0) return -1; return 0; }
void kernel(const double *a, double *out) {
  out[0] = minmod(a[0], a[1]);
  if (positive(a[0])) out[1] = half(a[1]);
  out[2] = sign(a[0]) * a[1] + (positive(a[1]) ? half(a[0]) : minmod(a[1], 2.0));
})"},
      {"helper_index", "d6 d2", R"(
int at(int i, int j) { return i * 2 + j; }
void kernel(const double *a, double *out) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) if (a[at(i, j)] > 0) out[j] += a[at(i, j)] * at(i, 1);
})"},
      {"helper_writes", "d3 d4", R"(
void add(double *to, double x) { *to += x; }
void both(const double *a, double *p, double &r) {
  if (a[0] > 0) { *p = a[1]; return; }
  r = a[2];
  add(p, 0.5);
}
void kernel(const double *a, double *out) {
  double local = 1;
  add(&out[0], a[0]);
  both(a, out + 1, local);
  if (a[1] > 0) { add(&out[2], local); both(a, &local, out[3]); }
  out[3] += local;
  if (a[2] > a[0]) return;
  add(out, 2);
})"},
      {"helper_uniform", "d2 d3", R"(
double gam; double qinf[3];
double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}
double scale(double g) { if (g > 1.2) return g - 1; return 1; }
void kernel(const double *a, double *out) {
  const double s = dot(qinf, qinf, 3), g = scale(gam);
  out[0] = dot(a, qinf, 2) * s;
  if (g > 0.1) out[1] = g * dot(a, a, 2);
  double w[2] = {1, 2};
  out[2] = dot(w, a, 2) + scale(a[0]);
})",
       "double gam = 1.4, qinf[3] = {1, 0.5, 0.25};"},
      {"helper_counts", "d3 d1 i2", R"(
void count(int *n, double x) { if (x > 0) return; ++*n; }
void next(int &k) { k += 2; }
void kernel(const double *a, double *out, int *m) {
  int n = 0, k = 1, u = 0;
  for (int i = 0; i < 3; ++i) count(&n, a[i]);
  next(k);
  next(u);
  *out = a[u];
  if (a[0] > 0) next(k);
  m[0] = n;
  m[1] = k;
})"},
      {"helper_loops", "t2 d1 i1", R"(
double root(double a, int *rounds) {
  double x = 1;
  for (int i = 0; i < 30; ++i) {
    const double next = 0.5 * (x + a / x);
    if (fabs(next - x) < 1e-14 * x) return next;
    x = next;
    ++*rounds;
  }
  return x;
}
void kernel(const double *a, double *out, int *n) {
  int rounds = 0;
  if (a[0] > 0.25) *out = root(a[0], &rounds);
  *out += root(fabs(a[1]) + 1, &rounds);
  *n = rounds;
})"},
      {"helper_arrays_of_arrays", "t4 d5 i1", R"(
const int side = 2;
const double signs[2][side] = {{1, -1}, {0.5, 2}};
double all(const double (*a)[side]) {
  double s = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < side; ++j) s += a[i][j] * signs[j][i];
  return s;
}
void turn(double (*a)[2], const double (*const b)[2], double *sum) {
  for (int i = 0; i < 2; ++i) {
    if (b[i][0] > 0) a[i][1] += b[1][i];
    sum[i] += all(a + 0) * (*a)[i];
  }
  ++a;
  a[0][1] -= 0.25;
}
void fill(double (&a)[2][2], const double (&row)[2], int n) {
  for (int i = 0; i < 2; ++i) { a[i][0] = row[i]; a[i][1] = n; }
}
double at(double (*a)[3][2], int n) { return a[1][2][n] + a[0][0][1 - n]; }
void kernel(const double *a, double *out, int *n) {
  double x[2][2] = {{a[0], a[1]}, {a[2], a[3]}}, y[2][2] = {{1, 2}, {3, 4}}, rows[2][2], cube[2][3][2] = {{{1, 2}}};
  fill(y, x[1], 3);
  fill(rows, signs[1], *n > 0 ? 1 : 0);
  turn(x, y, out);
  if (a[0] > a[1]) { turn(y, rows, out + 1); fill(x, rows[0], 2); }
  out[3] = all(x) + all(signs);
  out[4] = all(y) + at(cube, a[3] > 0 ? 1 : 0);
})"},
      {"helper_constants", "d2 d2", R"(
struct Limits { double low, high; };
const double half = 0.5;
constexpr int count = 2;
const Limits limits = {-1.0, 1.0};
const double table[count] = {0.1, 0.9};
double clip(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
void kernel(const double *a, double *out) {
  double w[count];
  for (int i = 0; i < count; ++i) w[i] = clip(a[i], limits.low, limits.high) * table[i];
  out[0] = w[0] + half * w[1];
  out[1] = clip(w[0], -half, half);
})"},
      {"vector_argument", "d2*3 d1", R"(
void kernel(const double **x, double *out) {
  double s = 0;
  for (int i = 0; i < 3; ++i) { const double *p = x[i]; s += p[0] * x[i][1]; if (p[0] > s) s = x[i][0]; }
  *out = s;
})"},
  };
}

std::vector<Case> lambda_cases() {
  return {
      {"lambda_writes", "d3 d4 i2", R"(
void kernel(const double *a, double *out, int *n) {
  double sum = 0, w[2] = {1, 2};
  int calls = 0, uniform = 0;
  const auto add = [&](int i, double x) { sum += x; w[i] *= x; out[i] += w[i]; calls++; };
  const auto count = [&uniform] { uniform += 2; };
  const auto put = [out](double x, int i) { out[i] = x; };
  add(0, a[0]);
  if (a[1] > 0) add(1, a[1]);
  for (int i = 0; i < 2; ++i) { count(); if (a[i] > a[2]) { add(i, 0.5); put(sum, 2); } }
  out[uniform - 1] = sum + w[0];
  n[0] = calls;
  n[1] = uniform;
})"},
      {"lambda_values", "t3 d4 i1", R"(
void kernel(const double *a, double *out, int *n) {
  double x = a[0], y = 2;
  int k = 1;
  const auto old = [=](double z) { return x * z + y + k; };
  auto one = [x, &y](double z) { return x * z + y; };
  const auto pointer = [a](int i) { return a[i]; };
  x = 7;
  y = a[1];
  k = 2;
  out[0] = old(a[2]);
  out[1] = one(a[2]) + old(1);
  for (int i = 0; i < 2; ++i) {
    const auto here = [i, x] { return i * x; };
    x += here();
    if (a[i] > 0) { auto in = [x] { return x; }; x -= 1; out[2] = in() - x; k += i; }
  }
  out[3] = x + pointer(k > 2 ? 1 : 0);
  *n = [k](int add) { return k + add; }(3);
})"},
      {"lambda_calls_lambda", "t3 d4", R"(
void kernel(const double *a, double *out) {
  double x = a[0], total = 0;
  const auto scaled = [x](double y) { return x * y; };
  x = a[1];
  const auto both = [&](double y) { total += scaled(y) + x; };
  auto deep = [&, x](double y) {
    double z = y;
    const auto inner = [&z, x, &both](double by) { z += by * x; both(z); };
    inner(2);
    z = 3;
    inner(y);
    return z;
  };
  x = a[2];
  both(1);
  out[0] = deep(a[1]);
  if (a[0] > 0) out[1] = [&] { both(x); return total; }();
  out[2] = total;
  const auto raise = [&x] { x += 1; };
  const auto twice = [&, x](double y) { raise(); raise(); return x * y; };
  x = a[0];
  out[1] += twice(2);
  out[3] = scaled(x) + [=](double y) { return scaled(y) - x; }(total);
})"},
      {"lambda_returns", "d3 d4 i1", R"(
void kernel(const double *a, double *out, int *n) {
  const auto minmod = [](double x, double y) {
    if (x * y <= 0.0) return 0.0;
    if (fabs(x) < fabs(y)) return x;
    return y;
  };
  const auto sign = [](double x) -> int { if (x > 0) return 1; return x < 0 ? -1 : 0; };
  const auto positive = [](const double &x) { return x > 0; };
  const auto find = [&](double x) {
    for (int i = 0; i < 3; ++i) if (a[i] > x) { out[3] += a[i]; return i; }
    return 3;
  };
  const auto halve = [&](double *p, double &r) { if (*p > 1) { *p /= 2; return; } r = *p; };
  out[0] = minmod(a[0], a[1]);
  if (positive(a[2])) out[1] = minmod(a[1], 2.0);
  out[2] = [&] { if (a[0] < a[1]) return sqrt(fabs(a[1])); return a[2]; }();
  *n = find(a[1] > 0 ? 0 : 1);
  *n += sign(a[0]);
  halve(out, out[1]);
  if (a[1] < 0) halve(&out[2], out[0]);
})"},
      {"lambda_uniform", "=d3 d2 d2 =i1", R"(
void kernel(const double *g, const double *a, double *out, const int *n) {
  const double gam = g[0];
  double limit = g[1];
  const auto above = [=](double x) -> bool { return x > limit; };
  const auto part = [&, g](int i) { if (i >= *n) return 0.0; return gam * a[i] + g[2]; };
  limit = g[2];
  for (int i = 0; i < 2; ++i) out[i] = part(i);
  if (above(gam)) out[0] += 1;
  if (above(a[0])) out[1] += part(*n);
})"},
      {"lambda_names", "d2 d3 f2 f1", R"(
double clip(double x, double top) {
  const auto over = [&] { return x > top; };
  return over() ? top : x;
}
void kernel(const double *a, double *out, const float *b, float *c) {
  constexpr double g = 1.4;
  const int two = 2;
  double x = a[0];
  auto hides = [&](double y) { const double z = x; { double x = z * y; x += g; y = x; } const double a = y; return a; };
  auto renamed = [&](double x) { return x + two; };
  auto moved = [x](double y) { y += x; double x = y; return x * g; };
  auto own = [&](double y) { y += x; double x = y * 2; return x; };
  out[0] = hides(a[1]) + renamed(3) + own(1);
  x = 4;
  { double x = 2; out[1] = moved(x) + [&] { return x; }(); }
  out[2] = clip(a[0], a[1]) + clip(two, x) + clip(a[1], 0.5);
  const auto alias = [&](double &r) { if (r > a[1]) r += a[0]; return x * r; };
  const double twice = alias(x);
  out[0] += twice;
  auto root = [b](int i) { return sqrt(fabs(b[i])) * 0.5f; };
  *c = root(0) + root(1);
})"},
  };
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
