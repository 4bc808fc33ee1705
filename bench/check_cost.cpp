// check_cost.cpp: what verification costs: whole airfoil iterations on the executor `check` and on seq, in turn.
//
// Judged: at most 20 times seq.
#include <memory>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"

int main(int argc, char **argv) {
  const int pairs = bench::quick(argc, argv) ? bench::fewest_pairs : 31;
  const auto forms = bench::compiled_forms();
  const char *const judged = "verify.40k.check_to_seq";
  if (!bench::has_executor("check")) {
    bench::skip(judged, "op2_info lists no executor check");
    return 0;
  }
  const naca::Mesh mesh = naca::make_mesh(96, 144);
  const auto on = [&mesh](const char *executor) {
    return [&mesh, executor]() -> bench::Variant::Run {
      const auto library = std::make_shared<AirfoilLibrary>(mesh, executor, 1);
      return [library] { library->iterate(); };
    };
  };
  bench::Variant seq("seq", on("seq")), check("check", on("check"));
  const bench::Pairs times = bench::alternate(seq, check, pairs);
  bench::result("verify.40k.seq", 1e3 * bench::median(times.yardstick), "ms");
  bench::result("verify.40k.check", 1e3 * bench::median(times.subject), "ms");
  bench::result(judged, times.ratio(), "x");
  bench::check(judged, times.ratio(), 20, bench::Better::below, "x");
  return 0;
}

// SPDX-License-Identifier: MIT
