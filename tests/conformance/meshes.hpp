// Meshes of all shapes, and random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace conformance {

// The generator is standard, its distributions are not, so numbers are made from its bits by exact arithmetic.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  int below(int limit) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(limit)); } // 0 ... limit - 1
  double real() { return static_cast<double>(bits_() >> 11) * 0x1p-52 - 1.0; }                   // [-1, 1)

 private:
  std::mt19937_64 bits_;
};

// One map: row n holds the `dim` elements of the target set that element n leads to.
struct Topology {
  std::string name;
  int from = 0, to = 0, dim = 0;
  std::vector<int> table; // [from][dim]

  std::size_t elements() const { return static_cast<std::size_t>(from); }
  std::size_t targets() const { return static_cast<std::size_t>(to); }
  std::size_t target(std::size_t n, std::size_t column) const {
    return static_cast<std::size_t>(table[n * static_cast<std::size_t>(dim) + column]);
  }
};

// Cells of a structured grid and their four corners, both numbered row by row.
Topology quads(int nx, int ny);
// The same mesh with both sets numbered at random: neighbours lie far apart, so blocks need many colours.
Topology shuffled(Topology mesh, std::uint64_t seed);
// Every entry at random; rows may hold an element twice.
Topology random_map(int from, int to, int dim, std::uint64_t seed);
// Every target at most once in the whole map, so elements never meet. from * dim <= to.
Topology injective(int from, int to, int dim, std::uint64_t seed);

// Maps of dim 4 from nothing to 100 000 elements, regular, shuffled, random, and one where all elements meet.
const std::vector<Topology> &every_mesh();
// Injective maps of dim 2 of the same sizes.
const std::vector<Topology> &every_injective_mesh();
// Sizes of sets for direct loops: none, few, around the borders of blocks, many blocks.
const std::vector<int> &every_size();

// What OP2TEST_SIZE allows of them; a size that is too large becomes the largest that is allowed.
std::vector<int> as_requested(std::vector<int> sizes);
int as_requested(int size);

std::vector<double> reals(std::size_t n, std::uint64_t seed); // in [-1, 1)
// Whole numbers low ... high, whose sums are exact in every type.
template <class T>
std::vector<T> whole(std::size_t n, std::uint64_t seed, int low, int high) {
  Random random(seed);
  std::vector<T> out(n);
  for (T &value : out) value = static_cast<T>(low + random.below(high - low + 1));
  return out;
}
std::vector<int> counted(std::size_t n); // 0, 1, 2, ...

} // namespace conformance

// SPDX-License-Identifier: MIT
