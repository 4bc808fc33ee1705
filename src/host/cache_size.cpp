#include "host/cache_size.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "host/files.hpp"

namespace op2::core {

namespace {

// Linux: "32768K" for each cache that the first processor uses. glibc would tell the sum over all chips of an AMD
// processor, ten times what one thread has.
double from_system_files() {
  double bytes = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = text("/sys/devices/system/cpu/cpu0/cache/index", index);
    const std::optional<std::string> size = read_file(folder + "/size", 64);
    if (!size) break;
    long value = 0;
    const auto end = std::from_chars(size->data(), size->data() + size->size(), value).ptr;
    if (end == size->data() + size->size()) continue;
    const double unit = *end == 'K' ? 1024.0 : *end == 'M' ? 1024.0 * 1024.0 : 1.0;
    bytes = std::max(bytes, unit * static_cast<double>(value));
  }
  return bytes;
}

} // namespace

double last_level_cache_bytes() {
  if (const double bytes = from_system_files(); bytes > 0) return bytes;
  long bytes = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE) // glibc
  bytes = std::max({sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE), 0L});
#endif
  return bytes > 0 ? static_cast<double>(bytes) : 32.0 * 1024 * 1024;
}

} // namespace op2::core
