// The files of a view, in VTKHDF and XDMF.
#pragma once

#include <string>

#include "io/view/view.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

class Files;

void need_view_format(const std::string &file); // throws OP_ERR_ARGUMENT

// Collective.
void write_view(Mesh &mesh, Files &files, const op_view_core &view, const std::string &file);
void write_view_step(Mesh &mesh, Files &files, op_view_core &view, const std::string &file, double time);

} // namespace op2::core

// SPDX-License-Identifier: MIT
