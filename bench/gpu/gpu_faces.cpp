// gpu_faces.cpp: the same residual by faces and by cells, on a box of cells with five conserved values each. By faces,
// each flux is computed once and added to both cells, which needs atomic additions or another way of OP2_RACE; by
// cells, each flux is computed twice and nothing is shared.
#include <op2/compat.h>

#include <cmath>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "gpu/gpu_driver.hpp"
#include "gpu/patterns/box.hpp"

namespace {

constexpr double same_answer = 1e-12; // relative

// Euler's equations: the mean of both sides' fluxes through a face of normal d, less what damps differences.
void flux_between(const double *left, const double *right, int d, double *flux) {
  double side[2][5], speed[2];
  for (int s = 0; s < 2; ++s) {
    const double *const u = s == 0 ? left : right;
    const double normal = u[1 + d] / u[0];
    const double pressure = 0.4 * (u[4] - 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
    for (int i = 0; i < 5; ++i) side[s][i] = normal * u[i];
    side[s][1 + d] += pressure;
    side[s][4] += normal * pressure;
    speed[s] = std::fabs(normal) + std::sqrt(1.4 * pressure / u[0]);
  }
  const double damping = speed[0] > speed[1] ? speed[0] : speed[1];
  for (int i = 0; i < 5; ++i) flux[i] = 0.5 * (side[0][i] + side[1][i] - damping * (right[i] - left[i]));
}
void by_face(const double *left, const double *right, const int *direction, double *left_sum, double *right_sum) {
  double flux[5];
  flux_between(left, right, *direction, flux);
  for (int i = 0; i < 5; ++i) {
    left_sum[i] -= flux[i];
    right_sum[i] += flux[i];
  }
}
void by_cell(const double *const *u, double *sum) {
  for (int i = 0; i < 5; ++i) sum[i] = 0;
  for (int d = 0; d < 3; ++d) {
    double flux[5];
    flux_between(u[1 + 2 * d], u[0], d, flux);
    for (int i = 0; i < 5; ++i) sum[i] += flux[i];
    flux_between(u[0], u[2 + 2 * d], d, flux);
    for (int i = 0; i < 5; ++i) sum[i] -= flux[i];
  }
}
void clear(double *sum) {
  for (int i = 0; i < 5; ++i) sum[i] = 0;
}

class Residual {
 public:
  explicit Residual(int n) : box_(n, 0, 1) {
    std::vector<double> u;
    for (int c = 0; c < box_.cells(); ++c) {
      const double x = 0.1 * std::sin(0.37 * c), y = 0.1 * std::cos(0.11 * c);
      u.insert(u.end(), {1 + x, 0.3 + y, x, y, 2.5 + x * y});
    }
    u_ = op2::dat<double, 5>(cells_, u, "u");
    std::vector<int> direction;
    for (int d = 0; d < 3; ++d) direction.insert(direction.end(), static_cast<std::size_t>(box_.cells()), d);
    direction_ = op2::dat<int, 1>(faces_, direction, "direction");
  }
  void faces() {
    op_par_loop(clear, "clear", cells_, op2::write(by_faces_));
    op_par_loop(by_face, "by_face", faces_, op2::read(u_, 0, face_cells_), op2::read(u_, 1, face_cells_),
                op2::read(direction_), op2::inc(by_faces_, 0, face_cells_), op2::inc(by_faces_, 1, face_cells_));
  }
  void cells() { op_par_loop(by_cell, "by_cell", cells_, op2::read(u_, op2::all<7>, cross_), op2::write(by_cells_)); }
  double difference() {
    std::vector<double> a(5 * static_cast<std::size_t>(box_.cells())), b(a.size());
    op_fetch_data(by_faces_, a.data());
    op_fetch_data(by_cells_, b.data());
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      bench::raise(worst, std::fabs(a[i] - b[i]));
      largest = std::max(largest, std::fabs(b[i]));
    }
    return worst / largest;
  }

 private:
  op2::context context_{"cuda", 1};
  bench::Box box_;
  op2::set cells_{box_.cells(), "cells"}, faces_{3 * box_.cells(), "faces"};
  op2::map face_cells_{faces_, cells_, 2, box_.faces(), "face_cells"};
  op2::map cross_{cells_, cells_, 7,
                  box_.targets({{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}),
                  "cross"};
  op2::dat<double, 5> u_, by_faces_{cells_, nullptr, "by_faces"}, by_cells_{cells_, nullptr, "by_cells"};
  op2::dat<int, 1> direction_;
};

double settled() {
  double wall = 0;
  op_timers(nullptr, &wall);
  return wall;
}

void measure(int n, int batch, int warm_up) {
  Residual residual(n);
  const auto time = [&](auto &&run, int runs) {
    const double start = settled();
    for (int i = 0; i < runs; ++i) run();
    return (settled() - start) / runs;
  };
  const auto faces = [&] { residual.faces(); };
  const auto cells = [&] { residual.cells(); };
  time(faces, warm_up);
  time(cells, warm_up);
  bench::Pairs pairs;
  for (int round = 0; round < bench::fewest_pairs; ++round) pairs.add(time(faces, batch), time(cells, batch));
  const std::string row = "gpu_faces." + std::to_string(n);
  bench::exact(row + ".difference", residual.difference(), same_answer, "relative");
  bench::result(row + ".faces", 1e6 * bench::median(pairs.yardstick), "us");
  bench::result(row + ".cells", 1e6 * bench::median(pairs.subject), "us");
  bench::result(row + ".cells_to_faces", pairs.ratio(), "x");
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  std::string why;
  if (!bench::GpuDriver::open(why)) {
    bench::skip("gpu_faces", why);
    return 0;
  }
  const bench::Setting fallback("OP2_FALLBACK", "error");
  if (quick) {
    measure(8, 1, 2);
    return 0;
  }
  for (const int n : {32, 64, 128}) measure(n, 20, 60);
  return 0;
}

// SPDX-License-Identifier: MIT
