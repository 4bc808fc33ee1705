#include "base/log.hpp"

#include <unistd.h>

#include <cstdio>

#include "base/text.hpp"

namespace op2::core {

void Log::write(int level, std::string_view message) const {
  if (!wants(level)) return;
  static constexpr const char *prefix[] = {"error: ", "warning: ", "", "debug: "};
  const std::string rank = processes_ > 1 ? text("rank ", rank_, ": ") : "";
  std::fprintf(stderr, "op2: %s%s%.*s\n", rank.c_str(), prefix[level < 0 || level > OP_LOG_DEBUG ? OP_LOG_INFO : level],
               static_cast<int>(message.size()), message.data());
}

void Log::tell(std::string_view message) const {
  if (rank_ == 0 && (level_ >= OP_LOG_INFO || (level_ >= OP_LOG_WARN && isatty(STDERR_FILENO))))
    std::fprintf(stderr, "op2: %.*s\n", static_cast<int>(message.size()), message.data());
}

int Log::level_from_name(std::string_view name) {
  if (name == "error" || name == "0") return OP_LOG_ERROR;
  if (name == "info" || name == "2") return OP_LOG_INFO;
  if (name == "debug" || name == "3") return OP_LOG_DEBUG;
  return OP_LOG_WARN;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
