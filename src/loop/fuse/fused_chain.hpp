// A chain with neighbouring loops that run as one (groups.hpp) compiled as one function, in the tiles that were chosen
// for it, or in one. It is measured against the chain without that, in turn.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/chain.hpp"
#include "loop/choice/way_times.hpp"
#include "loop/fuse/groups.hpp"
#include "loop/fuse/merged_kernel.hpp"

namespace op2::core {

class FusedChain {
 public:
  using Prepare = std::function<std::unique_ptr<Loop>(const LoopCall &)>; // makes a loop
  // apart: the chain without merged loops, whose tiles have been chosen. measured: else it is used wherever it can be.
  FusedChain(std::span<const ChainCall> calls, const Chain &apart, bool measured, const Prepare &prepare);

  // Whether it was made for the way that the chain has chosen.
  bool fits(const Chain &apart) const { return apart.tile_bytes() == tile_bytes_ && apart.asks_ahead() == ahead_; }
  // Whether the next run is one of merged loops; if so, of these calls. Then the time that it took, either way.
  bool next(std::span<const ChainCall> calls);
  bool ran() const { return now_; } // the present run is
  void took(double seconds);
  std::span<const ChainCall> calls() const { return calls_; }
  Chain &chain() { return *chain_; }
  // The call of the program that reduces values among those which a call stands for, or the first of them.
  std::span<const std::size_t> reducing() const { return reducing_; }
  std::size_t first_of(std::size_t call) const { return groups_[call].first; }

  // Whether it has said to users what was chosen; afterwards it has.
  bool told();
  void tell(TiledChainStats &out) const;
  // "save_soln + adt_calc as one loop; 15.973 ms as one loop, 16.687 ms one after the other"; "": there are none
  std::string text() const;

 private:
  std::size_t merge(std::span<const ChainCall> part, const FusedGroup &group, const Prepare &prepare);
  void give_up();
  bool arrived() const;
  bool usable() const;
  bool settled(std::span<const ChainCall> calls) const;
  bool renew(std::span<const ChainCall> calls);

  std::vector<FusedGroup> groups_;
  struct Merged {
    std::unique_ptr<MergedKernel> kernel;
    std::unique_ptr<Loop> loop;
    std::size_t reduces; // the part of it that reduces values, or the first one
  };
  std::vector<Merged> merged_; // each once
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> merged_of_; // of each group; none: it is one loop of the program
  std::vector<std::vector<op_arg>> args_;
  std::vector<ChainCall> calls_;
  std::vector<std::size_t> reducing_;
  std::unique_ptr<Chain> chain_;
  double tile_bytes_;
  bool ahead_, measured_;
  int apart_tiles_;
  bool given_up_ = false;
  bool now_ = false, counts_ = false; // of the present run: it is one of merged loops, its time is noted
  bool chosen_ = false, told_ = false;
  std::string names_;
  WayTimes times_; // one loop after the other, merged
};

} // namespace op2::core
