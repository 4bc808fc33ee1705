// A chain: loops that are run together, in tiles that stay in cache or one after the other, whichever is faster.
// Prepared at the first run of a sequence of loops; later runs of the same sequence reuse it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/borders.hpp"
#include "loop/chain/segments.hpp"
#include "loop/chain/threaded.hpp"
#include "loop/chain/whole.hpp"
#include "loop/loop.hpp"

namespace op2::core {

// Bytes of the last-level cache, and of one that each core has for itself.
struct ChainCaches {
  double last, own;
};

class Chain {
 public:
  // tile_bytes: of the rows of a tile; 0 = as the caches are.
  Chain(std::span<const ChainCall> calls, double tile_bytes, const ChainCaches &caches);

  bool is(std::span<const ChainCall> calls) const;
  // Why it cannot run in tiles; "" = it can.
  const std::string &why() const { return why_; }
  // On executors that take loops whole; else NULL.
  WholeChain *whole() { return whole_.get(); }
  // The tiles of the next run, NULL = loop after loop; then the time that it took.
  const ChainTiles *next_tiles();
  // These tiles on the threads of the executor; NULL: one thread runs them step by step.
  ThreadedChain *threads() { return ways_[now_].threads.get(); }
  // Whether the loops of these tiles ask memory for what the next tile will want.
  bool asks_ahead() const { return ways_[now_].ahead; }
  void took(double seconds);
  double bytes() const { return bytes_; } // of all rows and maps that it touches
  std::span<const ChainLoop> described() const { return described_; }
  std::span<const int> rows() const { return rows_; }
  void tell(TiledChainStats &out) const; // what it is
  TiledChainStats *record = nullptr;     // of its runs
  std::string text() const;              // "9 loops, 160.0 MB, 24 tiles, 216 pieces"
  bool decided() const { return decided_; }
  bool told(); // whether text() is final and was so at the last call

 private:
  struct Way {
    double tile_bytes; // 0: loop after loop
    bool ahead = false;
    ChainTiles tiles{};
    std::unique_ptr<ThreadedChain> threads = nullptr;
    double least = 0; // seconds of the fastest run
    int runs = 0;
  };
  static bool uneven(const Way &way); // threads would wait for each other
  void describe(std::span<const ChainCall> calls);
  bool compares_forms() const;
  bool counts();
  double schedule_bytes() const; // of the present way

  std::vector<Loop *> loops_;
  std::vector<ChainLoop> described_;
  std::vector<int> rows_;
  std::unique_ptr<WholeChain> whole_;
  ReachTables tables_;
  std::string why_;
  double bytes_ = 0;
  int threads_ = 0; // on which the executor runs chains; 0: it does not
  std::vector<Way> ways_;
  std::vector<TiledChainStats::Way> figures_; // what was measured
  std::size_t now_ = 0;
  double preparation_ = 0; // seconds, of the tiles of all ways
  bool counts_ = false;    // the time of the present run
  bool decided_ = false, told_ = false;
};

} // namespace op2::core
