// The end of a checkpoint: a checksum of every byte before it. HDF5 does not survive all damage to what it keeps for
// itself, so nothing is opened that has not been checked.
#pragma once

#include <string>

#include "mesh/mesh.hpp"

namespace op2::core {

// Both are collective: each process reads its share of the bytes. They throw OP_ERR_FILE.
void seal_file(Mesh &mesh, const std::string &title, const std::string &path);
void need_seal(Mesh &mesh, const std::string &title, const std::string &path);

} // namespace op2::core
