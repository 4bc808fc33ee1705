// scale_problem.hpp: what the scale study divides: sets, maps, dats and the loops of one iteration, as plain data.
#ifndef OP2_BENCH_SCALE_PROBLEM_HPP
#define OP2_BENCH_SCALE_PROBLEM_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "naca_mesh.hpp"

namespace scale {

struct MeshSet {
  std::string name;
  int size;
};
struct MeshMap {
  int from, to; // sets
  int dim;
  std::vector<int> targets; // [from][dim]
};
struct MeshDat {
  std::string name;
  int set;
  int bytes; // of one row
};

enum class Access { read, write, rw, inc };
struct LoopArg { // a dat through all columns of a map
  int dat, map;  // map -1: direct
  Access access;
};
struct MeshLoop {
  std::string name;
  int set;
  bool reduces; // something over all elements, so that all processes meet
  std::vector<LoopArg> args;

  // Increments or writes through a map: copies of other processes' elements are executed, too.
  bool executes_copies() const;
};

struct Problem {
  std::vector<MeshSet> sets;
  std::vector<MeshMap> maps;
  std::vector<MeshDat> dats;
  std::vector<MeshLoop> loops;
  std::vector<int> iteration; // loops in their order
};

// The airfoil solver: save_soln, then twice adt_calc, res_calc, bres_calc and update. Its loops have the numbers of
// airfoil_c.h, its sets and maps the names that AirfoilLibrary declares.
Problem airfoil(const naca::Mesh &mesh);
enum AirfoilSet { airfoil_nodes, airfoil_edges, airfoil_bedges, airfoil_cells };

// The middles of the cells, [cells][2].
std::vector<double> cell_middles(const naca::Mesh &mesh);

// What comes from other processes before one loop.
struct ExchangedDat {
  int dat;
  bool exec, nonexec; // copies that are executed, and those that are only read
};
struct Exchange {
  std::size_t place; // in Problem::iteration
  std::vector<ExchangedDat> dats;
};
struct Schedule {
  std::vector<Exchange> first, later; // first iteration; every other one
};

// From the access of the arguments alone. A loop that reads a dat through a map needs both kinds of copies of it, one
// that reads directly those that it executes, if any; whatever writes a dat makes its copies stale. All stale dats of a
// loop go together.
Schedule schedule(const Problem &problem);

} // namespace scale

#endif

// SPDX-License-Identifier: MIT
