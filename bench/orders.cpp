// orders.cpp: whether OP2_RENUMBER=auto takes the order in which loops are fastest: a finite volume scheme with
// gradients over the faces of a mesh, and a finite element residual over its tetrahedra, in the order that the mesh has
// (`declared`), in the library's own (`renumbered`), and as the library decides (`automatic`), in turn.
//
//   bench_orders [--quick] [--threads N] [MESH FILE...]
//
// Without files: a box of tetrahedra row by row, at random, and along a curve. bench/make_meshes.sh makes files by
// programs of others. Judged: `automatic` relative to the better one of the two others.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "op2/op2.hpp"
// Where the library finds the kernels' text, too.
#include "../examples/tets/box_mesh.hpp"
#include "orders_kernels.h"

namespace {

constexpr double most_slower = 1.02;
constexpr int steps = 3; // of a measured run

struct Options {
  int threads = 1, rounds = 21, prepare = 80;
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

std::function<bench::Variant::Run()> in_order(const std::string &file, const Options &options, const char *renumber) {
  return [=]() -> bench::Variant::Run {
    setenv("OP2_RENUMBER", renumber, 1);
    const auto solver = std::make_shared<Solver>(file, options.threads);
    for (int step = 0; step < options.prepare; ++step) solver->step(); // forms of the loops are chosen meanwhile
    return [solver] {
      for (int step = 0; step < steps; ++step) solver->step();
    };
  };
}

void measure(const std::string &file, const Options &options, bool judged) {
  const std::string row = "orders." + std::filesystem::path(file).stem().string() +
                          (options.threads == 1 ? ".seq1." : ".openmp" + std::to_string(options.threads) + ".");
  bench::Variant declared("declared", in_order(file, options, "off"));
  bench::Variant renumbered("renumbered", in_order(file, options, "always"));
  bench::Variant automatic("automatic", in_order(file, options, "auto"));
  std::vector<double> a, b, c;
  for (int round = 0; round < options.rounds; ++round)
    a.push_back(declared.sample()), b.push_back(renumbered.sample()), c.push_back(automatic.sample());
  const std::vector<double> &best = bench::median(a) <= bench::median(b) ? a : b;
  bench::Pairs to_best;
  for (std::size_t i = 0; i < c.size(); ++i) to_best.add(best[i], c[i]);
  bench::result(row + "declared", 1e3 / steps * bench::median(a), "ms");
  bench::result(row + "renumbered", 1e3 / steps * bench::median(b), "ms");
  bench::result(row + "automatic", 1e3 / steps * bench::median(c), "ms");
  bench::result(row + "automatic_to_best", to_best.ratio(), "x");
  if (judged) bench::check(row + "automatic_to_best", to_best.ratio(), most_slower, bench::Better::below, "x");
}

// The place of a small cube, of 2^bits along each axis, on the curve of Morton.
int on_curve(int x, int y, int z, int bits) {
  int out = 0;
  for (int bit = 0; bit < bits; ++bit) out |= ((x >> bit & 1) | (y >> bit & 1) << 1 | (z >> bit & 1) << 2) << (3 * bit);
  return out;
}

// The mesh as a file of Gmsh's version 2.2. curve: cells along it.
void write(const box::Mesh &mesh, int bits, bool curve, const std::string &file) {
  std::vector<std::size_t> order(static_cast<std::size_t>(mesh.ncell));
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  const int side = 1 << bits;
  const auto place = [&](std::size_t cell) {
    const int cube = static_cast<int>(cell / 6);
    return on_curve(cube % side, cube / side % side, cube / side / side, bits);
  };
  if (curve) std::ranges::stable_sort(order, {}, place);
  std::ofstream out(file);
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" << mesh.nnode << '\n';
  for (std::size_t n = 0; n < static_cast<std::size_t>(mesh.nnode); ++n)
    out << n + 1 << ' ' << mesh.x[3 * n] << ' ' << mesh.x[3 * n + 1] << ' ' << mesh.x[3 * n + 2] << '\n';
  out << "$EndNodes\n$Elements\n" << mesh.ncell << '\n';
  for (std::size_t n = 0; n < order.size(); ++n) {
    out << n + 1 << " 4 2 0 1";
    for (std::size_t k = 0; k < 4; ++k) out << ' ' << mesh.cell_nodes[4 * order[n] + k] + 1;
    out << '\n';
  }
  out << "$EndElements\n";
}

void measure_boxes(const Options &options, bool quick) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("op2_bench_orders_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const int bits = quick ? 3 : 5;
  for (const char *const kind : {"box_rows", "box_curve", "box_shuffled"}) {
    const std::string word = kind, file = folder / (word + ".msh");
    write(box::make_mesh({.n = 1 << bits, .shuffle = word == "box_shuffled" ? 7 : 0}), bits, word == "box_curve", file);
    measure(file, options, !quick);
  }
  std::filesystem::remove_all(folder);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  bool quick = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      quick = true;
    } else if (word == "--threads" && i + 1 < argc) {
      options.threads = std::max(std::atoi(argv[++i]), 1);
    } else if (word.starts_with("-")) {
      std::fprintf(word == "--help" ? stdout : stderr, "usage: %s [--quick] [--threads N] [MESH FILE...]\n", argv[0]);
      return word == "--help" ? 0 : 2;
    } else {
      options.files.push_back(word);
    }
  }
  if (quick) options.rounds = bench::pairs_to_show, options.prepare = 5;
  for (const std::string &file : options.files) measure(file, options, !quick);
  if (options.files.empty()) measure_boxes(options, quick);
  return 0;
}

// SPDX-License-Identifier: MIT
