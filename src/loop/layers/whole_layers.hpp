// Several processes: the loops of a group on an executor that takes loops whole, such as a GPU, as chains of the
// executor (loop/chain/whole.hpp): what needs no copies, which runs while messages travel, and the rest.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/whole.hpp"
#include "loop/loop.hpp"

namespace op2::core {

class WholeLayers {
 public:
  // loops: of the group, prepared; of the calls from `first` on of a chain.
  WholeLayers(std::span<Loop *const> loops, std::size_t first);

  // Of the next run: loops may have got other code. Why they run one by one; "" = they do not.
  const std::string &look();
  // The parts that need no copies; those that do; or all of them. As WholeGroup::run().
  void run_early(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace, std::size_t &at);
  void run_late(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace, std::size_t &at);
  void run_all(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace, std::size_t &at);
  std::string text()
      const; // "one graph of 2 launches while messages travel, one graph of 13 launches", once it has run

 private:
  struct Seen {                            // of a loop
    std::vector<op_exec_kernel *> kernels; // of its parts
    bool fits;
    friend bool operator==(const Seen &, const Seen &) = default;
  };
  static Seen see(const Loop &loop);
  void deal_out();
  using Group = std::unique_ptr<WholeGroup>; // NULL: has not run
  void run(Group &group, const std::vector<WholePart> &parts, std::span<const ChainCall> calls,
           std::span<const int> openings, Trace *trace, std::size_t &at);

  const std::vector<Loop *> loops_;
  const std::size_t first_;
  std::vector<Seen> seen_;
  std::string why_;
  std::vector<WholePart> early_parts_, late_parts_, all_parts_;
  Group early_, late_, all_;
};

} // namespace op2::core
