// gpu_copies.cpp: between host and GPU: the driver's copies from page-locked and from ordinary memory, and the
// library's (op_put_data, op_fetch_data), which stages ordinary memory through page-locked memory.
//
// Judged: the library's to the driver's from the same kind of memory, ordinary memory.
#include <op2/compat.h>
#include <op2/op2.hpp>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "gpu/gpu_driver.hpp"

namespace {

constexpr double least_of_driver = 0.9;

void touch(double *row) { row[0] += 1; }
void look(const double *row, double *out) { *out = row[0]; }

struct Copies {
  double put, fetch; // bytes per second
};

// A put alone moves nothing to the device before a loop wants it, and a fetch nothing without a loop that wrote.
Copies by_library(std::size_t bytes, int rounds) {
  const int rows = static_cast<int>(bytes / sizeof(double));
  const op2::context context("cuda", 1);
  const op2::set all(rows, "all"), one(1, "one");
  std::vector<double> values(static_cast<std::size_t>(rows), 1.0);
  op2::dat<double, 1> dat(all, values, "dat"), seen(one, nullptr, "seen");
  const op2::map first(one, all, 1, std::vector<int>{0}, "first");
  double wall = 0;
  std::vector<double> there, back;
  for (int round = -1; round < rounds; ++round) {
    const double a = bench::seconds([&] {
      op_put_data(dat, values.data());
      op_par_loop(look, "look", one, op2::read(dat, 0, first), op2::write(seen));
      op_timers(nullptr, &wall);
    });
    op_par_loop(touch, "touch", all, op2::rw(dat));
    op_timers(nullptr, &wall);
    const double b = bench::seconds([&] { op_fetch_data(dat, values.data()); });
    if (round < 0) continue;
    there.push_back(a);
    back.push_back(b);
  }
  const double size = static_cast<double>(bytes);
  return {size / bench::median(there), size / bench::median(back)};
}

void measure(bench::GpuDriver &gpu, const std::string &name, std::size_t bytes, int rounds) {
  const auto pinned = gpu.host_copy(bytes, true, rounds), pageable = gpu.host_copy(bytes, false, rounds);
  const Copies library = by_library(bytes, rounds);
  const std::string row = "gpu_copy." + name;
  bench::result(row + ".page_locked.to_device", 1e-9 * pinned.to_device, "GB/s");
  bench::result(row + ".page_locked.to_host", 1e-9 * pinned.to_host, "GB/s");
  bench::result(row + ".ordinary.to_device", 1e-9 * pageable.to_device, "GB/s");
  bench::result(row + ".ordinary.to_host", 1e-9 * pageable.to_host, "GB/s");
  bench::result(row + ".library.to_device", 1e-9 * library.put, "GB/s");
  bench::result(row + ".library.to_host", 1e-9 * library.fetch, "GB/s");
  if (bytes < (std::size_t(1) << 28)) return;
  bench::check(row + ".library_to_ordinary.to_device", library.put / pageable.to_device, least_of_driver,
               bench::Better::above, "x");
  bench::check(row + ".library_to_ordinary.to_host", library.fetch / pageable.to_host, least_of_driver,
               bench::Better::above, "x");
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  std::string why;
  const auto gpu = bench::GpuDriver::open(why);
  if (!gpu) {
    bench::skip("gpu_copy", why);
    return 0;
  }
  const bench::Setting fallback("OP2_FALLBACK", "error");
  measure(*gpu, "1MB", 1 << 20, bench::fewest_pairs);
  if (!quick) measure(*gpu, "512MB", 1 << 29, bench::fewest_pairs);
  return 0;
}

// SPDX-License-Identifier: MIT
