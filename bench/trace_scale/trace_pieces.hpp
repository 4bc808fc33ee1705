// trace_pieces.hpp: which of any number of processes owns which cells of the flow, and which copies it has, asked of
// the library's own functions in one process.
#ifndef OP2_BENCH_TRACE_PIECES_HPP
#define OP2_BENCH_TRACE_PIECES_HPP

#include <memory>

#include "trace_scale/trace_flow.hpp"
#include "tracer/block/divide.hpp"

namespace trace_scale {

using op2::core::tracer::Division;

// A communicator of one process, for functions of the library that want one.
class Alone {
 public:
  Alone();
  ~Alone();
  op2::core::Communicator &communicator();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

class Pieces {
 public:
  Pieces(Alone &alone, const Flow &flow, const Options &options, const Division &division, int processes);

  int processes() const { return processes_; }
  int owner(int cell) const { return owner_[at(cell)]; }
  int block(int cell) const { return block_[at(cell)]; }
  // Whether a particle in this cell may stay with a process: tracer::Block::complete().
  bool complete(int process, int cell) const;
  // Cells on the process that has most of them, to the mean of what they own.
  double most_cells() const;

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  void find_regions(const Options &options, const Division &division);

  const Flow &flow_;
  int processes_;
  std::vector<int> owner_, block_;
  std::vector<op2::core::tracer::Box> box_, seen_; // of each cell; and that of a step from it
  std::unique_ptr<op2::core::tracer::Bins> bins_;
  std::vector<op2::core::tracer::Region> region_; // by process
};

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
