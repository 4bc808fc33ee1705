// The sets, maps and dats of a mesh that was read from a file.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/mesh.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

struct DeclaredMesh {
  template <class Handle>
  using ByName = std::map<std::string, Handle, std::less<>>;
  // The boundary faces of a patch, and maps from them by the name of the set that they lead to.
  struct OfPatch {
    op_set set = nullptr;
    ByName<op_map> maps;
  };

  ByName<op_set> sets;
  ByName<op_map> maps;
  ByName<op_dat> dats;
  ByName<OfPatch> patches;     // those that the program has asked for
  std::vector<int> face_patch; // the patch of each declared boundary face; the model may get another order afterwards
  bool complete = false;
};

// Each process declares a part of the model, or, by OP2_DECLARE, each process or process 0 all of it. Collective.
void declare_mesh(Mesh &mesh, const MeshModel &model, DeclaredMesh &out);

// The set of the boundary faces of all patches of this name, with its maps, declared by the first call. Collective.
// Throws OP_ERR_ARGUMENT, naming the patches that there are.
const DeclaredMesh::OfPatch &declare_patch(Mesh &mesh, const MeshModel &model, DeclaredMesh &out,
                                           std::string_view name);

} // namespace op2::core

// SPDX-License-Identifier: MIT
