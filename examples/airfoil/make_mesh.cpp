// make_mesh.cpp: the program make_naca_mesh, which writes the airfoil mesh as a text file, or as an HDF5 file of any
// size.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "naca_mesh.hpp"
#ifdef WITH_HDF5
#include "naca_hdf5.hpp"
#endif

namespace {

constexpr char usage[] =
    "usage: make_naca_mesh [I J] file\n"
    "Write a NACA 0012 mesh of 3*I*J quadrilaterals; I J default to 400 600, the reference mesh of 720000 cells.\n"
    "file.h5: as HDF5 with the names that airfoil programs read, in pieces: takes a few MiB of memory for any size.\n";

bool parse(const char *text, int &value) {
  const char *end = text + std::strlen(text);
  const auto result = std::from_chars(text, end, value);
  return result.ec == std::errc() && result.ptr == end;
}

bool is_hdf5(const std::string &file) { return file.size() > 3 && file.compare(file.size() - 3, 3, ".h5") == 0; }

void write(const naca::MeshRows &rows, const std::string &file) {
#ifdef WITH_HDF5
  naca::write_hdf5(rows, file);
#else
  (void)rows;
  throw std::runtime_error("cannot write " + file + ": this program was built without HDF5");
#endif
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && (!std::strcmp(argv[1], "--help") || !std::strcmp(argv[1], "-h"))) {
    std::fputs(usage, stdout);
    return 0;
  }
  int I = 400, J = 600;
  if ((argc != 2 && argc != 4) || argv[1][0] == '-' || (argc == 4 && (!parse(argv[1], I) || !parse(argv[2], J)))) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    const char *const file = argv[argc - 1];
    const naca::MeshRows rows(I, J);
    if (is_hdf5(file))
      write(rows, file);
    else
      naca::write_mesh(naca::make_mesh(I, J), file);
    std::printf("%s: %d nodes, %d cells, %d edges, %d boundary edges\n", file, rows.nnode, rows.ncell, rows.nedge,
                rows.nbedge);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "make_naca_mesh: %s\n", error.what());
    return 2;
  }
  return 0;
}

// SPDX-License-Identifier: MIT
