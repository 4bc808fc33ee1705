// How much the caches of this machine hold.
#pragma once

namespace op2::core {

// Bytes of the last level, as the system tells; 32 MiB when it does not.
double last_level_cache_bytes();
// What each of so many processes has of it that are spread evenly over the machine.
double last_level_cache_share(int processes);

} // namespace op2::core
