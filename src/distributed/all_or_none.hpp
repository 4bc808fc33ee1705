// Steps that may fail on one process only, in the middle of what all do together.
#pragma once

#include <string>

#include "mesh/mesh.hpp"

namespace op2::core {

// Runs step(). Where programs go on after errors, it fails on all processes when it fails on one, so that nobody waits
// for the others in what follows. Else who fails ends the job, and this costs nothing. Collective.
template <class Step>
void all_or_none(Mesh &mesh, const char *what, const Step &step) {
  if (!mesh.several() || !mesh.agreement().errors_return()) return step();
  mesh.agreement().together(what, [&step] {
    step();
    return 0;
  });
}

} // namespace op2::core
