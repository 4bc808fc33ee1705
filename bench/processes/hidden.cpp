// hidden.cpp: how much of a large exchange a loop hides: two processes, messages of 1 MiB. The loop alone, the exchange
// alone (before a loop of one element), and the loop with the exchange, in turn; in shared memory, and by messages.
// Starts itself again under mpirun.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <numeric>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"

namespace {

constexpr int width = 8192, layers = 48, own = width * layers;

void mark(double *row) { row[0] += 1e-9; }
void look(const double *row, double *sum) { *sum = row[0]; }
void flow(const double *left, const double *right, double *sum) {
  double total = 0;
  for (int i = 0; i < 16; ++i) total += left[i] * right[i];
  *sum = total;
}

// A strip of cells on each process; edges lead from each layer to the next, those between the strips are on both.
struct Strips {
  int rank;
  op2::context context{"mpi+seq", 1};
  op2::set cells, edges, ones;
  op2::map edge_cells, own_cell, other_cell;
  op2::dat<double, 16> rows;
  op2::dat<double, 1> sums, seen;

  static std::vector<int> between(int rank) {
    std::vector<int> out;
    for (int i = 0; i < own - width; ++i) out.insert(out.end(), {rank * own + i, rank * own + i + width});
    for (int i = 0; i < width; ++i) out.insert(out.end(), {own - width + i, own + i});
    return out;
  }
  explicit Strips(int r)
      : rank(r),
        cells(own, "cells"),
        edges(own, "edges"),
        ones(1, "ones"),
        edge_cells(edges, cells, 2, between(r), "edge_cells"),
        own_cell(ones, cells, 1, std::vector<int>{r * own + width}, "own_cell"),
        other_cell(ones, cells, 1, std::vector<int>{r == 0 ? own : own - 1}, "other_cell"),
        rows(cells, std::vector<double>(std::size_t(16) * own, 1.0), "rows"),
        sums(edges, nullptr, "sums"),
        seen(ones, nullptr, "seen") {}

  void change() { op_par_loop(mark, "mark", ones, op2::inc(rows, 0, own_cell)); }
  void exchange_alone() { op_par_loop(look, "look", ones, op2::read(rows, 0, other_cell), op2::write(seen)); }
  void loop() {
    op_par_loop(flow, "flow", edges, op2::read(rows, 0, edge_cells), op2::read(rows, 1, edge_cells), op2::write(sums));
  }
};

template <class Run>
double sample(const Run &run) {
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = bench::seconds(run);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

void measure(const std::string &way, int rounds) {
  int rank = 0;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    Strips strips(rank);
    std::vector<double> alone, exchange, both;
    for (int round = -2; round < rounds; ++round) {
      const double a = sample([&] { strips.loop(); });
      const double b = sample([&] {
        strips.change();
        strips.exchange_alone();
      });
      const double c = sample([&] {
        strips.change();
        strips.loop();
      });
      if (round < 0) continue;
      alone.push_back(a);
      exchange.push_back(b);
      both.push_back(c);
    }
    if (rank == 0) {
      const double a = bench::median(alone), b = bench::median(exchange), c = bench::median(both);
      const std::string row = "hidden.1MB_" + way + ".";
      bench::result(row + "loop", 1e6 * a, "us");
      bench::result(row + "exchange", 1e6 * b, "us");
      bench::result(row + "both", 1e6 * c, "us");
      bench::result("hidden_share.1MB_" + way + ".seen", 100 * (c - a) / b, "%");
    }
  }
  MPI_Finalize();
}

int run_ranks(const char *program, const char *way, bool quick) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    for (const char *variable :
         {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
      setenv(variable, "1", 0);
    setenv("OP2_DECLARE", "local", 1);
    setenv("OP2_PARTITION", "off", 1);
    setenv("OP2_RENUMBER", "off", 1);
    setenv("OP2_SHARED_MEMORY", std::string(way) == "memory" ? "on" : "off", 1);
    setenv("BENCH_HIDDEN_WAY", way, 1);
    execl(OP2_BENCH_MPIRUN, OP2_BENCH_MPIRUN, "--bind-to", "none", "-n", "2", program, quick ? "--quick" : nullptr,
          nullptr);
    std::perror(OP2_BENCH_MPIRUN);
    _exit(127);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const char *const way = std::getenv("BENCH_HIDDEN_WAY");
  if (!way) return run_ranks(argv[0], "memory", quick) | run_ranks(argv[0], "messages", quick);
  try {
    measure(way, quick ? bench::pairs_to_show : 10 * bench::fewest_pairs);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

// SPDX-License-Identifier: MIT
