// Several processes: the loops of a group in tiles that stay in cache, on each process by itself
// (loop/tiles/segments.hpp), with the bits of one after the other.
//
// A part of a loop is to the inspector a loop of its own. Elements and rows of the core have their places in the mesh
// by their numbers; those of the boundary, and copies of other processes', lie behind it, and go to the tiles of the
// elements that they meet. Executors with threads get the same tiles in lists (loop/chain/threaded.hpp), those with
// tasks a graph in which only those tasks wait for copies that need them (loop/threads/tasks.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/threaded.hpp"
#include "loop/loop.hpp"

namespace op2::core {

class Stretches;

class LayerTiles {
 public:
  // loops: of a group, prepared. tile_bytes: of the rows of a tile.
  LayerTiles(std::span<Loop *const> loops, double tile_bytes);
  ~LayerTiles();
  LayerTiles(const LayerTiles &) = delete;
  LayerTiles &operator=(const LayerTiles &) = delete;

  // Why there are none: the loops run one after the other. "" = there are.
  const std::string &why() const { return why_; }
  void refuse(const std::string &why);
  // With the exchange of the group: tiles, or tasks, that need no copies run while messages travel; other work of
  // threads runs once the copies are there.
  const Schedule &schedule() const { return schedule_; }
  std::span<const std::unique_ptr<ExecutorChain>> groups() const { return groups_; } // of its steps
  std::string threads_text() const; // as ThreadedChain::text(), or "9 of them while messages travel, "
  int tiles() const { return tiles_; }
  std::size_t pieces() const { return pieces_; }
  double seconds() const { return seconds_; } // that finding them took

 private:
  void find(std::span<Loop *const> loops, double tile_bytes);
  void find_tasks(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, int parts, int threads);
  void add_threads(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, int threads,
                   const ThreadedChain::MakeLists &make);
  void find_lists(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, const ChainTiles &tiles, int threads);
  void find_pieces(const Stretches &all, ChainTiles tiles);

  std::string why_;
  std::unique_ptr<Stretches> stretches_; // to which groups_ point
  Schedule schedule_;
  std::vector<std::unique_ptr<ExecutorChain>> groups_;
  const ThreadedChain *threads_ = nullptr; // among them; NULL: piece by piece
  std::size_t pieces_ = 0;
  int tiles_ = 0;
  double seconds_ = 0;
};

// On which the executor runs chains; 0: it does not.
int chain_threads(const Executor &executor);
// Bytes of the rows of all dats of the loops, on this process.
double bytes_of_rows(std::span<Loop *const> loops);

} // namespace op2::core

// SPDX-License-Identifier: MIT
