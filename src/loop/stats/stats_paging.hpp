// What the timing tables show of data that is partly in a file (OP2_MEMORY_LIMIT), or not on the device
// (OP2_DEVICE_MEMORY_LIMIT).
#pragma once

#include <cstdint>
#include <string>

#include "paging/pager.hpp"

namespace op2::core {

struct PagingStats {
  double limit = 0; // bytes; 0: all data is in memory
  std::string form; // "io_uring, direct"
  PagerStats pager{};
  bool device = false;
};

// "" where all data is in memory.
std::string paging_text(const PagingStats &stats);
std::string paging_json(const PagingStats &stats); // an object

} // namespace op2::core
// SPDX-License-Identifier: MIT
