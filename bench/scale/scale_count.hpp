// scale_count.hpp: counts the persistent messages of this process where MPI gets them, whatever the library says.
#ifndef OP2_BENCH_SCALE_COUNT_HPP
#define OP2_BENCH_SCALE_COUNT_HPP

#include <cstdint>

struct SentSoFar {
  std::int64_t messages = 0, bytes = 0;
};
SentSoFar sent_so_far();

#endif

// SPDX-License-Identifier: MIT
