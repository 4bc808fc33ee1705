// Helpers of source_kernels.h and gradient_kernels.h: closure functions of turbulence models, reaction rates, small
// matrices and vectors.
#ifndef SOURCE_MATH_H
#define SOURCE_MATH_H

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#define SQR(x) ((x) * (x))
#define CUBE(x) ((x) * (x) * (x))

// ---- turbulence

namespace spalart_allmaras {

constexpr double kappa = 0.41;
constexpr double sigma = 2.0 / 3.0;
constexpr double cb1 = 0.1355, cb2 = 0.622;
constexpr double cw1 = cb1 / (kappa * kappa) + (1.0 + cb2) / sigma;
constexpr double cw2 = 0.3, cw3 = 2.0;
constexpr double cv1 = 7.1;
constexpr double ct3 = 1.2, ct4 = 0.5;

inline double fv1(double chi) {
  const double chi3 = std::pow(chi, 3);
  return chi3 / (chi3 + std::pow(cv1, 3));
}

inline double fv2(double chi) { return 1.0 - chi / (1.0 + chi * fv1(chi)); }

inline double ft2(double chi) { return ct3 * std::exp(-ct4 * chi * chi); }

inline double fw(double r) {
  const double g = r + cw2 * (std::pow(r, 6.0) - r);
  const double limit = std::pow(cw3, 6.0);
  return g * std::pow((1.0 + limit) / (std::pow(g, 6.0) + limit), 1.0 / 6.0);
}

} // namespace spalart_allmaras

// One set of coefficients of the k-omega SST model; the model blends the inner with the outer one.
struct SstCoefficients {
  double sigma_k;
  double sigma_omega;
  double beta;
  double gamma;

  static constexpr double beta_star = 0.09;
  static constexpr double a1 = 0.31;
};

inline constexpr SstCoefficients sst_inner{0.85, 0.5, 0.075, 5.0 / 9.0};
inline constexpr SstCoefficients sst_outer{1.0, 0.856, 0.0828, 0.44};

// Sutherland's law for air, kg/(m s) with T in kelvin.
static inline double sutherland_viscosity(double T) {
  static const double mu_ref = 1.716e-5, T_ref = 273.15, S = 110.4;
  return mu_ref * pow(T / T_ref, 1.5) * (T_ref + S) / (T + S);
}

// ---- chemistry

namespace chemistry {

constexpr int species_count = 4; // fuel, oxidizer, product, radical
constexpr double gas_constant = 8.314462618;

// k(T) = A T^b exp(-Ea / (R T)), with the orders of its species and the change of their moles.
struct Reaction {
  double A, b, Ea;
  std::array<int, species_count> orders;
  std::array<int, species_count> change;
  double heat; // J/mol, positive where it sets heat free

  double constant(double temperature) const {
    return A * std::pow(temperature, b) * std::exp(-Ea / (gas_constant * temperature));
  }
};

constexpr std::array<Reaction, 4> mechanism = {{
    {2.5e4, 0.0, 6.2e4, {1, 1, 0, 0}, {-1, -1, 1, 1}, 1.2e5},
    {8.0e3, 0.4, 4.5e4, {1, 0, 0, 1}, {-1, 0, 1, 0}, 0.9e5},
    {1.1e6, -0.7, 9.8e4, {0, 0, 1, 0}, {1, 1, -1, 0}, -1.4e5},
    {3.0e2, 0.0, 0.0, {0, 0, 0, 2}, {0, 0, 1, -2}, 2.1e5},
}};

// Solves a x = b by Gaussian elimination with partial pivoting; x replaces b.
template <int N>
inline void solve_dense(double (&a)[N][N], double (&b)[N]) {
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    if (pivot != k) {
      for (int j = k; j < N; ++j) std::swap(a[k][j], a[pivot][j]);
      std::swap(b[k], b[pivot]);
    }
    for (int i = k + 1; i < N; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < N; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int j = i + 1; j < N; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

} // namespace chemistry

// ---- matrices

static inline double det3(const double a[3][3]) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

// Inverse by cofactors, with indices that go around.
static inline void invert3(const double a[3][3], double inv[3][3]) {
  const double rdet = 1.0 / det3(a);
  int i, j;
  for (i = 0; i < 3; i++)
    for (j = 0; j < 3; j++) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      inv[j][i] = rdet * (a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]);
    }
}

// ---- vectors

namespace gradient_math {

class Vec3 {
 public:
  constexpr Vec3() = default;
  constexpr Vec3(double x, double y, double z) : x_(x), y_(y), z_(z) {}
  explicit Vec3(const double *p) : x_(p[0]), y_(p[1]), z_(p[2]) {}

  double x() const { return x_; }
  double y() const { return y_; }
  double z() const { return z_; }

  Vec3 &operator+=(const Vec3 &other) {
    x_ += other.x_;
    y_ += other.y_;
    z_ += other.z_;
    return *this;
  }
  Vec3 &operator*=(double s) {
    x_ *= s;
    y_ *= s;
    z_ *= s;
    return *this;
  }
  Vec3 operator-() const { return {-x_, -y_, -z_}; }
  double norm() const { return std::sqrt(dot(*this, *this)); }

  friend Vec3 operator+(Vec3 a, const Vec3 &b) { return a += b; }
  friend Vec3 operator-(const Vec3 &a, const Vec3 &b) { return Vec3(a.x_ - b.x_, a.y_ - b.y_, a.z_ - b.z_); }
  friend Vec3 operator*(double s, Vec3 a) { return a *= s; }
  friend Vec3 operator/(const Vec3 &a, double s) { return (1.0 / s) * a; }
  friend double dot(const Vec3 &a, const Vec3 &b) { return a.x_ * b.x_ + a.y_ * b.y_ + a.z_ * b.z_; }
  friend Vec3 cross(const Vec3 &a, const Vec3 &b) {
    return {a.y_ * b.z_ - a.z_ * b.y_, a.z_ * b.x_ - a.x_ * b.z_, a.x_ * b.y_ - a.y_ * b.x_};
  }

 private:
  double x_ = 0, y_ = 0, z_ = 0;
};

} // namespace gradient_math

#endif // SOURCE_MATH_H

/* SPDX-License-Identifier: MIT */
