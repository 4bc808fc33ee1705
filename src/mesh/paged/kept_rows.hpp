// Rows that stay in memory while others are in a file: copies of other processes' rows. Messages come there, which page
// faults do not help.
#pragma once

#include "mesh/entities.hpp"
#include "paging/pager.hpp"

namespace op2::core {

// Their chunks, among those of the rows of the dat.
inline Chunks kept_chunks(const Dat &dat, const ChunkStore &pager) {
  return pager.chunks_of(dat.host.paged().number(), dat.own_bytes(), dat.bytes());
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
