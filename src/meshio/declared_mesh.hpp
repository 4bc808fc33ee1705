// The sets, maps and dats of a mesh that was read from a file.
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

// Each process declares a part of the model, or, by OP2_DECLARE, each process or process 0 all of it. Collective.
void declare_mesh(Mesh &mesh, const MeshModel &model, DeclaredMesh &out);

} // namespace op2::core
