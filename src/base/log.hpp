// Messages to the user on stderr: "op2: warning: ...", with several processes "op2: rank 3: error: ...". Setting
// OP2_LOG chooses the level.
#pragma once

#include <string>
#include <string_view>

#include "op2/plugin/plugin.h"

namespace op2::core {

class Log {
 public:
  explicit Log(int level = OP_LOG_WARN) : level_(level) {}
  // Every process writes errors; only rank 0 writes messages of the other levels.
  void set_process(int rank, int processes) {
    rank_ = rank;
    processes_ = processes;
  }
  bool wants(int level) const { return level <= level_ && (rank_ == 0 || level == OP_LOG_ERROR); }
  void write(int level, std::string_view message) const;
  // For somebody who waits at a terminal; with OP2_LOG=info wherever stderr goes.
  void tell(std::string_view message) const;

  static int level_from_name(std::string_view name); // "error" "warn" "info" "debug", or "0" to "3"

 private:
  int level_;
  int rank_ = 0, processes_ = 1;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
