// gpu_halo.cpp: an exchange between two processes with a GPU each, or one that they share, by transport
// (OP2_GPU_DIRECT; the library warns when it has to take another one): a loop that changes a row on each side, then a
// loop of one element that reads the other side's.
//
// Starts itself again under op2_launch, so no MPI is needed.
#include <sys/wait.h>
#include <unistd.h>

#include <op2/compat.h>
#include <array>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "gpu/gpu_driver.hpp"

namespace {

constexpr int dim = 16;
constexpr double apart = 1e6; // the rows of the two processes
constexpr std::array transports = {"off", "ipc", "kernel", "nccl"};

void mark(double *row) { row[0] += 1; }
void look(const double *row, double *sum) { *sum = row[0]; }

// Each process has `width` rows, all of which the other one's probes read.
struct Pair {
  op2::context context{"shm+cuda", 1};
  int rank, width;
  op2::set cells, probes;
  op2::map own, other;
  op2::dat<double, dim> rows;
  op2::dat<double, 1> seen;

  static std::vector<int> numbers(int first, int count) {
    std::vector<int> out;
    for (int i = 0; i < count; ++i) out.push_back(first + i);
    return out;
  }
  static int number() {
    int out = 0;
    op_rank(&out);
    return out;
  }
  explicit Pair(int w)
      : rank(number()),
        width(w),
        cells(w, "cells"),
        probes(w, "probes"),
        own(probes, cells, 1, numbers(rank * w, w), "own"),
        other(probes, cells, 1, numbers((1 - rank) * w, w), "other"),
        rows(cells, std::vector<double>(std::size_t(dim) * static_cast<std::size_t>(w), apart * rank), "rows"),
        seen(probes, nullptr, "seen") {}

  void change() { op_par_loop(mark, "mark", cells, op2::rw(rows)); }
  void exchange() { op_par_loop(look, "look", probes, op2::read(rows, 0, other), op2::write(seen)); }
  void look_at_own() { op_par_loop(look, "look_at_own", probes, op2::read(rows, 0, own), op2::write(seen)); }
};

// Seconds per round trip of one exchange; without exchange when `other` is false.
double per_round(Pair &pair, bool other, int batch) {
  double start = 0, end = 0;
  op_timers(nullptr, &start);
  for (int i = 0; i < batch; ++i) {
    pair.change();
    if (other)
      pair.exchange();
    else
      pair.look_at_own();
  }
  op_timers(nullptr, &end);
  return (end - start) / batch;
}

void measure(const std::string &transport, int width, bool quick) {
  Pair pair(width);
  std::vector<double> alone, with;
  for (int round = -2; round < bench::fewest_pairs; ++round) {
    const double a = per_round(pair, false, quick ? 2 : 100), b = per_round(pair, true, quick ? 2 : 100);
    if (round < 0) continue;
    alone.push_back(a);
    with.push_back(b);
  }
  // The right answer: every round marked each row once more.
  std::vector<double> seen(static_cast<std::size_t>(width));
  op_fetch_data(pair.seen, seen.data());
  const double expected = apart * (1 - pair.rank) + (bench::fewest_pairs + 2) * 2 * (quick ? 2 : 100);
  for (const double value : seen)
    if (value != expected) throw std::runtime_error("a row is wrong after the exchanges by " + transport);
  if (pair.rank != 0) return;
  const std::string row = "gpu_halo." + std::to_string(width * dim * 8) + "B_" + transport + ".";
  bench::result(row + "without", 1e6 * bench::median(alone), "us");
  bench::result(row + "with", 1e6 * bench::median(with), "us");
  bench::result(row + "exchange", 1e6 * (bench::median(with) - bench::median(alone)), "us");
}

int run_processes(const char *program, const char *transport, bool quick) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setenv("OP2_DECLARE", "local", 1);
    setenv("OP2_PARTITION", "off", 1);
    setenv("OP2_RENUMBER", "off", 1);
    setenv("OP2_FALLBACK", "error", 1);
    setenv("OP2_GPU_DIRECT", transport, 1);
    setenv("BENCH_GPU_HALO", transport, 1);
    execl(OP2_BENCH_LAUNCH, OP2_BENCH_LAUNCH, "-n", "2", program, quick ? "--quick" : nullptr, nullptr);
    std::perror(OP2_BENCH_LAUNCH);
    _exit(127);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const char *const transport = std::getenv("BENCH_GPU_HALO");
  if (!transport) {
    std::string why;
    const auto gpu = bench::GpuDriver::open(why);
    if (!gpu) {
      bench::skip("gpu_halo", why);
      return 0;
    }
    int worst = 0;
    for (const char *way : transports) {
      if (std::string(way) == "nccl" && gpu->count() < 2)
        bench::skip("gpu_halo.nccl", "NCCL does not serve two processes on one GPU");
      else
        worst |= run_processes(argv[0], way, quick);
    }
    return worst;
  }
  try {
    for (const int width : {1, 64, 1024, 16384})
      if (!quick || width < 1024) measure(transport, width, quick);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
