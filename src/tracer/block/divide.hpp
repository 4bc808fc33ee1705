// Which process traces in which cells, and which bins it must know for that.
#pragma once

#include "tracer/block/block.hpp"

namespace op2::core::tracer {

// The cells of a source with what is known of each from its nodes. Arrays by cell.
struct Known {
  std::vector<Box> box;
  std::vector<double> size; // as Field::cell_size()
  Box whole;                // of all processes
  double fastest = 0;       // of all processes
};
// Collective.
Known look_at(Communicator &communicator, const Source &source);

// Sets the owners: blocks by recursive bisection, dealt by owners_of_blocks(). Collective.
void divide(Communicator &communicator, const Known &known, const Division &division, int dim,
            std::vector<CellRecord> &cells);

// The process of each block, of as many blocks for each: one where they are dealt together, so that it is a single
// piece of space on any number of processes.
std::vector<int> owners_of_blocks(const Division &division, int processes);

// The nodes of these cells, each once, ascending.
std::vector<std::int64_t> nodes_of(std::span<const CellRecord> cells);
// These cells, not connected; nodes: as nodes_of(), x: [nodes][dim].
Cells cells_of(int dim, std::span<const CellRecord> cells, std::span<const std::int64_t> nodes,
               std::span<const double> x);

// The bins that steps from this process' own cells can see, and more up to the division's overlap. Collective.
Region region_of(Communicator &communicator, const Bins &bins, const Known &known, const Division &division,
                 const streamline::Options &options, const std::vector<CellRecord> &cells);

// The region with the bins around it, and those around these, as long as cells that come with them take no more bytes
// than `budget`. cells: how many of the whole mesh have the first corner of their box in each bin.
Region grown_to(const Bins &bins, std::span<const long long> cells, std::size_t budget, Region region);

// The box that a step from somewhere in a box can see.
Box seen_from(const Box &box, double reach);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
