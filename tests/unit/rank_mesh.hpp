// rank_mesh.hpp: the mesh of one rank of run_ranks(), on the executor "seq".
#pragma once

#include "host/executor.hpp"
#include "mesh/mesh.hpp"
#include "ranks.hpp"

namespace unit {

struct RankMesh {
  op2::core::Executor executor;
  op2::core::Mesh mesh;

  RankMesh(op2::core::Communicator &ranks, Host &host, op2::core::Declare how)
      : executor(*host.registry, host.services, "seq", {}), mesh(executor, ranks, 0) {
    mesh.declare().set_mode(how);
  }
};

} // namespace unit

// SPDX-License-Identifier: MIT
