// blocks.hpp: cuts a range of elements into blocks.
#pragma once

#include <vector>

namespace op2::core {

// The default size of blocks: elements / 256, between 64 and 1024, a multiple of 8. It does not depend on the number of
// threads, so that results do not, either.
int default_block_size(int elements);

// [nblocks + 1] first elements of consecutive blocks of block_size > 0 elements (the last one may be shorter), and
// `end`. {begin} when the range is empty.
std::vector<int> split_blocks(int begin, int end, int block_size);

} // namespace op2::core

// SPDX-License-Identifier: MIT
