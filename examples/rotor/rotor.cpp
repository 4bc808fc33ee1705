// rotor.cpp: heat in a rotor and in the stator around it. The rings share an interface of faces, and the rotor slides
// along it: after each step the program replaces rows of one map.
//
// Each ring has `layers` rows of `around` cells. Heat goes from cell to cell through links inside the rings, and
// through faces between the rings, each of which leads from a cell of the rotor to the cell of the stator that it
// passes now. The exact answer of the scheme is known: every wave around the rings keeps its shape, so that a few
// complex numbers for each wave say where all heat is (see expected()).
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <op2/op2.hpp>
#include <vector>

namespace {

constexpr double share = 0.1; // of the difference of two cells, that passes in one step

void pass(const double *left, const double *right, double *left_gain, double *right_gain) {
  const double heat = share * (*left - *right);
  *left_gain -= heat;
  *right_gain += heat;
}

void take(double *heat, double *gain, double *sum) {
  *heat += *gain;
  *gain = 0.0;
  *sum += *heat;
}

struct Rings {
  int around, layers;
  int cells() const { return 2 * layers * around; }
  // Layer 0 is the innermost of the rotor, layer `layers` the innermost of the stator.
  int cell(int layer, int angle) const { return layer * around + (angle % around + around) % around; }

  std::vector<int> links() const { // [links][2], inside the rings
    std::vector<int> out;
    for (int layer = 0; layer < 2 * layers; ++layer)
      for (int angle = 0; angle < around; ++angle) {
        out.insert(out.end(), {cell(layer, angle), cell(layer, angle + 1)});
        if (layer + 1 != layers && layer + 1 != 2 * layers)
          out.insert(out.end(), {cell(layer, angle), cell(layer + 1, angle)});
      }
    return out;
  }
  // The face at an angle of the stator, where the rotor has turned by so many cells.
  void face(int angle, int turned, std::vector<long long> &out) const {
    out.push_back(cell(layers - 1, angle - turned));
    out.push_back(cell(layers, angle));
  }
  double start(int layer, int angle) const {
    const double turn = 2.0 * M_PI * angle / around;
    return 1.0 + (layer < layers ? std::cos(turn) + 0.5 * std::sin(3.0 * turn) : 0.25 * std::cos(2.0 * turn + layer));
  }
};

// A wave exp(i k angle) stays one: inside a ring each layer multiplies it by the same number, and neighbouring layers
// exchange it. Seen from the stator, the rotor's wave has turned.
std::vector<double> expected(const Rings &rings, int steps) {
  using Number = std::complex<double>;
  const int layers = 2 * rings.layers;
  std::vector<double> out(static_cast<std::size_t>(rings.cells()), 0.0);
  for (int k = 0; k < rings.around; ++k) {
    const auto turn = [&](int angle) { return std::polar(1.0, 2.0 * M_PI * k * angle / rings.around); };
    std::vector<Number> wave(static_cast<std::size_t>(layers)), next;
    double size = 0.0;
    for (int layer = 0; layer < layers; ++layer) {
      for (int angle = 0; angle < rings.around; ++angle)
        wave[static_cast<std::size_t>(layer)] +=
            rings.start(layer, angle) * std::conj(turn(angle)) / double(rings.around);
      size += std::abs(wave[static_cast<std::size_t>(layer)]);
    }
    if (size < 1e-12) continue;
    const double around = 1.0 - 2.0 * share * (1.0 - std::cos(2.0 * M_PI * k / rings.around));
    for (int step = 0; step < steps; ++step) {
      next = wave;
      for (int layer = 0; layer < layers; ++layer) next[static_cast<std::size_t>(layer)] *= around;
      for (int layer = 0; layer + 1 < layers; ++layer) {
        // A cell of the stator at an angle meets the one of the rotor at angle - step.
        const Number turned = layer + 1 == rings.layers ? turn(-step) : Number(1.0);
        const Number heat =
            share * (wave[static_cast<std::size_t>(layer)] * turned - wave[static_cast<std::size_t>(layer) + 1]);
        next[static_cast<std::size_t>(layer)] -= heat * std::conj(turned);
        next[static_cast<std::size_t>(layer) + 1] += heat;
      }
      wave = next;
    }
    for (int layer = 0; layer < layers; ++layer)
      for (int angle = 0; angle < rings.around; ++angle)
        out[static_cast<std::size_t>(rings.cell(layer, angle))] +=
            (wave[static_cast<std::size_t>(layer)] * turn(angle)).real();
  }
  return out;
}

} // namespace

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  const Rings rings{argc > 1 && std::atoi(argv[1]) > 2 ? std::atoi(argv[1]) : 96,
                    argc > 2 && std::atoi(argv[2]) > 0 ? std::atoi(argv[2]) : 12};
  const int steps = argc > 3 && std::atoi(argv[3]) > 0 ? std::atoi(argv[3]) : 200;
  const bool here = op_is_root() != 0; // with several processes the first one declares everything, and turns the rotor
  const std::vector<int> links = rings.links();
  std::vector<long long> faces;
  std::vector<double> heat;
  for (int angle = 0; angle < rings.around; ++angle) rings.face(angle, 0, faces);
  for (int n = 0; n < rings.cells(); ++n) heat.push_back(rings.start(n / rings.around, n % rings.around));

  op2::set cell_set(here ? rings.cells() : 0, "cells");
  op2::set link_set(here ? static_cast<int>(links.size() / 2) : 0, "links");
  op2::set face_set(here ? rings.around : 0, "faces");
  op2::map link_cells(link_set, cell_set, 2, links.data(), "link_cells");
  op2::map face_cells(face_set, cell_set, 2, faces.data(), "face_cells");
  op2::dat<double, 1> u(cell_set, heat.data(), "heat");
  op2::dat<double, 1> gain(cell_set, nullptr, "gain");

  std::vector<long long> all;
  for (int angle = 0; here && angle < rings.around; ++angle) all.push_back(angle);
  double sum = 0.0;
  for (int step = 0; step < steps; ++step) {
    op_par_loop(pass, "inside", link_set, op2::read(u, 0, link_cells), op2::read(u, 1, link_cells),
                op2::inc(gain, 0, link_cells), op2::inc(gain, 1, link_cells));
    op_par_loop(pass, "across", face_set, op2::read(u, 0, face_cells), op2::read(u, 1, face_cells),
                op2::inc(gain, 0, face_cells), op2::inc(gain, 1, face_cells));
    sum = 0.0;
    op_par_loop(take, "take", cell_set, op2::rw(u), op2::rw(gain), op2::gbl_inc(&sum));
    faces.clear();
    for (int angle = 0; here && angle < rings.around; ++angle) rings.face(angle, step + 1, faces);
    op2::put_rows(face_cells, all, faces);
  }

  const std::vector<double> exact = expected(rings, steps);
  const op2::host_vector<double> got = u.fetch_all();
  double worst = 0.0, exact_sum = 0.0;
  for (std::size_t n = 0; n < exact.size(); ++n) {
    worst = std::fmax(worst, std::fabs(got[n] - exact[n]));
    exact_sum += heat[n];
  }
  const bool good = worst < 1e-11 && std::fabs(sum - exact_sum) < 1e-9 * exact_sum;
  op_printf("%d steps of a rotor of %d cells: largest error %.1e, heat %.12g of %.12g: %s\n", steps, rings.cells() / 2,
            worst, sum, exact_sum, good ? "passed" : "FAILED");
  op_timing_output();
  return good ? 0 : 1;
}
// SPDX-License-Identifier: MIT
