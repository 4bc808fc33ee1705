// airfoil_library.hpp: the airfoil loops through libop2, in each form a kernel can have.
#ifndef OP2_BENCH_AIRFOIL_LIBRARY_HPP
#define OP2_BENCH_AIRFOIL_LIBRARY_HPP

#include <array>
#include <functional>
#include <op2/op2.hpp>
#include <span>
#include <string>
#include <vector>

#include "airfoil/airfoil_arrays.hpp"
#include "airfoil/airfoil_c.h"
#include "naca_mesh.hpp"

inline constexpr const char *airfoil_kernel_names[AIRFOIL_KERNELS] = {"save_soln", "adt_calc", "res_calc", "bres_calc",
                                                                      "update"};

enum class Form {
  element, // a bare function pointer
  c_range, // OP_RANGE_FN, compiled as C
  range,   // what op2.hpp generates
};
inline constexpr Form all_forms[] = {Form::element, Form::c_range, Form::range};
inline constexpr const char *form_names[] = {"element", "c_range", "range"};

// Holds the library's context: one at a time. The mesh may be freed afterwards.
class AirfoilLibrary {
 public:
  AirfoilLibrary(const naca::Mesh &mesh, const std::string &executor, int threads);

  void run(int kernel, Form form);
  // The loop in its range form, as C++ programs write it.
  void run(int kernel) { run(kernel, Form::range); }
  // One iteration: save_soln, then two stages of the other four; range form.
  void iterate();
  // Iterations in one chain, which reduce into globals of the library.
  void iterate_in_chain(int iterations);
  // What a chain of iterations computes for itself (OP_STORAGE_SCRATCH): such a chain begins with zeros in res.
  void keep_flow_only();
  // As iterate_in_chain(), the residual left out.
  void iterate_without_residual(int iterations);
  // Sum of squares of the last update, its largest and the cell that has it.
  [[nodiscard]] HandUpdate last_update() const { return {handles_.rms, handles_.maxerr, handles_.errloc}; }
  [[nodiscard]] double rms() const { return handles_.rms; }

  // Several processes: the process of each cell, where other sets follow. Before the first loop.
  void divide(const std::vector<int> &process_of_cell);
  [[nodiscard]] op_dat flow() const { return q_; }
  // nodes, edges, bedges, cells
  [[nodiscard]] std::array<op_set, 4> sets() const { return {nodes_, edges_, bedges_, cells_}; }

  // The memory of all dats and maps.
  [[nodiscard]] std::vector<std::span<char>> memory() const;

  // Calls work on what the library holds, in the order of the mesh; no loop may run meanwhile.
  void on_memory(const std::function<void(const AirfoilArrays &)> &work);

 private:
  void run_range(int kernel);
  void update_globals();

  op2::context context_;
  op2::set nodes_, edges_, bedges_, cells_;
  op2::map edge_nodes_, edge_cells_, bedge_nodes_, bedge_cell_, cell_nodes_;
  op2::dat<double, 2> x_;
  op2::dat<double, 4> q_, qold_, res_;
  op2::dat<double, 1> adt_;
  op2::dat<int, 1> bound_;
  airfoil_handles handles_{};
  bool flow_only_ = false;
  op2::global<double> rms_, maxerr_;
  op2::global<int> errloc_;
};

#endif

// SPDX-License-Identifier: MIT
