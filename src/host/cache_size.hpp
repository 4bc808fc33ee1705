// How much the caches of this machine hold.
#pragma once

namespace op2::core {

// Bytes of the last level, as the system tells; 32 MiB when it does not.
double last_level_cache_bytes();

} // namespace op2::core
