// tasks.cpp: executor tasks in turn with executor openmp, two threads each: airfoil in chains and loop after loop, with
// and without another program that keeps one core busy, and a chain of loops whose elements cost 1 ... 20. And how long
// a task must be for half of the time of the threads to be work.
//
// An argument that is no option names the only row to be measured ("airfoil.1M", "uneven").
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"

namespace {

std::string only; // the row to be measured, "" = all

// Another program on the last core, as long as the object lives.
class BusyCore {
 public:
  BusyCore() : child_(fork()) {
    if (child_ != 0) return;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(std::thread::hardware_concurrency() - 1, &core);
    sched_setaffinity(0, sizeof core, &core);
    for (volatile unsigned long n = 0;;) n = n + 1;
  }
  BusyCore(const BusyCore &) = delete;
  BusyCore &operator=(const BusyCore &) = delete;
  ~BusyCore() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

// most: 0 = not judged.
template <class Prepare>
void measure(const std::string &name, double most, int pairs, bool busy, const Prepare &prepare) {
  if (!only.empty() && only != name) return;
  bench::Variant openmp("openmp", [&] { return prepare("openmp"); });
  bench::Variant tasks("tasks", [&] { return prepare("tasks"); });
  const std::unique_ptr<BusyCore> other = busy ? std::make_unique<BusyCore>() : nullptr;
  for (int warm = 0; warm < 48; ++warm) openmp.sample(), tasks.sample(); // forms and parts are chosen by time
  const bench::Pairs times = bench::alternate(openmp, tasks, pairs);
  const std::string row = "tasks." + name;
  bench::result(row + ".openmp", 1e3 * bench::median(times.yardstick), "ms");
  bench::result(row + ".tasks", 1e3 * bench::median(times.subject), "ms");
  const double ratio = times.ratio();
  if (most > 0)
    bench::check(row + ".tasks_to_openmp", ratio, most, bench::Better::below, "x");
  else
    bench::result(row + ".tasks_to_openmp", ratio, "x");
}

void airfoil(const std::string &name, int i, int j, bool chain, double most, int pairs, bool busy = false) {
  const int iterations = i < 200 ? 40 : 4;
  measure(name, most, pairs, busy, [&](const char *executor) -> bench::Variant::Run {
    const auto library = std::make_shared<AirfoilLibrary>(naca::make_mesh(i, j), executor, 2);
    return [library, chain, iterations] {
      for (int k = 0; k < iterations; ++k) chain ? library->iterate_in_chain(1) : library->iterate();
    };
  });
}

// An element works as long as its weight says.
void work(const double *weight, const double *left, const double *right, double *out) {
  double x = 0.5 * (*left + *right);
  const int rounds = static_cast<int>(*weight);
  for (int n = 0; n < rounds; ++n) x = x * 0.999 + 0.001 / (1.0 + x * x);
  *out = x;
}
void take(const double *in, double *out) { *out = *in; }

// Rounds of `work` on a line of elements, each of which reads what its neighbours had.
class Uneven {
 public:
  Uneven(const char *executor, int size, double least, double most)
      : context_(executor, 2),
        cells_(size, "cells"),
        sides_(cells_, cells_, 2, neighbours(size), "sides"),
        weight_(cells_, weights(size, least, most), "weight"),
        value_(cells_, std::vector<double>(static_cast<std::size_t>(size), 1.0), "value"),
        next_(cells_, nullptr, "next") {}

  void run(int rounds) {
    op_chain_begin("rounds");
    for (int k = 0; k < rounds; ++k) {
      op_par_loop(work, "work", cells_, op2::read(weight_), op2::read(value_, 0, sides_), op2::read(value_, 1, sides_),
                  op2::write(next_));
      op_par_loop(take, "take", cells_, op2::read(next_), op2::write(value_));
    }
    op_chain_end();
  }

