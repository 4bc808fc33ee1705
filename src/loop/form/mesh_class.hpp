// Classes of meshes: on two meshes of one class a loop is expected to be fastest in the same form.
#pragma once

#include <string>

#include "loop/form/fast_form.hpp"

namespace op2::core {

// The number of elements and the bytes that a call moves, each up to a factor of two, and how far apart the rows are
// that neighbouring elements reach through maps.
std::string mesh_class(const FastFormRequest &request);

} // namespace op2::core

// SPDX-License-Identifier: MIT
