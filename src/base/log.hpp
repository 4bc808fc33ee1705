// Messages to the user on stderr: "op2: warning: ...". Setting OP2_LOG chooses how many.
#pragma once

#include <string>
#include <string_view>

#include "op2/plugin/plugin.h"

namespace op2::core {

class Log {
 public:
  explicit Log(int level = OP_LOG_WARN) : level_(level) {}
  // Only process 0 writes; errors are written by every process.
  void set_root(bool root) { root_ = root; }
  bool wants(int level) const { return level <= level_ && (root_ || level == OP_LOG_ERROR); }
  void write(int level, std::string_view message) const;

  static int level_from_name(std::string_view name); // "error" "warn" "info" "debug"

 private:
  int level_;
  bool root_ = true;
};

} // namespace op2::core
