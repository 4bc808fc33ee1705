// Small vectors and matrices, quadrature tables and dense solvers for element kernels.
#ifndef ELEMENT_MATH_H
#define ELEMENT_MATH_H

#include <array>
#include <cmath>
#include <cstddef>

namespace fem {

struct Vec3 {
  double x, y, z;
  Vec3 operator+(const Vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec3 operator-(const Vec3 &o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec3 operator-() const { return {-x, -y, -z}; }
};

inline Vec3 point(const double *p) { return {p[0], p[1], p[2]}; }

[[nodiscard]] inline double dot(const Vec3 &a, const Vec3 &b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }

[[nodiscard]] inline Vec3 cross(const Vec3 &a, const Vec3 &b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A dense matrix that lives in somebody else's array, row after row.
template <class T, int Rows, int Columns>
class MatrixView {
 public:
  explicit MatrixView(T *data) : data_(data) {}
  T &operator()(int i, int j) const { return data_[i * Columns + j]; }
  static constexpr int rows() { return Rows; }
  static constexpr int columns() { return Columns; }

 private:
  T *data_;
};

// 3x3 matrix by value.
template <class T>
class Mat3 {
 public:
  Mat3() = default;

  static Mat3 identity() {
    Mat3 one;
    for (int i = 0; i < 3; ++i) one(i, i) = T(1);
    return one;
  }

  T &operator()(int i, int j) { return a_[i][j]; }
  const T &operator()(int i, int j) const { return a_[i][j]; }

  Mat3 &operator+=(const Mat3 &other) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a_[i][j] += other.a_[i][j];
    return *this;
  }
  Mat3 &operator*=(T factor) {
    for (auto &row : a_)
      for (auto &entry : row) entry *= factor;
    return *this;
  }

  friend Mat3 operator+(Mat3 a, const Mat3 &b) { return a += b; }
  friend Mat3 operator*(T factor, Mat3 a) { return a *= factor; }
  friend Mat3 operator-(const Mat3 &a, const Mat3 &b) { return a + T(-1) * b; }

  friend Mat3 operator*(const Mat3 &a, const Mat3 &b) {
    Mat3 product;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) product(i, j) += a(i, k) * b(k, j);
    return product;
  }

  T det() const {
    return a_[0][0] * (a_[1][1] * a_[2][2] - a_[1][2] * a_[2][1]) -
           a_[0][1] * (a_[1][0] * a_[2][2] - a_[1][2] * a_[2][0]) +
           a_[0][2] * (a_[1][0] * a_[2][1] - a_[1][1] * a_[2][0]);
  }

  Mat3 transpose() const {
    Mat3 out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out(j, i) = a_[i][j];
    return out;
  }

  Mat3 inverse() const {
    const T scale = T(1) / det();
    Mat3 out;
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        out(j, i) = scale * (a_[i1][j1] * a_[i2][j2] - a_[i1][j2] * a_[i2][j1]);
      }
    }
    return out;
  }

 private:
  T a_[3][3] = {};
};

// Bilinear shape functions of the square [-1, 1]^2; corners in the order (-,-), (+,-), (-,+), (+,+).
struct BilinearQuad {
  static constexpr int corners = 4;
  static constexpr double corner[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

  static constexpr double dxi(int a, double eta) { return 0.25 * corner[a][0] * (1 + corner[a][1] * eta); }
  static constexpr double deta(int a, double xi) { return 0.25 * corner[a][1] * (1 + corner[a][0] * xi); }
};

// Gauss rule with 2x2 points.
struct Gauss2x2 {
  static constexpr int points = 4;
  static constexpr double g = 0.57735026918962576451;
  static constexpr double xi[points][2] = {{-g, -g}, {g, -g}, {-g, g}, {g, g}};
  static constexpr double weight[points] = {1, 1, 1, 1};
};

// L with A = L L^T of a symmetric positive definite N x N matrix, and the solution by substitution.
template <int N>
struct Cholesky {
  double lower[N][N];

  explicit Cholesky(const double *a) {
    for (int j = 0; j < N; ++j) {
      double pivot = a[j * N + j];
      for (int k = 0; k < j; ++k) pivot -= lower[j][k] * lower[j][k];
      lower[j][j] = std::sqrt(pivot);
      for (int i = j + 1; i < N; ++i) {
        double entry = a[i * N + j];
        for (int k = 0; k < j; ++k) entry -= lower[i][k] * lower[j][k];
        lower[i][j] = entry / lower[j][j];
      }
    }
  }

  std::array<double, N> solve(const double *rhs) const {
    std::array<double, N> y{};
    for (int i = 0; i < N; ++i) {
      y[i] = rhs[i];
      for (int k = 0; k < i; ++k) y[i] -= lower[i][k] * y[k];
      y[i] /= lower[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) y[i] -= lower[k][i] * y[k];
      y[i] /= lower[i][i];
    }
    return y;
  }
};

template <class... Terms>
constexpr auto sum_of_squares(Terms... terms) {
  return ((terms * terms) + ...);
}

// target += weight * source, component by component.
template <typename T, int D>
inline void add_scaled(T *target, T weight, const T *source) {
  for (int d = 0; d < D; ++d) target[d] += weight * source[d];
}

} // namespace fem

#endif // ELEMENT_MATH_H

/* SPDX-License-Identifier: MIT */
