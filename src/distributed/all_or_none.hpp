// Steps of a collective call that may fail on one process only.
#pragma once

#include <string>

#include "mesh/mesh.hpp"

namespace op2::core {

// Runs step(). If programs continue after errors, a failure on one process throws on all, so that no process waits for
// a failed one later. Otherwise a process that fails ends the job, and the call does not communicate. Collective.
template <class Step>
void all_or_none(Mesh &mesh, const char *what, const Step &step) {
  if (!mesh.several() || !mesh.agreement().errors_return()) return step();
  mesh.agreement().together(what, [&step] {
    step();
    return 0;
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
