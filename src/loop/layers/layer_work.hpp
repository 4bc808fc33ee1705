// Several processes: the work of a group in tiles, in pieces that run one after the other, and when it takes messages:
// tile by tile, or for threads what each of them runs of its tiles at the same time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loop/layers/stretches.hpp"
#include "loop/paged/paged_work.hpp"

namespace op2::core {

// Elements that need no copies, the messages, and all others. What the arguments point to outlives the result.
std::unique_ptr<PagedWork> tile_work(const Stretches &all, ChainTiles tiles);
std::unique_ptr<PagedWork> list_work(std::span<Loop *const> loops, const Stretches &all, const ChainTiles &tiles,
                                     int threads);

} // namespace op2::core
// SPDX-License-Identifier: MIT
