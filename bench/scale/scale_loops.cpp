// scale_loops.cpp: how long each airfoil loop takes on one process for meshes of several sizes, as a program gets it.
// Started by scale.cpp with the meshes' I and J; prints "loop NUMBER ELEMENTS SECONDS SECONDS" and
// "iteration 0 CELLS SECONDS SECONDS": the fastest of all, and the median.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/measure.hpp"

namespace {

// Loops are timed inside whole iterations, so that each finds in the caches what the others leave.
void measure(int I, int J) {
  const naca::Mesh mesh = naca::make_mesh(I, J);
  AirfoilLibrary library(mesh, "seq", 1);
  constexpr int warm = 4, fewest = 9, most = 400;
  constexpr double elements_to_measure = 4e6;
  const int iterations = std::clamp(static_cast<int>(elements_to_measure / mesh.ncell), fewest, most);
  std::array<std::vector<double>, AIRFOIL_KERNELS> times;
  std::vector<double> whole;
  const auto run = [&](int kernel) {
    times[static_cast<std::size_t>(kernel)].push_back(bench::seconds([&] { library.run(kernel); }));
  };
  for (int i = 0; i < warm + iterations; ++i) {
    if (i == warm)
      for (std::vector<double> &time : times) time.clear();
    const double seconds = bench::seconds([&] {
      run(AIRFOIL_SAVE_SOLN);
      for (int stage = 0; stage < 2; ++stage)
        for (int kernel = AIRFOIL_ADT_CALC; kernel <= AIRFOIL_UPDATE; ++kernel) run(kernel);
    });
    if (i >= warm) whole.push_back(seconds);
  }
  const auto say = [](const char *name, int number, int size, const std::vector<double> &seconds) {
    std::printf("%s %d %d %.9g %.9g\n", name, number, size, *std::min_element(seconds.begin(), seconds.end()),
                bench::median(seconds));
  };
  for (int kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel)
    say("loop", kernel, elements(mesh, kernel), times[static_cast<std::size_t>(kernel)]);
  say("iteration", 0, mesh.ncell, whole);
}

} // namespace

int main(int argc, char **argv) {
  try {
    for (int i = 1; i + 1 < argc; i += 2) measure(std::atoi(argv[i]), std::atoi(argv[i + 1]));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
