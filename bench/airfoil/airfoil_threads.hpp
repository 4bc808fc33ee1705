// airfoil_threads.hpp: the hand-written loops of airfoil_hand.hpp on a mesh, on one thread or several.
//
// On several threads each has a piece of consecutive cells and, with copies of their maps, the edges inside its piece.
// The few edges between two pieces follow on one thread. This is what a programmer can do who knows the whole mesh.
#ifndef OP2_BENCH_AIRFOIL_THREADS_HPP
#define OP2_BENCH_AIRFOIL_THREADS_HPP

#include <vector>

#include "airfoil/airfoil_hand.hpp"
#include "common/aligned.hpp"
#include "naca_mesh.hpp"

// The state every variant starts from: the free stream in all cells.
std::vector<double> free_stream(int ncell);

class AirfoilHand {
 public:
  // The mesh must outlive this. More than one thread needs a compiler with OpenMP; see can_thread().
  AirfoilHand(const naca::Mesh &mesh, int threads);

  // kernel: AIRFOIL_... of airfoil_c.h.
  void run(int kernel);
  void iterate();
  [[nodiscard]] double rms() const { return rms_; }
  static bool can_thread();

 private:
  // Edges that one thread may run without looking at the others.
  struct Edges {
    std::vector<int> nodes, cells;
    [[nodiscard]] int size() const { return static_cast<int>(cells.size() / 2); }
  };

  void divide_edges();
  [[nodiscard]] int first_cell(int thread) const;
  void save_soln();
  void adt_calc();
  void res_calc();
  void res_calc(const Edges &edges);
  void update();

  const naca::Mesh &mesh_;
  int threads_;
  HandConstants constants_ = hand_constants();
  AlignedArray q_, qold_, adt_, res_;
  std::vector<Edges> inside_; // by thread; empty with one thread
  Edges between_;
  double rms_ = 0, maxerr_ = 0;
  int errloc_ = 0;
};

#endif

// SPDX-License-Identifier: MIT
