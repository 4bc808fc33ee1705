// trace_simulate.hpp: a discrete-event simulation of processes that trace as src/tracer/draw/job.cpp does: who has
// nothing to do, sends or waits at what time.
#ifndef OP2_BENCH_TRACE_SIMULATE_HPP
#define OP2_BENCH_TRACE_SIMULATE_HPP

#include "trace_scale/trace_visits.hpp"
#include "tracer/draw/job.hpp"

namespace trace_scale {

// Seconds of a core, and of the network. A message of s bytes that a process has paid for leaves when those before it
// have left, and arrives after latency + s / bandwidth; what its receiver pays comes then (D. Culler et al., LogP,
// 1993).
struct Costs {
  double step = 5e-7;  // measured in the same run
  double visit = 5e-7; // taking a particle on: its cell is found by number, its velocity calculated, its state copied
  // One InfiniBand port of 100 Gbit/s and MPI of today: 1 to 2 us between processes on two nodes, 10 to 12 GB/s.
  double latency = 1.5e-6, bandwidth = 1e10;
  // MPI_Isend and its completion, or a probe and MPI_Recv, and memory for the bytes.
  double send = 5e-7, receive = 5e-7;
  double byte = 1e-10; // copied by either side, at 10 GB/s
  double look = 3e-7;  // whether something has come: MPI_Iprobe that finds nothing, and sched_yield()
  // What sleep_for() takes longer than it is told: the timer slack of Linux, prctl(2).
  double slack = 5e-5;
  int cores = 0; // that all processes share, each for a batch; 0: each process has its own
};

enum class Resting {
  naps, // as the library: 50 looks, then sleeps of 10 to 200 us
  looks // never asleep
};

struct Outcome {
  double seconds = 0;                   // until the last process knows that all is over
  double working = 0, most_working = 0; // of all processes, and of one
  std::int64_t steps = 0, finished = 0;
  std::int64_t particle_messages = 0, particle_bytes = 0, other_messages = 0;
  int processes = 1;
  double imbalance() const { return working > 0 ? most_working * processes / working : 1; }
};

// All particles are where their seeds are at the beginning. Throws std::runtime_error if processes wait for ever.
Outcome simulate(const Visits &visits, int processes, const Costs &costs, const op2::core::tracer::Running &running,
                 Resting resting = Resting::naps);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
