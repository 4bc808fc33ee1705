// airfoil_ratio [I J] [--rounds N]: what libop2 costs and brings on the airfoil loops, as ratios within one run.
//
// First table: each kernel on one thread, the generated range form on seq against the hand-written loop, the two in
// turn on the same mesh; medians. Second table: whole iterations on openmp with one and two threads, in turn as well.
// Prints a verdict for the bounds the project holds to: range form <= 1.15 x the hand-written loop for adt_calc,
// res_calc and update; two threads at least 1.6 x faster than one. The default mesh, 480 x 700, has 1 008 000 cells.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "airfoil_hand.hpp"
#include "airfoil_kernels.h"
#include "naca_mesh.hpp"

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

std::vector<double> free_stream(int ncell) {
  std::vector<double> q(4 * static_cast<std::size_t>(ncell));
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = qinf[i % 4];
  return q;
}

// The loops by hand, on plain arrays.
struct Hand {
  const naca::Mesh &mesh;
  HandConstants constants = hand_constants();
  std::vector<double> q, qold, adt, res;
  double rms = 0, maxerr = 0;
  int errloc = 0;

  explicit Hand(const naca::Mesh &m)
      : mesh(m), q(free_stream(m.ncell)), qold(q.size()), adt(static_cast<std::size_t>(m.ncell)), res(q.size()) {}
  void save_soln() { hand_save_soln(mesh.ncell, q.data(), qold.data()); }
  void adt_calc() { hand_adt_calc(constants, mesh.ncell, mesh.cell_nodes.data(), mesh.x.data(), q.data(), adt.data()); }
  void res_calc() {
    hand_res_calc(constants, mesh.nedge, mesh.edge_nodes.data(), mesh.edge_cells.data(), mesh.x.data(), q.data(),
                  adt.data(), res.data());
  }
  void bres_calc() {
    hand_bres_calc(constants, mesh.nbedge, mesh.bedge_nodes.data(), mesh.bedge_cell.data(), mesh.bound.data(),
                   mesh.x.data(), q.data(), adt.data(), res.data());
  }
  void update() {
    rms = maxerr = 0;
    hand_update(mesh.ncell, qold.data(), q.data(), res.data(), adt.data(), rms, maxerr, errloc);
  }
};

// The same loops through the library.
struct Library {
  op2::context context;
  op2::set nodes, edges, bedges, cells;
  op2::map edge_nodes, edge_cells, bedge_nodes, bedge_cell, cell_nodes;
  op2::dat<double, 2> x;
  op2::dat<double, 4> q, qold, res;
  op2::dat<double, 1> adt;
  op2::dat<int, 1> bound;
  double rms = 0, maxerr = 0;
  int errloc = 0;

  Library(const naca::Mesh &m, const char *backend, int threads)
      : context(backend, threads),
        nodes(m.nnode, "nodes"),
        edges(m.nedge, "edges"),
        bedges(m.nbedge, "bedges"),
        cells(m.ncell, "cells"),
        edge_nodes(edges, nodes, 2, m.edge_nodes.data(), "edge_nodes"),
        edge_cells(edges, cells, 2, m.edge_cells.data(), "edge_cells"),
        bedge_nodes(bedges, nodes, 2, m.bedge_nodes.data(), "bedge_nodes"),
        bedge_cell(bedges, cells, 1, m.bedge_cell.data(), "bedge_cell"),
        cell_nodes(cells, nodes, 4, m.cell_nodes.data(), "cell_nodes"),
        x(nodes, m.x.data(), "x"),
        q(cells, free_stream(m.ncell).data(), "q"),
        qold(cells, nullptr, "qold"),
        res(cells, nullptr, "res"),
        adt(cells, nullptr, "adt"),
        bound(bedges, m.bound.data(), "bound") {}

  void save() { op_par_loop(save_soln, "save_soln", cells, op2::read(q), op2::write(qold)); }
  void calc_adt() {
    op_par_loop(adt_calc, "adt_calc", cells, op2::read(x, 0, cell_nodes), op2::read(x, 1, cell_nodes),
                op2::read(x, 2, cell_nodes), op2::read(x, 3, cell_nodes), op2::read(q), op2::write(adt));
  }
  void calc_res() {
    op_par_loop(res_calc, "res_calc", edges, op2::read(x, 0, edge_nodes), op2::read(x, 1, edge_nodes),
                op2::read(q, 0, edge_cells), op2::read(q, 1, edge_cells), op2::read(adt, 0, edge_cells),
                op2::read(adt, 1, edge_cells), op2::inc(res, 0, edge_cells), op2::inc(res, 1, edge_cells));
  }
  void calc_bres() {
    op_par_loop(bres_calc, "bres_calc", bedges, op2::read(x, 0, bedge_nodes), op2::read(x, 1, bedge_nodes),
                op2::read(q, 0, bedge_cell), op2::read(adt, 0, bedge_cell), op2::inc(res, 0, bedge_cell),
                op2::read(bound));
  }
  void do_update() {
    rms = maxerr = 0;
    op_par_loop(update, "update", cells, op2::read(qold), op2::write(q), op2::rw(res), op2::read(adt),
                op2::gbl_inc(&rms), op2::gbl_max(&maxerr), op2::index(), op2::info(&errloc, 5));
  }
  void iterate() {
    save();
    for (int stage = 0; stage < 2; ++stage) {
      calc_adt();
      calc_res();
      calc_bres();
      do_update();
    }
  }
};

