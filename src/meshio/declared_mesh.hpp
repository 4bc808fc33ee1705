// The sets, maps and dats that a mesh from a file has become in the program.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "mesh/mesh.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

struct DeclaredMesh {
  template <class Handle>
  using ByName = std::map<std::string, Handle, std::less<>>;

  ByName<op_set> sets;
  ByName<op_map> maps;
  ByName<op_dat> dats;
  bool complete = false;
};

// Each process declares a part, or what OP2_DECLARE says: each of them everything, or process 0. Collective.
void declare_mesh(Mesh &mesh, const MeshModel &model, DeclaredMesh &out);

} // namespace op2::core
