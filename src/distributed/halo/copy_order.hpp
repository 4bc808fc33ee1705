// Where copies come from: the owner of each, and its place there.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

struct CopiedFrom {
  int owner;
  int row;   // of the owner
  bool core; // of the owner: the element leads to rows of its owner only
};

// Of each copy of the set, from the first row behind the owned ones on. Collective.
std::vector<CopiedFrom> copied_from(Mesh &mesh, const Set &set);

} // namespace op2::core

// SPDX-License-Identifier: MIT
