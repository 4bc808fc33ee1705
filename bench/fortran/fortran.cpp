// fortran.cpp: whole airfoil iterations in Fortran on seq, with range procedures written by op2-fortran-ranges and with
// kernels called by pointer, beside the range form of op2.hpp, in turn.
//
// And with code made from the kernels' texts, in Fortran and in C++.
//
// Judged: with ranges at most 1.15 times the C++ program, from text at most 1.1 times.
#include <cstdlib>
#include <cstring>
#include <memory>

#include "airfoil/airfoil_library.hpp"
#include "common/alternate.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"

extern "C" {
void fortran_airfoil_begin(int nnode, int ncell, int nedge, int nbedge, const double *x, const int *cell,
                           const int *edge, const int *ecell, const int *bedge, const int *becell, const int *bound,
                           int ranges);
double fortran_airfoil_iterate(void);
void fortran_airfoil_timing(void);
}

namespace {

bench::Variant::Run in_fortran(const naca::Mesh &m, int ranges) {
  setenv("OP2_BACKEND", "self+seq", 1); // in a process of its own
  fortran_airfoil_begin(m.nnode, m.ncell, m.nedge, m.nbedge, m.x.data(), m.cell_nodes.data(), m.edge_nodes.data(),
                        m.edge_cells.data(), m.bedge_nodes.data(), m.bedge_cell.data(), m.bound.data(), ranges);
  return [] { fortran_airfoil_iterate(); };
}

// Code from text on both sides. The Fortran program also finds the largest change and its cell.
void compare_texts(const naca::Mesh &mesh, const std::string &size, int pairs) {
  const bench::Setting text("OP2_JIT", "on");
  bench::Variant cpp("c++", [&mesh]() -> bench::Variant::Run {
    const auto library = std::make_shared<AirfoilLibrary>(mesh, "seq", 1);
    return [library] { library->iterate(); };
  });
  bench::Variant fortran("fortran", [&mesh] { return in_fortran(mesh, 0); });
  const bench::Pairs to_cpp = bench::alternate(cpp, fortran, pairs);
  const std::string row = "fortran." + size + ".seq1.text_to_cpp";
  bench::result(row, to_cpp.ratio(), "x");
  bench::check(row, to_cpp.ratio(), 1.1, bench::Better::below, "x");
}

void compare(const naca::Mesh &mesh, const std::string &size, int pairs) {
  bench::Variant cpp("c++", [&mesh]() -> bench::Variant::Run {
    const auto library = std::make_shared<AirfoilLibrary>(mesh, "seq", 1);
    return [library] { library->iterate(); };
  });
  bench::Variant ranges("ranges", [&mesh] { return in_fortran(mesh, 1); });
  bench::Variant element("element", [&mesh] { return in_fortran(mesh, 0); });
  const bench::Pairs to_range = bench::alternate(cpp, ranges, pairs);
  const bench::Pairs to_element = bench::alternate(cpp, element, pairs);
  const std::string row = "fortran." + size + ".seq1.";
  bench::result(row + "cpp", 1e3 * bench::median(to_range.yardstick), "ms");
  bench::result(row + "ranges", 1e3 * bench::median(to_range.subject), "ms");
  bench::result(row + "element_to_cpp", to_element.ratio(), "x");
  bench::result(row + "ranges_to_cpp", to_range.ratio(), "x");
  bench::check(row + "ranges_to_cpp", to_range.ratio(), 1.15, bench::Better::below, "x");
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--loops") == 0) { // not for run.sh: the time of each loop
    const naca::Mesh mesh = naca::make_mesh(96, 144);
    const auto forms = bench::compiled_forms();
    const auto run = in_fortran(mesh, 1);
    for (int i = 0; i < 200; ++i) run();
    fortran_airfoil_timing();
    return 0;
  }
  const bool quick = bench::quick(argc, argv);
  const naca::Mesh mesh = naca::make_mesh(96, 144);
  {
    const auto forms = bench::compiled_forms();
    compare(mesh, "40k", quick ? bench::fewest_pairs : 31);
  }
  compare_texts(mesh, "40k", quick ? bench::fewest_pairs : 31);
  return 0;
}
