// stream_loops.cpp: triad and daxpy by hand and through op_par_loop (range form of op2.hpp), one thread and two.
//
// The ratios say what the library costs where there is nothing but memory traffic. Both loops run on the library's
// memory: which pages an array happens to get makes a difference of a third on some machines.
#include <op2/op2.hpp>

#include "airfoil/airfoil_threads.hpp"
#include "common/back_ends.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "common/stream.hpp"

namespace {

void fill(double *a) { *a = 0.5; }
void triad(double *a, const double *b, const double *c, const double *s) { *a = *b + *s * *c; }
void daxpy(double *y, const double *x, const double *s) { *y += *s * *x; }

void report(const char *loop, const bench::BackEnd &end, int length, const bench::Pairs &pairs) {
  const std::string name = std::string("stream.") + loop;
  const auto speed = [&](const std::vector<double> &times) {
    return stream_bytes * length / bench::median(times) * 1e-9;
  };
  bench::result(name + ".hand." + end.name(), speed(pairs.yardstick), "GB/s");
  bench::result(name + ".range." + end.name(), speed(pairs.subject), "GB/s");
  bench::result(name + ".range_to_hand." + end.name(), pairs.ratio(), "x");
}

using Values = op2::dat<double, 1>;

// Seconds of work(a, b, c) on what the library holds.
template <class Work>
double on_memory_of(Values &a, Values &b, Values &c, Work work) {
  const auto to = a.window(OP_RW), from = b.window(OP_READ), also = c.window(OP_READ);
  return bench::seconds([&] { work(to.data(), from.data(), also.data()); });
}

void measure(const bench::BackEnd &end, int length, int rounds) {
  const op2::context context(end.executor.c_str(), end.threads);
  const op2::set set(length, "values");
  Values a(set, nullptr, "a"), b(set, nullptr, "b"), c(set, nullptr, "c");
  // Pages that nobody wrote to would all be one page of zeros, which never leaves the cache.
  for (const op_dat dat : {op_dat(a), op_dat(b), op_dat(c)})
    op_par_loop(fill, "fill", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_WRITE));
  const double s = 0.5;
  bench::Pairs triads, daxpys;
  for (int round = -1; round < rounds; ++round) { // the first one warms up
    const double triad_by_hand = on_memory_of(a, b, c, [&](double *a_, const double *b_, const double *c_) {
      hand_triad(length, end.threads, a_, b_, c_, s);
    });
    const double triad_time = bench::seconds(
        [&] { op_par_loop(triad, "triad", set, op2::write(a), op2::read(b), op2::read(c), op2::gbl_read(&s)); });
    const double daxpy_by_hand = on_memory_of(
        a, b, c, [&](double *a_, const double *b_, const double *) { hand_daxpy(length, end.threads, a_, b_, s); });
    const double daxpy_time =
        bench::seconds([&] { op_par_loop(daxpy, "daxpy", set, op2::rw(a), op2::read(b), op2::gbl_read(&s)); });
    if (round < 0) continue;
    triads.add(triad_by_hand, triad_time);
    daxpys.add(daxpy_by_hand, daxpy_time);
  }
  report("triad", end, length, triads);
  report("daxpy", end, length, daxpys);
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const auto forms = bench::compiled_forms();
  const int length = quick ? 1 << 20 : stream_length();
  const double mib = 1.0 / (1 << 20);
  bench::result("memory.sizes.array", length * 8 * mib, "MiB");
  bench::result("memory.sizes.last_level_cache", static_cast<double>(last_level_cache()) * mib, "MiB");
  for (const bench::BackEnd &end : bench::back_ends())
    if (end.threads == 1 || AirfoilHand::can_thread()) measure(end, length, quick ? bench::pairs_to_show : 31);
  return 0;
}

// SPDX-License-Identifier: MIT
