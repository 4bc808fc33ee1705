// loop.hpp: a loop over elements that reads and adds to rows through maps, as data: enough to say which addresses a
// kernel for it uses. Values are doubles. And the loops that gpu_locality.cpp compares.
#ifndef OP2_BENCH_LOCALITY_LOOP_HPP
#define OP2_BENCH_LOCALITY_LOOP_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace bench::locality {

// Row n of the table leads to the rows table[n * dim + k] of the set.
struct LoopMap {
  std::vector<int> table;
  int dim, set;
};

struct LoopDat {
  int set, dim;
};

// Columns [column, column + count) of a map, in the order of the kernel's arguments.
struct LoopArg {
  int dat, map, column, count;
  bool adds;
};

struct Loop {
  int elements = 0;
  std::vector<int> set_rows; // of the sets that maps lead to
  std::vector<LoopMap> maps;
  std::vector<LoopDat> dats;
  std::vector<LoopArg> args;

  [[nodiscard]] int target(const LoopArg &arg, int j, int element) const {
    const LoopMap &map = maps[static_cast<std::size_t>(arg.map)];
    return map.table[static_cast<std::size_t>(element) * static_cast<std::size_t>(map.dim) +
                     static_cast<std::size_t>(arg.column + j)];
  }
  [[nodiscard]] const LoopDat &dat(const LoopArg &arg) const { return dats[static_cast<std::size_t>(arg.dat)]; }
  [[nodiscard]] int rows(int set) const { return set_rows[static_cast<std::size_t>(set)]; }
  // Bytes that have to move at least once: rows for reading and for writing, and maps.
  [[nodiscard]] double compulsory_bytes() const;
};

// The loops, on meshes of about 2 * size * size cells; size >= 12.
//   rows, shuffled   airfoil's res_calc: two nodes and two cells of an edge, numbered row by row or at random
//   faces            the same on tetrahedra: three nodes and two cells of a face
//   corners          from the four corners of a tetrahedron to these: `conduct` of bench/orders_kernels.h
// Throws std::invalid_argument for another name.
Loop make_loop(const std::string &name, int size);

// The loop in another order of its elements: the n-th is element[n].
Loop in_order(Loop loop, const std::vector<int> &element);
// The loop with the rows of a set in other places.
Loop with_places(Loop loop, int set, const std::vector<int> &place);

} // namespace bench::locality

#endif

// SPDX-License-Identifier: MIT
