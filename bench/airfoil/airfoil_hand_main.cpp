// airfoil_hand_main.cpp: runs the hand-written airfoil loops on a mesh and prints the rms and the time of each loop.
//
//   gcc -O2 -std=c99 -c ../examples/airfoil/mesh_reader.c
//   g++ -O3 -std=c++20 -march=native -fno-math-errno -ffp-contract=off -I../examples/airfoil airfoil_hand*.cpp
//   mesh_reader.o
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "airfoil/airfoil_hand.hpp"
#include "mesh_reader.h"

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

// A loop's name, its elements in one iteration, and the time it took.
struct Timing {
  const char *name;
  double elements;
  double ms;
};

template <class Loop>
void timed(Timing &timing, Loop &&loop) {
  const auto begin = Clock::now();
  std::forward<Loop>(loop)();
  timing.ms += milliseconds(begin, Clock::now());
}

void run(const airfoil_mesh &mesh, int iterations) {
  const HandConstants k = hand_constants();
  const auto cells = static_cast<std::size_t>(mesh.ncell);
  std::vector<double> q(4 * cells), qold(4 * cells), res(4 * cells, 0.0), adt(cells);
  for (std::size_t n = 0; n < q.size(); ++n) q[n] = k.qinf[n % 4];
  Timing save{"save_soln", 1.0 * mesh.ncell, 0}, area{"adt_calc", 2.0 * mesh.ncell, 0},
      flux{"res_calc", 2.0 * mesh.nedge, 0}, border{"bres_calc", 2.0 * mesh.nbedge, 0},
      step{"update", 2.0 * mesh.ncell, 0};
  double rms = 0;
  const auto begin = Clock::now();
  for (int iteration = 1; iteration <= iterations; ++iteration) {
    double maxerr = 0;
    int errloc = 0;
    timed(save, [&] { hand_save_soln(mesh.ncell, q.data(), qold.data()); });
    for (int stage = 0; stage < 2; ++stage) {
      rms = maxerr = 0;
      errloc = 0;
      timed(area, [&] { hand_adt_calc(k, mesh.ncell, mesh.cell_nodes, mesh.x, q.data(), adt.data()); });
      timed(flux, [&] {
        hand_res_calc(k, mesh.nedge, mesh.edge_nodes, mesh.edge_cells, mesh.x, q.data(), adt.data(), res.data());
      });
      timed(border, [&] {
        hand_bres_calc(k, mesh.nbedge, mesh.bedge_nodes, mesh.bedge_cell, mesh.bound, mesh.x, q.data(), adt.data(),
                       res.data());
      });
      timed(step, [&] { hand_update(mesh.ncell, qold.data(), q.data(), res.data(), adt.data(), rms, maxerr, errloc); });
    }
    rms = std::sqrt(rms / mesh.ncell);
    if (iteration % 100 == 0) std::printf(" %d  %10.5e, max err: %3.15E at %d\n", iteration, rms, maxerr, errloc);
  }
  const double total = milliseconds(begin, Clock::now());
  std::printf("rms %.15e after %d iterations, %.3f ms per iteration\n", rms, iterations, total / iterations);
  std::printf("%-10s %15s %15s\n", "loop", "ms/iteration", "ns/element");
  for (const Timing &timing : {save, area, flux, border, step})
    std::printf("%-10s %15.4f %15.3f\n", timing.name, timing.ms / iterations,
                1e6 * timing.ms / iterations / (timing.elements > 0 ? timing.elements : 1));
}

} // namespace

int main(int argc, char **argv) {
  const bool help = argc == 2 && std::strcmp(argv[1], "--help") == 0;
  char *end = nullptr;
  const long iterations = argc == 3 ? std::strtol(argv[2], &end, 10) : 100;
  if (help || argc < 2 || argc > 3 || iterations < 1 || iterations > 100000000 || (end && *end)) {
    std::fputs("usage: airfoil_hand mesh-file [iterations]\n", help ? stdout : stderr);
    return help ? 0 : 2;
  }
  airfoil_mesh mesh;
  char message[512];
  const auto begin = Clock::now();
  if (airfoil_mesh_read(argv[1], &mesh, message, sizeof message) != 0) {
    std::fprintf(stderr, "airfoil_hand: %s\n", message);
    return 2;
  }
  std::printf("%d nodes, %d cells, %d edges, %d boundary edges, read in %.0f ms\n", mesh.nnode, mesh.ncell, mesh.nedge,
              mesh.nbedge, milliseconds(begin, Clock::now()));
  run(mesh, static_cast<int>(iterations));
  airfoil_mesh_free(&mesh);
  return 0;
}

// SPDX-License-Identifier: MIT
