// stream.hpp: what the memory gives: the loops a[i] = b[i] + s c[i] (STREAM's triad) and y[i] += s x[i] (daxpy).
#ifndef OP2_BENCH_STREAM_HPP
#define OP2_BENCH_STREAM_HPP

#include <cstddef>

#include "aligned.hpp"

// Bytes of the largest cache of this processor; 32 MiB when the system does not say.
std::size_t last_level_cache();

// Values per array: four times the last-level cache, but no more than 1 GiB / 6 (three arrays, and three of another
// variant beside them) and a sixteenth of the memory.
int stream_length();

// Both loops count 24 bytes per value, as STREAM does: what a write fetches first is not counted.
inline constexpr double stream_bytes = 24;

// Three arrays, each page first touched by the thread that uses it.
class HandStream {
 public:
  HandStream(int length, int threads);
  void triad(double s);
  void daxpy(double s);

 private:
  template <class Loop>
  void on_threads(Loop loop);

  int length_, threads_;
  AlignedArray a_, b_, c_;
};

// Bytes per second of HandStream::triad, the median of 11 runs.
double triad_bandwidth(int threads);

#endif
