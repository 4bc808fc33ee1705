// roofline.hpp: how much of the memory's speed a loop uses.
#ifndef OP2_BENCH_ROOFLINE_HPP
#define OP2_BENCH_ROOFLINE_HPP

#include <string>

#include "common/report.hpp"

namespace bench {

// name: of the figure. bytes: that must move, each row of a dat once for reading and once for writing, each entry of a
// map once. bandwidth: bytes per second of STREAM's loops in the same run (stream_bandwidth); 0: not known.
inline void share_of_roofline(const std::string &name, double bytes, double seconds, double bandwidth) {
  if (bandwidth > 0 && bytes > 0) result(name, 100 * bytes / seconds / bandwidth, "%");
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
