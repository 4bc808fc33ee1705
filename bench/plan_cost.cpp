// plan_cost.cpp: what the inspector costs: blocks and colours for res_calc over one million edges, in the mesh's own
// order and with nodes, cells and edges in random order, beside one run of res_calc itself.
#include "airfoil/airfoil_c.h"
#include "airfoil/airfoil_threads.hpp"
#include "common/google.hpp"
#include "common/shuffle.hpp"
#include "plan/plan.hpp"

namespace {

op2::core::Plan plan_of(const naca::Mesh &mesh) {
  op2::core::PlanRequest request;
  request.kind = OP_PLAN_BLOCK_COLOURS;
  request.end = mesh.nedge;
  request.groups = {{{{mesh.edge_cells.data(), 2, 0, 2, mesh.ncell}}}};
  return op2::core::build_plan(request);
}

struct Case {
  std::string name;
  naca::Mesh mesh;
};

void add(const Case &which, double min_seconds) {
  bench::repeated(benchmark::RegisterBenchmark(("plan." + which.name + ".build").c_str(),
                                               [&](benchmark::State &state) {
                                                 for (auto _ : state) benchmark::DoNotOptimize(plan_of(which.mesh));
                                               }),
                  min_seconds, benchmark::kMillisecond);
  bench::repeated(benchmark::RegisterBenchmark(("plan." + which.name + ".res_calc").c_str(),
                                               [&](benchmark::State &state) {
                                                 AirfoilHand hand(which.mesh, 1);
                                                 hand.run(AIRFOIL_ADT_CALC);
                                                 for (auto _ : state) hand.run(AIRFOIL_RES_CALC);
                                               }),
                  min_seconds, benchmark::kMillisecond);
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const double min_seconds = quick ? 0.01 : 0.2;
  const naca::Mesh natural = quick ? naca::make_mesh(96, 144) : naca::make_mesh(338, 494); // 1.0 million edges
  const Case cases[] = {{"natural", natural}, {"shuffled", bench::shuffled(natural)}};
  for (const Case &which : cases) add(which, min_seconds);
  const bench::Medians medians = bench::run_google();
  for (const Case &which : cases) {
    const std::string row = "plan." + which.name + ".";
    bench::result(row + "build_to_res_calc", medians.at(row + "build") / medians.at(row + "res_calc"), "x");
    bench::result(row + "colours", plan_of(which.mesh).ncolours, "colours");
  }
  return 0;
}

// SPDX-License-Identifier: MIT
