// stream.hpp: what the memory gives: the loops a[i] = b[i] + s c[i] (STREAM's triad) and y[i] += s x[i] (daxpy).
#ifndef OP2_BENCH_STREAM_HPP
#define OP2_BENCH_STREAM_HPP

#include <cstddef>

#include "common/aligned.hpp"

// Bytes of the largest cache of this processor; 32 MiB when the system does not say.
std::size_t last_level_cache();

// Values per array: four times the last-level cache, but no more than 1 GiB / 6 (three arrays, and three of another
// variant beside them) and a sixteenth of the memory.
int stream_length();

// Both loops count 24 bytes per value, as STREAM does: what a write fetches first is not counted.
inline constexpr double stream_bytes = 24;

// Each thread takes one piece of the arrays, as it does in loops of the library.
void hand_triad(int length, int threads, double *a, const double *b, const double *c, double s);
void hand_daxpy(int length, int threads, double *y, const double *x, double s);

// Bytes per second of hand_triad, the median of 11 runs on arrays of its own, whose pages were first touched by the
// thread that uses them.
double triad_bandwidth(int threads);

// The roofline: the faster of triad and daxpy, measured in the same way. That is daxpy where a write fetches its line
// first.
double stream_bandwidth(int threads);

#endif

// SPDX-License-Identifier: MIT
