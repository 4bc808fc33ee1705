// How fast this process computes: what shares of a mesh follow when processes differ (OP2_PARTITION_WEIGHTS=measured).
#pragma once

#include "host/communicator.hpp"
#include "host/executor.hpp"
#include "loop/loop.hpp"

namespace op2::core {

// Runs a small job of its own on the executor, the same in every process: fluxes over the faces of a grid, added to its
// cells, and an update of the cells; as compiled with the library, without code made for it, unless the executor runs
// nothing else (`options` then says who makes it). Elements per second, of the fastest of some runs. All processes
// measure at the same time, since they share memory and cores later, too. Collective; throws on the process whose
// executor fails, after the others have been met.
double measured_speed(Registry &registry, const Services &services, Executor &executor, Communicator &all,
                      const LoopOptions &options);

} // namespace op2::core
