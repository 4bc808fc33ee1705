#include "base/log.hpp"

#include <cstdio>

namespace op2::core {

void Log::write(int level, std::string_view message) const {
  if (!wants(level)) return;
  static constexpr const char *prefix[] = {"error: ", "warning: ", "", "debug: "};
  std::fprintf(stderr, "op2: %s%.*s\n", prefix[level < 0 || level > OP_LOG_DEBUG ? OP_LOG_INFO : level],
               static_cast<int>(message.size()), message.data());
}

int Log::level_from_name(std::string_view name) {
  if (name == "error") return OP_LOG_ERROR;
  if (name == "info") return OP_LOG_INFO;
  if (name == "debug") return OP_LOG_DEBUG;
  return OP_LOG_WARN;
}

} // namespace op2::core
