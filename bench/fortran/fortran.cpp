// fortran.cpp: whole airfoil iterations in Fortran on seq, beside the same in C++, in turn. Both have code made from
// their kernels' texts.
//
// Judged: at most 1.1 times the C++ program. The Fortran program also finds the largest change and its cell.
#include <cstdlib>
#include <memory>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"

extern "C" {
void fortran_airfoil_begin(int nnode, int ncell, int nedge, int nbedge, const double *x, const int *cell,
                           const int *edge, const int *ecell, const int *bedge, const int *becell, const int *bound);
double fortran_airfoil_iterate(void);
}

namespace {

bench::Variant::Run in_fortran(const naca::Mesh &m) {
  setenv("OP2_BACKEND", "self+seq", 1); // in a process of its own
  fortran_airfoil_begin(m.nnode, m.ncell, m.nedge, m.nbedge, m.x.data(), m.cell_nodes.data(), m.edge_nodes.data(),
                        m.edge_cells.data(), m.bedge_nodes.data(), m.bedge_cell.data(), m.bound.data());
  return [] { fortran_airfoil_iterate(); };
}

void compare(const naca::Mesh &mesh, const std::string &size, int pairs) {
  const bench::Setting text("OP2_JIT", "on");
  bench::Variant cpp("c++", [&mesh]() -> bench::Variant::Run {
    const auto library = std::make_shared<AirfoilLibrary>(mesh, "seq", 1);
    return [library] { library->iterate(); };
  });
  bench::Variant fortran("fortran", [&mesh] { return in_fortran(mesh); });
  const bench::Pairs to_cpp = bench::alternate(cpp, fortran, pairs);
  const std::string row = "fortran." + size + ".seq1.text_to_cpp";
  bench::result(row, to_cpp.ratio(), "x");
  bench::check(row, to_cpp.ratio(), 1.1, bench::Better::below, "x");
}

} // namespace

int main(int argc, char **argv) {
  const naca::Mesh mesh = naca::make_mesh(96, 144);
  compare(mesh, "40k", bench::quick(argc, argv) ? bench::fewest_pairs : 31);
  return 0;
}

// SPDX-License-Identifier: MIT
