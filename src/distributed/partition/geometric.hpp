// geometric.hpp: divisions that need no graph: by coordinates, at random, and in blocks.
//
// All are collective, give the parts of the own elements and are deterministic: the same elements get the same parts,
// whichever processes hold them (elements at the same place in space are told apart by their number). weight: of the
// own elements, 0 or more, empty = 1. Coordinates: points[elements][dim], 1 <= dim <= 3. Throw OP_ERR_ARGUMENT on all
// processes when a coordinate of any is not finite or a weight is negative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/communicator.hpp"
#include "host/partitioner.hpp"

namespace op2::core {

// Recursive coordinate bisection: across the longest side of the box of each subset. (M. Berger, S. Bokhari, A
// partitioning strategy for nonuniform problems on multiprocessors, 1987)
std::vector<int> part_rcb(Communicator &communicator, std::span<const double> points, int dim, const PartShares &shares,
                          std::span<const int> weight = {});

// The same across the principal axis of the points of each subset. (H. Simon, Partitioning of unstructured problems
// for parallel processing, 1991)
std::vector<int> part_inertial(Communicator &communicator, std::span<const double> points, int dim,
                               const PartShares &shares, std::span<const int> weight = {});

// Pieces of the Hilbert curve through the box of all points.
std::vector<int> part_hilbert(Communicator &communicator, std::span<const double> points, int dim,
                              const PartShares &shares, std::span<const int> weight = {});

// At random, by global numbers, which differ; with the requested shares all the same.
std::vector<int> part_random(Communicator &communicator, std::span<const std::int64_t> numbers, std::uint64_t seed,
                             const PartShares &shares, std::span<const int> weight = {});

// Consecutive elements.
std::vector<int> part_block(Communicator &communicator, std::size_t elements, const PartShares &shares,
                            std::span<const int> weight = {});

} // namespace op2::core
