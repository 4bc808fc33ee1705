// Several processes: the loops of a group in tiles that stay in cache, on each process by itself
// (loop/tiles/segments.hpp), with the bits of one after the other.
//
// A part of a loop is to the inspector a loop of its own. Elements and rows of the core have their places in the mesh
// by their numbers; those of the boundary, and copies of other processes', lie behind it, and go to the tiles of the
// elements that they meet. Executors with threads get the same tiles in lists (loop/chain/threaded.hpp), those with
// tasks a graph in which only those tasks wait for copies that need them (loop/threads/tasks.hpp). Where data is partly
// in a file, tiles run in units whose rows are in memory (loop/paged/paged_units.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/threaded.hpp"
#include "loop/loop.hpp"
#include "loop/paged/paged_units.hpp"

namespace op2::core {

class Stretches;

// pager: NULL, all data of this process is in memory. kept: bytes that always are.
struct LayerPaging {
  Pager *pager = nullptr;
  std::size_t kept = 0;
};

class LayerTiles {
 public:
  // loops: of a group, or one that runs by itself, prepared. tile_bytes: of the rows of a tile.
  LayerTiles(std::span<Loop *const> loops, double tile_bytes, const LayerPaging &paging = {});
  ~LayerTiles();
  LayerTiles(const LayerTiles &) = delete;
  LayerTiles &operator=(const LayerTiles &) = delete;

  // Why there are none: the loops run one after the other. "" = there are.
  const std::string &why() const { return why_; }
  void refuse(const std::string &why);
  // With the exchange of the group: tiles, or tasks, that need no copies run while messages travel; other work of
  // threads runs once the copies are there.
  const Schedule &schedule() const { return schedule_; }
  Interpreter::Groups groups() const { return {groups_, &units_.pages()}; } // of its steps
  bool in_units() const { return units_.count() > 0; } // since data is partly in a file
  bool too_large() const { return too_large_; } // why there are none: a unit does not fit into memory
  const UnitPages &pages() const { return units_.pages(); }
  // As ThreadedChain::text(), "9 of them while messages travel, ", or "in 24 units, 68.0 MB read ..., ".
  std::string form() const;
  int tiles() const { return tiles_; }
  std::size_t pieces() const { return pieces_; }
  double seconds() const { return seconds_; } // that finding them took

 private:
  void find(std::span<Loop *const> loops, double tile_bytes, const LayerPaging &paging);
  void find_units(std::span<Loop *const> loops, double tile_bytes, const LayerPaging &paging, int threads);
  void find_whole(std::span<Loop *const> loops, double tile_bytes, int threads, bool tasks);
  ChainTiles cut(std::span<Loop *const> loops, const Stretches &all, double tile_bytes);
  void find_tasks(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, int parts, int threads);
  void add_threads(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, int threads,
                   const ThreadedChain::MakeLists &make);
  void find_lists(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, double tile_bytes, int threads);

  std::string why_;
  std::unique_ptr<Stretches> stretches_; // to which groups_ point
  Schedule schedule_;
  PagedUnits units_;
  std::vector<std::unique_ptr<ExecutorChain>> groups_;
  const ThreadedChain *threads_ = nullptr; // among them; NULL: piece by piece
  bool too_large_ = false;
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
