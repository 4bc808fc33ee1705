// stream.cpp: see stream.hpp.
#include "common/stream.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "common/measure.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

std::size_t last_level_cache() {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::size_t size = 0;
    char unit = 0;
    if (file >> size >> unit) largest = std::max(largest, size << (unit == 'M' ? 20 : 10));
  }
#ifdef _SC_LEVEL3_CACHE_SIZE
  if (largest == 0) largest = static_cast<std::size_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)));
#endif
  return largest != 0 ? largest : std::size_t{32} << 20;
}

int stream_length() {
  const auto memory = static_cast<std::size_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                      static_cast<std::size_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  const std::size_t most = std::min((std::size_t{1} << 30) / 6, memory / 16);
  return static_cast<int>(std::min(most, 4 * last_level_cache()) / sizeof(double));
}

namespace {

// Functions of their own: what a closure captures may be changed through any pointer, which costs the loop its aligned
// stores.
void triad_loop(int n, double *__restrict__ a, const double *__restrict__ b, double s, const double *__restrict__ c) {
  for (int i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

void daxpy_loop(int n, double *__restrict__ y, double s, const double *__restrict__ x) {
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}

template <class Loop>
void on_threads(int length, int threads, Loop loop) {
  if (threads == 1) return loop(0, length);
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t thread = omp_get_thread_num(), n = length;
    loop(static_cast<int>(n * thread / threads), static_cast<int>(n * (thread + 1) / threads));
  }
#endif
}

} // namespace

void hand_triad(int length, int threads, double *a, const double *b, const double *c, double s) {
  on_threads(length, threads, [=](int begin, int end) { triad_loop(end - begin, a + begin, b + begin, s, c + begin); });
}

void hand_daxpy(int length, int threads, double *y, const double *x, double s) {
  on_threads(length, threads, [=](int begin, int end) { daxpy_loop(end - begin, y + begin, s, x + begin); });
}

namespace {

// Bytes per second of loop(a, b, c), the median of 11 runs.
template <class Loop>
double bandwidth(int threads, Loop loop) {
  const int length = stream_length();
  const auto size = static_cast<std::size_t>(length);
  AlignedArray a(size), b(size), c(size);
  on_threads(length, threads, [&](int begin, int end) {
    for (AlignedArray *array : {&a, &b, &c}) std::fill(array->begin() + begin, array->begin() + end, 0.5);
  });
  std::vector<double> times;
  for (int i = 0; i <= bench::fewest_pairs; ++i) {
    const double time = bench::seconds([&] { loop(length, a.data(), b.data(), c.data()); });
    if (i > 0) times.push_back(time);
  }
  return stream_bytes * length / bench::median(times);
}

} // namespace

double triad_bandwidth(int threads) {
  return bandwidth(threads, [=](int length, double *a, const double *b, const double *c) {
    hand_triad(length, threads, a, b, c, 0.5);
  });
}

double stream_bandwidth(int threads) {
  const double daxpy = bandwidth(
      threads, [=](int length, double *a, const double *b, const double *) { hand_daxpy(length, threads, a, b, 0.5); });
  return std::max(daxpy, triad_bandwidth(threads));
}

// SPDX-License-Identifier: MIT
