// make_mesh.cpp: the program make_naca_mesh, which writes the airfoil mesh as a text file.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>

#include "naca_mesh.hpp"

namespace {

constexpr char usage[] =
    "usage: make_naca_mesh [I J] file\n"
    "Write a NACA 0012 mesh of 3*I*J quadrilaterals; I J default to 400 600, the reference mesh of 720000 cells.\n";

bool parse(const char *text, int &value) {
  const char *end = text + std::strlen(text);
  const auto result = std::from_chars(text, end, value);
  return result.ec == std::errc() && result.ptr == end;
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
    const naca::Mesh mesh = naca::make_mesh(I, J);
    naca::write_mesh(mesh, argv[argc - 1]);
    std::printf("%s: %d nodes, %d cells, %d edges, %d boundary edges\n", argv[argc - 1], mesh.nnode, mesh.ncell,
                mesh.nedge, mesh.nbedge);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "make_naca_mesh: %s\n", error.what());
    return 2;
  }
  return 0;
}

// SPDX-License-Identifier: MIT
