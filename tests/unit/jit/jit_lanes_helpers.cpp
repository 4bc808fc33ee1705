// Kernels that call functions.
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

} // namespace op2_test
