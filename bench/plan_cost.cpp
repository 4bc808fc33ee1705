// plan_cost.cpp: what the inspector costs: blocks and colours for res_calc over one million edges, in the mesh's own
// order and with nodes, cells and edges in random order, beside one run of res_calc itself.
#include <numeric>
#include <random>

#include "airfoil_c.h"
#include "airfoil_threads.hpp"
#include "google.hpp"
#include "plan/plan.hpp"

namespace {

std::vector<int> random_numbers(int n, std::mt19937 &random) {
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), random);
  return numbers;
}

// Moves row n to row to[n].
template <class T>
std::vector<T> moved(const std::vector<T> &rows, const std::vector<int> &to) {
  std::vector<T> out(rows.size());
  const std::size_t dim = rows.size() / to.size();
  for (std::size_t n = 0; n < to.size(); ++n)
    for (std::size_t k = 0; k < dim; ++k) out[static_cast<std::size_t>(to[n]) * dim + k] = rows[n * dim + k];
  return out;
}

void renumber(std::vector<int> &map, const std::vector<int> &to) {
  for (int &entry : map) entry = to[static_cast<std::size_t>(entry)];
}

naca::Mesh shuffled(naca::Mesh mesh) {
  std::mt19937 random(1); // the seed is part of the benchmark
  const auto nodes = random_numbers(mesh.nnode, random), cells = random_numbers(mesh.ncell, random),
             edges = random_numbers(mesh.nedge, random);
  for (std::vector<int> *map : {&mesh.cell_nodes, &mesh.edge_nodes, &mesh.bedge_nodes}) renumber(*map, nodes);
  for (std::vector<int> *map : {&mesh.edge_cells, &mesh.bedge_cell}) renumber(*map, cells);
  mesh.x = moved(mesh.x, nodes);
  mesh.cell_nodes = moved(mesh.cell_nodes, cells);
  mesh.edge_nodes = moved(mesh.edge_nodes, edges);
  mesh.edge_cells = moved(mesh.edge_cells, edges);
  return mesh;
}

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
  const double min_seconds = bench::quick(argc, argv) ? 0.05 : 0.2;
  const naca::Mesh natural = naca::make_mesh(338, 494); // 1.0 million edges
  const Case cases[] = {{"natural", natural}, {"shuffled", shuffled(natural)}};
  for (const Case &which : cases) add(which, min_seconds);
  const bench::Medians medians = bench::run_google();
  for (const Case &which : cases) {
    const std::string row = "plan." + which.name + ".";
    bench::result(row + "build_to_res_calc", medians.at(row + "build") / medians.at(row + "res_calc"), "x");
    bench::result(row + "colours", plan_of(which.mesh).ncolours, "colours");
  }
  return 0;
}
