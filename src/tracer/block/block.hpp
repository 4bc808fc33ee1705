// The part of the mesh in which a process traces: its own cells, and copies of those around them, so deep that whoever
// is in an own cell makes a whole step without asking anybody.
#pragma once

#include <memory>

#include "host/communicator.hpp"
#include "streamline/streamline.hpp"
#include "tracer/block/keepers.hpp"

namespace op2::core::tracer {

// Which of the blocks that recursive bisection makes a process gets: any; every so many'th one; or a single one, as
// large as all of its blocks together.
enum class Dealing { shuffled, in_turn, together };

struct Division {
  int blocks = 1; // for each process; together: they do not count
  Dealing dealing = Dealing::shuffled;
  std::uint64_t shuffle = 1; // seed of the random numbers
  bool given = false;        // the owners of the source's cells stay; blocks do not count then
  std::size_t overlap = 0;   // bytes that cells beyond those that steps need may take
};

struct Known;

class Block {
 public:
  // Collective. Throws OP_ERR_ARGUMENT on all processes.
  Block(Communicator &communicator, const Source &source, const streamline::Options &options, const Division &division);

  // New velocities for the same cells, if no step looks farther than before; else false, and another block is needed.
  // Collective.
  bool renew(Communicator &communicator, const Source &source, const streamline::Options &options);

  const Field &field() const { return *field_; }
  const Cells &cells() const { return *cells_; }
  const streamline::Locator &locator() const { return *locator_; }
  std::int64_t number(int cell) const { return number_[at(cell)]; }
  // The local number of a cell of this number; -1: not here.
  int find(std::int64_t number) const;
  int owner(int cell) const { return owner_[at(cell)]; }
  int block(int cell) const { return block_[at(cell)]; } // of its owner
  // Whether all that a step which begins in this cell can see is here.
  bool complete(int cell) const { return complete_[at(cell)] != 0; }
  // The grid of the mesh, and who knows which of its bins: whoever owns the cell at a point knows the point's bin. NULL
  // where there is one process.
  const Bins *bins() const { return bins_.get(); }
  const Keepers *keepers() const { return keepers_.get(); }

 private:
  static std::size_t at(int cell) { return static_cast<std::size_t>(cell); }
  std::vector<CellRecord> exchange(Communicator &communicator, const Known &known,
                                   const std::vector<CellRecord> &cells) const;
  void assemble(Communicator &communicator, const Source &source, std::vector<CellRecord> records);
  void set_velocity(const Source &source);
  double fastest_here(int dim) const;

  std::vector<std::int64_t> number_, node_; // ascending
  std::vector<int> owner_, block_;
  std::vector<char> complete_;
  std::vector<double> x_, velocity_, later_;
  std::unique_ptr<Cells> cells_;
  std::unique_ptr<streamline::Locator> locator_;
  std::unique_ptr<Field> field_;
  std::unique_ptr<Bins> bins_;
  std::unique_ptr<Keepers> keepers_;
  double fastest_ = 0; // for which the depth of the copies was chosen
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
