// geometric.hpp: divisions without a graph: by coordinates, at random, and in blocks.
//
// All are collective, return the part of each own element and are deterministic: the same elements get the same parts,
// whichever processes hold them (elements at the same point are ordered by number). weight: of each own element, 0 or
// more; empty = all 1. Coordinates: points[elements][dim], 1 <= dim <= 3. Throw OP_ERR_ARGUMENT on all processes when a
// coordinate is not finite or a weight is negative on any process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/communicator.hpp"
#include "host/partitioner.hpp"

namespace op2::core {

// Recursive coordinate bisection: cuts across the longest side of each subset's box. (M. Berger, S. Bokhari, A
// partitioning strategy for nonuniform problems on multiprocessors, 1987)
std::vector<int> part_rcb(Communicator &communicator, std::span<const double> points, int dim, const PartShares &shares,
                          std::span<const int> weight = {});

// The same, but across the principal axis of each subset's points. (H. Simon, Partitioning of unstructured problems
// for parallel processing, 1991)
std::vector<int> part_inertial(Communicator &communicator, std::span<const double> points, int dim,
                               const PartShares &shares, std::span<const int> weight = {});

// Segments of the Hilbert curve through the box of all points.
std::vector<int> part_hilbert(Communicator &communicator, std::span<const double> points, int dim,
                              const PartShares &shares, std::span<const int> weight = {});

// Random parts with the requested shares. numbers: the elements' global numbers.
std::vector<int> part_random(Communicator &communicator, std::span<const std::int64_t> numbers, std::uint64_t seed,
                             const PartShares &shares, std::span<const int> weight = {});

// Blocks of consecutive elements.
std::vector<int> part_block(Communicator &communicator, std::size_t elements, const PartShares &shares,
                            std::span<const int> weight = {});

} // namespace op2::core

// SPDX-License-Identifier: MIT
