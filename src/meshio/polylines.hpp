// Lines for VTK and ParaView.
#pragma once

#include <string>

#include "mesh/mesh.hpp"
#include "meshfile/vtk/write_vtp.hpp"

namespace op2::core {

// Process 0 writes; what the others pass does not count. Collective. Throws OP_ERR_FILE on all processes.
void write_polylines(Mesh &mesh, const Polylines &lines, const std::string &file);

} // namespace op2::core