 private:
  static std::vector<int> neighbours(int size) {
    std::vector<int> out;
    for (int n = 0; n < size; ++n) out.insert(out.end(), {std::max(n - 1, 0), std::min(n + 1, size - 1)});
    return out;
  }
  static std::vector<double> weights(int size, double least, double most) {
    std::vector<double> out;
    for (int n = 0; n < size; ++n) out.push_back(least + (most - least) * n / size);
    return out;
  }
  op2::context context_;
  op2::set cells_;
  op2::map sides_;
  op2::dat<double, 1> weight_, value_, next_;
};

void uneven(const std::string &name, double most, int pairs, bool busy) {
  measure(name, most, pairs, busy, [](const char *executor) -> bench::Variant::Run {
    const auto problem = std::make_shared<Uneven>(executor, 200000, 2, 40);
    return [problem] { problem->run(6); };
  });
}

// A chain of loops in a fixed number of tasks, whose elements all take the same time: less from level to level.
constexpr int short_rows = 16384, short_loops = 12;
constexpr int short_parts = short_rows * 16 / 1024 + 1; // with OP2_CHAIN_TILE=1, for two dats
constexpr int levels[] = {200, 100, 50, 25, 12, 6, 3, 1};
constexpr int runs_of_level = 25, first_runs = 8; // the first ones at the first level: parts are chosen by time
int rounds = levels[0];

void spin(const double *in, double *out) {
  double x = *in;
  for (int n = 0; n < rounds; ++n) x = x * 0.999 + 0.001 / (1.0 + x * x);
  *out = x;
}

class Short {
 public:
  explicit Short(const char *executor, int threads)
      : context_(executor, threads),
        cells_(short_rows, "cells"),
        x_(cells_, std::vector<double>(short_rows, 1.0), "x"),
        y_(cells_, nullptr, "y") {}
  void run() {
    rounds = levels[std::max(0, count_++ - first_runs) / runs_of_level];
    op_chain_begin("short");
    for (int k = 0; k < short_loops / 2; ++k) {
      op_par_loop(spin, "spin", cells_, op2::read(x_), op2::write(y_));
      op_par_loop(spin, "spin_back", cells_, op2::read(y_), op2::write(x_));
    }
    op_chain_end();
  }

 private:
  op2::context context_;
  op2::set cells_;
  op2::dat<double, 1> x_, y_;
  int count_ = 0;
};

bench::Variant::Run prepare_short(const char *executor, int threads) {
  setenv("OP2_CHAIN_TILE", threads > 1 ? "1" : "1000000", 1);
  setenv("OP2_JIT", "off", 1);
  const auto problem = std::make_shared<Short>(executor, threads);
  return [problem] { problem->run(); };
}

// How long a task must be for half of the time of two threads to be work: the time that one thread alone needs for it.
void shortest_task() {
  if (!only.empty() && only != "half_efficiency") return;
  bench::Variant alone("seq", [] { return prepare_short("seq", 1); });
  bench::Variant tasks("tasks", [] { return prepare_short("tasks", 2); });
  for (int warm = 1; warm < first_runs; ++warm) alone.sample(), tasks.sample();
  double shorter = 0, efficiency_of_shorter = 0;
  std::vector<std::pair<double, double>> found; // length of a task in microseconds, and the efficiency
  for (std::size_t level = 0; level < std::size(levels); ++level) {
    std::vector<double> work, shared;
    for (int run = 0; run < runs_of_level; ++run) work.push_back(alone.sample()), shared.push_back(tasks.sample());
    const double useful = std::ranges::min(work); // whatever else the machine does only adds to times
    found.emplace_back(1e6 * useful / (short_loops * short_parts), useful / 2 / std::ranges::min(shared));
  }
  for (std::size_t at = found.size(); at-- > 0;) {
    const auto [task, efficiency] = found[at];
    if (efficiency >= 0.5) {
      const double part = (efficiency - 0.5) / (efficiency - efficiency_of_shorter);
      const double half = shorter > 0 ? task * std::pow(shorter / task, part) : task;
      return bench::result("tasks.half_efficiency", half, "us", shorter > 0 ? "" : "or less");
    }
    shorter = task, efficiency_of_shorter = efficiency;
  }
  bench::skip("tasks.half_efficiency", "two threads are no faster than one: something else needs the cores");
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && argv[argc - 1][0] != '-') only = argv[--argc];
  const bool quick = bench::quick(argc, argv);
  const int pairs = quick ? bench::pairs_to_show : 31;
  if (std::thread::hardware_concurrency() < 2 || !bench::has_executor("tasks") || !bench::has_executor("openmp")) {
    bench::skip("tasks.airfoil.1M.tasks_to_openmp", "it needs two cores and the executors tasks and openmp");
    return 0;
  }
  airfoil("airfoil.40k", 96, 144, true, 0, pairs);
  uneven("uneven", 0.80, pairs, false);
  shortest_task();
  if (quick) return 0;
  airfoil("airfoil.1M", 480, 700, true, 1.0, pairs);
  airfoil("airfoil.1M_loops", 480, 700, false, 0, pairs);
  uneven("uneven_busy", 0.75, pairs, true);
  airfoil("airfoil.1M_busy", 480, 700, true, 0.75, pairs, true);
  airfoil("airfoil.1M_loops_busy", 480, 700, false, 0.75, pairs, true);
  return 0;
}
// SPDX-License-Identifier: MIT
