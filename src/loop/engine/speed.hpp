// Measures how fast this process computes, to choose its share of a mesh (OP2_PARTITION_WEIGHTS=measured).
#pragma once

#include "host/communicator.hpp"
#include "host/executor.hpp"
#include "loop/loop.hpp"

namespace op2::core {

// Runs the same benchmark on every process: fluxes over the faces of a grid, added to its cells, and an update of the
// cells. Kernels run as compiled with the library, or by code of the provider in `options` if the executor requires it.
// Returns elements per second of the fastest run. All processes measure at the same time, as they will share memory and
// cores. Collective; a process whose executor fails throws at the end.
double measured_speed(Registry &registry, const Services &services, Executor &executor, Communicator &all,
                      const LoopOptions &options);

} // namespace op2::core

// SPDX-License-Identifier: MIT
