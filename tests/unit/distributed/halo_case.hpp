// halo_case.hpp: random meshes for tests of halos, and how the ranks of run_ranks() declare and divide them.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "distributed/redistribute/distribute.hpp"
#include "halo_oracle.hpp"
#include "mesh/mesh.hpp"

namespace unit {

inline std::size_t as_size(long long n) { return static_cast<std::size_t>(n); }

using Random = std::mt19937_64;
inline int below(Random &random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

struct RowType {
  int set;
  const char *type;
  int dim, bytes; // of one value
  int row() const { return dim * bytes; }
};

struct RandomCase {
  unsigned seed = 0;
  int processes = 1, depth = 1;
  GlobalMesh mesh;
  std::vector<std::vector<int>> declared; // [set][rank + 1]: which elements each rank declares
  bool choose = true;                     // else those are the ones it owns
  std::vector<RowType> dats;

  std::string name() const;
};

// processes: 0 = 1 to 7.
RandomCase random_case(unsigned seed, int processes = 0);

// What byte `at` of an element's row holds in a round; never what copies are filled with.
unsigned char byte_of(std::size_t dat, op_gindex element, int at, int round);
constexpr unsigned char untouched = 238;

// The part of one rank, values of round 0.
void declare(op2::core::Mesh &mesh, const RandomCase &given, int rank);
// For distribute(); `given` must live until then.
op2::core::ChooseOwners owners(const RandomCase &given);
// Rows of a dat that this rank owns get the values of a round, copies are spoilt and stale.
void fill(op2::core::Mesh &mesh, op2::core::Dat &dat, int round);

} // namespace unit

// SPDX-License-Identifier: MIT
