// mesh_arrays.cpp: op2_mesh_arrays < LIST: for each line `FORMAT PATH` of the list all arrays that the library reads
// from the file, one line each, or the library's error. peers.py compares them with what other programs find in the
// same files.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "op2/meshfile.h"
#include "op2/op2.h"

namespace {

constexpr const char *types[] = {"triangles", "quadrangles", "tetrahedra", "pyramids", "prisms", "hexahedra"};

void print_ints(op_mesh mesh, const std::string &name) {
  int rows = 0, dim = 0;
  const int *values = op_mesh_ints(mesh, name.c_str(), &rows, &dim);
  if (!values) return; // a mesh without cells of this type
  std::printf("ints %s %d", name.c_str(), dim);
  for (int i = 0; i < rows * dim; ++i) std::printf(" %d", values[i]);
  std::printf("\n");
}

void print_mesh(op_mesh mesh) {
  int rows = 0, dim = 0;
  const double *x = op_mesh_reals(mesh, "x", &rows, &dim);
  std::printf("x %d", dim);
  for (int i = 0; i < rows * dim; ++i) std::printf(" %.17g", x[i]);
  std::printf("\ncells %d\n", op_mesh_size(mesh, "cells"));
  for (const char *name : {"face_cells", "face_nodes", "bface_cells", "bface_nodes", "bface_patch"})
    print_ints(mesh, name);
  for (const std::string type : types) {
    print_ints(mesh, type + "_nodes");
    print_ints(mesh, type + "_cells");
  }
  for (int i = 0; i < op_mesh_size(mesh, "patches"); ++i) {
    int id = 0;
    const char *name = op_mesh_patch(mesh, i, &id);
    std::printf("patch %d %s\n", id, name);
  }
}

} // namespace

int main(int, char **argv) {
  const char *arguments[] = {argv[0], "OP2_ERROR=return", "OP2_BACKEND=seq", nullptr};
  op_set_error_handler(op_error_return, nullptr);
  if (op_init(3, const_cast<char **>(arguments), 0) != OP_OK) return 3;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string format, path;
    words >> format >> path;
    std::printf("file %s\n", path.c_str());
    op_mesh mesh = nullptr;
    if (op_mesh_read(path.c_str(), format.c_str(), &mesh) == OP_OK) {
      print_mesh(mesh);
      op_mesh_free(mesh);
    } else {
      std::printf("error %s\n", op_last_error());
    }
  }
  op_exit();
  return 0;
}

// SPDX-License-Identifier: MIT
