// orders.cpp: whether OP2_RENUMBER=auto takes the order in which loops are fastest, on meshes of others: a finite
// volume scheme with gradients over the faces of a mesh file, and a finite element residual over its cells, each as the
// file has it (`declared`), in the library's own order (`renumbered`), and as the library decides (`automatic`), in
// turn.
//
//   bench_orders [--quick] [--threads N] [--rounds N] [mesh file...]    without files: a box of tetrahedra, shuffled
//   and not
//
// Judged: `automatic` relative to the better one of the two others.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "op2/op2.hpp"
// Where the library finds the kernels' text, too.
#include "orders_kernels.h"

namespace {

constexpr double most_slower = 1.02;

struct Options {
  int threads = 1, rounds = 21;
  std::vector<std::string> files;
};

// Whether the mesh of this summary has no other cells.
bool tetrahedra(const std::string &info) {
  const auto has = [&](const char *type) { return info.find(type) != std::string::npos; };
  return has("tetrahedra") && !has("hexahedra") && !has("prisms") && !has("pyramids") && !has("polyhedra");
}

// Values of a solver on the sets of a mesh, and its loops.
class Solver {
 public:
  Solver(const std::string &file, int threads)
      : executor_("OP2_BACKEND", threads == 1 ? "seq" : "openmp"),
        threads_("OP2_NUM_THREADS", std::to_string(threads)),
        context_(std::make_unique<op2::context>()),
        mesh_(file) {
    mesh_.declare();
    cells_ = mesh_.set("cells"), faces_ = mesh_.set("faces");
    face_cells_ = mesh_.map("face_cells");
    const auto values = [](const op2::set &set, int dim) {
      std::vector<double> out(static_cast<std::size_t>(set.size()) * static_cast<std::size_t>(dim));
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = 1 + 0.001 * static_cast<double>(i % 997);
      return out;
    };
    q_ = {cells_, values(cells_, 5).data(), "q"};
    gradient_ = {cells_, nullptr, "gradient"};
    residual_ = {cells_, nullptr, "residual"};
    normal_ = {faces_, values(faces_, 3).data(), "normal"};
    const op2::mesh_file::table<double> x = mesh_.reals("x");
    if (x.dim != 3 || !tetrahedra(mesh_.info())) return;
    nodes_ = mesh_.set("nodes");
    corners_ = mesh_.map("cell_nodes");
    x_ = {nodes_, x.data, "place"};
    t_ = {nodes_, values(nodes_, 1).data(), "t"};
    flow_ = {nodes_, nullptr, "flow"};
    elements_ = true;
  }

  void step() {
    op_par_loop(add_gradients, "add_gradients", faces_, op2::read(normal_), op2::read(q_, 0, face_cells_),
                op2::read(q_, 1, face_cells_), op2::inc(gradient_, 0, face_cells_),
                op2::inc(gradient_, 1, face_cells_));
    op_par_loop(add_fluxes, "add_fluxes", faces_, op2::read(normal_), op2::read(q_, 0, face_cells_),
                op2::read(q_, 1, face_cells_), op2::read(gradient_, 0, face_cells_),
                op2::read(gradient_, 1, face_cells_), op2::inc(residual_, 0, face_cells_),
                op2::inc(residual_, 1, face_cells_));
    op_par_loop(advance, "advance", cells_, op2::rw(q_), op2::rw(residual_), op2::rw(gradient_));
    if (!elements_) return;
    op_par_loop(conduct, "conduct", cells_, op2::read(x_, op2::all<4>, corners_), op2::read(t_, op2::all<4>, corners_),
                op2::inc(flow_, op2::all<4>, corners_));
    op_par_loop(relax, "relax", nodes_, op2::rw(t_), op2::rw(flow_));
  }

 private:
  bench::Setting executor_, threads_;
  std::unique_ptr<op2::context> context_;
  op2::mesh_file mesh_;
  op2::set cells_, faces_, nodes_;
  op2::map face_cells_, corners_;
  op2::dat<double, 5> q_, residual_;
  op2::dat<double, 15> gradient_;
  op2::dat<double, 3> normal_, x_;
  op2::dat<double, 1> t_, flow_;
  bool elements_ = false;
};

std::function<bench::Variant::Run()> in_order(const std::string &file, int threads, const char *renumber) {
  return [=]() -> bench::Variant::Run {
    setenv("OP2_RENUMBER", renumber, 1);
    const auto solver = std::make_shared<Solver>(file, threads);
    for (int step = 0; step < 80; ++step) solver->step(); // forms of the loops are chosen meanwhile
    return [solver] {
      for (int step = 0; step < 3; ++step) solver->step();
    };
  };
}

void measure(const std::string &file, const Options &options) {
  std::string name = std::filesystem::path(file).stem();
  bench::Variant declared("declared", in_order(file, options.threads, "off"));
  bench::Variant renumbered("renumbered", in_order(file, options.threads, "always"));
  bench::Variant automatic("automatic", in_order(file, options.threads, "auto"));
  std::vector<double> a, b, c;
  for (int round = 0; round < options.rounds; ++round)
    a.push_back(declared.sample()), b.push_back(renumbered.sample()), c.push_back(automatic.sample());
  bench::Pairs to_best;
  for (std::size_t i = 0; i < c.size(); ++i) to_best.add(bench::median(a) <= bench::median(b) ? a[i] : b[i], c[i]);
  const std::string row = "orders." + name + (options.threads == 1 ? ".seq1." : ".openmp2.");
  bench::result(row + "declared", 1e3 / 3 * bench::median(a), "ms");
  bench::result(row + "renumbered", 1e3 / 3 * bench::median(b), "ms");
  bench::result(row + "automatic", 1e3 / 3 * bench::median(c), "ms");
  bench::check(row + "automatic_to_best", to_best.ratio(), most_slower, bench::Better::below, "x");
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--threads" && i + 1 < argc)
      options.threads = std::atoi(argv[++i]);
    else if (word == "--rounds" && i + 1 < argc)
      options.rounds = std::atoi(argv[++i]);
    else
      options.files.push_back(word);
  }
  for (const std::string &file : options.files) measure(file, options);
  return 0;
}
