// The seal of a checkpoint: a checksum at the end of the file over all bytes before it. Damaged HDF5 metadata may crash
// HDF5, so need_seal() checks a file before HDF5 opens it.
#pragma once

#include <string>

#include "mesh/mesh.hpp"

namespace op2::core {

// Both are collective: each process reads its share of the bytes. Throw OP_ERR_FILE. title: for messages.
void seal_file(Mesh &mesh, const std::string &title, const std::string &path);
void need_seal(Mesh &mesh, const std::string &title, const std::string &path);

} // namespace op2::core

// SPDX-License-Identifier: MIT
