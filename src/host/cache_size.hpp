// The capacity of the caches of this machine.
#pragma once

namespace op2::core {

// Bytes of a last-level cache as the system reports them, otherwise 32 MiB.
double last_level_cache_bytes();
// Bytes of it for each of `processes` processes that are spread evenly over the machine.
double last_level_cache_share(int processes);

} // namespace op2::core
