// ways.hpp: the accesses of kernels that run a loop, counted from its maps: the two ways of executor cuda, and blocks
// with what the library does not do. docs/gpus.md has what came out.
//
// A block has 256 threads, one element for each. Elements, rows and indices are read as generated kernels read them
// (OP2_JIT_DUMP=folder shows the text), so that counts can be compared with those of the emulated device.
#ifndef OP2_BENCH_LOCALITY_WAYS_HPP
#define OP2_BENCH_LOCALITY_WAYS_HPP

#include "gpu/locality/division.hpp"
#include "gpu/locality/loop.hpp"
#include "gpu/locality/requests.hpp"

namespace bench::locality {

enum class Rows : std::uint8_t { as_on_cuda, one_after_another }; // long rows component by component, or OP2_LAYOUT=aos

// Each thread reads its rows and adds to rows atomically.
Counts atomic_additions(const Loop &loop, Rows rows);

struct BlockWay {
  bool coloured = false;     // blocks of one colour in a launch, which add to rows as they are; else atomically
  bool stages_reads = false; // rows that are read come to shared memory first, too: once for each block
};
// Blocks add up in shared memory, one colour of elements after the other, and then add to rows once. The parts of
// `division` have at most 256 elements.
Counts blocks(const Loop &loop, const Division &division, Rows rows, const BlockWay &way);

} // namespace bench::locality

#endif

// SPDX-License-Identifier: MIT
