// Constants that the program changes while loops are recorded: what is recorded runs with the value of before.
#pragma once

#include <cstddef>
#include <functional>

#include "loop/chain/recorder.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// Before the constant gets the value that is in this variable already: calls flush() with the value of before in the
// variable, if loops are recorded and the value changes. Throws if the program's own code is to run, and reads a
// variable that is not known. Collective.
void run_before_constant(Mesh &mesh, const Recorder &recorded, const char *constant, const void *variable,
                         std::size_t bytes, const std::function<void()> &flush);

} // namespace op2::core

// SPDX-License-Identifier: MIT
