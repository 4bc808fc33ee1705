// compat.cpp: whole airfoil iterations of a program for OP2, through the headers that make such programs compile,
// beside the same through op2.hpp, on seq, in turn: in the range form as compiled with the program, and specialised.
//
// Judged on the small mesh, where what a loop costs beside its kernel shows: at most 1.10 in the range form, 1.05
// specialised; and both ways must arrive at the same residual.
#include "airfoil_compat.hpp"

#include <sys/mman.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "common/sizes.hpp"

namespace {

constexpr int warm_up = 4; // pages, plans, compiled code

// Where the variants' processes leave their last residuals.
struct Residuals {
  double cpp, compat;
};

class Shared {
 public:
  Shared() {
    void *const memory = mmap(nullptr, sizeof(Residuals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
    residuals_ = static_cast<Residuals *>(memory);
  }
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  ~Shared() { munmap(residuals_, sizeof *residuals_); }
  Residuals *operator->() const { return residuals_; }

 private:
  Residuals *residuals_;
};

// How many iterations make one sample: 20 ms and more.
int steps_of(const naca::Mesh &mesh) { return mesh.ncell < 100000 ? 16 : 2; }

double measure(const naca::Mesh &mesh, const std::string &row, double limit, int pairs) {
  const Shared last;
  const int steps = steps_of(mesh);
  bench::Variant cpp("op2.hpp", [&]() -> bench::Variant::Run {
    const auto library = std::make_shared<AirfoilLibrary>(mesh, "seq", 1);
    for (int i = 0; i < warm_up; ++i) library->iterate();
    return [library, steps, &last] {
      for (int i = 0; i < steps; ++i) library->iterate();
      last->cpp = library->rms();
    };
  });
  bench::Variant compat("headers", [&]() -> bench::Variant::Run {
    setenv("OP2_BACKEND", "self+seq", 1); // in a process of its own
    compat_airfoil_begin(mesh);
    for (int i = 0; i < warm_up; ++i) compat_airfoil_iterate();
    return [steps, &last] {
      for (int i = 0; i < steps; ++i) last->compat = compat_airfoil_iterate();
    };
  });
  const bench::Pairs times = bench::alternate(cpp, compat, pairs);
  bench::result(row + ".cpp", 1e3 / steps * bench::median(times.yardstick), "ms");
  bench::result(row + ".headers", 1e3 / steps * bench::median(times.subject), "ms");
  if (limit > 0)
    bench::check(row + ".headers_to_cpp", times.ratio(), limit, bench::Better::below, "x");
  else
    bench::result(row + ".headers_to_cpp", times.ratio(), "x");
  return std::fabs(last->compat / last->cpp - 1.0);
}

} // namespace

int main(int argc, char **argv) {
  const bench::Choice choice = bench::choose_sizes(argc, argv, {"40k", "1M"}, {"40k"});
  double difference = 0;
  for (const bench::Size &size : choice.sizes) {
    const naca::Mesh mesh = naca::make_mesh(size.I, size.J);
    const bool judged = size.name == "40k";
    const int pairs = choice.quick ? bench::fewest_pairs : 31;
    {
      const auto forms = bench::compiled_forms();
      bench::raise(difference, measure(mesh, "compat." + size.name + ".seq1_range", judged ? 1.10 : 0.0, pairs));
    }
    bench::raise(difference, measure(mesh, "compat." + size.name + ".seq1_specialised", judged ? 1.05 : 0.0, pairs));
  }
  bench::exact("compat.residuals.difference", difference, 1e-9, "relative");
  return 0;
}

// SPDX-License-Identifier: MIT
