// ranks_run.cpp: airfoil on demand, in one process or in several, for bench_ranks: reads numbers of iterations, 0 ends
// it, and prints how many seconds they took.
//
//   bench_ranks_run BACK_END THREADS I J
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "airfoil/airfoil_library.hpp"
#include "common/measure.hpp"

namespace {

// The processes of this run; a run of one has nothing to do with MPI.
class Processes {
 public:
  explicit Processes(bool several) : several_(several) {
    if (!several_) return;
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }
  ~Processes() {
    if (several_) MPI_Finalize();
  }
  Processes(const Processes &) = delete;
  Processes &operator=(const Processes &) = delete;

  [[nodiscard]] bool first() const { return rank_ == 0; }

  // The next number that somebody writes. Those who wait leave the cores to the variant that is measured.
  [[nodiscard]] int next() const {
    int count = 0;
    if (first() && std::scanf("%d", &count) != 1) count = 0;
    if (!several_) return count;
    MPI_Request told = MPI_REQUEST_NULL;
    MPI_Ibcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD, &told);
    for (int done = 0; !done;) {
      MPI_Test(&told, &done, MPI_STATUS_IGNORE);
      if (!done) usleep(500);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return count;
  }

  void tell(double seconds) const {
    if (several_) MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (first()) std::printf("%.9g\n", seconds);
    std::fflush(stdout);
  }

 private:
  bool several_;
  int rank_ = 0;
};

void serve(const char *back_end, int threads, int I, int J) {
  const Processes processes(std::strncmp(back_end, "mpi", 3) == 0);
  AirfoilLibrary library(naca::make_mesh(I, J), back_end, threads);
  library.iterate();
  processes.tell(0);
  while (const int count = processes.next())
    processes.tell(bench::seconds([&] {
      for (int i = 0; i < count; ++i) library.iterate();
    }));
}

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 5) throw std::runtime_error("this program is started by bench_ranks");
    serve(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    int running = 0;
    MPI_Initialized(&running);
    if (running) MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}

// SPDX-License-Identifier: MIT
