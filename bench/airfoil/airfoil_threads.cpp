// airfoil_threads.cpp: see airfoil_threads.hpp.
#include "airfoil/airfoil_threads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "airfoil/airfoil_c.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

// Calls part(thread) on each of the threads at once.
template <class Part>
void on_threads(int threads, Part &&part) {
  if (threads == 1) return part(0);
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
  part(omp_get_thread_num());
#endif
}

// First value of row n.
std::size_t row(int n, int dim) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(dim); }

} // namespace

std::vector<double> free_stream(int ncell) {
  const HandConstants constants = hand_constants();
  std::vector<double> q(row(ncell, 4));
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = constants.qinf[i % 4];
  return q;
}

bool AirfoilHand::can_thread() {
#ifdef _OPENMP
  return true;
#else
  return false;
#endif
}

AirfoilHand::AirfoilHand(const naca::Mesh &mesh, int threads)
    : mesh_(mesh),
      threads_(can_thread() ? threads : 1),
      q_(row(mesh.ncell, 4)),
      qold_(q_.size()),
      adt_(row(mesh.ncell, 1)),
      res_(q_.size(), 0.0) {
  const std::vector<double> start = free_stream(mesh.ncell);
  std::copy(start.begin(), start.end(), q_.begin());
  if (threads_ > 1) divide_edges();
}

int AirfoilHand::first_cell(int thread) const {
  return static_cast<int>(static_cast<std::int64_t>(mesh_.ncell) * thread / threads_);
}

void AirfoilHand::divide_edges() {
  inside_.resize(static_cast<std::size_t>(threads_));
  const auto owner = [&](int cell) {
    int thread = 0;
    while (cell >= first_cell(thread + 1)) ++thread;
    return thread;
  };
  for (int n = 0; n < mesh_.nedge; ++n) {
    const int *nodes = &mesh_.edge_nodes[row(n, 2)], *cells = &mesh_.edge_cells[row(n, 2)];
    const int first = owner(cells[0]);
    Edges &part = first == owner(cells[1]) ? inside_[static_cast<std::size_t>(first)] : between_;
    part.nodes.insert(part.nodes.end(), nodes, nodes + 2);
    part.cells.insert(part.cells.end(), cells, cells + 2);
  }
}

void AirfoilHand::save_soln() {
  on_threads(threads_, [&](int thread) {
    const int begin = first_cell(thread), end = first_cell(thread + 1);
    hand_save_soln(end - begin, &q_[row(begin, 4)], &qold_[row(begin, 4)]);
  });
}

void AirfoilHand::adt_calc() {
  on_threads(threads_, [&](int thread) {
    const int begin = first_cell(thread), end = first_cell(thread + 1);
    hand_adt_calc(constants_, end - begin, &mesh_.cell_nodes[row(begin, 4)], mesh_.x.data(), &q_[row(begin, 4)],
                  &adt_[row(begin, 1)]);
  });
}

void AirfoilHand::res_calc(const Edges &edges) {
  hand_res_calc(constants_, edges.size(), edges.nodes.data(), edges.cells.data(), mesh_.x.data(), q_.data(),
                adt_.data(), res_.data());
}

void AirfoilHand::res_calc() {
  if (threads_ == 1) {
    hand_res_calc(constants_, mesh_.nedge, mesh_.edge_nodes.data(), mesh_.edge_cells.data(), mesh_.x.data(), q_.data(),
                  adt_.data(), res_.data());
    return;
  }
  on_threads(threads_, [&](int thread) { res_calc(inside_[static_cast<std::size_t>(thread)]); });
  res_calc(between_);
}

void AirfoilHand::update() {
  struct alignas(64) Part {
    double rms = 0, maxerr = 0;
    int errloc = 0;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads_));
  on_threads(threads_, [&](int thread) {
    const int begin = first_cell(thread), end = first_cell(thread + 1);
    Part part;
    hand_update(end - begin, &qold_[row(begin, 4)], &q_[row(begin, 4)], &res_[row(begin, 4)], &adt_[row(begin, 1)],
                part.rms, part.maxerr, part.errloc);
    part.errloc += begin;
    parts[static_cast<std::size_t>(thread)] = part;
  });
  rms_ = maxerr_ = 0;
  for (const Part &part : parts) {
    rms_ += part.rms;
    if (maxerr_ < part.maxerr) {
      maxerr_ = part.maxerr;
      errloc_ = part.errloc;
    }
  }
}

void AirfoilHand::run(int kernel) {
  switch (kernel) {
    case AIRFOIL_SAVE_SOLN:
      return save_soln();
    case AIRFOIL_ADT_CALC:
      return adt_calc();
    case AIRFOIL_RES_CALC:
      return res_calc();
    case AIRFOIL_BRES_CALC:
      return hand_bres_calc(constants_, mesh_.nbedge, mesh_.bedge_nodes.data(), mesh_.bedge_cell.data(),
                            mesh_.bound.data(), mesh_.x.data(), q_.data(), adt_.data(), res_.data());
    case AIRFOIL_UPDATE:
      return update();
    default:
      break;
  }
}

void AirfoilHand::iterate() {
  run(AIRFOIL_SAVE_SOLN);
  for (int stage = 0; stage < 2; ++stage)
    for (int kernel = AIRFOIL_ADT_CALC; kernel <= AIRFOIL_UPDATE; ++kernel) run(kernel);
}

// SPDX-License-Identifier: MIT
