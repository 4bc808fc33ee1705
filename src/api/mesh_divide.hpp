// Parts of a mesh that is in memory whole.
#pragma once

#include <vector>

#include "api/session.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// The part of each cell. Throws OP_ERR_ARGUMENT, OP_ERR_BACKEND.
std::vector<int> divide_mesh(Session &session, const MeshModel &model, int parts);

} // namespace op2::core
