// The capacity of the caches of this machine.
#pragma once

namespace op2::core {

// Bytes of a last-level cache as the system reports them, otherwise 32 MiB.
double last_level_cache_bytes();
// Bytes of it for each of `processes` processes that are spread evenly over the machine.
double last_level_cache_share(int processes);
// Bytes of the second-level cache, which most processors have for each core, otherwise 1 MiB.
double second_level_cache_bytes();

} // namespace op2::core
