// Finds the cells of points, on whichever process they are.
#pragma once

#include "tracer/block/block.hpp"

namespace op2::core::tracer {

struct Located {
  std::int64_t cell = -1;    // the lowest number of those that contain the point; -1: none does
  std::int32_t process = -1; // that traces what is in this cell; -1: none
  Vector at{};               // streamline::Place
};

// Where the points of each process are; nowhere if they are not finite. Collective.
std::vector<Located> locate(Communicator &communicator, const Block &block, std::span<const Vector> points);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
