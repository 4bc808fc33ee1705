#include "host/cache_size.hpp"

#include <unistd.h>

#include <algorithm>

namespace op2::core {

double last_level_cache_bytes() {
  long bytes = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE) // glibc
  bytes = std::max({sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE), 0L});
#endif
  return bytes > 0 ? static_cast<double>(bytes) : 32.0 * 1024 * 1024;
}

} // namespace op2::core