struct Kernel {
  const char *name;
  int elements;
  double bound; // 0 = none
  std::function<void()> hand, library;
  std::vector<double> hand_seconds, library_seconds;
};

bool compare_kernels(const naca::Mesh &mesh, int rounds) {
  Hand hand(mesh);
  Library library(mesh, "seq", 1);
  Kernel kernels[] = {
      {"save_soln", mesh.ncell, 0, [&] { hand.save_soln(); }, [&] { library.save(); }, {}, {}},
      {"adt_calc", mesh.ncell, 1.15, [&] { hand.adt_calc(); }, [&] { library.calc_adt(); }, {}, {}},
      {"res_calc", mesh.nedge, 1.15, [&] { hand.res_calc(); }, [&] { library.calc_res(); }, {}, {}},
      {"bres_calc", mesh.nbedge, 0, [&] { hand.bres_calc(); }, [&] { library.calc_bres(); }, {}, {}},
      {"update", mesh.ncell, 1.15, [&] { hand.update(); }, [&] { library.do_update(); }, {}, {}},
  };
  for (int round = -1; round < rounds; ++round) // the first one warms up
    for (Kernel &kernel : kernels) {
      const double start = seconds();
      kernel.hand();
      const double middle = seconds();
      kernel.library();
      const double end = seconds();
      if (round < 0) continue;
      kernel.hand_seconds.push_back(middle - start);
      kernel.library_seconds.push_back(end - middle);
    }
  bool good = true;
  std::printf("one thread, ns per element, medians of %d rounds\n  %-10s %10s %10s %8s\n", rounds, "kernel", "by hand",
              "range", "ratio");
  for (const Kernel &kernel : kernels) {
    const double per = 1e9 / kernel.elements;
    const double ratio = median(kernel.library_seconds) / median(kernel.hand_seconds);
    const bool within = kernel.bound == 0 || ratio <= kernel.bound;
    good = good && within;
    std::printf("  %-10s %10.3f %10.3f %8.3f%s\n", kernel.name, median(kernel.hand_seconds) * per,
                median(kernel.library_seconds) * per, ratio, within ? "" : "  above the bound of 1.15");
  }
  const double difference = hand.rms == 0 ? 0 : std::abs(library.rms / hand.rms - 1);
  std::printf("  relative difference of the residuals: %.1e\n", difference);
  return good && difference < 1e-9;
}

bool compare_threads(const naca::Mesh &mesh, int rounds) {
  double per_iteration[2] = {};
  std::vector<double> ratios;
  for (int round = 0; round < 3; ++round) {
    for (int threads = 1; threads <= 2; ++threads) {
      Library library(mesh, "openmp", threads);
      library.iterate();
      std::vector<double> times;
      for (int i = 0; i < rounds; ++i) {
        const double start = seconds();
        library.iterate();
        times.push_back(seconds() - start);
      }
      per_iteration[threads - 1] = median(times);
    }
    ratios.push_back(per_iteration[0] / per_iteration[1]);
  }
  const double ratio = median(ratios);
  std::printf("openmp, whole iterations: %.2f ms with 1 thread, %.2f ms with 2, ratio %.2f%s\n", 1e3 * per_iteration[0],
              1e3 * per_iteration[1], ratio, ratio >= 1.6 ? "" : "  below the bound of 1.6");
  return ratio >= 1.6;
}

} // namespace

int main(int argc, char **argv) {
  int I = 480, J = 700, rounds = 15, position = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
      rounds = std::max(1, std::atoi(argv[++i]));
    } else {
      (position++ == 0 ? I : J) = std::atoi(argv[i]);
    }
  }
  airfoil_constants();
  const naca::Mesh mesh = naca::make_mesh(I, J);
  std::printf("%d cells, %d edges\n", mesh.ncell, mesh.nedge);
  const bool kernels = compare_kernels(mesh, rounds);
  const bool threads = compare_threads(mesh, rounds);
  return kernels && threads ? EXIT_SUCCESS : EXIT_FAILURE;
}
