// airfoil_float.hpp: the airfoil loops in single precision through libop2; otherwise as airfoil_library.hpp.
#ifndef OP2_BENCH_AIRFOIL_FLOAT_HPP
#define OP2_BENCH_AIRFOIL_FLOAT_HPP

#include <op2/op2.hpp>
#include <string>

#include "naca_mesh.hpp"

// Holds the library's context: one at a time.
class AirfoilFloat {
 public:
  AirfoilFloat(const naca::Mesh &mesh, const std::string &executor, int threads);

  void run(int kernel); // AIRFOIL_... of airfoil_c.h
  [[nodiscard]] double rms() const { return rms_; }

 private:
  op2::context context_;
  op2::set nodes_, edges_, bedges_, cells_;
  op2::map edge_nodes_, edge_cells_, bedge_nodes_, bedge_cell_, cell_nodes_;
  op2::dat<float, 2> x_;
  op2::dat<float, 4> q_, qold_, res_;
  op2::dat<float, 1> adt_;
  op2::dat<int, 1> bound_;
  float rms_ = 0, maxerr_ = 0;
  int errloc_ = 0;
};

#endif

// SPDX-License-Identifier: MIT
