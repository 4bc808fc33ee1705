// What a round of an exchange between devices costs in three ways, and when it pays that no host waits. Pure functions.
// Source: Agostini, Rossetti, Potluri, "GPUDirect Async: exploring GPU synchronous communication techniques for
// InfiniBand clusters", J. Parallel Distrib. Comput. 114 (2018): the equations, and the conditions C1, C2, C3.
#pragma once

#include <vector>

namespace op2::core {

// A round: X parts pack rows and send them, Y parts compute without them, Z parts wait for messages and use them. All
// times are seconds and not negative. launch: of the host, to launch the part's kernel (LA, LB, LC); host: what else
// the host does or waits for beside it (TH); kernel: on the device (A, B, C). send (S) and wait (W) are those of the
// host in the synchronous way, those of the device in the others.
struct ExchangeRound {
  struct Send {
    double launch, host, kernel, send;
  };
  struct Compute {
    double launch, host, kernel;
  };
  struct Receive {
    double wait, host, launch, kernel;
  };
  std::vector<Send> sends;
  std::vector<Compute> computes;
  std::vector<Receive> receives;
  int fragments() const { return static_cast<int>(sends.size() + computes.size() + receives.size()); } // X + Y + Z
};

// The host sends and waits: T = R [sum of (LA + TH + S) + sum of (LB + TH) + sum of (W + TH + LC)].
double synchronous_seconds(const ExchangeRound &round, int rounds);
// What the device computes in any way: R [sum of A + sum of B + sum of C]; and how long it has nothing to do, when the
// host sends and waits.
double computing_seconds(const ExchangeRound &round, int rounds);
double idle_seconds(const ExchangeRound &round, int rounds);
// Streams send and wait: the host enqueues, R [sum of (LA + TH) + sum of (LB + TH) + sum of (LC + TH)], while the
// device runs, R [sum of (A + S) + sum of B + sum of (W + C)]; the longer one of the two counts.
double enqueue_seconds(const ExchangeRound &round, int rounds);
double device_seconds(const ExchangeRound &round, int rounds);
double stream_seconds(const ExchangeRound &round, int rounds);
// One kernel does all of it. together, 0 to 1: the share of its blocks that are on the device at the same time. With 1,
// sends, computing and receiving overlap, with 0 they come one after another. launch: of this kernel.
double kernel_seconds(const ExchangeRound &round, int rounds, double launch, double together);

// The conditions for a round. C1: the host enqueues faster than the device runs. C2: the device sends and waits for
// less time than it would be idle if the host did so. C3: the rounds that must come until what it takes to set up the
// exchange is gained; infinity if nothing is gained.
struct ExchangeFigures {
  double enqueue, device; // seconds of the host, seconds of the device
  double waits, idle;     // of the device: sends and waits in a stream, idle while the host sends and waits
  double set_up;
  double seconds = 0; // that the measured run took: of the host to enqueue it or of the device, the longer ones
  bool enqueues_in_time() const { return enqueue < device; } // C1
  bool waits_less() const { return waits < idle; }           // C2
  double gain() const;                                       // seconds of a round; negative: a loss
  double rounds_to_gain() const;                             // C3
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
