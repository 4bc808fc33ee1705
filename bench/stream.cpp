// stream.cpp: see stream.hpp.
#include "stream.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "measure.hpp"

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

} // namespace

template <class Loop>
void HandStream::on_threads(Loop loop) {
  if (threads_ == 1) return loop(0, length_);
#ifdef _OPENMP
#pragma omp parallel num_threads(threads_)
  {
    const std::int64_t thread = omp_get_thread_num(), n = length_;
    loop(static_cast<int>(n * thread / threads_), static_cast<int>(n * (thread + 1) / threads_));
  }
#endif
}

HandStream::HandStream(int length, int threads)
    : length_(length),
      threads_(threads),
      a_(static_cast<std::size_t>(length)),
      b_(static_cast<std::size_t>(length)),
      c_(static_cast<std::size_t>(length)) {
  double *a = a_.data(), *b = b_.data(), *c = c_.data();
  on_threads([=](int begin, int end) {
    std::fill(a + begin, a + end, 1.0);
    std::fill(b + begin, b + end, 2.0);
    std::fill(c + begin, c + end, 0.5);
  });
}

void HandStream::triad(double s) {
  on_threads(
      [&](int begin, int end) { triad_loop(end - begin, a_.data() + begin, b_.data() + begin, s, c_.data() + begin); });
}

void HandStream::daxpy(double s) {
  on_threads([&](int begin, int end) { daxpy_loop(end - begin, a_.data() + begin, s, b_.data() + begin); });
}

double triad_bandwidth(int threads) {
  const int length = stream_length();
  HandStream stream(length, threads);
  std::vector<double> times;
  for (int i = 0; i <= bench::fewest_pairs; ++i) {
    const double time = bench::seconds([&] { stream.triad(0.5); });
    if (i > 0) times.push_back(time);
  }
  return stream_bytes * length / bench::median(times);
}
