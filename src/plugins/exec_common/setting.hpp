// Settings of the library, as its user gave them.
#pragma once

#include <string>

#include "op2/plugin/plugin.h"

namespace op2::exec_common {

// The value of a setting, of any length; "" when it has none.
inline std::string setting(const op_host_v1 *host, const char *name) {
  const int length = host->config(host, name, nullptr, 0);
  if (length <= 0) return {};
  std::string value(static_cast<std::size_t>(length) + 1, '\0');
  host->config(host, name, value.data(), value.size());
  value.pop_back();
  return value;
}

} // namespace op2::exec_common
