// halo_oracle.hpp: halos by brute force from a mesh that is known as a whole, to compare those of src/distributed with.
// Only the definitions count here: those at the head of src/mesh/halo.hpp.
#pragma once

#include <set>
#include <vector>

namespace unit {

struct GlobalMap {
  int from, to, dim; // sets by their index
  std::vector<long long> targets;
};

struct GlobalMesh {
  std::vector<int> sizes; // of sets
  std::vector<GlobalMap> maps;
  std::vector<std::vector<int>> owner; // [set][element]
};

// Elements of one set on one rank, by their global numbers. Nothing is in two of these.
struct Parts {
  struct Layer {
    std::set<long long> exec, read;
  };
  std::set<long long> core, boundary;
  std::vector<Layer> layers;
};

// [rank][set]
std::vector<std::vector<Parts>> halo_oracle(const GlobalMesh &mesh, int processes, int depth);

} // namespace unit

// SPDX-License-Identifier: MIT
