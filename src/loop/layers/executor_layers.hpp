// Several processes: the schedule of a group of loops on an executor that takes loops whole, such as a GPU. What needs
// no copies runs while messages travel, as one chain of the executor (loop/executor_chain.hpp), the rest as another one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/executor_chain.hpp"

namespace op2::core {

class ExecutorLayers {
 public:
  // loops: of the group, prepared.
  explicit ExecutorLayers(std::span<Loop *const> loops);

  // Adapts to code that loops have got. Why they run one by one in the next run; "" = they do not.
  const std::string &update();
  // The steps until stale copies are known; then those with an exchange, or those without.
  const Schedule &opening() const { return opening_; }
  const Schedule &with_exchange() const { return with_exchange_; }
  const Schedule &without_exchange() const { return without_exchange_; }
  std::span<const std::unique_ptr<ExecutorChain>> chains() const { return chains_; }
  std::string text()
      const; // "one graph of 2 launches while messages travel, one graph of 13 launches", once it has run

 private:
  struct Seen {                            // of a loop
    std::vector<op_exec_kernel *> kernels; // of its parts
    bool fits;
    friend bool operator==(const Seen &, const Seen &) = default;
  };
  static Seen see(const Loop &loop);
  void write();
  int add_chain(const std::vector<ChainPart> &parts);

  const std::vector<Loop *> loops_;
  std::vector<Seen> seen_;
  std::string why_;
  Schedule opening_, with_exchange_, without_exchange_;
  std::vector<std::unique_ptr<ExecutorChain>> chains_;
  int early_ = -1; // of them; -1: there is none
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
