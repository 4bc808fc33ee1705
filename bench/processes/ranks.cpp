// ranks.cpp: whole airfoil iterations on two processes beside one process and beside two threads, in turn, as a program
// gets them that sets nothing.
//
// Judged: the time of two processes relative to one, and to two threads.
#include <cstdlib>
#include <string>
#include <thread>

#include "common/back_ends.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/served.hpp"
#include "common/sizes.hpp"

namespace {

// Judged at the size that the limits are for.
void ratio(const bench::Size &size, const char *name, const bench::Pairs &pairs, double limit) {
  const std::string whole = "ranks." + size.name + "." + name;
  if (size.name == "1M")
    bench::check(whole, pairs.ratio(), limit, bench::Better::below, "x");
  else
    bench::result(whole, pairs.ratio(), "x");
}

// Processes stay on their cores, as mpirun does by itself with two of them.
std::vector<std::string> start(const bench::Size &size, bool launched, const char *back_end, int threads) {
  std::vector<std::string> words;
  if (launched) words = {OP2_BENCH_MPIRUN, "--bind-to", "core", "-n", "2"};
  words.insert(words.end(), {OP2_BENCH_RANKS_RUN, back_end, std::to_string(threads), std::to_string(size.I),
                             std::to_string(size.J)});
  return words;
}

void measure(const bench::Size &size, bool openmp, int rounds, int iterations) {
  bench::Served ranks(start(size, true, "mpi+seq", 1)), one(start(size, false, "self+seq", 1)),
      threads(start(size, false, openmp ? "self+openmp" : "self+seq", openmp ? 2 : 1));
  bench::Pairs with_one, with_threads;
  for (int round = 0; round < rounds; ++round) {
    const double two = ranks.sample(iterations);
    with_one.add(one.sample(iterations), two);
    with_threads.add(threads.sample(iterations), two);
  }
  const std::string row = "ranks_iteration." + size.name + ".";
  const double scale = 1e3 / iterations;
  bench::result(row + "ranks2", scale * bench::median(with_one.subject), "ms");
  bench::result(row + "seq1", scale * bench::median(with_one.yardstick), "ms");
  ratio(size, "2_ranks_to_1", with_one, 0.65);
  if (!openmp) return bench::skip("ranks." + size.name + ".2_ranks_to_2_threads", "there is no executor openmp");
  bench::result(row + "openmp2", scale * bench::median(with_threads.yardstick), "ms");
  ratio(size, "2_ranks_to_2_threads", with_threads, 1.05);
}

} // namespace

int main(int argc, char **argv) {
  const bench::Choice choice = bench::choose_sizes(argc, argv, {"1M"}, {"40k"});
  if (std::thread::hardware_concurrency() < 2) {
    for (const char *name : {"2_ranks_to_1", "2_ranks_to_2_threads"})
      bench::skip(std::string("ranks.1M.") + name, "this machine has one core");
    return 0;
  }
  for (const char *variable :
       {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
    setenv(variable, "1", 0);
  setenv("OP2_DECLARE", "replicated", 1);
  try {
    for (const bench::Size &size : choice.sizes)
      measure(size, bench::has_executor("openmp"), choice.quick ? bench::pairs_to_show : 31, 4);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
